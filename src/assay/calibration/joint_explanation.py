"""Answers of a calibration for the differences of several scores: together, or by the one that predicts best."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from assay.calibration.campaign_spread import widest
from assay.calibration.effective_sample import independent_pairs
from assay.calibration.explanation import OPT_IN_PROTOCOL, Question, answer, shared_settings
from assay.calibration.joint import (
    JointAnswer,
    JointFit,
    JointModel,
    JointPairs,
    LeftOutPredictions,
    SingleErrors,
    best_fit,
    kind_term,
    predict_left_out,
    unlike,
)
from assay.calibration.judged_pairs import system_pairs_of
from assay.calibration.judged_sizes import same_pairs
from assay.calibration.judgement_samples import outside_samples
from assay.calibration.options import Key
from assay.calibration.populations import (
    MIN_LANGUAGE_PAIRS,
    data_lps,
    data_text,
    fitted_population,
    group_of,
    is_covered,
    wmt_years,
)
from assay.calibration.published import Published
from assay.calibration.system_kinds import KINDS, LLM, MIXED, MT
from assay.calibration.validation import Drawing
from assay.errors import ConfigError
from assay.lazily import numpy as np
from assay.registry import option_text
from assay.results import (
    ALL,
    Calibration,
    Caution,
    Estimate,
    Explanation,
    FittedPopulation,
    KindAnswer,
    Population,
    ReliabilityBin,
)
from assay.results.calibration import ENOUGH_PAIRS, FEW_PAIRS, bin_number
from assay.results.explanation import SAME
from assay.results.joint_explanation import FIRST, SECOND, JointExplanation, SignedScore, swapped_kinds
from assay.results.judged_pairs import JudgedPairs
from assay.significance import ALPHA
from assay.significance.proportions import exact_bounds
from assay.types import FloatArray
from assay.types.note import plural

if TYPE_CHECKING:
    from typing import TypeAlias

    import numpy.typing as npt

    Rows: TypeAlias = npt.NDArray[np.bool_]

__all__ = ["JointQuestion", "answer_jointly"]

_BY_METRIC = "by-metric"
_ALL_WEIGHT = 0.995
"""The share of the weights that rounds to 100 %."""
_KEPT = 256  # fits


@dataclass(frozen=True, slots=True)
class JointQuestion:
    """The differences of two systems in several scores, and where they were seen."""

    scores: tuple[SignedScore, ...]
    lp: str | None = None
    domain: str = ALL
    protocol: str = ""
    """How people judged; empty: as in the latest campaigns that judged such target languages."""
    kinds: str = ALL
    """Of the two systems, the first one named first."""
    judged: int | None = None
    first: str = FIRST
    second: str = SECOND

    def __post_init__(self) -> None:
        for score in self.scores:
            self.about(score)
        names = [(score.metric, score.aggregation) for score in self.scores]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise ConfigError(f"{' '.join(twice)} was given twice", hint="give one difference for each score")

    def about(self, score: SignedScore) -> Question:
        """The same question about a single score, whose better-scored system is named first."""
        kinds = swapped_kinds(self.kinds) if score.difference < 0 else self.kinds
        size = abs(score.difference)
        return Question(score.metric, score.aggregation, size, self.lp, self.domain, self.protocol, kinds, self.judged)

    @property
    def settings(self) -> dict[str, str]:
        """What was asked, for a signature."""
        about = self.about(self.scores[0]).settings
        named = {
            "metric": "+".join(each.metric for each in self.scores),
            "agg": "+".join(each.aggregation for each in self.scores),
            "difference": "+".join(option_text(float(each.difference)) for each in self.scores),
        }
        return {**about, **named, **({"kinds": self.kinds} if self.kinds != ALL else {})}


@dataclass(frozen=True, slots=True)
class _Members:
    """Which pairs of systems a fit is of. It is hashed, so that fits that were made can be found again."""

    judged_pairs: tuple[JudgedPairs, ...]
    keys: tuple[Key, ...]
    alpha: float
    judged: int | None
    protocol: str
    group: str = ALL
    kinds: str = ALL
    drawn_pairs: tuple[JudgedPairs, ...] = ()
    """The pairs with all samples of their judgements, for a number of judged segments."""

    @property
    def whole(self) -> _Members:
        """The same of all languages and kinds."""
        return replace(self, group=ALL, kinds=ALL)


@lru_cache(maxsize=_KEPT)
def _pairs(members: _Members) -> JointPairs:
    if members != members.whole:
        whole = _pairs(members.whole)
        return whole.take(_rows(whole, members.group, members.kinds))
    judged = (each for each in members.judged_pairs if each.protocol == members.protocol)
    found = [system_pairs_of(each, members.keys) for each in judged]
    return JointPairs.of(found, members.keys, members.alpha, members.judged)


def _rows(pairs: JointPairs, group: str, kinds: str) -> Rows:
    """The pairs of a group of target languages and of some kinds of systems."""
    of_group = np.array([group in (ALL, group_of(lp)) for _, lp in pairs.clusters], dtype=np.bool_)[pairs.cluster]
    return of_group if kinds == ALL else of_group & pairs.of_kinds(kinds)


@lru_cache(maxsize=_KEPT)
def _left_out(members: _Members, knows_kinds: bool) -> LeftOutPredictions | None:
    return predict_left_out(_pairs(members), knows_kinds=knows_kinds)


@lru_cache(maxsize=_KEPT)
def _single_errors(members: _Members, knows_kinds: bool) -> SingleErrors:
    return SingleErrors.of(_pairs(members), knows_kinds=knows_kinds)


@lru_cache(maxsize=_KEPT)
def _fit(members: _Members, knows_kinds: bool) -> JointFit:
    return best_fit(_pairs(members), knows_kinds=knows_kinds)


@lru_cache(maxsize=_KEPT)
def _model(members: _Members, knows_kinds: bool, drawing: Drawing) -> JointModel:
    pairs, spread = _pairs(members), None
    if members.judged is not None:
        campaigns, orientation = len(pairs.lps), _BY_METRIC
        spread = widest(members.drawn_pairs, members.keys, orientation, members.alpha, campaigns, drawing.tail)
    return JointModel.of(pairs, _fit(members, knows_kinds), drawing, spread)


def answer_jointly(question: JointQuestion, calibration: Calibration | Published, source: str) -> JointExplanation:
    """The answer of all scores together or, if they do not predict left-out campaigns better, of the best one."""
    reason = _unanswerable(question, calibration, source)
    if reason or isinstance(calibration, Published):
        return _none(question, source, reason)
    whole = _members(question, calibration)
    members = _sampled(whole, question.judged)
    pairs = _pairs(members)
    if sum(map(len, pairs.lps.values())) < MIN_LANGUAGE_PAIRS:
        segments = "" if question.judged is None else f" and {question.judged:,} judged segments"
        reason = f"'{source}' has no two language pairs with all of these scores{segments} ({members.protocol})"
        return _none(question, source, reason)
    tested, knows_kinds, rows = _chosen(question, whole)  # the same answer for all numbers of judged segments
    fitted = _sampled(tested, question.judged)
    population = _population(members if knows_kinds else fitted, _pairs(fitted), question.judged)
    if question.lp is not None and not is_covered(question.lp, population):
        reason = f"there are no data of these scores for target languages written without spaces, such as {question.lp}"
        return _none(question, source, reason)
    left_out, validated = (_left_out(each, knows_kinds) for each in (fitted, tested))
    if left_out is None or validated is None:
        return _none(question, source, "nothing could be left out to test how well the scores predict it")
    drawing = Drawing.of(calibration.settings)
    validation = validated.validation(_single_errors(tested, knows_kinds), rows, drawing)
    of_tested = _population(replace(tested, kinds=MIXED) if knows_kinds else tested, _pairs(tested).take(rows))
    found = JointExplanation(
        **_asked(question),
        probability=Estimate(math.nan, 0),
        validation=replace(validation, population=of_tested),
        left_out=() if question.judged is None else tuple(left_out.parts),
        base_rate=_pairs(fitted).base_rate,
        population=population,
        language_pairs=data_lps(population.lps),
        knows_kinds=knows_kinds,
        source=source,
        settings={
            **question.settings,
            **shared_settings(calibration, source),
            "protocol": option_text(population.protocol),
            "data": data_text(population.lps),
        },
    )
    found = replace(found, scores=_weighted(found.scores, _fit(tested, knows_kinds), tested.keys))
    single = _single(found)
    if single is None:
        return _together(question, found, members, fitted, drawing)
    differences = np.array([score.difference for score in question.scores])
    if gap := unlike(differences, _pairs(fitted).differences):
        return replace(found, probability=Estimate(math.nan, 0, reason=f"no calibration: {gap}"), gap=gap)
    best = question.scores[single]
    return _alone(question, found, best, answer(question.about(best), calibration, source))


def _weighted(scores: tuple[SignedScore, ...], fit: JointFit, keys: tuple[Key, ...]) -> tuple[SignedScore, ...]:
    """The scores with their weights in a fit, which may have some of them only."""
    weights = dict(zip(keys, fit.shares.tolist(), strict=True))
    return tuple(replace(each, weight=weights.get((each.metric, each.aggregation), 0.0)) for each in scores)


def _single(found: JointExplanation) -> int | None:
    """The place of the score that answers alone: all together predict no better, or it has all the weight."""
    if found.validation is not None and not found.validation.is_better:
        return found.validation.alone.index(min(found.validation.alone))
    weights = [each.weight for each in found.scores]
    return weights.index(max(weights)) if max(weights) >= _ALL_WEIGHT else None


def _unanswerable(question: JointQuestion, calibration: Calibration | Published, source: str) -> str:
    """Why there is no answer, whatever the data are; empty if there may be one."""
    if isinstance(calibration, Published):
        return f"'{source}' has cut-offs of single metrics"
    if calibration.orientation != _BY_METRIC:
        return f"'{source}' does not count which system people prefer (orientation {calibration.orientation})"
    if not calibration.pairs:
        return f"'{source}' has no pairs of systems; assay calibrate fits a calibration that has them"
    if question.domain != ALL:
        return (
            f"the pairs of systems of '{source}' are of whole test sets, not of domains; ask for one metric at a time"
        )
    if not any(score.difference for score in question.scores):
        return "all scores are equal, so that none prefers a system"
    for score in question.scores:
        if not any(score.aggregation in each.scores.get(score.metric, {}) for each in calibration.pairs):
            missing = f"'{source}' has no pairs of systems with scores of {score.metric} ({score.aggregation})"
            shorter = [name for name in calibration.metrics if _is_longer(score.metric, name)]
            return f"{missing}; it has {max(shorter, key=len)}" if shorter else missing
    return "" if question.judged is None else outside_samples(calibration.pairs, question.judged, source)


def _is_longer(metric: str, name: str) -> bool:
    """Whether the name of a metric starts with another name: COMET-20 may be stored as COMET."""
    return metric != name and metric.casefold().startswith(name.casefold())


def _asked(question: JointQuestion) -> dict[str, Any]:
    """What the answer repeats of the question."""
    return {name: getattr(question, name) for name in ("first", "second", "scores", "lp", "kinds", "judged")}


def _none(question: JointQuestion, source: str, gap: str) -> JointExplanation:
    undefined = Estimate(math.nan, 0, reason=f"no calibration: {gap}")
    return JointExplanation(**_asked(question), probability=undefined, gap=gap, source=source)


def _members(question: JointQuestion, calibration: Calibration) -> _Members:
    """The pairs of the latest campaigns with all scores, such target languages and such kinds of systems, if any.

    The rule is that of single scores (`explanation`).
    """
    keys = tuple((score.metric, score.aggregation) for score in question.scores)
    alpha = float(calibration.settings.get("alpha", ALPHA))
    protocols = dict.fromkeys(each.protocol for each in calibration.pairs)
    asked = [name for name in protocols if question.protocol in ("", name)]
    found = [_Members(calibration.pairs, keys, alpha, None, name) for name in asked]
    found = [each for each in found if len(_pairs(each))] or found
    if not question.protocol:
        found = [each for each in found if each.protocol != OPT_IN_PROTOCOL] or found
    if question.kinds != ALL:
        found = [each for each in found if _rows(_pairs(each), ALL, question.kinds).any()] or found
    if (group := question.about(question.scores[0]).group) != ALL:
        found = [each for each in found if _rows(_pairs(each), group, ALL).any()] or found
    if not found:
        return _Members((), keys, alpha, None, question.protocol)
    return max(found, key=lambda each: (wmt_years(_pairs(each).lps)[-1:], len(_pairs(each))))


def _sampled(members: _Members, judged: int | None) -> _Members:
    """The same for a number of judged segments, if it was asked for: for all numbers, of the same pairs."""
    if judged is None:
        return members
    same = same_pairs(members.judged_pairs, members.keys)
    return replace(members, judged_pairs=same, judged=judged, drawn_pairs=members.judged_pairs)


def _chosen(question: JointQuestion, whole: _Members) -> tuple[_Members, bool, Rows]:
    """The pairs that answer, whether the fit to them knows kinds of systems, and the pairs to judge it by.

    They are those of the kinds of the two systems, or else of the group of the target language, if they predict
    left-out campaigns better than all pairs do. Of an LLM and an MT system, all pairs answer, but the fit knows which
    of the two is which.
    """
    pairs, group = _pairs(whole), question.about(question.scores[0]).group
    everything = np.ones(len(pairs), dtype=np.bool_)
    of_kinds = _rows(pairs, ALL, question.kinds)
    if question.kinds != ALL and of_kinds.any():
        if kind_term(question.kinds):
            if _error(whole, True, of_kinds) < _error(whole, False, of_kinds):
                return whole, True, of_kinds
        elif _predicts_better(fitted := replace(whole, kinds=question.kinds), of_kinds):
            return fitted, False, np.ones(len(_pairs(fitted)), dtype=np.bool_)
    of_group = _rows(pairs, group, ALL)
    if group != ALL and of_group.any() and _predicts_better(fitted := replace(whole, group=group), of_group):
        return fitted, False, np.ones(len(_pairs(fitted)), dtype=np.bool_)
    return whole, False, everything


def _predicts_better(members: _Members, rows: Rows) -> bool:
    """Whether some pairs predict themselves, without a campaign in turn, better than all pairs do."""
    return _error(members, False, np.ones(len(_pairs(members)), dtype=np.bool_)) < _error(members.whole, False, rows)


def _error(members: _Members, knows_kinds: bool, rows: Rows) -> float:
    """The mean squared error on some of the pairs; NaN if there are not several campaigns to leave out."""
    left_out = _left_out(members, knows_kinds)
    return math.nan if left_out is None or left_out.held_out != "campaign" else float(left_out.joint[rows].mean())


def _population(members: _Members, pairs: JointPairs, judged: int | None = None) -> FittedPopulation:
    return fitted_population(Population(members.protocol, members.group, kinds=members.kinds), pairs, judged)


def _alone(question: JointQuestion, found: JointExplanation, best: SignedScore, alone: Explanation) -> JointExplanation:
    """The answer of a single score: that to the question about it alone, from the same pairs of systems."""
    if not alone.is_answered:
        gap = f"{best.metric} ({best.aggregation}) predicts best of these scores, and it has no answer: {alone.gap}"
        return replace(found, probability=Estimate(math.nan, 0, reason=f"no calibration: {gap}"), gap=gap)
    return replace(
        found,
        preferred=question.first if best.difference > 0 else question.second,
        probability=alone.probability,
        opposite=alone.opposite,
        alone=alone,
        check=alone.check,
        base_rate=alone.base_rate,
        left_out=alone.left_out,
        population=alone.population,
        language_pairs=alone.language_pairs,
        knows_kinds=False,
        settings={**found.settings, **{name: alone.settings[name] for name in ("protocol", "data")}},
    )


def _together(
    question: JointQuestion, found: JointExplanation, members: _Members, fitted: _Members, drawing: Drawing
) -> JointExplanation:
    """The answer of the joint fit."""
    model = _model(fitted, found.knows_kinds, drawing)
    differences = [score.difference for score in question.scores]
    answered = model.answer(differences, question.kinds)
    if isinstance(answered, str):
        undefined = Estimate(math.nan, 0, reason=f"no calibration: {answered}")
        return replace(found, probability=undefined, gap=answered)
    group = question.about(question.scores[0]).group
    grouped = None
    if fitted.group != group and len(_pairs(of_group := replace(members.whole, group=group))):
        said = _model(of_group, False, replace(drawing, resamples=0)).answer(differences, question.kinds)
        grouped = None if isinstance(said, str) or said.is_first != answered.is_first else said.probability
    return replace(
        found,
        scores=_weighted(found.scores, model.fit, fitted.keys),
        preferred=question.first if answered.is_first else question.second,
        probability=answered.probability,
        opposite=answered.opposite,
        near=answered.near,
        check=_check(found, fitted, answered),
        grouped=grouped,
        by_kinds=tuple(_by_kinds(question, members, drawing.tail)),
        cautions=tuple(_cautions(question, found, members, answered)),
    )


def _by_kinds(question: JointQuestion, members: _Members, tail: float) -> Iterator[KindAnswer]:
    """What people say of pairs with language models, as the latest campaigns judged them.

    They are counted among the pairs that the fit to all kinds puts as far apart as the two systems.
    """
    protocols = dict.fromkeys(each.protocol for each in members.judged_pairs)
    known = [replace(members.whole, protocol=name) for name in protocols if question.protocol in ("", name)]
    known = [each for each in known if _rows(_pairs(each), ALL, LLM).any()]
    if not known:
        return
    latest = max(known, key=lambda each: wmt_years(_pairs(each).lps)[-1:])
    pairs, fit = _pairs(latest), _fit(latest, False)
    asked = max(float(side[0]) for side in fit(np.array([[score.difference for score in question.scores]])))
    first, second = fit(pairs.differences)
    is_first = first >= second
    kinds = np.array(
        [each if ahead else swapped_kinds(each) for each, ahead in zip(pairs.kinds, is_first, strict=True)]
    )
    hits, misses = (np.where(is_first, *sides) for sides in ((pairs.first, pairs.second), (pairs.second, pairs.first)))
    is_near = np.abs(np.maximum(first, second) - asked) <= SAME
    for name in (each for each in KINDS if each not in (MT, MIXED)):
        of_kinds = kinds == name
        if of_kinds.sum() >= FEW_PAIRS:
            near = of_kinds & is_near
            shares = (_share(values, rows, pairs, tail) for rows in (near, of_kinds) for values in (hits, misses))
            probability, opposite, share, opposite_share = shares
            yield KindAnswer(
                name, _population(latest, pairs, question.judged), probability, opposite, share, opposite_share
            )


def _share(values: FloatArray, rows: Rows, pairs: JointPairs, tail: float) -> Estimate:
    """A share of some pairs, with its exact bounds; none of few pairs."""
    if (count := int(rows.sum())) < ENOUGH_PAIRS:
        return Estimate(math.nan, count, reason=f"{plural(count, 'pair')} had about this probability")
    value = float(values[rows].mean())
    low, high = exact_bounds(np.array([value]), np.array([independent_pairs(pairs.systems[rows])]), tail)
    return Estimate(value, count, float(low[0]), float(high[0]))


def _check(found: JointExplanation, fitted: _Members, answered: JointAnswer) -> ReliabilityBin | None:
    """The left-out pairs with about this probability; of few, nothing is said."""
    left_out = _left_out(fitted, found.knows_kinds)
    number = bin_number(answered.probability.value)
    bins = () if left_out is None else left_out.bins
    return next((each for each in bins if bin_number(each.predicted) == number and each.pairs >= FEW_PAIRS), None)


def _cautions(
    question: JointQuestion, found: JointExplanation, members: _Members, answered: JointAnswer
) -> Iterator[Caution]:
    about, population = question.about(question.scores[0]), found.population or Population("")
    if question.lp is not None and population.group == ALL:
        of_group = replace(members.whole, group=about.group)
        if about.group == ALL:
            yield Caution.NO_GROUP
        elif not len(_pairs(of_group)):
            yield Caution.OTHER_LANGUAGES
        else:
            left_out = _left_out(of_group, False)
            is_tested = left_out is not None and left_out.held_out == "campaign"
            yield Caution.POOLED if is_tested else Caution.UNTESTED
    if question.kinds != population.kinds and not found.knows_kinds:
        yield Caution.ALL_KINDS
    if answered.near.pairs < FEW_PAIRS:
        yield Caution.FEW_PAIRS
    if answered.probability.value < answered.unbounded:
        yield Caution.CAPPED
    if found.validation is not None and found.validation.brier["constant"] < found.validation.brier["joint"]:
        yield Caution.WEAK
