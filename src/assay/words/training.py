"""What a metric that was learnt from judgements is worth: first whether it is better than its best feature alone."""

from __future__ import annotations

from collections.abc import Iterator

from assay.labels.numbers import difference_text, interval_text, joined, number, percent
from assay.results import Estimate, Training, TrainingEvaluation
from assay.types.note import listed, plural
from assay.words.statement import Verdict

__all__ = ["EVALUATED_ON", "training_verdict"]

_MAX_NAMED = 6
_HELD_OUT = {
    "campaign": "On test sets left out in turn",
    "language": "On target languages left out in turn",
    "pair": "On language pairs left out in turn",
    "check": "On other test sets, which it was not trained on",
}
EVALUATED_ON = {
    "campaign": "test sets left out",
    "language": "target languages left out",
    "pair": "language pairs left out",
    "check": "other test sets",
}
"""Where the numbers of an evaluation come from, in tables."""


def training_verdict(training: Training) -> Verdict:
    """Whether it beats simpler scores, where that was tried, and what it rests on."""
    said = {by: _evaluations(training, by) for by in dict.fromkeys(each.by for each in training.evaluations)}
    first = _decisive(training)
    lede = said.pop(first.by, ()) if first is not None else ()
    others = (" ".join(sentences) for sentences in said.values())
    return Verdict(((_headline(training),),), lede, remarks=(*filter(None, others), *_limits(training)))


def _decisive(training: Training) -> TrainingEvaluation | None:
    """That by preferences between outputs on what says most: other test sets, else those left out."""
    tried = [training.evaluation(by) for by in ("check", "campaign", "language", "pair")]
    return next((each for each in tried if each is not None and each.metric.value == each.metric.value), None)


def _evaluations(training: Training, by: str) -> tuple[str, ...]:
    found = (each for each in training.evaluations if each.by == by)
    return tuple(sentence for each in found for sentence in _evaluation(each, training))


def _headline(training: Training) -> str:
    found = _decisive(training)
    if found is None:
        return "Whether this metric is better than one of its features is not known: nothing could be left out."
    where = EVALUATED_ON[found.by]
    if found.metric.value <= 0.5 or found.metric.low <= 0.5:
        return f"This metric is not shown to agree with people more often than by chance ({where})."
    if len(training.features) == 1:
        return f"This metric has one feature, {training.features[0].name}, and gives the same order."
    difference = found.beyond_single
    single = f"its best single feature, {_singles(training, found)}"
    points = number(abs(100 * difference.value), 1)
    if difference.low > 0:
        return (
            f"This metric agrees with people on more preferences between outputs than {single}, by"
            f" {points} percentage points ({where}){_but_systems(training, found)}."
        )
    if difference.high < 0:
        return (
            f"This metric agrees with people on fewer preferences between outputs than {single}, by"
            f" {points} percentage points ({where}): use that."
        )
    return f"This metric is not shown to be better than {single} ({where}): use that."


def _but_systems(training: Training, found: TrainingEvaluation) -> str:
    """What a gain on outputs does not mean."""
    systems = training.evaluation(found.by, "system")
    if systems is None or systems.beyond_single.low > 0:
        return ""
    return "; it is not shown to order systems better"


def _singles(training: Training, evaluation: TrainingEvaluation) -> str:
    """The features that were chosen where the metric was evaluated, most often chosen first."""
    counts: dict[str, int] = {}
    for each in training.held_out:
        if each.by == evaluation.by and each.single:
            counts[each.single] = counts.get(each.single, 0) + 1
    return " or ".join(sorted(counts, key=lambda name: (-counts[name], name)))


def _evaluation(evaluation: TrainingEvaluation, training: Training) -> Iterator[str]:
    metric = evaluation.metric
    if metric.value != metric.value:
        if evaluation.level == "segment":
            yield f"{_HELD_OUT[evaluation.by]}, there is no result, because {metric.reason}."
        return
    what = "preferences between outputs" if evaluation.level == "segment" else "pairs of systems"
    start = f"{_HELD_OUT[evaluation.by]}, it" if evaluation.level == "segment" else "There, it"
    yield (
        f"{start} agrees with people on {_percent(metric)} of the {what}, its best single feature on "
        f"{_percent(evaluation.single)} ({_beyond(evaluation.beyond_single)}), and the mean of the ranks of its "
        f"features on {_percent(evaluation.ranks)} ({_beyond(evaluation.beyond_ranks)}); means over "
        f"{plural(metric.n, 'language pair')}."
    )
    if evaluation.level == "segment" and (lost := _lost(training, evaluation.by)):
        yield lost


def _lost(training: Training, by: str) -> str:
    """On how many language pairs the best single feature was better."""
    found = [each for each in training.held_out if each.by == by and each.accuracy == each.accuracy]
    worse = [each.label for each in found if each.accuracy < each.accuracy_of_single]
    if not found or len(training.features) == 1:
        return ""
    names = f" ({listed(worse, _MAX_NAMED)})" if worse else ""
    return f"The single feature was better on {len(worse) or 'none'} of {plural(len(found), 'language pair')}{names}."


def _percent(share: Estimate) -> str:
    return f"{number(100 * share.value, 1)} %"


def _beyond(difference: Estimate) -> str:
    """What the metric gains, in points of per cent."""
    text = difference_text(100 * difference.value, 1)
    interval = interval_text(100 * difference.low, 100 * difference.high, 1)
    return f"difference {text} {interval}" if interval else f"difference {text}, no interval"


def _limits(training: Training) -> Iterator[str]:
    """What it was trained on, and what that does not say."""
    trained = training.populations
    campaigns = listed(list(dict.fromkeys(each.campaign for each in trained)), _MAX_NAMED)
    protocols = joined(list(dict.fromkeys(each.protocol for each in trained)))
    drawn, known = sum(each.drawn for each in trained), sum(each.preferences for each in trained)
    estimates = [each.beyond_single for each in training.evaluations]
    intervals = ""
    if any(each.low == each.low for each in estimates):
        confidence = percent(float(training.settings.get("confidence", 0.95)))
        intervals = f", with {confidence} intervals over language pairs"
    yield (
        f"It was trained on {drawn:,} of {known:,} preferences from {plural(len(trained), 'language pair')} of "
        f"{campaigns} ({protocols}){intervals}."
    )
    if reversed_names := [each.name for each in training.features if each.is_reversed]:
        yield (
            f"Its score falls when {joined(reversed_names)} {'gets' if len(reversed_names) == 1 else 'get'} better and "
            "the other features stay the same: where features say nearly the same, the signs of their weights mean "
            "little."
        )
    if any(each.value == each.value for each in estimates):
        yield (
            "What is left out shares no source and no reference with what it is trained on, but may have systems of "
            "the same teams. It says nothing of other kinds of text, languages and systems."
        )
