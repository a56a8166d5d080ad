"""What a comparison says of systems: which is better, how sure, whether people would notice, and where.

A difference is called one only if its corrected p-value is below alpha; otherwise no difference is shown, which does
not mean that the systems are equal.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from assay.labels.metrics import metric_label
from assay.labels.numbers import (
    difference_text,
    every,
    interval_text,
    joined,
    p_words,
    part_of,
    size_text,
    with_interval,
)
from assay.results import ComparedMetric, MetGate, Outcome, Ranking, SystemComparison
from assay.types.note import plural, verb_for
from assay.words.compared_pair import ComparedScore, PairVerdict, compared_scores, pair_verdict, score_label
from assay.words.noticed import QUESTION, noticed_answer, noticed_remarks, noticed_sentence
from assay.words.pairs import corrected_for
from assay.words.people import first_by_people, given_scores, people_sentence
from assay.words.statement import MAX_LISTED, Answer, Name, Verdict, Words, plain_text
from assay.words.where import where

__all__ = ["comparison_verdict", "failure_text"]

_TWO_SIDED = "two-sided"
_NAMED_PAIRS = 5  # more than these are left to the table
_NAMED_SYSTEMS = 8
_DRAWN_SCORES = 2  # of more than these, the numbers are left to the chart and the table
_SURE = 0.01  # a p-value below it would also be significant at a stricter level that papers use
_BEGINNINGS = {
    Outcome.BETTER: "{first} is better than {second} by",
    Outcome.WORSE: "{first} is worse than {second} by",
    Outcome.OPPOSED: "Neither of {first} and {second} is shown to be better: the mean and the test point in opposite "
    "directions by",
    Outcome.TIED: "{first} and {second} have the same score in every segment, as identical outputs do, by",
    Outcome.NOT_SHOWN: "No difference between {first} and {second} is shown by",
    Outcome.UNDEFINED: "The difference between {first} and {second} is undefined by",
}


def comparison_verdict(comparison: SystemComparison, ranking: Ranking | None = None) -> Verdict:
    """The verdict on two systems, with what people said of them if there is a ranking."""
    found = pair_verdict(comparison)
    people = people_sentence(found.first, found.second, found.winner, ranking, is_shown=found.shows_difference)
    preferred, sentence = first_by_people(found.first, found.second, ranking) or ((), None)
    answers = (
        _which(found, comparison, preferred),
        _how_sure(found, comparison),
        *noticed_answer(found, comparison, ranking),
        *where(comparison, found.first, found.second),
    )
    headline = tuple(filter(None, (_headline(found, comparison), people, sentence)))
    lede = (
        *_meaning(found, comparison),
        *_against_people(found, preferred, comparison.alpha),
        *filter(None, (given_scores(found.first, found.second, found.winner, comparison.human),)),
    )
    gates = tuple(map(failure_text, comparison.failures))
    numbers = tuple(_sentences_on(found.first, found.second, comparison))
    return Verdict(
        headline,
        (*numbers, *lede),
        answers,
        (*noticed_remarks(found, comparison), *gates),
        brief=(
            " ".join((*map(plain_text, headline), *lede)),
            *(f"{QUESTION} {answer}" for answer in noticed_sentence(found, comparison, ranking)),
            *gates,
        ),
        drawn=numbers if len(found.scores) > _DRAWN_SCORES else (),
    )


def _headline(found: PairVerdict, comparison: SystemComparison) -> Words:
    a, b = Name(found.first, "a"), Name(found.second, "b")
    if found.winner is not None:
        return (f"{_subject(found)} ", a, " ahead of ", b, ".")
    if found.shows_difference:
        return ("The scores disagree on ", a, " and ", b, ".")
    if found.having(Outcome.NOT_SHOWN) and _alternative(comparison) != _TWO_SIDED:
        asked, other = (a, b) if _is_tested(found, comparison) else (b, a)
        return (asked, f" is not shown to be {_alternative(comparison)} than ", other, ".")
    if found.having(Outcome.NOT_SHOWN) or found.having(Outcome.OPPOSED):
        return ("No difference between ", a, " and ", b, " is shown.")
    if found.having(Outcome.TIED):
        return (a, " and ", b, " have the same score in every segment.")
    return ("The difference between ", a, " and ", b, " is undefined.")


def _alternative(comparison: SystemComparison) -> str:
    return comparison.settings.get("alternative", _TWO_SIDED)


def _is_tested(found: PairVerdict, comparison: SystemComparison) -> bool:
    """Whether the pair was tested in the order in which the verdict names it: a one-sided test is about the first."""
    return any((pair.first, pair.second) == (found.first, found.second) for pair in comparison.metrics[0].pairs)


def _subject(found: PairVerdict) -> str:
    """BLEU puts; BLEU and TER put; All metrics put. A metric is named once if all its aggregations say so."""
    ahead = [score for score in found.scores if score.pair.shows_difference]
    metrics = dict.fromkeys(score.metric.metric for score in found.scores)
    if len(ahead) == len(found.scores) and len(metrics) > 1:
        return f"{every(len(metrics), 'metric').capitalize()} put"
    split = {score.metric.metric for score in found.scores if not score.pair.shows_difference}
    labels = (score.label if score.metric.metric in split else metric_label(score.metric.metric) for score in ahead)
    names = list(dict.fromkeys(labels))
    listed = joined(names) if len(names) <= MAX_LISTED else part_of(len(ahead), len(found.scores), "score")
    return f"{listed} {'puts' if len(names) == 1 else 'put'}"


def _meaning(found: PairVerdict, comparison: SystemComparison) -> Iterator[str]:
    """What the numbers of the pair do not say, and what is shown of other systems."""
    if not found.shows_difference and found.having(Outcome.NOT_SHOWN) and _alternative(comparison) == _TWO_SIDED:
        yield from _not_equal(found, comparison)
    if len(found.lead.metric.pairs) > 1:
        yield from _others(found, comparison) if comparison.baseline is None else _against_baseline(found, comparison)


def _sentences_on(first: str, second: str, comparison: SystemComparison) -> Iterator[str]:
    """Sentences on a pair, in the order in which it was tested: a one-sided test is about the first system.

    Differences have no sign: the words say which system is ahead, also by scores of which lower ones are better.
    """
    pairs = {(pair.first, pair.second) for pair in comparison.metrics[0].pairs}
    systems = (first, second) if (first, second) in pairs else (second, first)
    scores, alternative, alpha = compared_scores(comparison, *systems), _alternative(comparison), comparison.alpha
    for outcome, beginning in _BEGINNINGS.items():
        having = [score for score in scores if score.pair.outcome is outcome]
        if not having:
            continue
        if outcome is Outcome.NOT_SHOWN and alternative != _TWO_SIDED:
            beginning = f"{{first}} is not shown to be {alternative} than {{second}} by"
        pair = having[0].pair
        said = beginning.format(first=pair.first, second=pair.second)
        yield f"{said} {joined([_with_numbers(score, alpha) for score in having])}."


def _with_numbers(score: ComparedScore, alpha: float) -> str:
    pair = score.pair
    if pair.outcome is Outcome.TIED:
        return score.label
    if pair.outcome is Outcome.UNDEFINED:
        return f"{score.label} ({pair.reason or 'undefined'})"
    ahead = f" in favour of {pair.first if score.favour > 0 else pair.second}" if _needs_side(score) else ""
    return f"{score.label} ({score.size}{ahead}, {p_words(pair.p_corrected, alpha=alpha, is_bound=pair.is_bound)})"


def _needs_side(score: ComparedScore) -> bool:
    """Whether the sentence leaves open which system scores better."""
    return bool(score.favour) and not score.pair.shows_difference


def _not_equal(found: PairVerdict, comparison: SystemComparison) -> Iterator[str]:
    yield "That no difference is shown does not mean that the two are equal."
    detectable, pairs = found.lead.pair.power.detectable, len(found.lead.metric.pairs)
    if math.isnan(detectable):
        return
    size = f"{size_text(detectable, found.lead.decimals)} {found.lead.label}"
    yield f"A test set like this one would probably show a difference of {size}, and may miss a smaller one."
    if comparison.correction != "none":
        yield f"With {pairs} pairs tested at once it takes a larger one."


def _against_baseline(found: PairVerdict, comparison: SystemComparison) -> Iterator[str]:
    """How many systems are shown to be better than the baseline, by the score that leads, and which is the best."""
    metric = found.lead.metric
    better, worse = (sum(pair.outcome is each for pair in metric.pairs) for each in (Outcome.BETTER, Outcome.WORSE))
    best = found.second if found.first == comparison.baseline else found.first
    total, baseline = len(metric.pairs), f"the baseline {comparison.baseline}"
    if total in (better, worse):
        said = f"{every(total, 'other system')} are shown to be {'better' if better else 'worse'} than {baseline}"
    elif not (better or worse):
        said = f"none of the {total:,} other systems is shown to be better or worse than {baseline}"
    else:
        said = f"{_shown(better, f' of the {total:,} other systems')} better than {baseline}, and {_shown(worse)} worse"
    yield f"By {found.lead.label}, {said}."
    yield f"The best of them by {score_label(comparison.metrics[0])} is {best}."


def _shown(count: int, of: str = "") -> str:
    return f"{f'{count:,}' if count else 'none'}{of} {'are' if count > 1 else 'is'} shown to be"


def _others(found: PairVerdict, comparison: SystemComparison) -> Iterator[str]:
    """What is shown of the other systems, by the same score."""
    metric = found.lead.metric
    best_two = f"{found.first} and {found.second} are the best two of {len(metric.scores)} systems"
    yield f"{best_two} by {score_label(comparison.metrics[0])}."
    first, second = (
        sum(name in (pair.first, pair.second) and _better(pair.outcome, pair.first == name) for pair in metric.pairs)
        for name in (found.first, found.second)
    )
    total = len(metric.scores) - 1
    others = every(total, "other") if first == total else f"{first or 'none'} of the {total:,} others"
    yield (
        f"By {found.lead.label}, {found.first} is shown to be better than {others}, and {found.second} than "
        f"{second or 'none'}."
    )


def _better(outcome: Outcome, is_first: bool) -> bool:
    return outcome is (Outcome.BETTER if is_first else Outcome.WORSE)


def _which(found: PairVerdict, comparison: SystemComparison, preferred: Sequence[str]) -> Answer:
    """`preferred`: the systems that people put first, if they are others."""
    ahead, total = len(found.having(Outcome.BETTER)), len(found.scores)
    if found.having(Outcome.WORSE):
        answer = "It depends on the score"
    elif not ahead:
        answer = "Not shown"
    else:
        answer = found.first if total == 1 else f"{found.first}, shown by {part_of(ahead, total, 'score')}"
    if len(preferred) == 1:
        answer += f"; by people, {preferred[0]}"
    return Answer("Which system is better?", answer, link="#pairs", others=tuple(_other_pairs(found, comparison)))


def _other_pairs(found: PairVerdict, comparison: SystemComparison) -> Iterator[str]:
    """Sentences on the other pairs, or for all pairs on each score; then the pairs on which scores disagree."""
    pairs = [(pair.first, pair.second) for pair in comparison.metrics[0].pairs]
    if comparison.baseline is None and len(pairs) > 1:
        yield from map(_clusters, comparison.metrics)
    elif len(pairs) <= _NAMED_PAIRS:
        for systems in pairs:
            if set(systems) != {found.first, found.second}:
                yield from _sentences_on(*systems, comparison)
    outcomes = {systems: {metric.pair(*systems).outcome for metric in comparison.metrics} for systems in pairs}
    opposed = [" and ".join(systems) for systems, seen in outcomes.items() if {Outcome.BETTER, Outcome.WORSE} <= seen]
    if opposed and len(pairs) > 1:
        yield f"The scores contradict each other on {'; '.join(opposed)}."


def _clusters(metric: ComparedMetric) -> str:
    shown = [pair for pair in metric.pairs if pair.shows_difference]
    ordered = (
        (pair.first, pair.second) if pair.outcome is Outcome.BETTER else (pair.second, pair.first) for pair in shown
    )
    named = f" ({', '.join(map(' > '.join, ordered))})" if 0 < len(shown) <= _NAMED_PAIRS else ""
    groups: dict[int, list[str]] = {}
    for system, cluster in metric.clusters.items():
        groups.setdefault(cluster, []).append(system)
    pairs = f"{len(shown)} of {plural(len(metric.pairs), 'pair')}"
    return f"{score_label(metric)}: a difference is shown for {pairs}{named}; {_grouped(list(groups.values()))}."


def _grouped(clusters: Sequence[Sequence[str]]) -> str:
    """All clusters from the first to the last; of many systems, how many there are and what is in the first."""
    if sum(map(len, clusters)) <= _NAMED_SYSTEMS:
        return f"clusters: {' > '.join(map(', '.join, clusters))}"
    first = joined(clusters[0]) if len(clusters[0]) <= MAX_LISTED else f"{len(clusters[0])} systems"
    return "1 cluster" if len(clusters) == 1 else f"{len(clusters)} clusters, the first of {first}"


def _how_sure(found: PairVerdict, comparison: SystemComparison) -> Answer:
    lead = found.lead
    favour, decimals = lead.in_favour, lead.decimals
    difference = with_interval(
        difference_text(favour.value, decimals), interval_text(favour.low, favour.high, decimals)
    )
    p = p_words(lead.pair.p_corrected, alpha=comparison.alpha, is_bound=lead.pair.is_bound)
    whose = f" in favour of {found.first}" if favour.value else ""
    detail = f"{lead.label} {difference}{whose}, {p}, {corrected_for(comparison)}. {_units(lead, comparison)}"
    return Answer("How sure?", _certainty(found, comparison), detail, "#pairs")


def _units(lead: ComparedScore, comparison: SystemComparison) -> str:
    """What was resampled; segments of one document are alike, which a test of segments does not know."""
    unit, documents = comparison.settings["unit"], comparison.inputs.documents
    text = plural(lead.pair.n, unit)
    several = len(set(documents or ()) - {None})
    if unit == "segment" and several > 1:
        text += f" of {several:,} documents, taken as independent"
    return f"{text}."


def _certainty(found: PairVerdict, comparison: SystemComparison) -> str:
    shown, total = sum(score.pair.shows_difference for score in found.scores), len(found.scores)
    if not shown and found.having(Outcome.NOT_SHOWN) and _alternative(comparison) != _TWO_SIDED:
        return "The test asked about one direction only"
    if not shown:
        is_tested = found.having(Outcome.NOT_SHOWN) or found.having(Outcome.OPPOSED)
        return "Chance may explain the difference" if is_tested else "There is no difference to test"
    if shown < total:
        return f"{part_of(shown, total, 'score')} show a difference"
    is_sure = max(score.pair.p_corrected for score in found.scores) < _SURE
    if total == 1:
        return "Sure of a difference" if is_sure else "A difference is shown"
    scores = every(total, "score")
    return f"Sure of a difference on {scores}" if is_sure else f"{scores.capitalize()} show a difference"


def _against_people(found: PairVerdict, preferred: Sequence[str], alpha: float) -> Iterator[str]:
    """What the leading score says of the one system that people put first, if it was compared with the best."""
    metric = found.lead.metric
    compared = {frozenset((pair.first, pair.second)) for pair in metric.pairs}
    if len(preferred) != 1 or frozenset((found.first, preferred[0])) not in compared:
        return
    judged, label = preferred[0], found.lead.label
    pair = metric.pair(found.first, judged)
    p = p_words(pair.p_corrected, alpha=alpha, is_bound=pair.is_bound)
    size = size_text(pair.difference.value, found.lead.decimals)
    if not pair.shows_difference:
        yield f"By {label}, no difference between {judged} and {found.first} is shown ({p})."
    elif pair.outcome is Outcome.BETTER:
        yield f"{label} and people disagree: by {label}, {judged} is {size} behind {found.first} ({p})."
    else:
        yield f"By {label}, {judged} is {size} ahead of {found.first}, too ({p})."


def failure_text(gate: MetGate) -> str:
    """Which condition holds for which system, with its values."""
    whom = "" if gate.system is None else f" for '{gate.system}'"
    if gate.undefined:
        verb = verb_for(len(gate.undefined), "is", "are")
        names = joined(gate.undefined)
        return f"{gate.condition}: {names} {verb} undefined{whom}, and an undefined value fails the gate"
    values = ", ".join(f"{name} {_gate_value(gate, name)}" for name in gate.values)
    return f"{gate.condition} holds{whom}: {values}"


def _gate_value(gate: MetGate, name: str) -> str:
    if name in gate.bounds:
        return p_words(gate.values[name], alpha=math.nan, is_bound=True).removeprefix("p ")
    return f"= {gate.values[name]:.4g}"
