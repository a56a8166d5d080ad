"""Partial overlap with partial credit (Perrella et al. 2026): the share of an error that the other side marked."""

from __future__ import annotations

from dataclasses import dataclass

from assay.span_agreement import span_statistic
from assay.span_agreement.matching import MatchedErrors, Pair, length, overlap, reward
from assay.types import ErrorSpan

__all__ = ["PartialCredit"]


@span_statistic("mpp")
@dataclass(frozen=True)
class PartialCredit(MatchedErrors):
    """Errors matched one to one so that F of the output is highest.

    A predicted error has the share of its characters that the other one has as credit for precision, a marked error
    the same for recall. `penalty`: the share of the credit that a pair of different severities loses.
    """

    label = "partial-credit F (MPP)"

    def pair(self, first: ErrorSpan, second: ErrorSpan) -> Pair | None:
        common = overlap(first, second)
        if not common:
            return None
        credit = common * reward(first, second, self.penalty)
        return Pair(credit / length(first), credit / length(second))
