"""The two systems that a verdict is about, under every metric and aggregation."""

from __future__ import annotations

from dataclasses import dataclass

from assay.labels import metrics as labels
from assay.labels.numbers import size_text
from assay.results import ComparedMetric, ComparedPair, Estimate, Outcome, SystemComparison

__all__ = ["ComparedScore", "PairVerdict", "compared_scores", "pair_legend", "pair_verdict", "score_label"]


@dataclass(frozen=True, slots=True)
class ComparedScore:
    """What one metric under one aggregation says of the first of two systems."""

    metric: ComparedMetric
    pair: ComparedPair

    @property
    def label(self) -> str:
        """The metric and, unless it is corpus, the aggregation."""
        return score_label(self.metric)

    @property
    def in_favour(self) -> Estimate:
        """The difference in favour of the first system, also for metrics whose lower scores are better."""
        return self.metric.in_favour(self.pair)

    @property
    def favour(self) -> float:
        """Its value."""
        return self.in_favour.value

    @property
    def decimals(self) -> int:
        """Those of the difference in texts."""
        return self.metric.decimals

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

    def having(self, outcome: Outcome) -> list[str]:
        """The scores with an outcome."""
        return [score.label for score in self.scores if score.pair.outcome is outcome]

    @property
    def shows_difference(self) -> bool:
        """Whether any score shows a difference."""
        return any(score.pair.shows_difference for score in self.scores)

    @property
    def winner(self) -> str | None:
        """The system that some scores put ahead and none behind."""
        return self.first if self.shows_difference and not self.having(Outcome.WORSE) else None

    @property
    def lead(self) -> ComparedScore:
        """The first score that shows a difference, or else the first."""
        return next((score for score in self.scores if score.pair.shows_difference), self.scores[0])


def score_label(metric: ComparedMetric) -> str:
    """The metric and, unless it is corpus, the aggregation."""
    return labels.score_label(metric.metric, metric.aggregation)


def pair_legend(comparison: SystemComparison) -> str:
    """What dots in a drawing of two systems are, and what is grey."""
    dots = labels.dots_legend(metric.aggregation for metric in comparison.metrics)
    return f"{dots}; grey: no difference shown." if dots else "Grey: no difference shown."


def compared_scores(comparison: SystemComparison, first: str, second: str) -> tuple[ComparedScore, ...]:
    """Two systems under every metric and aggregation, in this order."""
    return tuple(ComparedScore(metric, metric.pair(first, second)) for metric in comparison.metrics)


def pair_verdict(comparison: SystemComparison) -> PairVerdict:
    """The two systems that the comparison is about, with all their scores."""
    first, second = comparison.focus
    return PairVerdict(first, second, compared_scores(comparison, first, second))
