"""The calibration of the differences that a comparison found."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from assay.calibration.explanation import Question, answer, no_calibration
from assay.calibration.joint_explanation import JointQuestion, answer_jointly
from assay.calibration.published import Published
from assay.calibration.system_kinds import LLM, MT, UNKNOWN, kind_of, pair_kinds
from assay.results import ALL, Calibration, ComparedMetric, ComparedPair, Explanation, JointExplanation, SignedScore

__all__ = ["Calibrator"]

_OPPOSED = "the metrics prefer different systems"


@dataclass(frozen=True, slots=True)
class Calibrator:
    """Answers for the differences of metrics: how often people significantly prefer the better-scored system."""

    calibration: Calibration | Published
    source: str
    lp: str | None
    campaign: str
    """The name of the test set: the same name of a system can mean another one elsewhere."""
    unanswerable: Mapping[str, str]
    """Metrics that no calibration is for, whatever they are called, and why."""
    judged: int | None = None
    """How many judged segments of each system are planned."""
    kinds: Mapping[str, str] = field(default_factory=dict)
    """What is stated of systems: language models, or only for translation."""

    def calibrate(self, metrics: Sequence[ComparedMetric]) -> list[ComparedMetric]:
        """The metrics with the answer for each difference.

        Each metric answers as `assay.explain` does. A pair that the metrics order differently has no answer: each of
        them alone would promise a preference, and for different systems.
        """
        disagree = [_disagree(metrics, place) for place in range(len(metrics[0].pairs))]
        return [
            replace(
                metric,
                pairs=tuple(
                    replace(pair, explanation=self._answer(metric, pair, is_opposed=is_opposed))
                    for pair, is_opposed in zip(metric.pairs, disagree, strict=True)
                ),
            )
            for metric in metrics
        ]

    def together(self, metrics: Sequence[ComparedMetric]) -> tuple[JointExplanation, ...]:
        """What the differences of each pair mean together; none if fewer than two scores are calibrated."""
        used = [metric for metric in metrics if self._has_pairs(metric)]
        if len(used) < 2:
            return ()
        return tuple(self._joint_answer(used, place) for place in range(len(metrics[0].pairs)))

    def _has_pairs(self, metric: ComparedMetric) -> bool:
        if isinstance(self.calibration, Published) or self.unanswerable.get(metric.metric):
            return False
        scores = (each.scores.get(metric.metric, {}) for each in self.calibration.pairs)
        return any(metric.aggregation in each for each in scores)

    def _joint_answer(self, metrics: Sequence[ComparedMetric], place: int) -> JointExplanation:
        pair = metrics[0].pairs[place]
        found = ((metric, metric.in_favour(metric.pairs[place]).value) for metric in metrics)
        scores = tuple(SignedScore(metric.metric, metric.aggregation, value) for metric, value in found)
        kinds = pair_kinds(pair.first, pair.second, self.campaign, self.kinds) or ALL
        named = {"first": pair.first, "second": pair.second}
        question = JointQuestion(scores, self.lp, kinds=kinds, judged=self.judged, **named)
        return answer_jointly(question, self.calibration, self.source)

    def _answer(self, metric: ComparedMetric, pair: ComparedPair, *, is_opposed: bool) -> Explanation:
        difference = abs(pair.difference.value)
        undefined = "the difference is undefined" if math.isnan(difference) else ""
        reason = self.unanswerable.get(metric.metric) or undefined
        is_first_better = metric.in_favour(pair).value > 0
        systems = (pair.first, pair.second) if is_first_better else (pair.second, pair.first)
        kinds = pair_kinds(*systems, self.campaign, self.kinds) or ALL
        question = Question(
            metric.metric,
            metric.aggregation,
            difference,
            self.lp,
            kinds=kinds,
            judged=self.judged,
            campaign=self.campaign,
            unknown=self._unknown(pair),
        )
        if reason or is_opposed:
            return no_calibration(question, self.source, "", reason or _OPPOSED, is_opposed=not reason)
        return answer(question, self.calibration, self.source)

    def _unknown(self, pair: ComparedPair) -> tuple[str, ...]:
        """A system of which nobody says what it is, if the other one is known to be of some kind."""
        kinds = {name: self.kinds.get(name) or kind_of(name, self.campaign) for name in (pair.first, pair.second)}
        unknown = tuple(name for name, kind in kinds.items() if kind == UNKNOWN)
        return unknown if {LLM, MT} & set(kinds.values()) else ()


def _disagree(metrics: Sequence[ComparedMetric], place: int) -> bool:
    """Whether metrics prefer different systems of a pair."""
    favours = (metric.in_favour(metric.pairs[place]).value for metric in metrics)
    return len({favour > 0 for favour in favours if favour and not math.isnan(favour)}) > 1
