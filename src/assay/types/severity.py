"""How serious a marked error is, in the words of MQM and ESA."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

__all__ = ["NO_ERRORS", "SEVERITIES", "SEVERITY_WEIGHTS", "Severity", "milder_than"]


class Severity(StrEnum):
    """A severity that a protocol has, the worst first. An error may have none, and files may have others."""

    CRITICAL = "critical"
    MAJOR = "major"
    MINOR = "minor"
    TRIVIAL = "trivial"
    UNDECIDED = "undecided"
    """The rater did not choose (ESA of WMT25)."""
    NEUTRAL = "neutral"
    NO_ERROR = "no-error"


SEVERITIES: tuple[str, ...] = tuple(map(str, Severity))
"""All of them, the worst first."""
NO_ERRORS: tuple[str, ...] = (str(Severity.NEUTRAL), str(Severity.NO_ERROR))
"""What raters marked that is no error."""
SEVERITY_WEIGHTS: Mapping[str, float] = {
    "critical": 5.0,
    "major": 5.0,
    "minor": 1.0,
    "trivial": 0.1,
    "undecided": 0.0,
    "neutral": 0.0,
    "no-error": 0.0,
}
"""What an error weighs by its severity alone, as in MQM. One that a rater left undecided (WMT25) counts 0."""


def milder_than(severity: str) -> tuple[str, ...]:
    """All severities below this one, with those that are no error."""
    return SEVERITIES[SEVERITIES.index(severity) + 1 :]
