"""The character-level F of WMT23's quality-estimation task: a character counts once, however many errors have it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.lazily import numpy as np
from assay.span_agreement import Credits, SpanStatistic, check_penalty, span_statistic
from assay.span_agreement.characters import character_counts
from assay.types import ErrorSpan

__all__ = ["CharactersWMT23"]


@span_statistic("characters-wmt23")
@dataclass(frozen=True)
class CharactersWMT23(SpanStatistic):
    """A character that both sides marked counts 1 if they share a severity for it, else 1 - `penalty`."""

    penalty: float = 0.5

    label = "character F (WMT23)"

    def __post_init__(self) -> None:
        check_penalty(self.penalty)

    def credits(self, marked: Sequence[ErrorSpan], predicted: Sequence[ErrorSpan]) -> Credits:
        people, metric = (side > 0 for side in character_counts(marked, predicted, widen_empty=True))
        by_people, by_metric = people.any(axis=0), metric.any(axis=0)
        both, same = by_people & by_metric, (people & metric).any(axis=0)
        credit = float(same.sum() + (1 - self.penalty) * (both & ~same).sum())
        return Credits(credit, float(np.sum(by_metric)), credit, float(np.sum(by_people)))
