"""An answer of a calibration in sentences: what people say, what this rests on, and why it may not be trusted."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from assay.calibration.populations import LANGUAGE_GROUPS, wmt_years
from assay.calibration.system_kinds import MIXED
from assay.labels.calibrations import opposite_words, preferred
from assay.labels.metrics import metric_label
from assay.labels.numbers import joined, percent, share_text
from assay.labels.tests import significance_test_label
from assay.results import Caution, Estimate, Explanation, FittedPopulation, JointExplanation, KindAnswer, Population
from assay.results.calibration import ENOUGH_PAIRS, FEW_PAIRS, KIND_WORDS, Step
from assay.types.note import listed, plural
from assay.words.statement import Verdict

__all__ = [
    "CAUTIONS",
    "CAVEAT",
    "cautions",
    "check_words",
    "claim",
    "described",
    "explanation_verdict",
    "fitted_words",
    "held_out_words",
    "is_far_off",
    "judged_words",
    "kinds_words",
    "left_out_words",
    "misordered_words",
    "population_words",
    "sentences",
    "share",
]

CAVEAT = "a calibration is no substitute for a test, or for asking people"

_MAX_NAMED = 5  # language pairs
_FAR_OFF = 0.1  # of predicted shares


def explanation_verdict(explanation: Explanation) -> Verdict:
    """The answer as the headline."""
    answer, *others = sentences(explanation)
    return Verdict(((answer,),), tuple(others))


def sentences(explanation: Explanation) -> Iterator[str]:
    """The answer, what it rests on, and why it may not be trusted."""
    where = ", ".join(filter(None, (explanation.aggregation, explanation.lp, judged_words(explanation.judged))))
    question = f"{metric_label(explanation.metric)} {explanation.difference:g} ({where})"
    if not explanation.is_answered:
        yield f"{question}: {explanation.probability.reason}."
        return
    if explanation.misordered is not None:
        yield misordered_words(explanation.misordered, metric_label(explanation.metric))
    opposite = "" if math.isnan(explanation.opposite.value) else share(explanation.opposite)
    yield f"{question}: {claim(explanation, share(explanation.probability), opposite)}."
    if is_far_off(explanation):
        yield from left_out_words(explanation)
    if not math.isnan(explanation.agrees.value):
        yield f"They preferred the better-scored system at all, significantly or not, in {share(explanation.agrees)}."
    yield from kinds_words(explanation)
    yield _basis(explanation)
    if explanation.check is not None:
        yield check_words(explanation)
    if not is_far_off(explanation):
        yield from left_out_words(explanation)
    yield from cautions(explanation)
    yield from _partly_pooled(explanation)


def judged_words(judged: int | None) -> str:
    """For how many judged segments an answer is, if that was asked."""
    return "" if judged is None else f"if {judged:,} segments of each system are judged"


def misordered_words(found: KindAnswer, metric: str) -> str:
    """That a metric misorders pairs of some kinds of systems, and how often."""
    better, worse = _SIDES[found.kinds]
    pairs = f"{plural(found.share.n, 'pair')} of {KIND_WORDS[found.kinds]}"
    near = ""
    if found.opposite.n >= ENOUGH_PAIRS:
        near = (
            f"; in the {found.opposite.n:,} of them that are most like this one, {worse} in {share(found.opposite)} "
            f"and {better} in {share(found.probability)}"
        )
    return (
        f"{metric} often misorders such pairs: in {population_words(found.population)}, in {pairs}, whatever their "
        f"difference, people significantly preferred {worse} in {share(found.opposite_share)} and {better} in "
        f"{share(found.share)}{near}."
    )


def kinds_words(explanation: Explanation | JointExplanation) -> Iterator[str]:
    """How the answer differs where the two systems, or one of them, are language models."""
    known = {MIXED, explanation.answered_kinds}
    others = [each for each in explanation.by_kinds if each.kinds not in known and each.opposite.n >= ENOUGH_PAIRS]
    if others:
        is_joint = isinstance(explanation, JointExplanation)
        system = "the system that is ahead" if is_joint else "the better-scored system"
        shares = [
            f"{share(each.probability)} for {kind_words(each.kinds, is_joint=is_joint)} (and {_SIDES[each.kinds][1]} "
            f"in {share(each.opposite)})"
            for each in others
        ]
        where = population_words(others[0].population)
        yield f"With language models (LLMs), in {where}, people preferred {system} in {joined(shares)}."


def kind_words(kinds: str, *, is_joint: bool) -> str:
    """The kinds of a pair of systems. Of several scores that may disagree, no system is the better-scored one."""
    words = KIND_WORDS[kinds]
    return words.replace("scores better than", "is ahead of") if is_joint else words


def _partly_pooled(explanation: Explanation) -> Iterator[str]:
    """What a fit says that pools languages and protocols partially, if it predicts better."""
    found = explanation.partly_pooled
    if found is None or explanation.population is None:
        return
    where = f"{explanation.population.protocol}, target languages {found.group}"
    fitted, curve = (f"{found.brier[name]:.3f}" for name in ("partly_pooled", "answer"))
    tested = (
        "A fit to all languages and protocols, partially pooled, predicts left-out campaigns at least as well there "
        f"({where}): Brier score {fitted} against {curve}"
    )
    if math.isnan(found.probability.value):
        yield f"{tested}. It has no answer: {found.probability.reason}."
        return
    people, other = preferred(explanation.orientation), opposite_words(explanation.orientation, share(found.opposite))
    yield f"{tested}. By this fit, {people} in {share(found.probability)}{other}."


def _basis(explanation: Explanation) -> str:
    """What an answer rests on."""
    step = explanation.step
    if step is None:
        return f"Published cut-offs: {described(explanation)}. {explanation.citation}"
    pairs = f"{plural(step.pairs, 'pair')} of systems that differ by {step.start:.3g} to {step.end:.3g}"
    return f"Seen in {pairs}, of {described(explanation)}."


def described(explanation: Explanation) -> str:
    """All pairs of systems that a calibration was fitted on, or published cut-offs and their data."""
    population = explanation.population or Population("")
    if not isinstance(population, FittedPopulation):
        campaigns = ", ".join(population.campaigns)
        shown = ", ".join(f"{percent(p)} from {difference:g} on" for difference, p in explanation.cutoffs.items())
        return f"{shown} ({campaigns}, {_kind(population)})"
    return fitted_words(population, explanation.settings)


def fitted_words(population: FittedPopulation, settings: Mapping[str, str]) -> str:
    """All pairs of systems of a fit: where they come from, and how people judged."""
    pairs = [lp for lps in population.lps.values() for lp in lps]
    named = f" ({', '.join(pairs)})" if 0 < len(pairs) <= _MAX_NAMED else ""
    segments = f"a median of {population.judgements:,.0f} segments per system"
    if "judged" in settings:
        segments = f"{population.judgements:,.0f} segments per system (samples of what they judged)"
    return (
        f"{plural(population.pairs, 'pair')} of systems in {plural(population.language_pairs, 'language pair')} of "
        f"{', '.join(population.campaigns)}{named}, {_kind(population)}; "
        f"people judged {segments}{_human_test(settings)}"
    )


def _human_test(settings: Mapping[str, str]) -> str:
    """What `significantly` means; not known of every file."""
    if not {"test", "alpha"} <= settings.keys():
        return ""
    return f"; significant: p < {settings['alpha']}, {significance_test_label(settings['test'])} test, one-sided"


def _kind(population: Population) -> str:
    """The label of a population, with the languages of a group that is not called by its language."""
    languages = sorted(LANGUAGE_GROUPS.get(population.group, ()))
    return population.label + (f" ({population.group}: {' '.join(languages)})" if len(languages) > 1 else "")


def cautions(explanation: Explanation) -> Iterator[str]:
    """Why an answer may not be trusted."""
    rates = dict.fromkeys((Caution.WEAK, Caution.FAILED_CHECK), explanation.base_rate)
    rates[Caution.WEAK_AGREES] = explanation.agrees_base_rate
    step = explanation.step
    for caution in explanation.cautions:
        yield CAUTIONS[caution].format(
            lp=explanation.lp,
            kinds=KIND_WORDS.get(explanation.kinds, ""),
            check=explanation.checked_on,
            grouped="no answer" if explanation.grouped is None else share(explanation.grouped) or "no answer",
            rate=share_text(rates.get(caution, math.nan)),
            step="" if step is None else f"{share_text(step.probability)} of {plural(step.pairs, 'pair')}",
            independent="" if step is None else f"{step.independent:,}",
            supported="" if step is None else _supported(step, explanation.probability.value),
        )


def _supported(step: Step, value: float) -> str:
    """What the independent pairs of a step support alone, and why the answer may be higher."""
    of_step = f"no more than {share_text(step.supported)} (rule of succession)"
    return of_step if value <= step.supported else f"{of_step}; smaller differences support {share_text(value)}"


def check_words(explanation: Explanation) -> str:
    """How often people preferred which system, where the calibration was checked and gives about this probability."""
    seen = explanation.check
    if seen is None:
        return ""
    people = preferred(explanation.orientation)
    return (
        f"{held_out_words(explanation.checked_on)}, {people} in "
        f"{share_text(seen.observed)} of the {plural(seen.pairs, 'pair')} with about this probability"
        f"{opposite_words(explanation.orientation, share_text(seen.opposite))}."
    )


def left_out_words(explanation: Explanation | JointExplanation) -> Iterator[str]:
    """How far off predictions for a number of judged segments were in each campaign: these differ more than chance."""
    if explanation.left_out:
        said = [
            f"{share_text(each.predicted)} were predicted and {share_text(each.observed)} seen in {each.name}"
            for each in explanation.left_out[:_MAX_NAMED]
        ]
        more = "" if len(explanation.left_out) <= _MAX_NAMED else ", and so on"
        outside = " The interval does not contain that." if is_far_off(explanation) else ""
        told = "Judgements of as many segments tell more in some campaigns than in others"
        yield f"{told}: {joined(said)}{more}.{outside}"


def is_far_off(explanation: Explanation | JointExplanation) -> bool:
    """Whether predictions for a number of judged segments were far off in a campaign."""
    return any(abs(each.predicted - each.observed) >= _FAR_OFF for each in explanation.left_out)


def held_out_words(checked_on: str) -> str:
    """Where a calibration was checked."""
    if checked_on in ("campaign", "language pair"):
        return f"Where each {checked_on} was predicted from the others"
    return f"In {checked_on}, which the calibration was not fitted to"


_SIDES = {
    "MT": ("the better-scored one", "the other one"),
    "LLM": ("the better-scored one", "the other one"),
    "mixed": ("the better-scored one", "the other one"),
    "MT-over-LLM": ("the MT system", "the LLM"),
    "LLM-over-MT": ("the LLM", "the MT system"),
}
"""What the better-scored and the worse-scored system of a pair are called."""
CAUTIONS = {
    Caution.NO_GROUP: "This answer pools all languages: the target of {lp} is in no group of languages.",
    Caution.OTHER_LANGUAGES: "This answer pools all languages: there are no data of languages like the target of {lp}.",
    Caution.POOLED: "Use this answer, which pools all languages: a curve of languages like the target of {lp} "
    "({grouped}) did not predict held-out campaigns better.",
    Caution.UNTESTED: "Use this answer, which pools all languages: languages like the target of {lp} alone had "
    "{grouped}, but no other campaign could test that.",
    Caution.ALL_KINDS: "This answer pools all kinds of systems: a curve of {kinds} did not predict held-out campaigns "
    "better, or there is none.",
    Caution.LOWEST: "This is the lowest step of the curve, which the fit makes too low: take it as chance.",
    Caution.FEW_PAIRS: f"Fewer than {FEW_PAIRS} pairs of systems differed by this much or more.",
    Caution.CAPPED: "It was {step}, but of these only {independent} have no system in common, which supports "
    "{supported}.",
    Caution.FAILED_CHECK: "In {check}, the share of all pairs ({rate}) predicts better than the curve.",
    Caution.WEAK: "The difference says little here: the share of all pairs ({rate}) predicts held-out pairs better "
    "than the curve.",
    Caution.WEAK_AGREES: "The difference says little about whether people prefer the system at all: the share of all "
    "pairs ({rate}) predicts held-out pairs better than the curve.",
}


def claim(explanation: Explanation, shares: str, opposite: str = "") -> str:
    """What people did in a share of pairs, e.g. `in WMT 2020–2022 (DA/SQM), people significantly preferred …`."""
    other = opposite_words(explanation.orientation, opposite)
    people = preferred(explanation.orientation)
    return f"in {population_words(explanation.population)}, {people} in {shares} of such pairs of systems{other}"


def population_words(population: Population | None) -> str:
    """Which campaigns and how people judged: `WMT 2020–2022 (DA/SQM)`."""
    if population is None:
        return "the data of the calibration"
    years = wmt_years(population.campaigns)
    if not years:
        return f"{listed(population.campaigns)} ({population.protocol})"
    is_span = len(years) > 1 and years[-1] - years[0] == len(years) - 1
    named = f"{years[0]}–{years[-1]}" if is_span else ", ".join(map(str, years))
    return f"WMT {named} ({population.protocol})"


def share(probability: Estimate) -> str:
    """A probability in words, with its interval; bounds alone if there is no value."""
    low, high = probability.low, probability.high
    if math.isnan(probability.value):
        return " and ".join([f"at least {percent(low)}"] * (low > 0) + [f"less than {percent(high)}"] * (high < 1))
    return share_text(probability)
