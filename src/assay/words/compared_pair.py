"""The two systems that a verdict is about, under every metric and aggregation."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from assay import results
from assay.labels import metrics as labels
from assay.labels.numbers import difference_decimals, size_text
from assay.results import ComparedMetric, ComparedPair, SystemComparison

__all__ = ["ComparedScore", "Outcome", "PairVerdict", "pair_verdict", "score_label"]

Outcome: TypeAlias = Literal["ahead", "behind", "tied", "unshown", "undefined"]
_OUTCOMES: Mapping[results.Outcome, Outcome] = {
    results.Outcome.BETTER: "ahead",
    results.Outcome.WORSE: "behind",
    results.Outcome.TIED: "tied",
    results.Outcome.OPPOSED: "unshown",
    results.Outcome.NOT_SHOWN: "unshown",
    results.Outcome.UNDEFINED: "undefined",
}


@dataclass(frozen=True, slots=True)
class ComparedScore:
    """What one metric under one aggregation says of the first of two systems."""

    metric: ComparedMetric
    pair: ComparedPair
    outcome: Outcome
    favour: float
    """The difference in favour of the first system, also for metrics whose lower scores are better."""
    low: float
    high: float

    @property
    def label(self) -> str:
        """The metric and, unless it is corpus, the aggregation."""
        return score_label(self.metric)

    @property
    def decimals(self) -> int:
        """Those of the difference in texts."""
        return difference_decimals(self.metric.scores)

    @property
    def size(self) -> str:
        """The size of the difference, as text."""
        return size_text(self.favour, self.decimals)


@dataclass(frozen=True, slots=True)
class PairVerdict:
    """Two systems under all metrics and aggregations. If any puts the second ahead, another puts the first ahead."""

    first: str
    second: str
    scores: tuple[ComparedScore, ...]
    alpha: float

    def having(self, outcome: Outcome) -> list[str]:
        """The scores with an outcome."""
        return [score.label for score in self.scores if score.outcome == outcome]

    @property
    def winner(self) -> str | None:
        """The system that some scores put ahead and none behind."""
        return self.first if self.having("ahead") and not self.having("behind") else None

    @property
    def lead(self) -> ComparedScore:
        """The first score that shows a difference, or else the first."""
        shown = (score for score in self.scores if score.outcome in ("ahead", "behind"))
        return next(shown, self.scores[0])


def score_label(metric: ComparedMetric) -> str:
    """The metric and, unless it is corpus, the aggregation."""
    return labels.score_label(metric.metric, metric.aggregation)


def pair_verdict(comparison: SystemComparison) -> PairVerdict:
    """The two systems that the verdict is about, the one that scores put ahead first.

    Of a single pair, these; with a baseline, the best other system and the baseline; of all pairs, the best and the
    second by the first metric.
    """
    first, second = _focus(comparison)
    found = _verdict(comparison, first, second)
    return _verdict(comparison, second, first) if _is_behind(found) else found


def _verdict(comparison: SystemComparison, first: str, second: str) -> PairVerdict:
    alpha = float(comparison.settings["alpha"])
    scores = (_score(metric, first, second) for metric in comparison.metrics)
    return PairVerdict(first, second, tuple(scores), alpha)


def _is_behind(found: PairVerdict) -> bool:
    """Whether scores put the second system ahead; where none shows a difference, whether the first score has it so."""
    if found.having("ahead"):
        return False
    return bool(found.having("behind")) or found.scores[0].favour < 0


def _focus(comparison: SystemComparison) -> tuple[str, str]:
    metric = comparison.metrics[0]
    if comparison.baseline is not None or len(metric.pairs) == 1:
        best = max(metric.pairs, key=lambda pair: _goodness(metric, pair.first))
        return best.first, best.second
    order = sorted(metric.scores, key=lambda name: -_goodness(metric, name))
    return order[0], order[1]


def _goodness(metric: ComparedMetric, system: str) -> float:
    value = metric.scores[system].value
    if math.isnan(value):
        return -math.inf
    return value if metric.higher_is_better else -value


def _score(metric: ComparedMetric, first: str, second: str) -> ComparedScore:
    pair = metric.pair(first, second)
    found = metric.in_favour(pair)
    return ComparedScore(metric, pair, _OUTCOMES[pair.outcome], found.value, found.low, found.high)
