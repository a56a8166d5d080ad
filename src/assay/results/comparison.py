"""Two systems and the difference between their scores."""

from __future__ import annotations

from dataclasses import dataclass

from assay.results.estimate import Estimate
from assay.types.record import Record

__all__ = ["Comparison"]


@dataclass(frozen=True, slots=True)
class Comparison(Record):
    """How much higher the first system scores than the second, and the p-value of a test.

    A test of `assay.significance` is one-sided: its p-value is that of "the first is better".
    Where the difference or the p-value is undefined (NaN), the reason of the difference says why.
    """

    first: str
    second: str
    difference: Estimate
    """The score of the first minus that of the second; n counts the segments that were used."""
    p: float
    test: str
    """The spec of the test that gave the p-value."""

    @property
    def n(self) -> int:
        """The number of segment values used: of the common segments, or of both systems if the test is unpaired."""
        return self.difference.n

    @property
    def reason(self) -> str | None:
        """Why the difference or the p-value is undefined."""
        return self.difference.reason
