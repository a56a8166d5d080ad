"""Answers of a calibration: what a difference of a metric means to people."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from assay.calibration.populations import data_text, group_of
from assay.calibration.published import Published
from assay.errors import ConfigError, UnknownNameError
from assay.registry import option_text
from assay.results import (
    ALL,
    Calibration,
    CalibrationCurve,
    Caution,
    Equivalent,
    Estimate,
    Explanation,
    FittedPopulation,
    Population,
)
from assay.results.calibration import AGREES, FEW_PAIRS, SIGNIFICANT
from assay.results.explanation import SAME

__all__ = ["Question", "answer", "no_calibration"]

_LP = re.compile(r"[A-Za-z]{2,3}(_\w+)?-[A-Za-z]{2,3}(_\w+)?")
_OF_OTHERS = ("metrics", "agg", "stored")  # settings of a calibration that say what else was fitted
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
    def groups(self) -> tuple[str, ...]:
        """The groups of target languages that may answer, the best first."""
        group = None if self.lp is None else group_of(self.lp)
        return (ALL,) if group is None else (group, ALL)

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
    """The answer of one calibration: of the group of the target language if it has one, else of all languages."""
    orientation = calibration.orientation
    if question.difference == 0:
        reason = "the scores are equal, so no system is the better-scored one, and 0 cannot be looked up"
        return no_calibration(question, source, orientation, reason)
    if isinstance(calibration, Published):
        return _by_cutoffs(question, calibration, source)
    return _by_curves(question, calibration, source)


def _by_curves(question: Question, calibration: Calibration, source: str) -> Explanation:
    curve = _find(calibration, SIGNIFICANT, question, question.groups)
    if curve is None:
        return no_calibration(question, source, calibration.orientation, _missing(question, calibration, source))
    probability = curve.probability(question.difference)
    if math.isnan(probability.value):
        return no_calibration(question, source, calibration.orientation, probability.reason or "", curve.population)
    agreeing = _find(calibration, AGREES, question, [curve.population.group])
    named = _language_pairs(calibration, curve.population)
    nothing = Estimate(math.nan, 0, reason="the calibration does not have it")
    return Explanation(
        metric=question.metric,
        aggregation=question.aggregation,
        difference=question.difference,
        lp=question.lp,
        probability=probability,
        agrees=nothing if agreeing is None else agreeing.probability(question.difference),
        base_rate=curve.base_rate,
        agrees_base_rate=math.nan if agreeing is None else agreeing.base_rate,
        population=curve.population,
        language_pairs=tuple(lp for lps in named.values() for lp in lps),
        step=curve.step(question.difference),
        source=source,
        orientation=calibration.orientation,
        equivalents=tuple(_equivalents(calibration, curve, question.difference)),
        cautions=tuple(_cautions(question, curve, agreeing, probability)),
        settings={
            **question.settings,
            "calibration": option_text(source),
            **{name: value for name, value in calibration.settings.items() if name not in _OF_OTHERS},
            "data": data_text(named or dict.fromkeys(curve.population.campaigns, ())),
        },
    )


def _find(calibration: Calibration, outcome: str, question: Question, groups: Iterable[str]) -> CalibrationCurve | None:
    for group in groups:
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
            continue
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


def _language_pairs(calibration: Calibration, population: FittedPopulation) -> dict[str, tuple[str, ...]]:
    """The language pairs of a population by campaign, if the data of the calibration leave no doubt."""
    campaigns = (each.partition("/") for each in calibration.settings.get("data", "").split(","))
    found = {
        name: tuple(lp for lp in lps.split("+") if population.group in (ALL, group_of(lp)))
        for name, _, lps in campaigns
        if name in population.campaigns
    }
    return found if sum(map(len, found.values())) == population.language_pairs else {}


def _cautions(
    question: Question, curve: CalibrationCurve, agreeing: CalibrationCurve | None, probability: Estimate
) -> Iterator[Caution]:
    if question.lp is not None and curve.population.group == ALL:
        yield Caution.NO_GROUP if len(question.groups) == 1 else Caution.OTHER_LANGUAGES
    if probability.n < FEW_PAIRS:
        yield Caution.FEW_PAIRS
    if any(_is_unanimous(each, question.difference) for each in (curve, agreeing) if each is not None):
        yield Caution.UNANIMOUS
    if _is_weak(curve):
        yield Caution.WEAK
    if agreeing is not None and _is_weak(agreeing):
        yield Caution.WEAK_AGREES


def _is_unanimous(curve: CalibrationCurve, difference: float) -> bool:
    """Whether an interval rests on pairs that all have the outcome, or none."""
    return curve.step(difference).probability in (0, 1) and not math.isnan(curve.probability(difference).low)


def _is_weak(curve: CalibrationCurve) -> bool:
    """Whether the base rate predicts held-out pairs better than the curve, by the Brier score."""
    brier = {} if curve.validation is None else curve.validation.brier
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
    for group in question.groups:
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
