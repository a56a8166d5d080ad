"""Which outputs people probably prefer, in sentences: how often held-out answers were right, and whose judgements."""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.labels.metrics import metric_label
from assay.labels.numbers import interval_text, percent, with_interval
from assay.results import Estimate, PreferenceEvaluation, Preferences
from assay.types.language_codes import languages_of
from assay.types.note import listed, plural
from assay.words.statement import Verdict

__all__ = ["LEFT_OUT", "preferences_verdict"]

_MAX_NAMED = 8
_MIN_PAIRS = 100
_TOO_SURE = 0.05  # more than came true
LEFT_OUT = {
    "campaign": "campaigns",
    "language pair": "language pairs",
    "part of the documents": "parts of the documents",
}


def preferences_verdict(found: Preferences) -> Verdict:
    """For how many segments there is an answer, how often such answers are wrong, and how far that carries."""
    return Verdict(((_headline(found),),), tuple(_lede(found)), remarks=tuple(_limits(found)))


def _headline(found: Preferences) -> str:
    segments = plural(len(found), "segment")
    by = " and ".join(map(metric_label, found.metrics))
    if math.isnan(found.threshold):
        return (
            f"No answer for any of the {segments}: "
            f"it is not shown that {by} says in {percent(found.at_least)} of the cases which output people prefer."
        )
    count, share = len(found.answered), 100 * len(found.answered) / max(len(found), 1)
    if not count:
        return f"No answer for any of the {segments}: their scores by {by} differ too little."
    sides = f"that of {found.first} in {found.count('first'):,}, that of {found.second} in {found.count('second'):,}"
    unlike = "" if found.lp is None or _is_judged(found.lp, found) else f", without judgements of {found.lp}"
    say = "says" if len(found.metrics) == 1 else "say"
    return (
        f"For {count:,} of {segments} ({share:.0f} %), {by} {say} which output people probably prefer{unlike}: {sides}."
    )


def _is_judged(lp: str, found: Preferences) -> bool:
    """Whether judgements of the language pair are among those that the answers rest on."""
    return any(languages_of(label.rpartition(" ")[2]) == languages_of(lp) for label in found.population.pairs)


def _lede(found: Preferences) -> Iterator[str]:
    evaluation = found.evaluations[0]
    if found.answered:
        yield from _other_languages(found)
    yield _shown(found, evaluation)
    if not math.isnan(found.threshold):
        yield from _by_part(found, evaluation)
        yield from _too_sure(evaluation)
    yield from _in_sample(found)
    yield (
        f"Over all pairs of outputs in the held-out {LEFT_OUT[evaluation.by]}, the probability has a Brier score of "
        f"{evaluation.brier:.3f}; that of always saying 50 % is 0.250."
    )
    if evaluation.brier_alone:
        best = min(evaluation.brier_alone, key=lambda name: evaluation.brier_alone[name])
        value = evaluation.brier_alone[best]
        than = "no better than" if evaluation.brier >= value else "better than"
        yield f"The metrics together are {than} the best one by itself, {metric_label(best)} ({value:.3f})."
    outside, unscored = found.count("outside"), found.count("no score")
    if outside:
        yield f"{plural(outside, 'segment')} with larger differences than any judged outputs had: there is no answer."
    if unscored:
        yield f"{plural(unscored, 'segment')} without scores of both outputs: there is no answer."


def _other_languages(found: Preferences) -> Iterator[str]:
    """That nothing is known of the language pair, if there are no judgements of it, or if it is not known."""
    if found.lp is None:
        yield "The language pair is not known: such answers were tried only on those that are named below."
    elif not _is_judged(found.lp, found):
        yield f"How often such answers are right in {found.lp} is not known: the judgements are of other languages."


