"""What scores alone say, and what changed between those of two runs."""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.labels.metrics import metric_label, score_label
from assay.labels.numbers import every, joined, number
from assay.results import Difference, Disagreement, MetricScores, Run, Scores
from assay.results.order import best_first
from assay.types.note import plural
from assay.words.statement import Name, Verdict, Words

__all__ = [
    "best_system",
    "changed_scores",
    "leading_systems",
    "order_words",
    "run_verdict",
    "same_runs",
    "unequal_orders",
]

_UNTESTED = "Scores alone do not say which differences are more than chance: “assay compare” tests them."


def run_verdict(run: Run) -> Verdict:
    """Which system scores best, and by which metrics."""
    if len(run.systems) == 1:
        return _one_system(run)
    return Verdict((best_system(run),), (*leading_systems(run), *((_UNTESTED,) if _leaders(run) else ())))


def best_system(run: Run) -> Words:
    """The system that scores best by all metrics, if there is one."""
    leaders = _leaders(run)
    if not leaders:
        return ("No score is defined.",)
    if len(leaders) > 1:
        return ("No system leads by all metrics.",)
    system, metrics = next(iter(leaders.items()))
    by = metrics[0] if len(metrics) == 1 else every(len(metrics), "metric")
    aggregations = {metric.headline.aggregation for metric in run.metrics.values()}
    if len(aggregations) == 1 and any(_other_leaders(run)):
        by = f"the {aggregations.pop()} scores of {by}"
    return (Name(system, "a"), f" scores best by {by}.")


def leading_systems(run: Run) -> Iterator[str]:
    """Which system scores best by which metrics, or where another one does under another aggregation."""
    leaders = _leaders(run)
    if len(leaders) > 1:
        yield f"{joined([f'{system} leads by {joined(metrics)}' for system, metrics in leaders.items()])}."
    elif leaders:
        yield from _other_leaders(run)


def order_words(found: Disagreement) -> str:
    """How corpus scores and segment means rank the systems: alike, or so many pairs of them differently."""
    if found.pairs == 1:
        return f"rank the two systems {'differently' if found.flips else 'alike'}"
    if not found.flips:
        return "rank all pairs of systems alike"
    return f"rank {len(found.flips):,} of {found.pairs:,} pairs of systems differently"


def unequal_orders(run: Run) -> Iterator[str]:
    """How many pairs of systems corpus score and segment mean order differently, by metric."""
    disagreements = {metric_label(spec): metric.disagreement for spec, metric in run.metrics.items()}
    known = {name: each for name, each in disagreements.items() if each is not None}
    flips = [f"{len(each.flips):,} of {each.pairs:,} by {name}" for name, each in known.items() if each.flips]
    if flips:
        yield f"Corpus score and segment mean rank pairs of systems differently: {joined(flips)}."


def changed_scores(difference: Difference) -> str:
    """How many scores were compared and how many changed, in a line."""
    if not difference.scores:
        return "the runs have no score in common: nothing was compared"
    moved = sum(change.moved for change in difference.scores)
    intervals = sum(change.interval_moved for change in difference.scores)
    counts = f"{moved:,} of {plural(len(difference.scores), 'score')} changed, and {intervals:,} of their intervals"
    return f"{counts}{_rounding(difference)}"


def same_runs(difference: Difference) -> str:
    """That nothing differs."""
    total = len(difference.scores)
    same = f"inputs, settings and {every(total, 'score')}"
    return f"{difference.first} and {difference.second} are the same: {same}{_rounding(difference)}"


def _one_system(run: Run) -> Verdict:
    system = run.systems[0]
    scores = [
        f"{number(metric.headline[system], metric.decimals)} {metric_label(spec)}"
        for spec, metric in run.metrics.items()
        if not math.isnan(metric.headline[system])
    ]
    undefined = [metric_label(spec) for spec, metric in run.metrics.items() if math.isnan(metric.headline[system])]
    lede = ["It is the only system: there is nothing to compare it with."]
    if undefined:
        lede.append(f"Undefined: {joined(undefined)}.")
    return Verdict(
        ((Name(system, "a"), f" scores {joined(scores)}." if scores else " has no defined score."),), tuple(lede)
    )


def _leaders(run: Run) -> dict[str, list[str]]:
    """By system, the metrics that it scores best by."""
    found: dict[str, list[str]] = {}
    for spec, metric in run.metrics.items():
        if best := _best(metric):
            found.setdefault(best, []).append(metric_label(spec))
    return found


def _other_leaders(run: Run) -> Iterator[str]:
    """Where another system scores best under another aggregation."""
    for spec, metric in run.metrics.items():
        for aggregation, scores in metric.aggregations.items():
            best = _best(metric, scores)
            if best and best != _best(metric):
                yield f"By {score_label(spec, aggregation)}, {best} does."


def _best(metric: MetricScores, scores: Scores | None = None) -> str:
    """The system with the best score under an aggregation, by default the headline."""
    values = scores or metric.headline
    best, *_ = best_first(values, higher_is_better=metric.higher_is_better)
    return "" if math.isnan(values[best]) else best


def _rounding(difference: Difference) -> str:
    """A remark on scores that differ within the tolerance of their metric; empty if there are none."""
    rounded = sum(change.rounded for change in difference.scores)
    verb = "differs" if rounded == 1 else "differ"
    return f" ({rounded:,} {verb} within the tolerance of the metric)" if rounded else ""
