"""Answers of a calibration in words: what a difference of a metric means to people."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from assay.calibration.outcomes import AGREES, SIGNIFICANT
from assay.calibration.populations import group_of
from assay.calibration.published import Published
from assay.errors import ConfigError
from assay.registry import option_text
from assay.results import ALL, Calibration, CalibrationCurve, Equivalent, Estimate, Explanation, Population
from assay.results.calibration import FEW_PAIRS
from assay.types.note import plural

__all__ = ["CAVEAT", "Question", "answer", "claim", "described", "no_calibration", "share"]

CAVEAT = "a calibration is no substitute for a test, or for asking people"

_LP = re.compile(r"[A-Za-z]{2,3}(_\w+)?-[A-Za-z]{2,3}(_\w+)?")
_OF_OTHERS = ("metrics", "agg", "stored")  # settings of a calibration that say what else was fitted
_SHARED_PAIRS = 0.9  # of two curves that may be compared
_PREFERENCE = {
    "by-metric": "people significantly prefer the better-scored system",
    "absolute": "people significantly prefer either system",
    "by-human": "people significantly prefer the system that they prefer",
}


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
    all_languages: bool = False
    """Whether the answer has to be of all languages."""

    def __post_init__(self) -> None:
        if not self.metric.strip():
            raise ConfigError("no metric was given", hint="e.g. bleu")
        if self.lp is not None and _LP.fullmatch(self.lp) is None:
            raise ConfigError(f"'{self.lp}' is not a language pair", hint="write source-target, e.g. en-de")

    @property
    def label(self) -> str:
        """E.g. `bleu 1.2 (corpus, en-de)`."""
        where = self.aggregation if self.lp is None else f"{self.aggregation}, {self.lp}"
        return f"{self.metric} {self.difference:g} ({where})"

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups of target languages that may answer, the best first."""
        group = None if self.lp is None or self.all_languages else group_of(self.lp)
        return (ALL,) if group is None else (group, ALL)

    @property
    def settings(self) -> dict[str, str]:
        """What was asked, for a signature."""
        settings = {
            "metric": self.metric,
            "aggregation": self.aggregation,
            "difference": option_text(float(self.difference)),
            "lp": self.lp or "",
            "protocol": option_text(self.protocol),
            "domain": option_text(self.domain) if self.domain != ALL else "",
        }
        return {name: value for name, value in settings.items() if value}


def answer(question: Question, calibration: Calibration | Published, source: str) -> Explanation:
    """The answer of one calibration: of the group of the target language if it has one, else of all languages."""
    if isinstance(calibration, Published):
        return _by_cutoffs(question, calibration, source)
    return _by_curves(question, calibration, source)


def _by_curves(question: Question, calibration: Calibration, source: str) -> Explanation:
    curve, agreeing = (_find(calibration, outcome, question) for outcome in (SIGNIFICANT, AGREES))
    orientation = calibration.settings.get("orientation", "")
    if curve is None:
        return no_calibration(question, source, orientation, _missing(question, calibration, source))
    probability = curve.probability(question.difference)
    if math.isnan(probability.value):
        return no_calibration(question, source, orientation, probability.reason or "", curve.population)
    same_population = agreeing is not None and agreeing.population.label == curve.population.label
    agrees = agreeing.probability(question.difference) if agreeing and same_population else Estimate(math.nan, 0)
    at_all = "" if math.isnan(agrees.value) else f", and prefer it at all in {100 * agrees.value:.0f} %"
    reason = f" ({probability.reason})" if probability.reason else ""
    return Explanation(
        question.metric,
        question.aggregation,
        question.difference,
        probability,
        agrees,
        curve.population,
        source,
        orientation,
        tuple(_equivalents(calibration, curve, question.difference)),
        f"{question.label}: {claim(orientation, share(probability))}{at_all}.",
        f"Seen in {described(curve.population)}{reason}.",
        tuple(_cautions(question, curve, probability)),
        {
            **question.settings,
            "calibration": option_text(source),
            **{name: value for name, value in calibration.settings.items() if name not in _OF_OTHERS},
        },
    )


def _find(calibration: Calibration, outcome: str, question: Question) -> CalibrationCurve | None:
    for group in question.groups:
        population = {"protocol": question.protocol, "group": group, "domain": question.domain}
        curve = calibration.find(question.metric, question.aggregation, outcome, **population)
        if curve is not None:
            return curve
    return None


def _missing(question: Question, calibration: Calibration, source: str) -> str:
    """What the calibration lacks: the metric, its aggregation, or the population."""
    curves = [curve for curve in calibration if curve.outcome == SIGNIFICANT]
    if same_metric := [curve for curve in curves if curve.metric == question.metric]:
        aggregations = sorted({curve.aggregation for curve in same_metric})
        if question.aggregation not in aggregations:
            return f"{source} has {question.metric} with the aggregations {', '.join(aggregations)}"
        same_key = [curve.population for curve in same_metric if curve.aggregation == question.aggregation]
        populations = dict.fromkeys(p.label for p in same_key if p.group == ALL)
        return f"{source} has {question.metric} ({question.aggregation}) for {'; '.join(populations)}"
    return f"{source} has no {question.metric}"


