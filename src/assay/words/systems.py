"""What a comparison says of two systems: which is better, how sure, whether people would notice, and where."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from assay.labels.metrics import metric_label
from assay.labels.numbers import difference_text, interval_text, joined, p_words, size_text
from assay.results import Ranking, SystemComparison
from assay.words.compared_pair import (
    ComparedScore,
    Outcome,
    PairVerdict,
    pair_verdict,
    score_label,
)
from assay.words.noticed import noticed_answer
from assay.words.people import first_by_people, people_sentence
from assay.words.statement import MAX_LISTED, Answer, Name, Verdict, Words, sized_up
from assay.words.where import where

__all__ = [
    "ComparedScore",
    "Outcome",
    "PairVerdict",
    "comparison_verdict",
    "pair_verdict",
    "score_label",
]

_SURE = 0.01  # a p-value below it would also be significant at a stricter level that papers use


def comparison_verdict(comparison: SystemComparison, ranking: Ranking | None = None) -> Verdict:
    """The verdict on two systems, with what people said of them if there is a ranking."""
    found = pair_verdict(comparison)
    people = people_sentence(found.first, found.second, found.winner, ranking, is_shown=bool(found.having("ahead")))
    other = first_by_people(found.first, found.second, ranking)
    headline = (_headline(found), *(() if people is None else (people,)), *(() if other is None else (other[1],)))
    lede = [*_lede(found, comparison)]
    if other is not None:
        lede += _against_people(found, other[0])
    answers = (
        _which(found, () if other is None else other[0]),
        _how_sure(found, comparison),
        noticed_answer(found, ranking),
        *where(comparison, found.first, found.second),
    )
    return Verdict(headline, tuple(lede), answers)


def _headline(found: PairVerdict) -> Words:
    a, b = Name(found.first, "a"), Name(found.second, "b")
    if found.winner is not None:
        return (f"{_subject(found)} ", a, " ahead of ", b, ".")
    if found.having("ahead"):
        return ("The metrics disagree on ", a, " and ", b, ".")
    if found.having("unshown"):
        return ("No difference between ", a, " and ", b, " is shown.")
    if found.having("tied"):
        return (a, " and ", b, " have the same score in every segment.")
    return ("The difference between ", a, " and ", b, " is undefined.")


def _subject(found: PairVerdict) -> str:
    """BLEU puts; BLEU and TER put; All metrics put. A metric is named once if all its aggregations say so."""
    ahead = [score for score in found.scores if score.outcome == "ahead"]
    metrics = dict.fromkeys(score.metric.metric for score in found.scores)
    if len(ahead) == len(found.scores) and len(metrics) > 1:
        return "Both metrics put" if len(metrics) == 2 else f"All {len(metrics)} metrics put"
    split = {score.metric.metric for score in found.scores if score.outcome != "ahead"}
    labels = (score.label if score.metric.metric in split else metric_label(score.metric.metric) for score in ahead)
    names = list(dict.fromkeys(labels))
    listed = joined(names) if len(names) <= MAX_LISTED else f"{len(ahead)} of {len(found.scores)} scores"
    return f"{listed} {'puts' if len(names) == 1 else 'put'}"


def _lede(found: PairVerdict, comparison: SystemComparison) -> Iterator[str]:
    if comparison.baseline is not None:
        yield from _against_baseline(found, comparison)
    if found.having("ahead"):
        lead = found.lead
        system = found.first if lead.outcome == "ahead" else found.second
        yield f"By {lead.label}, {system} is {lead.size} ahead, more than chance explains."
    if behind := found.having("behind"):
        yield f"{joined(behind)} {'puts' if len(behind) == 1 else 'put'} {found.second} ahead."
    if unshown := found.having("unshown"):
        if found.having("ahead"):
            yield f"No difference is shown by {joined(unshown)}."
        else:
            yield from _not_equal(found, comparison)
    if undefined := found.having("undefined"):
        yield f"Undefined: {joined(undefined)}."
    if comparison.baseline is None:
        yield from _others(found, comparison)


def _against_baseline(found: PairVerdict, comparison: SystemComparison) -> Iterator[str]:
    """How many systems are shown to be better than the baseline, by the score that leads, and which is the best."""
    metric = found.lead.metric
    if len(metric.pairs) == 1:
        return
    shown = [pair for pair in metric.pairs if pair.shows_difference]
    better = sum(metric.is_better(pair) for pair in shown)
    best = found.second if found.first == comparison.baseline else found.first
    yield (
        f"By {found.lead.label}, {better or 'none'} of {len(metric.pairs)} systems "
        f"{'are' if better > 1 else 'is'} shown to be better than the baseline {comparison.baseline}, and "
        f"{len(shown) - better} {'is' if len(shown) - better == 1 else 'are'} shown to be worse."
    )
    yield f"The best of them by {score_label(comparison.metrics[0])} is {best}."


def _others(found: PairVerdict, comparison: SystemComparison) -> Iterator[str]:
    """What is shown of the other systems, by the same score."""
    metric = found.lead.metric
    shown = [pair for pair in metric.pairs if pair.shows_difference]
    if len(metric.pairs) == 1:
        return
    best_two = f"{found.first} and {found.second} are the best two of {len(metric.scores)} systems"
    yield f"{best_two} by {score_label(comparison.metrics[0])}."
    winners = [pair.first if metric.is_better(pair) else pair.second for pair in shown]
    first, second = winners.count(found.first), winners.count(found.second)
    total = len(metric.scores) - 1
    others = f"all {total} other systems" if first == total else f"{first} of the {total} other systems"
    yield f"By {found.lead.label}, {found.first} is shown to be better than {others}, and {found.second} than {second}."


def _not_equal(found: PairVerdict, comparison: SystemComparison) -> Iterator[str]:
    yield "That no difference is shown does not mean that the two are equal."
    detectable, pairs = found.lead.pair.power.detectable, len(found.lead.metric.pairs)
    if math.isnan(detectable):
        return
    size = f"{sized_up(detectable, found.lead.decimals)} {found.lead.label}"
    yield f"A test set like this one would probably show a difference of {size}, and may miss a smaller one."
    if comparison.correction != "none":
        yield f"With {pairs} pairs tested at once it takes a larger one."


def _which(found: PairVerdict, preferred: Sequence[str] = ()) -> Answer:
    """`preferred`: the systems that people put first, if they are others."""
    ahead, total = len(found.having("ahead")), len(found.scores)
    if found.having("behind"):
        answer = "It depends on the score"
    elif not ahead:
        answer = "Not shown"
    else:
        every = "both" if total == 2 else f"all {total}"
        by = f"{ahead} of {total}" if ahead < total else every
        answer = found.first if total == 1 else f"{found.first}, shown by {by} scores"
    if len(preferred) == 1:
        answer += f"; by people, {preferred[0]}"
    return Answer("Which system is better?", answer, " ".join(_favours(found)), "#pairs")


def _favours(found: PairVerdict) -> Iterator[str]:
    """The differences in favour of each system."""
    for system, sign in ((found.first, 1), (found.second, -1)):
        scores = [score for score in found.scores if sign * score.favour > 0]
        if scores:
            numbers = ", ".join(
                f"{score.label} {difference_text(sign * score.favour, score.decimals)}" for score in scores
            )
            yield f"In favour of {system}: {numbers}."


def _how_sure(found: PairVerdict, comparison: SystemComparison) -> Answer:
    lead, pairs, correction = found.lead, len(found.lead.metric.pairs), comparison.correction
    corrected = "not corrected" if correction == "none" else f"corrected for {pairs} pairs ({correction})"
    if len(found.scores) > 1:
        corrected += ", each score by itself"
    difference = difference_text(lead.favour, lead.decimals)
    interval = interval_text(lead.low, lead.high, lead.decimals)
    interval = interval and f", interval {interval}"
    p = p_words(lead.pair.p_corrected, is_bound=lead.pair.is_bound)
    detail = f"{lead.label} {difference}{interval}, {p}, {corrected}. {_units(lead, comparison)}"
    return Answer("How sure?", _certainty(found), detail, "#pairs")


def _against_people(found: PairVerdict, preferred: Sequence[str]) -> Iterator[str]:
    """What the leading score says of the one system that people put first, if it was compared with the best."""
    metric = found.lead.metric
    compared = {frozenset((pair.first, pair.second)) for pair in metric.pairs}
    if len(preferred) > 1 or frozenset((found.first, preferred[0])) not in compared:
        return
    judged = preferred[0]
    pair = metric.pair(found.first, judged)
    favour, p = metric.in_favour(pair).value, p_words(pair.p_corrected, is_bound=pair.is_bound)
    size = size_text(favour, found.lead.decimals)
    if not pair.shows_difference:
        yield f"By {found.lead.label}, no difference between {judged} and {found.first} is shown ({p})."
    elif favour > 0:
        label = found.lead.label
        yield f"{label} and people disagree: by {label}, {judged} is {size} behind {found.first} ({p})."
    else:
        yield f"By {found.lead.label}, {judged} is {size} ahead of {found.first}, too ({p})."


def _units(lead: ComparedScore, comparison: SystemComparison) -> str:
    """What was resampled; segments of one document are alike, which a test of segments does not know."""
    unit, documents = comparison.settings["unit"], comparison.inputs.documents
    text = f"{lead.pair.n:,} {unit}s"
    several = len(set(documents or ()) - {None})
    if unit == "segment" and several > 1:
        text += f" of {several:,} documents, taken as independent"
    return f"{text}."


def _certainty(found: PairVerdict) -> str:
    shown, total = len(found.having("ahead")) + len(found.having("behind")), len(found.scores)
    if not shown:
        return "Chance may explain the difference" if found.having("unshown") else "There is no difference to test"
    if shown < total:
        return f"{shown} of {total} scores show a difference"
    is_sure = max(score.pair.p_corrected for score in found.scores) < _SURE
    if total == 1:
        return "Sure of a difference" if is_sure else "A difference is shown"
    return f"Sure of a difference on all {total} scores" if is_sure else f"All {total} scores show a difference"
