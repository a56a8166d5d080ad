"""Exact match: an error is found if the metric marked the same characters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.span_agreement import Credits, SpanStatistic, check_penalty, span_statistic
from assay.span_agreement.matching import Pair, are_same, best_credits, reward
from assay.types import ErrorSpan

__all__ = ["ExactMatch"]


@span_statistic("exact-match")
@dataclass(frozen=True)
class ExactMatch(SpanStatistic):
    """Errors with the same first and last character, matched one to one.

    `penalty`: the credit that a pair of different severities loses.
    """

    penalty: float = 0.0

    label = "exact-match F"

    def __post_init__(self) -> None:
        check_penalty(self.penalty)

    def credits(self, marked: Sequence[ErrorSpan], predicted: Sequence[ErrorSpan]) -> Credits:
        correct, found = best_credits(predicted, marked, self._pair)
        return Credits(correct, len(predicted), found, len(marked))

    def _pair(self, first: ErrorSpan, second: ErrorSpan) -> Pair | None:
        if not are_same(first, second):
            return None
        credit = reward(first, second, self.penalty)
        return Pair(credit, credit)
