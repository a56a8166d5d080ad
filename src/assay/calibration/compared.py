"""The calibration of the differences that a comparison found."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from assay.calibration.explanation import Question, answer, no_calibration
from assay.calibration.published import Published
from assay.results import Calibration, ComparedMetric, ComparedPair, Explanation

__all__ = ["DISAGREE", "Calibrator", "preferred_systems"]

DISAGREE = "the metrics prefer different systems"
"""Why a pair of systems has no answer."""


@dataclass(frozen=True, slots=True)
class Calibrator:
    """Answers for the differences of metrics: how often people significantly prefer the better-scored system."""

    calibration: Calibration | Published
    source: str
    lp: str | None
    unanswerable: Mapping[str, str]
    """Metrics that no calibration is for, whatever they are called, and why."""

    def calibrate(self, metrics: Sequence[ComparedMetric]) -> tuple[list[ComparedMetric], list[list[Explanation]]]:
        """The metrics with the probability of each difference, and the answers by metric and pair.

        Each metric answers as `assay.explain` does. A pair that the metrics order differently has no answer: each of
        them alone would promise a preference, and for different systems.
        """
        preferred = [preferred_systems(metrics, place) for place in range(len(metrics[0].pairs))]
        answers = [
            [self._answer(metric, pair, preferred[place]) for place, pair in enumerate(metric.pairs)]
            for metric in metrics
        ]
        calibrated = [
            replace(
                metric,
                pairs=tuple(replace(pair, explanation=each) for pair, each in zip(metric.pairs, found, strict=True)),
            )
            for metric, found in zip(metrics, answers, strict=True)
        ]
        return calibrated, answers

    def _answer(
        self, metric: ComparedMetric, pair: ComparedPair, preferred: Mapping[str, Sequence[str]]
    ) -> Explanation:
        difference = abs(pair.difference.value)
        reason = self.unanswerable.get(metric.metric) or ("undefined difference" if math.isnan(difference) else "")
        if not reason and len(preferred) > 1:
            reason = DISAGREE
        question = Question(metric.metric, metric.aggregation, difference, self.lp)
        if reason:
            return no_calibration(question, self.source, "", reason)
        return answer(question, self.calibration, self.source)


def preferred_systems(metrics: Sequence[ComparedMetric], place: int) -> dict[str, list[str]]:
    """The metrics that prefer each system of a pair."""
    preferred: dict[str, list[str]] = {}
    for metric in metrics:
        pair = metric.pairs[place]
        if pair.difference.value and not math.isnan(pair.difference.value):
            system = pair.first if metric.is_better(pair) else pair.second
            preferred.setdefault(system, []).append(metric.name)
    return preferred