def claim(orientation: str, shares: str) -> str:
    """What people do in a share of pairs, e.g. `people significantly prefer either system in 40 % of such pairs …`."""
    preference = _PREFERENCE.get(orientation, "people see a significant difference")
    return f"{preference} in {shares} of such pairs of systems"


def _cautions(question: Question, curve: CalibrationCurve, probability: Estimate) -> Iterator[str]:
    """Why an answer may not be trusted."""
    if question.lp is not None and curve.population.group == ALL:
        reason = f"there is no calibration for target languages like that of {question.lp}"
        if question.all_languages:
            reason = f"not all of the metrics have a calibration for target languages like that of {question.lp}"
        elif len(question.groups) == 1:
            reason = f"there is no group of target languages for {question.lp}"
        yield f"This is of all languages: {reason}."
    if probability.n < FEW_PAIRS:
        yield f"Fewer than {FEW_PAIRS} pairs of systems differed so much."
    brier = {} if curve.validation is None else curve.validation.brier
    if brier.get("constant", math.inf) < brier.get("isotonic", -math.inf):
        rate = f"the share of all pairs ({100 * curve.base_rate:.0f} %)"
        yield f"The difference says little here: {rate} predicts other campaigns better than the curve."


def share(probability: Estimate) -> str:
    """A probability in words, with its interval; bounds alone if there is no value."""
    low, high = 100 * probability.low, 100 * probability.high
    if math.isnan(probability.value):
        parts = [f"at least {low:g} %"] * (low > 0) + [f"less than {high:g} %"] * (high < 100)
        return " and ".join(parts)
    return f"{100 * probability.value:.0f} %" + ("" if math.isnan(low) else f" [{low:.0f}, {high:.0f}]")


def described(population: Population) -> str:
    """A population in words."""
    campaigns = ", ".join(population.campaigns)
    if not population.pairs:  # published cut-offs
        return f"{campaigns}, {population.label}"
    return (
        f"{plural(population.pairs, 'pair')} of systems, {plural(population.language_pairs, 'language pair')} of "
        f"{campaigns}, {population.label}; median of {population.judgements:,.0f} judged segments per system"
    )


def _equivalents(calibration: Calibration, curve: CalibrationCurve, difference: float) -> Iterator[Equivalent]:
    """The differences of other metrics on the same step, under the same aggregation and on much the same pairs.

    Neither they nor the difference asked for may rest on few pairs. If one metric is an equivalent of another, the
    other one is an equivalent of it, because their steps overlap.
    """

    def data(each: CalibrationCurve) -> tuple[object, ...]:
        return each.outcome, each.aggregation, each.population.label, each.population.campaigns

    for other in calibration if curve.probability(difference).n >= FEW_PAIRS else ():
        pairs = sorted(each.population.pairs for each in (curve, other))
        if other.metric != curve.metric and data(other) == data(curve) and pairs[0] >= _SHARED_PAIRS * pairs[1]:
            smallest, largest = other.between(*curve.step(difference))
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
    bounds = Estimate(math.nan, 0, low, high, reason="published cut-offs are not interpolated")
    shown = "; ".join(f"{each.probability:g} from {each.difference:g}" for each in cutoffs)
    population = Population(question.protocol, group, question.domain, published.campaigns)
    return Explanation(
        question.metric,
        question.aggregation,
        question.difference,
        bounds,
        Estimate(math.nan, 0, reason="not published"),
        population,
        source,
        published.orientation,
        tuple(_same_band(question, published, group, low, high)),
        f"{question.label}: {claim(published.orientation, share(bounds))}.",
        f"Published cut-offs ({population.label}; {', '.join(published.campaigns)}): {shown}. {published.citation}",
        (),
        {**question.settings, "calibration": option_text(source), "orientation": published.orientation},
    )


def _same_band(question: Question, published: Published, group: str, low: float, high: float) -> Iterator[Equivalent]:
    """The differences of other metrics that may have a probability between two levels.

    They are from the cut-off at the lower level to that at the upper one, or at the nearest levels beyond these that
    were published for the metric.
    """
    for metric in published.metrics:
        cutoffs = published.find(metric, question.aggregation, question.protocol, group, question.domain)
        if cutoffs and metric.lower() != question.metric.lower():
            smallest = max((each.difference for each in cutoffs if each.probability <= low), default=0.0)
            largest = min((each.difference for each in cutoffs if each.probability >= high), default=math.nan)
            yield Equivalent(metric, question.aggregation, smallest, largest)


def no_calibration(
    question: Question, source: str, orientation: str, reason: str, population: Population | None = None
) -> Explanation:
    """The answer where there is no calibration."""
    reason = reason if reason.startswith("no calibration") else f"no calibration: {reason}"
    undefined = Estimate(math.nan, 0, reason=reason)
    return Explanation(
        question.metric,
        question.aggregation,
        question.difference,
        undefined,
        undefined,
        population,
        source,
        orientation,
        (),
        f"{question.label}: {reason}.",
        "",
    )
