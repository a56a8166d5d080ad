"""An answer of a calibration in sentences: what people say, what this rests on, and why it may not be trusted."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from assay.calibration.populations import LANGUAGE_GROUPS, data_lps, group_of, wmt_years
from assay.calibration.system_kinds import MIXED, MT, kind_of
from assay.labels.calibrations import opposite_words, preferred
from assay.labels.metrics import metric_label
from assay.labels.numbers import joined, percent, share_text
from assay.labels.tests import significance_test_label
from assay.results import (
    ALL,
    Caution,
    Estimate,
    Explanation,
    FittedPopulation,
    JointExplanation,
    KindAnswer,
    LanguagePairShares,
    LeftOutFold,
    PartTest,
    Population,
    WrongWay,
)
from assay.results.calibration import ENOUGH_PAIRS, FEW_PAIRS, KIND_WORDS, Step
from assay.results.explanation import MISORDERED
from assay.types.language_codes import ENGLISH_NAMES, languages_of
from assay.types.note import listed, plural
from assay.words.statement import Verdict

__all__ = [
    "BY_DOCUMENTS",
    "CAUTIONS",
    "CAVEAT",
    "beside_the_answer",
    "caution_text",
    "cautions",
    "check_words",
    "claim",
    "counted_words",
    "described",
    "explanation_verdict",
    "fitted_words",
    "further_paragraphs",
    "held_out_words",
    "is_far_off",
    "judged_words",
    "kinds_words",
    "left_out_words",
    "misordered_words",
    "own_language_words",
    "paragraphs",
    "population_words",
    "scope_words",
    "sentences",
    "share",
    "significance_words",
    "warnings_first",
]

CAVEAT = "a calibration is no substitute for a test, or for asking people"

BY_DOCUMENTS = {"wmt24": (9, 583, "80 %", "69 %"), "wmt25": (8, 1279, "86 %", "67 %")}
"""Language pairs, pairs of systems of all kinds in them, and how many of these have a significant preference by
segments and by documents: the table of scripts/calibration_units.py in docs/methods/calibration.md.
"""
_MAX_NAMED = 5  # language pairs
_MAX_FOLDS = 3  # of what was left out
_FAR_OFF = 10  # points
_MAX_SYSTEMS = 3  # MT systems that are named
_MAX_TARGETS = 3  # target languages
_MOST = 0.5  # of the pairs


def explanation_verdict(explanation: Explanation) -> Verdict:
    """The answer as the headline."""
    return Verdict.of(paragraphs(explanation))


def sentences(explanation: Explanation) -> Iterator[str]:
    """The answer, what it rests on, and why it may not be trusted, sentence by sentence."""
    for paragraph in paragraphs(explanation):
        yield from paragraph


def paragraphs(explanation: Explanation) -> Iterator[tuple[str, ...]]:
    """The answer first; then what it rests on, what is known of the language pair and of language models, and why it
    may not be trusted.
    """
    yield tuple(_answer(explanation))
    yield from further_paragraphs(explanation)


def further_paragraphs(explanation: Explanation) -> Iterator[tuple[str, ...]]:
    """All but the answer itself."""
    if explanation.is_answered:
        yield tuple(_rests_on(explanation))
        if explanation.own_language is not None and explanation.contradiction is None:
            yield (own_language_words(explanation),)
        yield tuple(kinds_words(explanation))
        yield tuple(cautions(explanation))
        yield tuple(_partly_pooled(explanation))


def _answer(explanation: Explanation) -> Iterator[str]:
    """What people preferred, after what must be known before it."""
    where = ", ".join(filter(None, (explanation.aggregation, explanation.lp, judged_words(explanation.judged))))
    question = f"{metric_label(explanation.metric)} {explanation.difference:g} ({where})"
    if not explanation.is_answered:
        yield f"{question}: {explanation.probability.reason}."
        return
    yield from warnings_first(explanation, metric_label(explanation.metric))
    opposite = "" if math.isnan(explanation.opposite.value) else share(explanation.opposite)
    yield f"{question}: {claim(explanation, share(explanation.probability), opposite)}."
    yield from beside_the_answer(explanation)


def beside_the_answer(explanation: Explanation) -> Iterator[str]:
    """How far off such predictions were, if they were, and how often people preferred the system at all."""
    if is_far_off(explanation):
        yield from left_out_words(explanation)
    if not math.isnan(explanation.agrees.value):
        yield f"They preferred the better-scored system at all, significantly or not, in {share(explanation.agrees)}."


def _rests_on(explanation: Explanation) -> Iterator[str]:
    """The pairs of systems that an answer rests on, and what was predicted of others."""
    yield _basis(explanation)
    if explanation.check is not None:
        yield check_words(explanation)
    if not is_far_off(explanation):
        yield from left_out_words(explanation)


def significance_words(explanation: Explanation | JointExplanation, *, is_bundled: bool) -> str:
    """That people's preferences are significant by a test of segments, and what documents would change.

    Shares are of all pairs of systems whose documents are known, of which the answer may rest on a part.
    """
    text = "'significantly' is by a test of segments as independent; by whole documents, fewer pairs are significant"
    population = explanation.population
    if not is_bundled or population is None or population.domain != ALL or explanation.judged is not None:
        return text
    known = {name: shares for name, shares in BY_DOCUMENTS.items() if name in population.campaigns}
    said = [
        f"{after} instead of {before} in WMT {wmt_years([name])[0]} ({pairs:,} pairs in {lps} language pairs)"
        for name, (lps, pairs, before, after) in known.items()
    ]
    return f"{text}: of pairs with any difference and of all kinds, {joined(said)}" if said else text


def judged_words(judged: int | None) -> str:
    """For how many judged segments an answer is, if that was asked."""
    return "" if judged is None else f"if {judged:,} segments of each system are judged"


def warnings_first(explanation: Explanation, metric: str) -> Iterator[str]:
    """What must be known before the answer: that the language pair contradicts it, or that the metric misorders."""
    if explanation.contradiction is not None:
        yield own_language_words(explanation, metric)
    if explanation.misordered is not None:
        yield misordered_words(explanation.misordered, metric)
        yield from _few_systems(explanation.misordered)
        return
    asked = next((each for each in explanation.by_kinds if each.kinds == explanation.kinds), None)
    if asked is not None:
        yield from _few_systems(asked)
    if explanation.is_reversed and explanation.orientation == "by-metric":
        yield _reversed_words(explanation, metric)


def own_language_words(explanation: Explanation, metric: str = "") -> str:
    """What people preferred in the language pair that was asked for, and whether the answer says something else.

    The metric is named where several are meant.
    """
    own = explanation.own_language
    if own is None:
        return ""
    where = (
        f"in {explanation.lp} itself" if own.is_pair else f"in {joined(own.lps)}, with the target of {explanation.lp}"
    )
    pairs = (
        f"{plural(own.pairs, 'pair')} of {_kinds_of(own.population)} that differ by {own.start:.3g} to {own.end:.3g}"
    )
    others = "all languages" if (explanation.population or own.population).group == ALL else "languages like it"
    ends = {
        WrongWay.REVERSED: f": the reverse of what {others} say together",
        WrongWay.OTHER_SHARE: f": not what {others} say together",
    }
    end = "" if explanation.contradiction is None else ends[explanation.contradiction]
    return (
        f"In {population_words(own.population)}, {where}, people significantly preferred the better-scored system in "
        f"{share(own.probability)} of {pairs}{metric and f' in {metric}'}, and the worse-scored one in "
        f"{share(own.opposite)}{end}."
    )


def misordered_words(found: KindAnswer, metric: str) -> str:
    """That a metric misorders pairs of some kinds of systems, and how often.

    It does so often if the bounds say so, else in some language pairs, as far as these are known.
    """
    better, worse = (
        _SIDES[found.kinds] if "-over-" in found.kinds else ("the better-scored one", "the worse-scored one")
    )
    kinds = KIND_WORDS[found.kinds]
    verb = "often misorders" if found.opposite_share.low >= min(MISORDERED, found.share.high) else "can misorder"
    some = [each for each in found.by_lp if each.opposite > each.share]
    where = "In some language pairs, " if some and verb == "can misorder" else ""
    verb = "misorders" if where else verb
    return (
        f"{where}{metric} {verb} pairs of {kinds}: in {population_words(found.population)}, in "
        f"{plural(found.share.n, 'such pair')}, people significantly preferred {worse} in "
        f"{share(found.opposite_share)} and {better} in {share(found.share)}{_range_words(found.by_lp, worse)}"
        f"{_near_words(found, better, worse)}."
    )


def _near_words(found: KindAnswer, better: str, worse: str) -> str:
    """The same of the pairs that are most like the one asked about, if they are enough."""
    if found.opposite.n < ENOUGH_PAIRS:
        return ""
    return (
        f"; in the {found.opposite.n:,} of them that are most like this one, {worse} in {share(found.opposite)} and "
        f"{better} in {share(found.probability)}"
    )


def _reversed_words(explanation: Explanation, metric: str) -> str:
    """That people prefer the worse-scored system as often as the better-scored one, and in which language pairs."""
    some = [each for each in explanation.by_lp if each.opposite > each.share]
    where = "In some language pairs, " if some else ""
    verb = "misorders" if where else "can misorder"
    start = f"{where}{metric} {verb} pairs with such a difference: people significantly preferred the worse-scored "
    return f"{start}system at least as often as the better-scored one{_range_words(explanation.by_lp, 'the former')}."


def _range_words(by_lp: Sequence[LanguagePairShares], worse: str) -> str:
    """In which language pairs people prefer the worse-scored system least and most often."""
    if len(by_lp) < 2:
        return ""
    fewest, most = by_lp[0], by_lp[-1]
    least = min(each.pairs for each in by_lp)
    return (
        f"; by language pair (at least {least} pairs each), they preferred {worse} in {share_text(fewest.opposite)} "
        f"({_place(fewest)}) to {share_text(most.opposite)} ({_place(most)})"
    )


def _place(found: LanguagePairShares) -> str:
    years = wmt_years([found.campaign])
    return f"{found.lp} of WMT {years[0]}" if years else f"{found.lp} of {found.campaign}"


def _few_systems(found: KindAnswer) -> Iterator[str]:
    """How few MT systems the pairs of an LLM and an MT system rest on."""
    systems = found.mt_systems
    if found.kinds not in _SIDES or found.kinds in (MT, "LLM") or not systems:
        return
    total = sum(each.pairs for each in systems)
    most = systems[:_MAX_SYSTEMS]
    named = joined([f"{each.name} ({each.lp})" for each in most])
    if len(systems) <= _MAX_SYSTEMS:
        yield f"These pairs have no more than {plural(len(systems), 'MT system')}: {named}."
    elif (count := sum(each.pairs for each in most)) >= _MOST * total:
        yield (
            f"Of the {plural(total, 'pair')} of {KIND_WORDS[found.kinds]}, {count:,} have one of {len(most)} MT "
            f"systems ({named}), and all have one of {len(systems)}: other MT systems may differ."
        )


def kinds_words(explanation: Explanation | JointExplanation) -> Iterator[str]:
    """How the answer differs where the two systems, or one of them, are language models.

    The kinds that were asked for are said first, unless they are what the answer is of.
    """
    asked = explanation.kinds if explanation.kinds == MIXED else ""
    others = [each for each in explanation.by_kinds if each.kinds != explanation.answered_kinds]
    others = [each for each in others if each.kinds in (asked, *_UNMIXED) and each.opposite.n >= ENOUGH_PAIRS]
    others.sort(key=lambda each: each.kinds != explanation.kinds)
    if others:
        is_joint = isinstance(explanation, JointExplanation)
        system = "the system that is ahead" if is_joint else "the better-scored system"
        shares = [
            f"{share(each.probability)} for {kind_words(each.kinds, is_joint=is_joint)} (and {_SIDES[each.kinds][1]} "
            f"in {share(each.opposite)})"
            for each in others
        ]
        where = population_words(others[0].population)
        is_of_group = explanation.population is not None and explanation.population.group != ALL
        languages = f", {_targets_of(others[0].population)}" if is_of_group else ""
        said = f"in {where}{languages}, people significantly preferred {system} in {joined(shares)}."
        is_same = _data(others[0].population) == _data(explanation.population)
        yield (
            f"With language models (LLMs), {said}" if is_same else f"Of other data, with language models (LLMs): {said}"
        )


def _data(population: Population | None) -> tuple[str, ...]:
    """How people judged, and what."""
    return () if population is None else (population.protocol, population.domain)


def kind_words(kinds: str, *, is_joint: bool) -> str:
    """The kinds of a pair of systems. Of several scores that may disagree, no system is the better-scored one."""
    words = KIND_WORDS[kinds]
    return words.replace("scores better than", "is ahead of") if is_joint else words


def _partly_pooled(explanation: Explanation) -> Iterator[str]:
    """Why a fit that pools languages and protocols partially does not answer, though it predicts no worse."""
    found = explanation.partly_pooled
    if found is None or explanation.population is None:
        return
    where = f"{explanation.population.protocol}, target languages {found.group}"
    fitted, curve = (f"{found.brier[name]:.3f}" for name in ("partly_pooled", "answer"))
    difference = found.brier_difference
    scores = f"Brier score {fitted} against {curve} ({where}"
    if not found.is_clearly_better:
        bounds = f"{difference.low:+.3f} to {difference.high:+.3f}"
        interval = "too few language pairs for an interval" if math.isnan(difference.low) else f"interval {bounds}"
        yield (
            "A fit to all languages and protocols, partially pooled, predicts left-out campaigns not clearly better: "
            f"{scores}; difference {difference.value:+.3f}, {interval}). So the curve answers."
        )
        return
    tested = f"A fit to all languages and protocols, partially pooled, predicts left-out campaigns better: {scores})"
    if math.isnan(found.probability.value):
        yield f"{tested}. It has no answer: {found.probability.reason}."
        return
    tested += ". The curve answers, because the fit knows no kinds of systems, domains or numbers of judged segments"
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
    segments = f"a median of {population.judgements:,.0f} segments per system"
    if "judged" in settings:
        segments = f"{population.judgements:,.0f} segments per system (samples of what they judged)"
    return f"{counted_words(population)}; people judged {segments}{_human_test(settings)}"


def counted_words(population: FittedPopulation) -> str:
    """How many pairs of systems a population has, and where they come from."""
    pairs = data_lps(population.lps)
    named = f" ({', '.join(pairs)})" if 0 < len(pairs) <= _MAX_NAMED else ""
    return (
        f"{plural(population.pairs, 'pair')} of systems in {plural(population.language_pairs, 'language pair')} of "
        f"{', '.join(population.campaigns)}{named}, {_kind(population)}"
    )


def _human_test(settings: Mapping[str, str]) -> str:
    """What `significantly` means; not known of every file."""
    if not {"test", "alpha"} <= settings.keys():
        return ""
    test = f"{significance_test_label(settings['test'])} test, one-sided"
    return f"; significant: p < {settings['alpha']}, {test}, {settings.get('unit', 'segment')}s as independent"


def _kind(population: Population) -> str:
    """The label of a population, with the languages of a group that is not called by its language."""
    languages = sorted(LANGUAGE_GROUPS.get(population.group, ()))
    return population.label + (f" ({population.group}: {' '.join(languages)})" if len(languages) > 1 else "")


def cautions(explanation: Explanation) -> Iterator[str]:
    """Why an answer may not be trusted."""
    rates = dict.fromkeys((Caution.WEAK, Caution.FAILED_CHECK), explanation.base_rate)
    rates[Caution.WEAK_AGREES] = explanation.agrees_base_rate
    step, tested = explanation.step, explanation.group_test
    if tested is not None and explanation.population is not None and explanation.population.group != ALL:
        yield (
            f"Languages like the target of {explanation.lp} answer, because they predicted held-out "
            f"{_held_out(tested)} better than all languages did{_brier_words(tested, explanation.judged)}."
        )
    for caution in explanation.cautions:
        yield caution_text(caution, explanation.population).format(
            lp=explanation.lp,
            unknown=joined(explanation.unknown),
            held_out=_held_out(tested),
            brier=_brier_words(tested, explanation.judged),
            kinds=KIND_WORDS.get(explanation.kinds, ""),
            check=explanation.checked_on,
            grouped="no answer" if explanation.grouped is None else share(explanation.grouped) or "no answer",
            rate=share_text(rates.get(caution, math.nan)),
            step="" if step is None else f"{share_text(step.probability)} of {plural(step.pairs, 'pair')}",
            independent="" if step is None else f"{step.independent:,}",
            supported="" if step is None else _supported(step, explanation.probability.value),
        )


def caution_text(caution: Caution, population: Population | None) -> str:
    """What a caution says, before names and numbers are filled in."""
    is_of_mt = population is not None and _is_of_mt(population)
    return _ONLY_MT if caution == Caution.ALL_KINDS and is_of_mt else CAUTIONS[caution]


def _held_out(tested: PartTest | None) -> str:
    return "campaigns" if tested is None else f"{tested.held_out}s"


def _brier_words(tested: PartTest | None, judged: int | None) -> str:
    """The Brier scores that decide between a group of languages and all of them, for all numbers of segments."""
    if tested is None:
        return ""
    of_all = "" if judged is None else ", by all judgements"
    return f" (Brier score {tested.own:.4f}, and {tested.pooled:.4f} of all languages{of_all})"


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


def left_out_words(explanation: Explanation | JointExplanation, most: int = _MAX_FOLDS) -> Iterator[str]:
    """How far off predictions for a number of judged segments were where they could be tried, the farthest first.

    They are of all pairs of systems there, and not of those with the difference that was asked for.
    """
    if not explanation.left_out:
        return
    ordered = sorted(explanation.left_out, key=_points_off, reverse=True)
    first, *others = (
        f"{share_text(each.observed)} in {each.name} ({share_text(each.predicted)}" for each in ordered[:most]
    )
    said = joined([f"{first} were predicted)", *(f"{each})" for each in others)])
    more = len(ordered) - most
    rest = f"; {more:,} more {'was' if more == 1 else 'were'} no farther off" if more > 0 else ""
    if isinstance(explanation, Explanation):
        held_out, people = explanation.checked_on, preferred(explanation.orientation)
    else:
        held_out, people = _joint_held_out(explanation), "people significantly preferred the system that is ahead"
    yield (
        f"Where each {held_out} was predicted from the others, {people} in so many of all its pairs of systems, "
        f"whatever their difference: {said}{rest}."
    )
    if is_far_off(explanation):
        place = "inside" if _is_within(explanation) else "outside"
        yield f"If this answer is as far off as any of them, counted in odds, the truth is {place} its interval."


def _joint_held_out(explanation: JointExplanation) -> str:
    return "campaign" if explanation.validation is None else explanation.validation.held_out


def is_far_off(explanation: Explanation | JointExplanation) -> bool:
    """Whether predictions for a number of judged segments were far off in a campaign, as they are shown."""
    return any(_points_off(each) >= _FAR_OFF for each in explanation.left_out)


def _points_off(fold: LeftOutFold) -> int:
    """How many points there are between what was predicted and what was seen, as both are shown."""
    return abs(round(100 * fold.predicted) - round(100 * fold.observed))


def _is_within(explanation: Explanation | JointExplanation) -> bool:
    """Whether the answer stays in its interval if it is as far off as in any campaign, as odds."""
    found = explanation.probability
    bounds = (_log_odds(found.low) - _log_odds(found.value), _log_odds(found.high) - _log_odds(found.value))
    off = [_log_odds(each.observed) - _log_odds(each.predicted) for each in explanation.left_out]
    return bounds[0] <= min(off) and max(off) <= bounds[1]


def _log_odds(share: float) -> float:
    """The logarithm of the odds."""
    return math.log(share / (1 - share)) if 0 < share < 1 else math.copysign(math.inf, share - 0.5)


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
_UNMIXED = tuple(kinds for kinds in _SIDES if kinds != MIXED)
CAUTIONS = {
    Caution.NO_GROUP: "This answer pools all languages: the target of {lp} is in no group of languages.",
    Caution.OTHER_LANGUAGES: "This answer pools all languages: there are no data of languages like the target of {lp}.",
    Caution.POOLED: "Use this answer, which pools all languages: a curve of languages like the target of {lp} "
    "({grouped}, systems of all kinds) did not predict held-out {held_out} better{brier}.",
    Caution.OF_KINDS: "This answer is of {kinds} in all languages: pairs of systems of all kinds, in languages like "
    "the target of {lp}, had {grouped}.",
    Caution.UNTESTED: "Use this answer, which pools all languages: languages like the target of {lp} alone had "
    "{grouped} (systems of all kinds), but there were no other campaigns, and too few language pairs, to test that.",
    Caution.ALL_KINDS: "This answer pools all kinds of systems: a curve of {kinds} did not predict what was held out "
    "better, or there is none.",
    Caution.UNKNOWN_KIND: "It is not known whether {unknown} is a language model or only translates: metrics and "
    "people order LLMs and MT systems by different rules, and this answer does not say which holds here.",
    Caution.SAME_CAMPAIGN: "The calibration was fitted to the judgements of this campaign, too: for these systems, the "
    "answer is no prediction.",
    Caution.LOWEST: "This is one of the smallest differences that were seen, to which the fit gives too low a "
    "probability: take it as no difference.",
    Caution.FEW_PAIRS: f"Fewer than {FEW_PAIRS} pairs of systems differed by this much or more.",
    Caution.CAPPED: "The share in the data is {step}, but of these only {independent} have no system in common, which "
    "supports {supported}.",
    Caution.FAILED_CHECK: "In {check}, the share of all pairs ({rate}) predicts better than the curve.",
    Caution.WEAK: "The difference says little here: the share of all pairs ({rate}) predicts held-out pairs better "
    "than the curve.",
    Caution.WEAK_AGREES: "The difference says little about whether people prefer the system at all: the share of all "
    "pairs ({rate}) predicts held-out pairs better than the curve.",
}
_ONLY_MT = "No language models were judged there: this answer is of two MT systems, and not of {kinds}."


def claim(explanation: Explanation, shares: str, opposite: str = "") -> str:
    """What people did in a share of pairs, e.g. `in WMT 2020–2022 (DA/SQM), people significantly preferred …`."""
    other = opposite_words(explanation.orientation, opposite)
    people = preferred(explanation.orientation)
    scope = scope_words(explanation.population, explanation.lp)
    such = f"pairs of systems with such a difference{scope and f' ({scope})'}"
    return f"in {population_words(explanation.population)}, {people} in {shares} of {such}{other}"


def scope_words(population: Population | None, lp: str | None = None) -> str:
    """Which kinds of systems and target languages an answer is of: `two LLMs, all target languages`."""
    if not isinstance(population, FittedPopulation):
        return ""
    return f"{_kinds_of(population)}, {_targets_of(population, lp)}"


def _targets_of(population: Population, lp: str | None = None) -> str:
    """The target languages of a population; few are named. Those that lack one like that of a language pair say so."""
    if population.group != ALL:
        of_group = f"target languages {population.group}" if lp is None else f"languages like the target of {lp}"
        return {"English": "into English", "Inuktitut": "into Inuktitut"}.get(population.group, of_group)
    lps = data_lps(population.lps) if isinstance(population, FittedPopulation) else ()
    targets = list(dict.fromkeys(languages_of(each)[1] for each in lps))
    group = None if lp is None else group_of(lp)
    unlike = f", none like the target of {lp}" if lps and group and group not in map(group_of, lps) else ""
    if 0 < len(targets) <= _MAX_TARGETS:
        return f"into {joined([ENGLISH_NAMES.get(each, each) for each in targets])} only{unlike}"
    return f"all {len(targets)} target languages{unlike}" if targets else "all target languages"


def _kinds_of(population: Population) -> str:
    """The kinds of systems of a population; all systems of campaigns before language models only translate."""
    if population.kinds != ALL:
        return KIND_WORDS.get(population.kinds, population.kinds)
    return KIND_WORDS[MT] if _is_of_mt(population) else "systems of all kinds"


def _is_of_mt(population: Population) -> bool:
    """Whether all systems of its campaigns only translate."""
    return bool(population.campaigns) and all(kind_of("", name) == MT for name in population.campaigns)


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
