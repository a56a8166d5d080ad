"""The character-level F of WMT25's evaluation task: a character counts once for each error that has it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.lazily import numpy as np
from assay.span_agreement import Credits, SpanStatistic, check_penalty, span_statistic
from assay.span_agreement.characters import character_counts
from assay.types import ErrorSpan

__all__ = ["CharactersWMT25"]


@span_statistic("characters-wmt25")
@dataclass(frozen=True)
class CharactersWMT25(SpanStatistic):
    """Marks of a character are matched one to one, those of one severity first; the others count 1 - `penalty`."""

    penalty: float = 0.5

    label = "character F (WMT25)"

    def __post_init__(self) -> None:
        check_penalty(self.penalty)

    def credits(self, marked: Sequence[ErrorSpan], predicted: Sequence[ErrorSpan]) -> Credits:
        people, metric = character_counts(marked, predicted)
        same = np.minimum(people, metric)
        left = np.minimum((people - same).sum(axis=0), (metric - same).sum(axis=0))
        credit = float(same.sum() + (1 - self.penalty) * left.sum())
        return Credits(credit, float(metric.sum()), credit, float(people.sum()))
