"""Exact match: an error is found if the metric marked the same characters."""

from __future__ import annotations

from dataclasses import dataclass

from assay.span_agreement import span_statistic
from assay.span_agreement.matching import MatchedErrors, Pair, are_same, reward
from assay.types import ErrorSpan

__all__ = ["ExactMatch"]


@span_statistic("exact-match")
@dataclass(frozen=True)
class ExactMatch(MatchedErrors):
    """Errors with the same first and last character, matched one to one.

    `penalty`: the credit that a pair of different severities loses.
    """

    label = "exact-match F"

    def pair(self, first: ErrorSpan, second: ErrorSpan) -> Pair | None:
        if not are_same(first, second):
            return None
        credit = reward(first, second, self.penalty)
        return Pair(credit, credit)
