"""The verdict: what a comparison says, in plain sentences.

A difference is called one only if its corrected p-value is below alpha; otherwise no difference is shown, which does
not mean that the systems are equal.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from assay.comparison.differences import ComparisonOptions
from assay.results import ComparedMetric, ComparedPair
from assay.results.estimate import decimals_for
from assay.results.p_values import p_words

__all__ = ["verdict"]

_NAMED_PAIRS = 5  # more than these are left to the table


def verdict(metrics: Sequence[ComparedMetric], options: ComparisonOptions, *, all_pairs: bool) -> tuple[str, ...]:
    """Sentences on each pair of systems, or for all pairs on each metric; then the pairs on which metrics disagree."""
    pairs = [(pair.first, pair.second) for pair in metrics[0].pairs]
    outcomes = {pair: _outcomes(metrics, pair) for pair in pairs}
    if all_pairs and len(pairs) > 1:
        sentences = [_clusters(metric) for metric in metrics]
    else:
        sentences = [
            f"{_beginning(outcome, pair, options.alternative)} {_join(labels)}."
            for pair in pairs
            for outcome, labels in outcomes[pair].items()
            if labels
        ]
    opposed = [
        f"{first} and {second}" for (first, second), found in outcomes.items() if found["better"] and found["worse"]
    ]
    if opposed:
        sentences.append(f"The metrics or aggregations contradict each other on {'; '.join(opposed)}.")
    return tuple(sentences)


def _outcomes(metrics: Sequence[ComparedMetric], systems: tuple[str, str]) -> dict[str, list[str]]:
    """By outcome, the metrics and aggregations that have it, with their numbers."""
    outcomes: dict[str, list[str]] = {
        "better": [],
        "worse": [],
        "opposed": [],
        "tied": [],
        "not shown": [],
        "undefined": [],
    }
    for metric in metrics:
        pair = metric.pair(*systems)
        outcome = pair.outcome
        numbers = "" if outcome == "tied" else f" ({_numbers(metric, pair)})"
        outcomes[outcome].append(f"{metric.name}{numbers}")
    return outcomes


def _beginning(outcome: str, systems: tuple[str, str], alternative: str) -> str:
    first, second = systems
    if outcome == "undefined":
        return f"The difference between {first} and {second} is undefined by"
    if outcome == "tied":
        return f"{first} and {second} have the same score in every segment, as identical outputs do, by"
    if outcome == "opposed":
        neither = f"Neither of {first} and {second} is shown to be better"
        return f"{neither}: the mean and the test point in opposite directions by"
    if outcome != "not shown":
        return f"{first} is {outcome} than {second} by"
    if alternative == "two-sided":
        return f"No difference between {first} and {second} is shown by"
    return f"{first} is not shown to be {alternative} than {second} by"


def _numbers(metric: ComparedMetric, pair: ComparedPair) -> str:
    if math.isnan(pair.p_corrected):
        return pair.reason or "undefined"
    decimals = decimals_for(score.value for score in metric.scores.values())
    return f"{pair.difference.value:+.{decimals}f}, {p_words(pair.p_corrected, is_bound=pair.is_bound)}"


def _join(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _clusters(metric: ComparedMetric) -> str:
    shown = [pair for pair in metric.pairs if pair.shows_difference]
    groups: dict[int, list[str]] = {}
    for system, cluster in metric.clusters.items():
        groups.setdefault(cluster, []).append(system)
    order = " > ".join(", ".join(systems) for systems in groups.values())
    named = f" ({', '.join(_better_first(metric, pair) for pair in shown)})" if 0 < len(shown) <= _NAMED_PAIRS else ""
    found = f"a difference is shown for {len(shown)} of {len(metric.pairs)} pairs{named}"
    return f"{metric.name}: {found}; clusters: {order}."


def _better_first(metric: ComparedMetric, pair: ComparedPair) -> str:
    systems = (pair.first, pair.second) if metric.is_better(pair) else (pair.second, pair.first)
    return " > ".join(systems)
