"""Whether people would notice a difference: what a calibration said of it, by the data that this rests on."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from assay.calibration.files import BUNDLED
from assay.calibration.test_set_sizes import smallest_test_set
from assay.labels.calibrations import opposite_words, preferred
from assay.labels.metrics import score_label
from assay.labels.numbers import joined, p_words, share_text
from assay.labels.tests import correction_words
from assay.results import (
    ALL,
    Calibration,
    CalibrationCurve,
    Caution,
    Explanation,
    JointExplanation,
    KindAnswer,
    Ranking,
    SystemComparison,
)
from assay.results.calibration import FEW_PAIRS, SIGNIFICANT, FittedPopulation
from assay.types.note import listed, plural
from assay.words.calibration import (
    CAUTIONS,
    cautions,
    check_words,
    described,
    held_out_words,
    is_far_off,
    judged_words,
    kinds_words,
    left_out_words,
    misordered_words,
    own_language_words,
    population_words,
    scope_words,
    share,
    warnings_first,
)
from assay.words.compared_pair import ComparedScore, PairVerdict, compared_scores, pair_verdict
from assay.words.joint import (
    joint_check,
    joint_claim,
    joint_fit_words,
    joint_reason,
    joint_remarks,
    opposed_words,
)
from assay.words.people import is_bound_pair, judged_pair, people_preference
from assay.words.statement import Answer, uncapitalised

__all__ = [
    "QUESTION",
    "NoticedScores",
    "answered_jointly",
    "group_remarks",
    "in_hundred",
    "noticed_answer",
    "noticed_basis",
    "noticed_lede",
    "noticed_remarks",
    "noticed_scores",
    "noticed_sentence",
    "population_differences",
    "unsaid_reasons",
]

QUESTION = "Would people notice?"
_CALIBRATIONS = {
    "wmt": "the calibration on WMT data that comes with Assay",
    "lo2023": "the cut-offs of Lo et al. 2023",
    "own": "the calibration that was given",
}
_LIKELY = ((0.9, "Almost always"), (0.5, "More often than not"))
"""What a probability is called if its lower bound is at least this."""
_UNLIKELY = ((0.1, "Rarely"), (0.5, "Less often than not"))
"""What it is called if its upper bound is at most this."""
_OPEN = "Uncertain"
_NOT_COMPARABLE = "The shares of different scores rest on different pairs of systems and cannot be compared."
_BY_METRIC = "by-metric"  # the orientation of calibrations that answer for several scores together
_MAX_PAIRS = 5  # of systems, that sentences are written for


@dataclass(frozen=True, slots=True)
class NoticedScores:
    """Scores whose probabilities rest on the same pairs of systems: only these can be compared with each other."""

    scores: tuple[ComparedScore, ...]

    @property
    def population(self) -> str:
        """The campaigns that the pairs of systems come from, and how people judged."""
        return population_words(_explanation(self.scores[0]).population)


def noticed_scores(scores: Sequence[ComparedScore]) -> tuple[NoticedScores, ...]:
    """The scores that a calibration answered for, those of one kind of data together.

    Metrics may lack a pair of systems or two, which changes little.
    """
    groups: dict[tuple[object, ...], list[ComparedScore]] = {}
    for score in scores:
        explanation = score.pair.explanation
        if explanation is not None and explanation.is_answered:
            population = explanation.population
            key = () if population is None else (population.label, population.campaigns, explanation.orientation)
            groups.setdefault(key, []).append(score)
    return tuple(map(NoticedScores, map(tuple, groups.values())))


def _explanation(score: ComparedScore) -> Explanation:
    if score.pair.explanation is None:
        raise ValueError(f"no calibration was asked about {score.label}")
    return score.pair.explanation


def noticed_answer(found: PairVerdict, comparison: SystemComparison, ranking: Ranking | None) -> Iterator[Answer]:
    """What people said of the two, or what a calibration says of such differences; nothing if none was asked."""
    p = judged_pair(found.first, found.second, ranking)
    if ranking is not None and p is not None:
        preferred = people_preference(found.first, found.second, ranking)
        corrected = correction_words(ranking.settings.get("correction", "none"))
        words = p_words(p, alpha=ranking.alpha, is_bound=is_bound_pair(found.first, found.second, ranking))
        yield Answer(QUESTION, f"People {preferred}", f"By {ranking.name}, {words}, {corrected}.", "#people")
    elif any(score.pair.explanation is not None for score in found.scores):
        groups, joint = noticed_scores(found.scores), answered_jointly(found, comparison)
        is_said = bool(groups) and len(_sides(found.scores)) < 2
        if joint is not None:
            said: Iterable[str] = _joint_claims(joint)
        else:
            said = _group_claims(_leading(found, groups)) if is_said else _claims(found.scores)
        detail = " ".join(said)
        if (groups or joint) and not found.shows_difference:
            detail = f"This is what it would mean if it were real: {uncapitalised(detail)}"
        detail = " ".join((*_caution(found, found.lead, comparison), detail))
        others = tuple(_other_claims(found, groups, is_joint=joint is not None)) if is_said else ()
        link = "#notice" if groups or joint else ""
        yield Answer(QUESTION, _short(found, groups, comparison), detail, link, others)


def answered_jointly(found: PairVerdict, comparison: SystemComparison) -> JointExplanation | None:
    """What all scores of a pair mean together, if that is known: it then answers for all of them."""
    joint = comparison.joint_of(found.first, found.second)
    return joint if joint is not None and joint.is_answered else None


def _joint_claims(joint: JointExplanation) -> Iterator[str]:
    """How often people preferred the system that the scores put ahead together, or the other one."""
    claim, planned = joint_claim(joint), judged_words(joint.judged)
    yield f"{claim[:1].upper()}{claim[1:]}{planned and f', {planned}'}."
    if joint.is_opposed:
        yield opposed_words(joint)
    yield from joint_check(joint)
    answering = joint if joint.alone is None else joint.alone
    if is_far_off(answering):
        yield from left_out_words(answering, most=1)


def noticed_sentence(found: PairVerdict, comparison: SystemComparison, ranking: Ranking | None) -> Iterator[str]:
    """The answer in a sentence or two, by the score that leads; first of all, whether there is a difference at all.

    Nothing if people judged the two, which the headline says, or if no calibration was asked.
    """
    asked = any(score.pair.explanation is not None for score in found.scores)
    if not asked or judged_pair(found.first, found.second, ranking) is not None:
        return
    groups, joint = noticed_scores(found.scores), answered_jointly(found, comparison)
    if joint is not None:
        claim, *others = _joint_claims(joint)
        said = f"{_chance_of(joint)}: {uncapitalised(claim)}"
        if not found.shows_difference:
            said = f"If it were real, {uncapitalised(said)}"
        yield " ".join((*_caution(found, found.lead, comparison), said, *others))
        return
    if len(_sides(found.scores)) > 1 or not groups:
        caution = _caution(found, found.lead, comparison)
        yield " ".join((*caution, f"{_short(found, groups, comparison)}.", *_claims(found.scores)))
        return
    leading = _leading(found, groups)
    claim, *check = _group_claims(leading)
    said = f"{_common_chance(found, groups)}: {uncapitalised(claim)}"
    if not found.shows_difference:
        said = f"If it were real, {uncapitalised(said)}"
    yield " ".join((*_caution(found, leading.scores[0], comparison), said, *check))


def _leading(found: PairVerdict, groups: Sequence[NoticedScores]) -> NoticedScores:
    """The score that leads, else the first that a calibration answered for, alone."""
    is_answered = any(found.lead in group.scores for group in groups)
    return NoticedScores((found.lead if is_answered else groups[0].scores[0],))


def population_differences(answers: Iterable[tuple[str, Explanation | None]]) -> str:
    """Which pairs of systems the answers in a column are of, if they are not the same for all rows; else nothing."""
    scopes: dict[str, dict[str, None]] = {}
    for row, found in answers:
        if found is not None and found.is_answered:
            judged = population_words(found.population)
            scope = ", ".join(filter(None, (judged, scope_words(found.population, found.lp))))
            scopes.setdefault(scope, {})[row] = None
    if len(scopes) < 2:
        return ""
    said = (f"{listed([*rows])}: {scope}" for scope, rows in scopes.items())
    return f"noticed if real: rows are of different data and cannot be compared. {'; '.join(said)}"


def _other_claims(found: PairVerdict, groups: Sequence[NoticedScores], *, is_joint: bool) -> Iterator[str]:
    """What people said of differences in the other scores: all of them, if they answer together."""
    leading = () if is_joint else _leading(found, groups).scores
    for group in noticed_scores([score for score in found.scores if score not in leading]):
        yield " ".join(_group_claims(group))
    if len(groups) > 1:
        yield _NOT_COMPARABLE


def unsaid_reasons(comparison: SystemComparison) -> list[str]:
    """Why differences have no probability, each reason once, without those that the sentence on the first pair has."""
    found = pair_verdict(comparison)
    said = () if noticed_scores(found.scores) else found.scores
    reasons = dict.fromkeys(pair.noticed.reason for pair in comparison.pairs if pair.noticed is not None)
    return [each for each in reasons if each and each not in {_explanation(score).probability.reason for score in said}]


def _caution(found: PairVerdict, score: ComparedScore, comparison: SystemComparison) -> Iterator[str]:
    """What a reader must know before the answer: that the metric misorders such systems, or that the difference may not
    be there, or rests on few segments.
    """
    settings, pair = comparison.settings, score.pair
    joint, own = answered_jointly(found, comparison), pair.explanation
    if own is not None and own.is_answered:
        yield from _warnings(own, joint, score.label)
    elif joint is not None and (misordered := _misordered(joint)) is not None:
        yield misordered_words(misordered, joint_fit_words(joint))
    if not found.shows_difference and (_is_claimed(found) or joint is not None):
        p = p_words(pair.p_corrected, alpha=comparison.alpha, is_bound=pair.is_bound)
        yield f"No difference is shown ({p}, {plural(pair.n, settings['unit'])})."
    if (smallest := _more_segments(found, comparison)) is not None:
        n, other = plural(_segments(found, comparison), "segment"), "the smallest test set of the calibration has"
        if found.shows_difference:
            yield f"The difference comes from only {n}; {other} {smallest:,}."
        else:
            yield f"{other[:1].upper()}{other[1:]} {plural(smallest, 'segment')}."


def _warnings(own: Explanation, joint: JointExplanation | None, label: str) -> Iterator[str]:
    """That the answer is no prediction, that the language pair contradicts it, or that the metric misorders."""
    if Caution.SAME_CAMPAIGN in own.cautions:
        yield CAUTIONS[Caution.SAME_CAMPAIGN]
    if Caution.UNKNOWN_KIND in own.cautions:
        yield CAUTIONS[Caution.UNKNOWN_KIND].format(unknown=joined(own.unknown))
    if joint is None:
        yield from warnings_first(own, label)
        return
    if own.contradiction is not None:
        yield own_language_words(own, label)
    if (misordered := _misordered(joint)) is not None:
        yield misordered_words(misordered, joint_fit_words(joint))
    elif own.misordered is not None:
        yield misordered_words(own.misordered, label)


def _misordered(joint: JointExplanation) -> KindAnswer | None:
    """The kinds of systems that all scores together misorder, or the score that answers alone."""
    return joint.misordered if joint.alone is None else joint.alone.misordered


def _is_claimed(found: PairVerdict) -> bool:
    """Whether anything is said of the pair: what people preferred, or what the scores prefer."""
    return bool(noticed_scores(found.scores)) or len(_sides(found.scores)) > 1


def _more_segments(found: PairVerdict, comparison: SystemComparison) -> int | None:
    """The size of the smallest test set of the population that answers, if it has more segments than the comparison."""
    joint, groups = answered_jointly(found, comparison), noticed_scores(found.scores)
    if comparison.settings.get("calibration") != BUNDLED or (joint is None and not groups):
        return None
    answer = _explanation(_leading(found, groups).scores[0]) if joint is None else joint
    population = answer.population
    smallest = smallest_test_set(population.lps) if isinstance(population, FittedPopulation) else None
    return smallest if smallest is not None and _segments(found, comparison) < smallest else None


def _segments(found: PairVerdict, comparison: SystemComparison) -> int:
    return found.lead.pair.n if comparison.settings["unit"] == "segment" else len(comparison.inputs)


def _short(found: PairVerdict, groups: Sequence[NoticedScores], comparison: SystemComparison) -> str:
    joint = answered_jointly(found, comparison)
    if joint is None and len(_sides(found.scores)) > 1:
        return "The scores disagree"
    if joint is None and not groups:
        return "No calibration"
    words = _common_chance(found, groups) if joint is None else _chance_of(joint)
    if not found.shows_difference:
        return f"If it is real: {uncapitalised(words)}"
    if _more_segments(found, comparison) is not None:
        return f"With only {plural(_segments(found, comparison), 'segment')}: {uncapitalised(words)}"
    return words


def _common_chance(found: PairVerdict, groups: Sequence[NoticedScores]) -> str:
    """How often people notice; if other data say something else, by the score that leads."""
    chances = {_chance(found.lead if found.lead in group.scores else group.scores[0]) for group in groups}
    if len(chances) == 1:
        return chances.pop()
    leading = _leading(found, groups).scores[0]
    return f"{_chance(leading)} by {leading.label}, but the scores differ"


def _chance(score: ComparedScore) -> str:
    """How often people notice, as far as the interval says so, and what they said where the calibration was checked."""
    return _chance_of(_explanation(score))


def _chance_of(explanation: Explanation | JointExplanation) -> str:
    noticed, check = explanation.probability, explanation.check
    seen = [] if check is None else [check.observed]
    low, high = min([noticed.low, *seen]), max([noticed.high, *seen])
    likely = (words for bound, words in _LIKELY if low >= bound)
    unlikely = (words for bound, words in _UNLIKELY if high <= bound)
    return next(likely, None) or next(unlikely, _OPEN)


def _sides(scores: Sequence[ComparedScore]) -> dict[str, list[str]]:
    """The scores that prefer each system, by however little."""
    sides: dict[str, list[str]] = {}
    for score in scores:
        if score.favour and not math.isnan(score.favour):
            sides.setdefault(score.pair.first if score.favour > 0 else score.pair.second, []).append(score.label)
    return sides


def _claims(scores: Sequence[ComparedScore]) -> Iterator[str]:
    """What people said of pairs of systems like this one; if nothing is known, why."""
    sides, groups = _sides(scores), noticed_scores(scores)
    if len(sides) > 1:
        said = (f"{joined(names)} {'prefers' if len(names) == 1 else 'prefer'} {name}" for name, names in sides.items())
        yield f"{', but '.join(said)}. The scores do not say which system people would prefer."
    elif not groups:
        text = "; ".join(dict.fromkeys(_explanation(score).gap for score in scores))
        yield f"{text[:1].upper()}{text[1:]}."
    else:
        yield from (sentence for group in groups for sentence in _group_claims(group))
        if len(groups) > 1:
            yield _NOT_COMPARABLE


def _group_claims(group: NoticedScores) -> Iterator[str]:
    """How often people preferred which system in the data of the calibration, and where it was checked."""
    first = _explanation(group.scores[0])
    shares = _by_score(group, lambda each: share(each.probability))
    opposite = _by_score(group, lambda each: "" if math.isnan(each.opposite.value) else share(each.opposite))
    people = preferred(first.orientation)
    of = f" in {group.scores[0].label}" if len(group.scores) == 1 else ""
    planned = judged_words(first.judged)
    scope = scope_words(first.population, first.lp)
    such = f"pairs of systems with such a difference{of}{scope and f' ({scope})'}{planned and f', {planned}'}"
    yield f"In {group.population}, {people} in {shares} of {such}{opposite_words(first.orientation, opposite)}."
    observed = _by_score(group, lambda each: "" if each.check is None else share_text(each.check.observed))
    if observed:
        other = _by_score(group, lambda each: "" if each.check is None else share_text(each.check.opposite))
        where = held_out_words(first.checked_on)
        opposite = opposite_words(first.orientation, other)
        yield f"{where}, {people} in {observed} of the pairs with about this probability{opposite}."
    if len(group.scores) == 1 and is_far_off(first):
        yield from left_out_words(first, most=1)


def _by_score(group: NoticedScores, text: Callable[[Explanation], str]) -> str:
    """46 % (BLEU) and 41 % (chrF); scores without a text are left out, and a single score needs no name."""
    found = [(score.label, text(_explanation(score))) for score in group.scores]
    if len(found) == 1:
        return found[0][1]
    return joined([f"{each} ({label})" for label, each in found if each])


def in_hundred(score: ComparedScore) -> str:
    """How often people preferred which system, with intervals.

    Such as `46 % [29, 62] of pairs of systems that differ by 2.17 BLEU, and the worse-scored one in 13 % [4, 28]`.
    """
    explanation = _explanation(score)
    noticed, opposite = explanation.probability, explanation.opposite
    text = f"{share(noticed)} of pairs of systems that differ by {score.size} {score.label}"
    if noticed.n < FEW_PAIRS:
        text += f" (fewer than {FEW_PAIRS} pairs differed by this much or more)"
    other = "" if math.isnan(opposite.value) else share(opposite)
    return f"{text}{opposite_words(explanation.orientation, other)}"


def group_remarks(group: NoticedScores) -> Iterator[str]:
    """What is to be known about answers that rest on the same data."""
    remarks: dict[str, list[str]] = {}
    for score in group.scores:
        explanation = _explanation(score)
        check = () if explanation.check is None else (check_words(explanation),)
        seen = f"Seen in {described(explanation)}."
        own = (own_language_words(explanation, score.label),) if explanation.own_language is not None else ()
        misordered = explanation.misordered
        wrong = () if misordered is None else (misordered_words(misordered, score.label),)
        off = left_out_words(explanation)
        for remark in (seen, *own, *wrong, *kinds_words(explanation), *check, *off, *cautions(explanation)):
            remarks.setdefault(remark, []).append(score.label)
    for remark, labels in remarks.items():
        is_of_all = len(labels) == len(group.scores)
        yield remark if is_of_all else f"{joined(labels)}: {uncapitalised(remark)}"


def noticed_lede(groups: Sequence[NoticedScores]) -> str:
    """What is asked, before the answer."""
    people = preferred(_explanation(groups[0].scores[0]).orientation if groups else _BY_METRIC)
    return (
        "A difference can be real and too small to matter. In past campaigns, metrics and people scored the same "
        f"systems. The numbers say how often {people} where two systems differed this much."
    )


def noticed_basis(
    comparison: SystemComparison,
    found: PairVerdict,
    groups: Sequence[NoticedScores],
    used: Calibration | None,
    others: Sequence[Calibration],
) -> Iterator[str]:
    """What all answers have in common, and what the same difference means by other data.

    `used`: the calibration that gave the answers, if it is at hand. `others`: calibrations that may be asked as well.
    """
    name = comparison.settings.get("calibration", "")
    yield f"The numbers below come from {_CALIBRATIONS.get(name, f'the calibration {name}')}."
    if len(groups) > 1:
        yield "Each list rests on other pairs of systems, so that the lists cannot be compared with each other."
    if not found.shows_difference:
        yield "No difference is shown between the two systems: this is what it would mean if it were real."
    if used is not None and groups:
        yield from _elsewhere(groups[0].scores[0], used, others)


def _elsewhere(score: ComparedScore, used: Calibration, others: Sequence[Calibration]) -> Iterator[str]:
    """What the same difference means by other protocols of the calibration, and by other calibrations."""

    def is_asked(curve: CalibrationCurve) -> bool:
        is_of_score = (curve.metric, curve.aggregation) == (score.metric.metric, score.metric.aggregation)
        population = curve.population
        is_of_all = population.domain == population.group == population.kinds == ALL  # others may predict worse
        return is_of_score and curve.outcome == SIGNIFICANT and is_of_all

    answered_by = _explanation(score).population
    curves = [(each, "") for each in used if is_asked(each) and each.population != answered_by]
    for curve in (curve for other in others for curve in other if is_asked(curve)):
        curves.append((curve, f", {listed(curve.population.campaigns)}, on this page"))
    probabilities = ((each.probability(abs(score.favour)).value, place, each) for each, place in curves)
    known = sorted((p, f"{each.population.label}{place}") for p, place, each in probabilities if not math.isnan(p))
    if known:
        shares = joined([f"{share_text(p)} ({label})" for p, label in known])
        yield (
            f"In other data, people noticed such a difference in {score.label} in {shares} of pairs of systems. "
            "“assay calibrate” fits curves to your own data."
        )


def noticed_remarks(found: PairVerdict, comparison: SystemComparison) -> Iterator[str]:
    """What people said of pairs like the others; what all of it rests on, and why it may not be trusted."""
    pairs = [(pair.first, pair.second) for pair in comparison.metrics[0].pairs]
    if all(pair.explanation is None for pair in comparison.pairs):
        return
    for systems in pairs if len(pairs) <= _MAX_PAIRS else ():
        if set(systems) != {found.first, found.second}:
            joint = comparison.joint_of(*systems)
            is_answered = joint is not None and joint.is_answered
            said = _joint_claims(joint) if joint and is_answered else _claims(compared_scores(comparison, *systems))
            yield f"{' and '.join(systems)}: {uncapitalised(' '.join(said))}"
    remarks: dict[tuple[int, str], dict[str, list[str]]] = {}
    for remark, label, systems in _all_remarks(comparison, pairs):
        remarks.setdefault(remark, {}).setdefault(label, []).append(" and ".join(systems))
    for (_, sentence), by_score in sorted(remarks.items(), key=lambda item: item[0][0]):
        names = (
            label if len(systems) == len(pairs) else f"{label} ({listed(systems)})"
            for label, systems in by_score.items()
        )
        yield f"{', '.join(names)}: {sentence}"


def _all_remarks(
    comparison: SystemComparison, pairs: Sequence[tuple[str, str]]
) -> Iterator[tuple[tuple[int, str], str, tuple[str, str]]]:
    """Remarks with their places, the score that they are on, and the systems."""
    for joint in comparison.joint:
        for sentence in _joint_evidence(joint):
            said = sentence if sentence.startswith("Brier ") else uncapitalised(sentence)
            yield (0, said), "all scores together", (joint.first, joint.second)
    is_answered = any(pair.explanation is not None and pair.explanation.is_answered for pair in comparison.pairs)
    for systems in pairs:
        for score in compared_scores(comparison, *systems) if is_answered else ():
            for remark in _remarks(_explanation(score)):
                yield remark, score.label, systems


def _joint_evidence(joint: JointExplanation) -> Iterator[str]:
    """Whether all scores together predict better than one of them, and what their answer rests on."""
    if not joint.is_answered:
        yield f"{joint.probability.reason}."
    else:
        yield joint_reason(joint)
        if joint.alone is None:
            yield from joint_remarks(joint)


def _remarks(explanation: Explanation) -> Iterator[tuple[int, str]]:
    """Sentences that several answers may have in common, and their places: what an answer rests on comes first."""
    if not explanation.is_answered:
        if not explanation.is_opposed:  # else the claims say it
            yield 2, f"{explanation.probability.reason}."
        return
    verb = "published:" if explanation.cutoffs else "seen in"
    yield 0, f"{verb} {described(explanation)} (calibration {explanation.source})."
    label = score_label(explanation.metric, explanation.aggregation)
    if explanation.own_language is not None:
        yield 1, uncapitalised(own_language_words(explanation, label))
    if explanation.misordered is not None:
        yield 1, uncapitalised(misordered_words(explanation.misordered, label))
    for sentence in (*left_out_words(explanation), *kinds_words(explanation)):
        yield 1, uncapitalised(sentence)
    for caution in cautions(explanation):
        yield 1, uncapitalised(caution)
