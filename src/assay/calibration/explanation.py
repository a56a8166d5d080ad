"""Answers of a calibration: what a difference of a metric means to people."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from assay.calibration.by_language import (
    JudgedMembers,
    mt_systems,
    near,
    own_language,
    shares_by_language,
    shares_of_all,
)
from assay.calibration.judged_sizes import resized, too_many
from assay.calibration.populations import data_text, group_of, is_covered, wmt_years
from assay.calibration.published import Cutoff, Published
from assay.calibration.system_kinds import KINDS, MT, kind_of
from assay.calibration.validation import Drawing
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
    LanguagePairShares,
    OwnLanguage,
    Population,
    Step,
)
from assay.results.calibration import AGREES, FEW_PAIRS, SIGNIFICANT, ReliabilityBin, Validation
from assay.results.explanation import SAME, KindAnswer, PartTest
from assay.significance.proportions import exact_bounds
from assay.types.language_codes import is_language_pair, not_a_language_pair
from assay.types.note import listed

__all__ = ["OPT_IN_PROTOCOL", "Question", "answer", "no_calibration", "shared_settings"]

_OF_OTHERS = ("metrics", "agg", "stored", "judged", "check")  # settings of a calibration that do not change an answer
_FALLBACK_PROTOCOL = "DA/SQM"
"""The protocol of published cut-offs, and where there is nothing to choose from."""
OPT_IN_PROTOCOL = "MQM"
"""A protocol that answers only if it is asked for: it was used for few language pairs, and predicts badly."""
_MIN_LANGUAGE_PAIRS = 3  # of a single campaign, that test a curve in turn
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
    protocol: str = ""
    """How people judged; empty: as in the latest campaigns that judged such target languages."""
    kinds: str = ALL
    """Of the two systems."""
    judged: int | None = None
    """How many judged segments of each system are planned; None: as many as in past campaigns."""
    campaign: str = ""
    """The test set that the systems were compared on, if it is known."""
    unknown: tuple[str, ...] = ()
    """A system of which nobody says whether it is a language model, compared with one of a known kind."""

    def __post_init__(self) -> None:
        if not self.metric.strip():
            raise ConfigError("no metric was given", hint="e.g. bleu")
        if self.lp is not None and not is_language_pair(self.lp):
            raise not_a_language_pair(self.lp)

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
            "kinds": self.kinds if self.kinds != ALL else "",
            "judged": "" if self.judged is None else str(self.judged),
        }
        return {name: value for name, value in settings.items() if value}


def answer(question: Question, calibration: Calibration | Published, source: str) -> Explanation:
    """The answer of one calibration.

    It is that of the group of the target language if held-out campaigns (of a single one: language pairs) show that it
    predicts better than that of all languages, else the latter.
    """
    orientation = calibration.orientation
    if question.difference == 0:
        reason = "the scores are equal, so no system is the better-scored one, and 0 cannot be looked up"
        return no_calibration(question, source, orientation, reason)
    if isinstance(calibration, Published):
        if question.judged is not None:
            return no_calibration(question, source, orientation, f"'{source}' has no samples of judged segments")
        return _by_cutoffs(replace(question, protocol=question.protocol or _FALLBACK_PROTOCOL), calibration, source)
    is_selected = bool(question.protocol) or question.domain != ALL
    question = replace(question, protocol=question.protocol or _protocol(question, calibration))
    if question.judged is not None:
        if question.domain != ALL:
            reason = f"'{source}' has no samples of judged segments by domain"
            return no_calibration(question, source, orientation, reason)
        found = resized(calibration, question.metric, question.aggregation, question.group, question.judged, source)
        if isinstance(found, str):
            return no_calibration(question, source, orientation, found)
        if not any(curve.population.protocol == question.protocol for curve in found):
            segments = f"{question.judged:,} judged segments ({question.protocol})"
            most = too_many(calibration.pairs, question.metric, question.aggregation, question.protocol)
            few = f"'{source}' has too few pairs of systems with {segments}{most and f'; {most}'}"
            return no_calibration(question, source, orientation, few)
        explanation = _by_curves(question, found, source, calibration)
    else:
        explanation = _by_curves(question, calibration, source, calibration)
    return _of_selection(explanation) if is_selected else explanation


def _of_selection(explanation: Explanation) -> Explanation:
    """An answer for a protocol or domain that was asked for says nothing of other data."""
    of_same = (each for each in explanation.by_kinds if _is_same_data(each.population, explanation.population))
    return replace(explanation, by_kinds=tuple(of_same))


def _is_same_data(first: Population, second: Population | None) -> bool:
    return second is not None and (first.protocol, first.domain) == (second.protocol, second.domain)


def _protocol(question: Question, calibration: Calibration) -> str:
    """How people judged in the latest campaigns with such target languages, kinds of systems and differences, if any.

    Language models were only judged by ESA, and translations into English only before that.
    """
    asked = replace(question, protocol="", kinds=ALL)
    curves = [curve for curve in calibration if _is_asked(curve, asked) and curve.population.group == ALL]
    curves = [curve for curve in curves if curve.population.protocol != OPT_IN_PROTOCOL] or curves
    if question.kinds != ALL:
        kinds = {each.population.protocol for each in calibration if _is_asked(each, replace(question, protocol=""))}
        curves = [each for each in curves if each.population.protocol in kinds or _has_kinds(each, question)] or curves
    if question.group != ALL:
        judged = [each for each in curves if question.group in map(group_of, _language_pairs(each))]
        curves = judged or curves
    if question.judged is None:  # else a larger difference might be answered from other campaigns
        curves = [curve for curve in curves if curve.x[0] <= question.difference <= curve.x[-1]] or curves
    if not curves:
        return _FALLBACK_PROTOCOL
    latest = max(curves, key=lambda each: (wmt_years(each.population.campaigns)[-1:], each.population.pairs))
    return latest.population.protocol


def _is_asked(curve: CalibrationCurve, question: Question) -> bool:
    """Whether a curve of preferences is of the metric, and of the population as far as it was asked for."""
    population = curve.population
    return (
        curve.outcome == SIGNIFICANT
        and (curve.metric, curve.aggregation) == (question.metric, question.aggregation)
        and (population.domain, population.kinds) == (question.domain, question.kinds)
        and question.protocol in ("", population.protocol)
    )


def _has_kinds(curve: CalibrationCurve, question: Question) -> bool:
    """Whether a curve of all kinds is one of MT systems, and these were asked for."""
    return question.kinds == MT and all(kind_of("", name) == MT for name in curve.population.campaigns)


def _language_pairs(curve: CalibrationCurve) -> tuple[str, ...]:
    return tuple(lp for lps in curve.population.lps.values() for lp in lps)


def _by_curves(question: Question, calibration: Calibration, source: str, tested: Calibration) -> Explanation:
    """The answer of one of the curves. Those of `tested` say which: for all numbers of judged segments the same one."""
    curve = _chosen_curve(calibration, question, tested)
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
        return no_calibration(question, source, calibration.orientation, curve.beyond(question.difference), population)
    agreeing = _find(calibration, AGREES, question, population.group, kinds=population.kinds)
    nothing = Estimate(math.nan, 0, reason="the calibration does not have it")
    step = curve.step(question.difference)
    return Explanation(
        metric=question.metric,
        aggregation=question.aggregation,
        difference=question.difference,
        lp=question.lp,
        kinds=question.kinds,
        judged=question.judged,
        unknown=question.unknown,
        probability=probability,
        agrees=nothing if agreeing is None else agreeing.probability(question.difference),
        opposite=_opposite(step, probability, calibration),
        own_language=_own_language(question, calibration, curve, step),
        by_lp=_by_lp(question, calibration, curve, step),
        check=_check(curve, probability),
        left_out=() if question.judged is None or curve.validation is None else curve.validation.folds,
        checked_on=held_out.held_out if (held_out := curve.check or curve.validation) else "",
        by_kinds=tuple(_by_kinds(question, calibration)),
        grouped=_grouped(question, calibration, curve),
        group_test=_part_test(_find(tested, SIGNIFICANT, question, question.group)),
        base_rate=curve.base_rate,
        agrees_base_rate=math.nan if agreeing is None else agreeing.base_rate,
        population=population,
        language_pairs=_language_pairs(curve),
        step=step,
        source=source,
        orientation=calibration.orientation,
        equivalents=tuple(_equivalents(calibration, curve, question.difference)),
        cautions=tuple(_cautions(question, tested, curve, agreeing)),
        settings={
            **question.settings,
            **shared_settings(calibration, source),
            "data": data_text(population.lps),
        },
    )


def shared_settings(calibration: Calibration, source: str) -> dict[str, str]:
    """The settings of a calibration that all of its answers have."""
    own = {name: value for name, value in calibration.settings.items() if name not in _OF_OTHERS}
    return {"calibration": option_text(source), **own}


def _check(curve: CalibrationCurve, probability: Estimate) -> ReliabilityBin | None:
    """The pairs with about this probability, of another campaign or else of what was left out of the fit in turn.

    Of few left-out pairs, nothing is said.
    """
    if curve.check is not None:
        return curve.check.bin_of(probability.value)
    found = None if curve.validation is None else curve.validation.bin_of(probability.value)
    return None if found is None or found.pairs < FEW_PAIRS else found


def _members(question: Question, calibration: Calibration, protocol: str, kinds: str = ALL) -> JudgedMembers | None:
    """The pairs of systems by a protocol, if the calibration has them with the score that was asked about."""
    metric, aggregation = question.metric, question.aggregation
    has_scores = any(aggregation in each.scores.get(metric, {}) for each in calibration.pairs)
    if not has_scores or calibration.orientation != "by-metric" or question.domain != ALL:
        return None
    return JudgedMembers(calibration.pairs, (metric, aggregation), protocol, kinds, question.judged)


def _own_language(
    question: Question, calibration: Calibration, curve: CalibrationCurve, step: Step
) -> OwnLanguage | None:
    """What people said of the language pair itself: of the kinds that were asked for, or else of the answer."""
    for kinds in dict.fromkeys((question.kinds, curve.population.kinds)):
        members = _members(question, calibration, curve.population.protocol, kinds)
        if question.lp is None or members is None:
            return None
        largest, tail = float(curve.x[-1]), Drawing.of(calibration.settings).tail
        if (found := own_language(members, question.lp, question.difference, step, largest, tail)) is not None:
            return found
    return None


def _by_lp(
    question: Question, calibration: Calibration, curve: CalibrationCurve, step: Step
) -> tuple[LanguagePairShares, ...]:
    """What people said of the pairs on the step, by language pair."""
    population = curve.population
    members = _members(question, calibration, population.protocol, population.kinds)
    if members is None:
        return ()
    observed = members.observed()
    of_curve = np.array([lp in population.lps.get(name, ()) for name, lp in observed.clusters])[observed.cluster]
    places = near(observed, step, float(curve.x[-1]))
    return shares_by_language(observed, places[of_curve[places]])


def _by_kinds(question: Question, calibration: Calibration) -> Iterator[KindAnswer]:
    """What people say of pairs with language models, as the latest campaigns judged them."""
    for kinds in KINDS:
        asked = replace(question, protocol="", domain=ALL, kinds=kinds)
        curves = [each for each in calibration if _is_asked(each, asked) and each.population.pairs >= FEW_PAIRS]
        if kinds == MT or not curves:
            continue
        curve = max(curves, key=lambda each: wmt_years(each.population.campaigns)[-1:])
        probability = curve.probability(question.difference)
        if not math.isnan(probability.value):
            opposite = _opposite(curve.step(question.difference), probability, calibration)
            members = _members(question, calibration, curve.population.protocol, kinds)
            found = KindAnswer(kinds, curve.population, probability, opposite, *_shares(curve, calibration))
            yield found if members is None else _with_all_pairs(found, members, calibration)


def _with_all_pairs(found: KindAnswer, members: JudgedMembers, calibration: Calibration) -> KindAnswer:
    """An answer for kinds of systems with what all pairs of these kinds say, and which MT systems they have."""
    observed = members.observed()
    share, opposite = shares_of_all(observed, Drawing.of(calibration.settings))
    by_lp = shares_by_language(observed, np.arange(len(observed)))
    return replace(found, share=share, opposite_share=opposite, by_lp=by_lp, mt_systems=mt_systems(members))


def _shares(curve: CalibrationCurve, calibration: Calibration) -> tuple[Estimate, Estimate]:
    """How often people prefer the better-scored and the worse-scored system in all pairs of a curve.

    Without the pairs, the bounds are those of the step with the most independent ones.
    """
    pairs = curve.population.pairs
    shares = np.array([curve.base_rate, curve.opposite[0] / pairs])
    low, high = exact_bounds(shares, np.full(2, curve.independent.max()), Drawing.of(calibration.settings).tail)
    first, second = (Estimate(float(shares[k]), pairs, float(low[k]), float(high[k])) for k in range(2))
    return first, second


def _grouped(question: Question, calibration: Calibration, answering: CalibrationCurve) -> Estimate | None:
    """What the curve of the group of the target language says, if all languages answer."""
    grouped = _find(calibration, SIGNIFICANT, question, question.group)
    return None if grouped is None or grouped is answering else grouped.probability(question.difference)


def _opposite(step: Step, probability: Estimate, calibration: Calibration) -> Estimate:
    """The share of opposite preferences among the pairs of a step, with its exact bounds.

    People who prefer the better-scored system do not prefer the other one, which bounds it, too.
    """
    share = step.opposite / step.pairs
    bounds = exact_bounds(np.array([share]), np.array([step.independent]), Drawing.of(calibration.settings).tail)
    low, high = (float(each[0]) for each in bounds)
    if calibration.orientation == "by-metric":
        high = max(share, min(high, 1 - probability.low))
    return Estimate(share, step.pairs, low, high)


def _chosen_curve(calibration: Calibration, question: Question, tested: Calibration) -> CalibrationCurve | None:
    """The curve of the kinds of systems, or of the group of the target language, if it predicts better; else of all."""
    if question.kinds != ALL:
        of_kinds = _find(calibration, SIGNIFICANT, question, ALL, kinds=question.kinds)
        if of_kinds is not None and _predicts_better(_find(tested, SIGNIFICANT, question, ALL, kinds=question.kinds)):
            return of_kinds
    pooled = _find(calibration, SIGNIFICANT, question, ALL)
    grouped = _find(calibration, SIGNIFICANT, question, question.group)
    is_better = pooled is None or _predicts_better(_find(tested, SIGNIFICANT, question, question.group))
    return grouped if grouped is not None and is_better else pooled


def _predicts_better(grouped: CalibrationCurve | None) -> bool:
    """Whether the curve of a group or kind predicts what was held out better than one of all, by the Brier score.

    Of a single campaign, language pairs were held out.
    """
    tested = _part_test(grouped)
    return tested is not None and tested.own < tested.pooled


def _part_test(part: CalibrationCurve | None) -> PartTest | None:
    """How well the curve of a part of the pairs and that of all predict what is held out, if that was tested.

    With two language pairs, each would be predicted from a single one, which is no test.
    """
    validation = None if part is None else part.validation
    if part is None or validation is None or "pooled" not in validation.brier:
        return None
    if validation.held_out != "campaign" and part.population.language_pairs < _MIN_LANGUAGE_PAIRS:
        return None
    return PartTest(validation.held_out, validation.brier["isotonic"], validation.brier["pooled"])


def _find(
    calibration: Calibration, outcome: str, question: Question, group: str, *, kinds: str = ALL
) -> CalibrationCurve | None:
    try:
        return calibration.curve(
            question.metric,
            agg=question.aggregation,
            outcome=outcome,
            protocol=question.protocol,
            group=group,
            domain=question.domain,
            kinds=kinds,
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
    stem = question.metric.casefold()
    published = sorted({curve.metric for curve in curves if curve.metric.casefold().startswith(stem)}, key=str.casefold)
    instead = f"of published scores, it covers {listed(published)}" if published else "assay calibrate fits one to your data"
    return f"the calibration '{source}' does not cover {question.metric}; {instead}"


def _cautions(
    question: Question, calibration: Calibration, curve: CalibrationCurve, agreeing: CalibrationCurve | None
) -> Iterator[Caution]:
    probability, step = curve.probability(question.difference), curve.step(question.difference)
    applies = {
        Caution.FAILED_CHECK: _is_beaten(curve.check),
        **dict.fromkeys(_of_languages(question, calibration, curve), True),
        Caution.ALL_KINDS: curve.population.kinds != question.kinds and not _has_kinds(curve, question),
        Caution.UNKNOWN_KIND: bool(question.unknown),
        Caution.SAME_CAMPAIGN: question.lp in curve.population.lps.get(question.campaign, ()),
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
    elif curve.population.kinds != ALL:
        yield Caution.OF_KINDS
    else:
        yield Caution.UNTESTED if _part_test(grouped) is None else Caution.POOLED


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

    def find(group: str) -> tuple[Cutoff, ...]:
        return published.find(question.metric, question.aggregation, question.protocol, group, question.domain)

    group = question.group if published.has_group(question.protocol, question.group, question.domain) else ALL
    cutoffs = find(group)
    if not cutoffs:
        known = ", ".join(published.metrics)
        reason = f"{source} has no cut-offs of {question.metric} for this population; it has corpus scores of {known}"
        if group != ALL and find(ALL):
            reason = (
                f"{source} has no cut-offs of {question.metric} for the target languages {group}, only of other "
                "metrics; without a language pair, the cut-offs of all languages answer"
            )
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
        population=published.population(question.protocol, group, question.domain),
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
    question: Question,
    source: str,
    orientation: str,
    gap: str,
    population: Population | None = None,
    *,
    is_opposed: bool = False,
) -> Explanation:
    """The answer where there is no calibration."""
    undefined = Estimate(math.nan, 0, reason=f"no calibration: {gap}")
    return Explanation(
        metric=question.metric,
        aggregation=question.aggregation,
        difference=question.difference,
        lp=question.lp,
        judged=question.judged,
        probability=undefined,
        agrees=undefined,
        gap=gap,
        is_opposed=is_opposed,
        population=population,
        source=source,
        orientation=orientation,
    )
