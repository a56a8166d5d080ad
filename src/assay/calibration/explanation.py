"""Answers of a calibration: what a difference of a metric means to people."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from assay.aggregate.resample import CONFIDENCE
from assay.calibration.effective_sample import exact_bounds
from assay.calibration.populations import data_text, group_of, is_covered
from assay.calibration.published import Published
from assay.errors import ConfigError, UnknownNameError
from assay.lazily import numpy as np
from assay.registry import option_text
from assay.results import (
    ALL,
    Calibration,
    CalibrationCurve,
    Caution,
    Equivalent,
    Estimate,
    Explanation,
    Population,
    Step,
)
from assay.results.calibration import AGREES, FEW_PAIRS, SIGNIFICANT, Validation
from assay.results.explanation import SAME

__all__ = ["Question", "answer", "no_calibration"]

_LP = re.compile(r"[A-Za-z]{2,3}(_\w+)?-[A-Za-z]{2,3}(_\w+)?")
_OF_OTHERS = ("metrics", "agg", "stored", "check")  # settings of a calibration that do not change an answer
_SHARED_PAIRS = 0.9  # of two curves that may be compared


@dataclass(frozen=True, slots=True)
class Question:
    """A difference of a metric under an aggregation, and where it was seen."""

    metric: str
    aggregation: str
    difference: float
    """Without its sign."""
    lp: str | None = None
    domain: str = ALL
    protocol: str = "DA/SQM"

    def __post_init__(self) -> None:
        if not self.metric.strip():
            raise ConfigError("no metric was given", hint="e.g. bleu")
        if self.lp is not None and _LP.fullmatch(self.lp) is None:
            raise ConfigError(f"'{self.lp}' is not a language pair", hint="write source-target, e.g. en-de")

    @property
    def group(self) -> str:
        """The group of the target language."""
        return (None if self.lp is None else group_of(self.lp)) or ALL

    @property
    def settings(self) -> dict[str, str]:
        """What was asked, for a signature."""
        settings = {
            "metric": self.metric,
            "agg": self.aggregation,
            "difference": option_text(float(self.difference)),
            "lp": self.lp or "",
            "protocol": option_text(self.protocol),
            "domain": option_text(self.domain) if self.domain != ALL else "",
        }
        return {name: value for name, value in settings.items() if value}


def answer(question: Question, calibration: Calibration | Published, source: str) -> Explanation:
    """The answer of one calibration.

    It is that of the group of the target language if held-out campaigns show that it predicts better than that of all
    languages, else the latter.
    """
    orientation = calibration.orientation
    if question.difference == 0:
        reason = "the scores are equal, so no system is the better-scored one, and 0 cannot be looked up"
        return no_calibration(question, source, orientation, reason)
    if isinstance(calibration, Published):
        return _by_cutoffs(question, calibration, source)
    return _by_curves(question, calibration, source)


def _by_curves(question: Question, calibration: Calibration, source: str) -> Explanation:
    curve = _chosen_curve(calibration, question)
    if curve is None:
        return no_calibration(question, source, calibration.orientation, _missing(question, calibration, source))
    population = curve.population
    if question.lp is not None and not is_covered(question.lp, population):
        reason = (
            f"'{source}' has no data of {question.metric} ({question.aggregation}) for target languages written "
            f"without spaces, such as that of {question.lp}"
        )
        return no_calibration(question, source, calibration.orientation, reason, population)
    probability = curve.probability(question.difference)
    if math.isnan(probability.value):
        return no_calibration(question, source, calibration.orientation, probability.reason or "", population)
    agreeing = _find(calibration, AGREES, question, population.group)
    nothing = Estimate(math.nan, 0, reason="the calibration does not have it")
    return Explanation(
        metric=question.metric,
        aggregation=question.aggregation,
        difference=question.difference,
        lp=question.lp,
        probability=probability,
        agrees=nothing if agreeing is None else agreeing.probability(question.difference),
        opposite=_opposite(curve.step(question.difference), probability, calibration),
        check=None if curve.check is None else curve.check.bin_of(probability.value),
        checked_on="" if curve.check is None else curve.check.held_out,
        grouped=_grouped(question, calibration, curve),
        base_rate=curve.base_rate,
        agrees_base_rate=math.nan if agreeing is None else agreeing.base_rate,
        population=population,
        language_pairs=tuple(lp for lps in population.lps.values() for lp in lps),
        step=curve.step(question.difference),
        source=source,
        orientation=calibration.orientation,
        equivalents=tuple(_equivalents(calibration, curve, question.difference)),
        cautions=tuple(_cautions(question, calibration, curve, agreeing)),
        settings={
            **question.settings,
            "calibration": option_text(source),
            **{name: value for name, value in calibration.settings.items() if name not in _OF_OTHERS},
            "data": data_text(population.lps),
        },
    )


def _grouped(question: Question, calibration: Calibration, answering: CalibrationCurve) -> Estimate | None:
    """What the curve of the group of the target language says, if all languages answer."""
    grouped = _find(calibration, SIGNIFICANT, question, question.group)
    return None if grouped is None or grouped is answering else grouped.probability(question.difference)


def _opposite(step: Step, probability: Estimate, calibration: Calibration) -> Estimate:
    """The share of opposite preferences among the pairs of a step, with its exact bounds.

    People who prefer the better-scored system do not prefer the other one, which bounds it, too.
    """
    share = step.opposite / step.pairs
    confidence = float(calibration.settings.get("confidence", CONFIDENCE))
    low, high = (float(each[0]) for each in exact_bounds(np.array([share]), np.array([step.independent]), confidence))
    if calibration.orientation == "by-metric":
        high = max(share, min(high, 1 - probability.low))
    return Estimate(share, step.pairs, low, high)


def _chosen_curve(calibration: Calibration, question: Question) -> CalibrationCurve | None:
    """The curve of the group of the target language if it predicts better, else that of all languages."""
    pooled = _find(calibration, SIGNIFICANT, question, ALL)
    grouped = _find(calibration, SIGNIFICANT, question, question.group)
    return grouped if grouped is not None and (pooled is None or _predicts_better(grouped)) else pooled


def _predicts_better(grouped: CalibrationCurve) -> bool:
    """Whether the curve of a group predicts held-out campaigns better than one of all languages, by the Brier score."""
    brier = {} if grouped.validation is None else grouped.validation.brier
    return brier.get("isotonic", math.inf) < brier.get("pooled", -math.inf)


def _find(calibration: Calibration, outcome: str, question: Question, group: str) -> CalibrationCurve | None:
    try:
        return calibration.curve(
            question.metric,
            agg=question.aggregation,
            outcome=outcome,
            protocol=question.protocol,
            group=group,
            domain=question.domain,
        )
    except UnknownNameError:
        return None


def _missing(question: Question, calibration: Calibration, source: str) -> str:
    """What the calibration lacks: the metric, its aggregation, or the population."""
    curves = [curve for curve in calibration if curve.outcome == SIGNIFICANT]
    if same_metric := [curve for curve in curves if curve.metric == question.metric]:
        aggregations = sorted({curve.aggregation for curve in same_metric})
        if question.aggregation not in aggregations:
            return f"the calibration '{source}' has {question.metric} with the aggregations {', '.join(aggregations)}"
        same_key = [curve.population for curve in same_metric if curve.aggregation == question.aggregation]
        populations = dict.fromkeys(p.label for p in same_key if p.group == ALL)
        described = f"{question.metric} ({question.aggregation}) for {'; '.join(populations)}"
        return f"the calibration '{source}' has {described}"
    return f"the calibration '{source}' does not cover {question.metric}; assay calibrate fits one to your data"


def _cautions(
    question: Question, calibration: Calibration, curve: CalibrationCurve, agreeing: CalibrationCurve | None
) -> Iterator[Caution]:
    probability, step = curve.probability(question.difference), curve.step(question.difference)
    applies = {
        Caution.FAILED_CHECK: _is_beaten(curve.check),
        **dict.fromkeys(_of_languages(question, calibration, curve), True),
        Caution.FEW_PAIRS: probability.n < FEW_PAIRS,
        Caution.LOWEST: step.start == curve.x[0],
        Caution.CAPPED: probability.value < step.probability,
        Caution.WEAK: _is_beaten(curve.validation),
        Caution.WEAK_AGREES: agreeing is not None and _is_beaten(agreeing.validation),
    }
    yield from (caution for caution, is_so in applies.items() if is_so)


def _of_languages(question: Question, calibration: Calibration, curve: CalibrationCurve) -> Iterator[Caution]:
    """Why all languages answer a question about one language pair."""
    if question.lp is None or curve.population.group != ALL:
        return
    grouped = _find(calibration, SIGNIFICANT, question, question.group)
    if question.group == ALL:
        yield Caution.NO_GROUP
    elif grouped is None:
        yield Caution.OTHER_LANGUAGES
    else:
        is_tested = grouped.validation is not None and "pooled" in grouped.validation.brier
        yield Caution.POOLED if is_tested else Caution.UNTESTED


def _is_beaten(validation: Validation | None) -> bool:
    """Whether the base rate predicts other pairs better than the curve, by the Brier score."""
    brier = {} if validation is None else validation.brier
    return brier.get("constant", math.inf) < brier.get("isotonic", -math.inf)


def _equivalents(calibration: Calibration, curve: CalibrationCurve, difference: float) -> Iterator[Equivalent]:
    """The differences of other metrics with about the same probability, under the same aggregation and on much the
    same pairs.

    Neither they nor the difference asked for may rest on few pairs. A metric whose curve jumps over the probability has
    no such differences.
    """

    def data(each: CalibrationCurve) -> tuple[object, ...]:
        return each.outcome, each.aggregation, each.population.label, each.population.campaigns

    probability = curve.probability(difference)
    for other in calibration if probability.n >= FEW_PAIRS else ():
        pairs = sorted(each.population.pairs for each in (curve, other))
        if other.metric != curve.metric and data(other) == data(curve) and pairs[0] >= _SHARED_PAIRS * pairs[1]:
            smallest, largest = other.between(probability.value - SAME, probability.value + SAME)
            if other.probability(smallest).n >= FEW_PAIRS:
                yield Equivalent(other.metric, other.aggregation, smallest, largest)


def _by_cutoffs(question: Question, published: Published, source: str) -> Explanation:
    """The answer of published cut-offs. They are not interpolated: the answer is the levels that are reached or not."""
    for group in dict.fromkeys((question.group, ALL)):
        cutoffs = published.find(question.metric, question.aggregation, question.protocol, group, question.domain)
        if cutoffs:
            break
    else:
        known = ", ".join(published.metrics)
        reason = f"{source} has no cut-offs of {question.metric} for this population; it has corpus scores of {known}"
        return no_calibration(question, source, published.orientation, reason)
    low = max((each.probability for each in cutoffs if each.difference <= question.difference), default=0.0)
    high = min((each.probability for each in cutoffs if each.difference > question.difference), default=1.0)
    return Explanation(
        metric=question.metric,
        aggregation=question.aggregation,
        difference=question.difference,
        lp=question.lp,
        probability=Estimate(math.nan, 0, low, high, reason="published cut-offs are not interpolated"),
        agrees=Estimate(math.nan, 0, reason="not published"),
        population=Population(question.protocol, group, question.domain, published.campaigns),
        source=source,
        orientation=published.orientation,
        cutoffs={each.difference: each.probability for each in cutoffs},
        citation=published.citation,
        equivalents=tuple(_same_band(question, published, group, low, high)),
        settings={**question.settings, "calibration": option_text(source), "orientation": published.orientation},
    )


def _same_band(question: Question, published: Published, group: str, low: float, high: float) -> Iterator[Equivalent]:
    """The differences of other metrics that may have a probability between two levels.

    They are from the cut-off at the lower level to that at the upper one, or at the nearest levels beyond these that
    were published for the metric. Below its first cut-off, nothing is known of a metric but that it is below.
    """
    for metric in published.metrics:
        cutoffs = published.find(metric, question.aggregation, question.protocol, group, question.domain)
        reached = [each.difference for each in cutoffs if each.probability <= low]
        if reached and metric.lower() != question.metric.lower():
            largest = min((each.difference for each in cutoffs if each.probability >= high), default=math.nan)
            yield Equivalent(metric, question.aggregation, max(reached), largest)


def no_calibration(
    question: Question, source: str, orientation: str, reason: str, population: Population | None = None
) -> Explanation:
    """The answer where there is no calibration."""
    reason = reason if reason.startswith("no calibration") else f"no calibration: {reason}"
    undefined = Estimate(math.nan, 0, reason=reason)
    return Explanation(
        metric=question.metric,
        aggregation=question.aggregation,
        difference=question.difference,
        lp=question.lp,
        probability=undefined,
        agrees=undefined,
        population=population,
        source=source,
        orientation=orientation,
    )
