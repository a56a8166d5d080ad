"""What the differences of several scores mean together, in sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from assay.labels.metrics import score_label
from assay.labels.numbers import difference_text, interval_text, joined, share_text
from assay.results import ALL, Caution, FittedPopulation, JointExplanation, Population, SignedScore
from assay.results.calibration import FEW_PAIRS, KIND_WORDS
from assay.results.joint_explanation import JointValidation
from assay.types.note import plural
from assay.words.calibration import (
    beside_the_answer,
    caution_text,
    check_words,
    claim,
    counted_words,
    fitted_words,
    further_paragraphs,
    held_out_words,
    is_far_off,
    judged_words,
    kinds_words,
    left_out_words,
    misordered_words,
    population_words,
    scope_words,
    share,
    warnings_first,
)
from assay.words.statement import Verdict

__all__ = [
    "joint_cautions",
    "joint_check",
    "joint_claim",
    "joint_fit_words",
    "joint_paragraphs",
    "joint_reason",
    "joint_remarks",
    "joint_sentences",
    "joint_verdict",
    "opposed_words",
]

_DECIMALS = 3  # of Brier scores
_AHEAD = "people significantly preferred the system that is ahead"
_CAUTIONS = {
    Caution.POOLED: "Use this answer, which pools all languages: a fit to languages like the target of {lp} "
    "({grouped}) did not predict left-out campaigns better.",
    Caution.UNTESTED: "Use this answer, which pools all languages: of languages like the target of {lp} alone "
    "({grouped}), there was no other campaign to test a fit.",
    Caution.ALL_KINDS: "This answer pools all kinds of systems: a fit that knows that they are {kinds} did not predict "
    "left-out campaigns better, or there is none.",
    Caution.FEW_PAIRS: f"Fewer than {FEW_PAIRS} pairs of systems had about this probability.",
    Caution.CAPPED: "The fit has a higher probability, but only {independent} of the pairs with about this probability "
    "have no system in common, which supports no more than {supported} (rule of succession).",
    Caution.WEAK: "The differences say little here: the share of all pairs ({rate}) predicts left-out pairs better.",
}
"""What cautions say of several scores; the others are the same as of one."""


def joint_verdict(explanation: JointExplanation) -> Verdict:
    """The answer as the headline."""
    return Verdict.of(joint_paragraphs(explanation))


def joint_sentences(explanation: JointExplanation) -> Iterator[str]:
    """The answer, what it rests on, and why it may not be trusted, sentence by sentence."""
    for paragraph in joint_paragraphs(explanation):
        yield from paragraph


def joint_paragraphs(explanation: JointExplanation) -> Iterator[tuple[str, ...]]:
    """The answer first; then why the scores answer together or one alone, and what that rests on."""
    yield tuple(_answer(explanation))
    if not explanation.is_answered:
        return
    yield tuple(filter(None, (joint_reason(explanation),)))
    if explanation.alone is not None:
        yield from further_paragraphs(explanation.alone)
        return
    yield tuple(_rests_on(explanation))
    yield tuple(kinds_words(explanation))
    yield tuple(joint_cautions(explanation))


def _answer(explanation: JointExplanation) -> Iterator[str]:
    """Which system is ahead, after what must be known before it, and which scores prefer the other one."""
    about = ", ".join(filter(None, (explanation.lp, judged_words(explanation.judged))))
    differences = joined(
        [f"{_label(each)} {each.difference or 0:{'+' if each.difference else ''}g}" for each in explanation.scores]
    )
    question = f"{differences} ({about})" if about else differences
    if not explanation.is_answered:
        yield f"{question}: {explanation.probability.reason}."
        return
    if explanation.alone is not None:
        yield from warnings_first(explanation.alone, joint_fit_words(explanation))
    elif explanation.misordered is not None:
        yield misordered_words(explanation.misordered, joint_fit_words(explanation))
    yield f"{question}: {joint_claim(explanation)}."
    if explanation.alone is not None:
        yield from beside_the_answer(explanation.alone)
    elif is_far_off(explanation):
        yield from left_out_words(explanation)
    if explanation.is_opposed:
        yield opposed_words(explanation)


def _rests_on(explanation: JointExplanation) -> Iterator[str]:
    """The pairs of systems that a joint answer rests on, and what was predicted of others."""
    if explanation.near is not None and isinstance(explanation.population, FittedPopulation):
        near = f"{plural(explanation.near.pairs, 'pair')} of systems with about this probability"
        yield f"Seen in {near}, of {fitted_words(explanation.population, explanation.settings)}."
    yield from joint_check(explanation)
    if not is_far_off(explanation):
        yield from left_out_words(explanation)


def joint_claim(explanation: JointExplanation) -> str:
    """Which system is ahead, and how often people preferred such a system, or the other one."""
    single, alone = explanation.single, explanation.alone
    said = "all scores together put" if single is None else f"{_label(single)}, which {_why_alone(explanation)}, puts"
    if explanation.knows_kinds:
        said = f"{'all scores' if single is None else _label(single)} and the kinds of the systems put"
    ahead = f"{said} {explanation.preferred} ahead"
    if explanation.is_undecided:
        ahead = f"{ahead}, but too little to tell which system people prefer"
    if alone is not None:
        opposite = "" if math.isnan(alone.opposite.value) else share(alone.opposite)
        return f"{ahead}; {claim(alone, share(alone.probability), opposite)}"
    other = "" if math.isnan(explanation.opposite.value) else f", and the other one in {share(explanation.opposite)}"
    kinds = " of these kinds" if explanation.knows_kinds else ""
    size = "such differences" if single is None else f"such a difference in {_label(single)}"
    shares = f"{share(explanation.probability)} of the pairs of systems{kinds} with {size}"
    scope = "" if explanation.knows_kinds else scope_words(explanation.population, explanation.lp)
    return (
        f"{ahead}; in {population_words(explanation.population)}, {_AHEAD} in {shares}{scope and f' ({scope})'}{other}"
    )


def _why_alone(explanation: JointExplanation) -> str:
    """Why one score answers for all of them."""
    has_all_weight = explanation.validation is not None and explanation.validation.is_better
    reason = "it has all the weight in a joint fit" if has_all_weight else "all scores together predict no better"
    return f"answers alone because {reason}"


def joint_fit_words(explanation: JointExplanation) -> str:
    """What answers for all scores together."""
    if explanation.single is not None:
        return _label(explanation.single)
    return f"A joint fit of {joined(_labels(explanation.scores))}"


def opposed_words(explanation: JointExplanation) -> str:
    """Which scores prefer which system, if they prefer different ones."""
    first = [each for each in explanation.scores if each.difference > 0]
    second = [each for each in explanation.scores if each.difference < 0]
    sides = ((first, explanation.first), (second, explanation.second))
    said = (f"{joined(_labels(side))} {'prefers' if len(side) == 1 else 'prefer'} {name}" for side, name in sides)
    return f"{', but '.join(said)}."


def joint_reason(explanation: JointExplanation) -> str:
    """Why the scores answer together, or one of them alone: how well both predict.

    Why one answers alone is said with the answer, unless that names the kinds of systems.
    """
    validation = explanation.validation
    if validation is None:
        return ""
    weights = f"Weights: {joined([f'{_label(each)} {share_text(each.weight)}' for each in explanation.scores])}."
    if explanation.single is not None:
        weights = f"{_label(explanation.single)} {_why_alone(explanation)}." if explanation.knows_kinds else ""
    known = "The fit knows which of the two systems is a language model." if explanation.knows_kinds else ""
    if "-over-" in explanation.kinds and explanation.alone is not None and _is_of_kinds(validation.population):
        known = "Fits that know which of the two systems is a language model say so; its own curve does not know it."
    return " ".join(filter(None, (weights, known, _tested(explanation, validation))))


def _tested(explanation: JointExplanation, validation: JointValidation) -> str:
    """How well all scores together and each of them alone predict, and the best one as it is known beforehand."""
    brier = {"together": validation.brier["joint"]}
    brier |= {f"{_label(each)} alone": value for each, value in zip(explanation.scores, validation.alone, strict=False)}
    values = joined([f"{name} {value:.{_DECIMALS}f}" for name, value in brier.items()])
    where = _tested_on(explanation, validation)
    scored = f"Brier scores on left-out {validation.held_out}s{where}, lower is better: {values}."
    if not validation.is_better:
        return scored
    difference = validation.difference
    has_interval = not math.isnan(difference.low)
    interval = interval_text(difference.low, difference.high, _DECIMALS) if has_interval else f"({difference.reason})"
    chance = ", which may be chance" if has_interval and difference.low <= 0 <= difference.high else ""
    return (
        f"{scored} The score that is best without the left-out {validation.held_out} has "
        f"{validation.brier['single']:.{_DECIMALS}f}: a difference of "
        f"{difference_text(difference.value, _DECIMALS)} {interval}{chance}."
    )


def _is_of_kinds(population: Population | None) -> bool:
    return population is not None and population.kinds != ALL


def _tested_on(explanation: JointExplanation, validation: JointValidation) -> str:
    """The pairs of systems that were predicted, if they are others than those that answer."""
    tested, answering = validation.population, explanation.population
    if not isinstance(tested, FittedPopulation) or not isinstance(answering, FittedPopulation):
        return ""
    judged = "" if explanation.judged is None else ", by all judgements"
    is_same = (tested.pairs, tested.kinds, tested.lps) == (answering.pairs, answering.kinds, answering.lps)
    return judged if is_same else f" ({counted_words(tested)}{judged})"


def joint_remarks(explanation: JointExplanation) -> Iterator[str]:
    """What an answer of all scores together rests on, and why it may not be trusted."""
    yield from _rests_on(explanation)
    if is_far_off(explanation):
        yield from left_out_words(explanation)
    yield from kinds_words(explanation)
    yield from joint_cautions(explanation)


def joint_check(explanation: JointExplanation) -> Iterator[str]:
    """How often people preferred which system where pairs were predicted that the fit had not seen."""
    seen = explanation.check
    if explanation.alone is not None:
        yield from filter(None, (check_words(explanation.alone),))
    elif seen is not None and explanation.validation is not None:
        yield (
            f"{held_out_words(explanation.validation.held_out)}, {_AHEAD} in {share_text(seen.observed)} of the "
            f"{plural(seen.pairs, 'pair')} with about this probability, and the other one in "
            f"{share_text(seen.opposite)}."
        )


def joint_cautions(explanation: JointExplanation) -> Iterator[str]:
    """Why an answer of all scores together may not be trusted."""
    near = explanation.near
    for caution in explanation.cautions:
        text = _CAUTIONS.get(caution) or caution_text(caution, explanation.population)
        yield text.format(
            lp=explanation.lp,
            kinds=KIND_WORDS.get(explanation.kinds, ""),
            grouped="no answer" if explanation.grouped is None else share(explanation.grouped) or "no answer",
            rate=share_text(explanation.base_rate),
            independent="" if near is None else f"{near.independent:,}",
            supported="" if near is None else share_text(near.supported),
        )


def _label(score: SignedScore) -> str:
    return score_label(score.metric, score.aggregation)


def _labels(scores: Sequence[SignedScore]) -> list[str]:
    return [_label(each) for each in scores]
