"""What a calibration counts as a difference that people see, in words."""

from __future__ import annotations

from assay.results.calibration import AGREES, SIGNIFICANT

__all__ = ["opposite_words", "outcome_words", "preferred"]

_ORIENTATIONS = {
    "by-metric": ("people significantly prefer", "people significantly preferred", " the better-scored system"),
    "absolute": ("people significantly prefer", "people significantly preferred", " either system"),
    "by-human": ("people's preference is", "people's preference was", " significant"),
}
"""By orientation: now, in past campaigns, and what."""
_UNKNOWN = ("people see", "people saw", " a significant difference")
_AGREES = "people prefer the better-scored system, by however little"


def outcome_words(outcome: str, orientation: str) -> str:
    """What the curves of an outcome are about: `people significantly prefer the better-scored system`."""
    if outcome == SIGNIFICANT:
        now, _, what = _ORIENTATIONS.get(orientation, _UNKNOWN)
        return f"{now}{what}"
    return _AGREES if outcome == AGREES else outcome


def preferred(orientation: str) -> str:
    """What people did in the pairs that a calibration counts: `people significantly preferred either system`."""
    _, past, what = _ORIENTATIONS.get(orientation, _UNKNOWN)
    return f"{past}{what}"


def opposite_words(orientation: str, shares: str) -> str:
    """How often people preferred the other system: the end of a sentence on how often they did what is counted."""
    if not shares:
        return ""
    if orientation == "by-metric":
        return f", and the worse-scored one in {shares}"
    return f"; they significantly preferred the worse-scored system in {shares}"