def _in_sample(found: Preferences) -> Iterator[str]:
    """Which segments are among those that the probabilities are fitted to: what they say there is no prediction."""
    if texts := [f"{each.segments:,} of {each.label or 'the data'}" for each in found.in_sample if each.segments]:
        yield (
            f"Of the {plural(len(found), 'segment')}, these have the reference of a judged segment that the "
            f"probabilities are fitted to: {listed(texts, _MAX_NAMED)}. For them, this is no prediction and may look "
            "better than it would on new texts; held-out answers were predicted without their own judgements."
        )
    if names := [each.label or "the data" for each in found.in_sample if each.segments is None]:
        yield (
            f"The probabilities are fitted to judgements of {listed(names, _MAX_NAMED)}, by its name the same test "
            "set: for its judged segments, this is no prediction. Its texts could not be compared."
        )


def _shown(found: Preferences, evaluation: PreferenceEvaluation) -> str:
    """How often held-out answers were right from the probability on that was asked for."""
    left_out, least = LEFT_OUT[evaluation.by], found.at_least if math.isnan(found.threshold) else found.threshold
    point = evaluation.at(least)
    if point is None:
        return (
            f"In held-out {left_out}, no pair of outputs had a probability of {percent(least)} by a fit to the others."
        )
    unbounded = f" ({point.accuracy.reason})" if point.accuracy.reason else ""
    return (
        f"In held-out {left_out}, {_percent(point.coverage)} of the pairs of outputs had a probability of at least "
        f"{percent(least)}. Of these answers, {_bounded(point.accuracy)} were right{unbounded}, where no difference "
        f"counts half, and people preferred the opposite in {_bounded(point.opposite)}."
    )


def _by_part(found: Preferences, evaluation: PreferenceEvaluation) -> Iterator[str]:
    """The worst and the best of what was held out, and which part has the most answers: they are counted together."""
    parts = evaluation.right_by_part(found.threshold)
    if len(parts) < 2:
        return
    ordered = sorted(parts, key=lambda name: parts[name][1])
    low, high, largest = ordered[0], ordered[-1], max(parts, key=lambda name: parts[name][0])
    most = parts[largest][0] / sum(count for count, _ in parts.values())
    below = sum(right < found.at_least for _, right in parts.values())
    counted = f", and fewer than {percent(found.at_least)} in {below:,} of {len(parts):,}" if below else ""
    yield (
        f"These are shares of all answers, {100 * most:.0f} % of which are in {largest}: {_percent(parts[low][1])} "
        f"were right in {low}, {_percent(parts[high][1])} in {high}{counted}."
    )


def _too_sure(evaluation: PreferenceEvaluation) -> Iterator[str]:
    """From which probability on less came true than was predicted, as far as there are pairs."""
    bins = sorted((each for each in evaluation.bins if each.n >= _MIN_PAIRS), key=lambda each: each.predicted)
    fine = [number for number, each in enumerate(bins, 1) if each.predicted - each.observed <= _TOO_SURE]
    above = bins[max(fine, default=0) :]
    if above:
        observed = sum(each.observed * each.n for each in above) / sum(each.n for each in above)
        yield (
            f"Probabilities of about {100 * above[0].predicted:.0f} % and more came true in {_percent(observed)}: take "
            "them as no surer than that."
        )


def _limits(found: Preferences) -> Iterator[str]:
    judged = found.population
    whose = "It is fitted to" if found.source == "own" else "It comes with Assay and is fitted to"
    yield (
        f"{whose} {plural(judged.drawn, 'pair')} of outputs of {plural(judged.segments, 'segment')} that people judged "
        f"({listed(judged.protocols, _MAX_NAMED)}) in {listed(judged.campaigns, _MAX_NAMED) or 'the data'} "
        f"({listed(judged.pairs, _MAX_NAMED)}); in {_percent(judged.ties)} of them they saw no difference. It says "
        "nothing of other languages, kinds of text, systems or metrics."
    )


def _bounded(rate: Estimate) -> str:
    interval = interval_text(100 * rate.low, 100 * rate.high, 1)
    return with_interval(_percent(rate.value), interval)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
