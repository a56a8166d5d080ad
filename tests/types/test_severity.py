from __future__ import annotations

import pytest

from assay.types.severity import NO_ERRORS, SEVERITIES, Severity, milder_than


def test_the_worst_come_first() -> None:
    assert SEVERITIES[:4] == ("critical", "major", "minor", "trivial")
    assert SEVERITIES[-2:] == NO_ERRORS


@pytest.mark.parametrize(
    ("severity", "milder"),
    [
        (Severity.MAJOR, ("minor", "trivial", "undecided", "neutral", "no-error")),
        ("no-error", ()),
    ],
)
def test_milder_severities(severity: str, milder: tuple[str, ...]) -> None:
    assert milder_than(severity) == milder
