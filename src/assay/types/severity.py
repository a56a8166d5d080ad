"""How serious a marked error is, in the words of MQM and ESA."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["NO_ERRORS", "SEVERITIES", "Severity", "milder_than"]


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


def milder_than(severity: str) -> tuple[str, ...]:
    """The severities of which a rater would say less than this one, or nothing."""
    return SEVERITIES[SEVERITIES.index(severity) + 1 :]
