"""Partial match: an error is found if the metric marked any of its characters."""

from __future__ import annotations

from dataclasses import dataclass

from assay.span_agreement import span_statistic
from assay.span_agreement.matching import MatchedErrors, Pair, overlap, reward
from assay.types import ErrorSpan

__all__ = ["PartialMatch"]


@span_statistic("partial-match")
@dataclass(frozen=True)
class PartialMatch(MatchedErrors):
    """Errors that share a character, matched one to one, with full credit: a metric that marks too much gains.

    `penalty`: the credit that a pair of different severities loses.
    """

    label = "partial-match F"

    def pair(self, first: ErrorSpan, second: ErrorSpan) -> Pair | None:
        if not overlap(first, second):
            return None
        credit = reward(first, second, self.penalty)
        return Pair(credit, credit)
