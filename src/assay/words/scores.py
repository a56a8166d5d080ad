"""What scores alone say."""

from __future__ import annotations

import math

from assay.labels.metrics import metric_label, score_label
from assay.labels.numbers import joined, number
from assay.results import MetricScores, Run, Scores
from assay.results.estimate import decimals_for
from assay.words.statement import Name, Verdict

__all__ = ["leaders", "other_leaders", "run_verdict"]

_UNTESTED = "Scores alone do not say which differences are more than chance: “assay compare” tests them."


def run_verdict(run: Run) -> Verdict:
    """Which system scores best, and by which metrics."""
    if len(run.systems) == 1:
        return _one_system(run)
    found = leaders(run)
    if not found:
        return Verdict((("No score is defined.",),))
    if len(found) == 1:
        system, metrics = next(iter(found.items()))
        by = (
            metrics[0]
            if len(metrics) == 1
            else ("both metrics" if len(metrics) == 2 else f"all {len(metrics)} metrics")
        )
        others = other_leaders(run)
        if others and len({metric.headline.aggregation for metric in run.metrics.values()}) == 1:
            aggregation = next(iter(run.metrics.values())).headline.aggregation
            by = f"the {aggregation} scores of {by}"
        return Verdict(((Name(system, "a"), f" scores best by {by}."),), (*others, _UNTESTED))
    parts = [f"{system} leads by {joined(metrics)}" for system, metrics in found.items()]
    return Verdict((("No system leads by all metrics.",),), (f"{joined(parts)}.", _UNTESTED))


def _one_system(run: Run) -> Verdict:
    system = run.systems[0]
    values = {metric_label(spec): metric.headline[system] for spec, metric in run.metrics.items()}
    scores = [
        f"{number(value, decimals_for([value]))} {name}" for name, value in values.items() if not math.isnan(value)
    ]
    undefined = [name for name, value in values.items() if math.isnan(value)]
    lede = ["It is the only system: there is nothing to compare it with."]
    if undefined:
        lede.append(f"Undefined: {joined(undefined)}.")
    return Verdict(
        ((Name(system, "a"), f" scores {joined(scores)}." if scores else " has no defined score."),), tuple(lede)
    )


def leaders(run: Run) -> dict[str, list[str]]:
    """By system, the metrics that it scores best by."""
    found: dict[str, list[str]] = {}
    for spec, metric in run.metrics.items():
        if best := _best(metric):
            found.setdefault(best, []).append(metric_label(spec))
    return found


def other_leaders(run: Run) -> list[str]:
    """Where another system scores best under another aggregation."""
    found = []
    for spec, metric in run.metrics.items():
        for aggregation, scores in metric.aggregations.items():
            best = _best(metric, scores)
            if best and best != _best(metric):
                found.append(f"By {score_label(spec, aggregation)}, {best} does.")
    return found


def _best(metric: MetricScores, scores: Scores | None = None) -> str:
    """The system with the best score under an aggregation, by default the headline."""
    values = {name: value for name, value in (scores or metric.headline).items() if not math.isnan(value)}
    choose = max if metric.higher_is_better else min
    return choose(values, key=lambda name: values[name]) if values else ""
