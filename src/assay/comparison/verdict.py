"""The verdict: what a comparison says, in plain sentences.

A difference is called one only if its corrected p-value is below alpha; otherwise no difference is shown, which does
not mean that the systems are equal.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from assay.results import ComparedMetric, ComparedPair

__all__ = ["verdict"]


def verdict(metrics: Sequence[ComparedMetric], alpha: float, *, is_all_pairs: bool) -> tuple[str, ...]:
    """Sentences on each pair of systems, or for all pairs on each metric."""
    if is_all_pairs and len(metrics[0].pairs) > 1:
        return (*(_clusters(metric, alpha) for metric in metrics), *_disagreements(metrics, alpha))
    pairs = [(pair.first, pair.second) for pair in metrics[0].pairs]
    return tuple(sentence for first, second in pairs for sentence in _on_pair(metrics, first, second, alpha))


def _on_pair(metrics: Sequence[ComparedMetric], first: str, second: str, alpha: float) -> list[str]:
    outcomes: dict[str, list[str]] = {"better": [], "worse": [], "open": [], "undefined": []}
    for metric in metrics:
        pair = metric.pair(first, second)
        outcomes[_outcome(metric, pair, alpha)].append(f"{_label(metric)} ({_numbers(pair)})")
    sentences = []
    if outcomes["better"]:
        sentences.append(f"{first} is better than {second} by {_join(outcomes['better'])}.")
    if outcomes["worse"]:
        sentences.append(f"{first} is worse than {second} by {_join(outcomes['worse'])}.")
    if outcomes["better"] and outcomes["worse"]:
        sentences.append("The metrics or aggregations contradict each other.")
    if outcomes["open"]:
        also = "also " if outcomes["better"] or outcomes["worse"] else ""
        settled = f"not settled by {_join(outcomes['open'])}" if also else f"by {_join(outcomes['open'])}"
        sentences.append(
            f"{settled[0].upper()}{settled[1:]}."
            if also
            else f"No difference between {first} and {second} is shown {settled}."
        )
    if outcomes["undefined"]:
        sentences.append(f"Undefined: {_join(outcomes['undefined'])}.")
    return sentences


def _outcome(metric: ComparedMetric, pair: ComparedPair, alpha: float) -> str:
    if math.isnan(pair.p_corrected):
        return "undefined"
    if pair.p_corrected >= alpha:
        return "open"
    return "better" if metric.is_better(pair) else "worse"


def _label(metric: ComparedMetric) -> str:
    return metric.metric if metric.aggregation == "corpus" else f"{metric.metric} {metric.aggregation} mean"


def _numbers(pair: ComparedPair) -> str:
    if math.isnan(pair.p_corrected):
        return pair.comparison.reason or "undefined"
    return f"{pair.difference.value:+.2f}, p = {pair.p_corrected:.2g}"


def _join(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _clusters(metric: ComparedMetric, alpha: float) -> str:
    shown = sum(pair.p_corrected < alpha for pair in metric.pairs)
    groups: dict[int, list[str]] = {}
    for system, cluster in metric.clusters.items():
        groups.setdefault(cluster, []).append(system)
    order = " > ".join(", ".join(systems) for systems in groups.values())
    return f"{_label(metric)}: a difference is shown for {shown} of {len(metric.pairs)} pairs; clusters: {order}."


def _disagreements(metrics: Sequence[ComparedMetric], alpha: float) -> list[str]:
    """Pairs for which one metric or aggregation shows the opposite of another."""
    opposite = []
    for pair in metrics[0].pairs:
        outcomes = {_outcome(metric, metric.pair(pair.first, pair.second), alpha) for metric in metrics}
        if {"better", "worse"} <= outcomes:
            opposite.append(f"{pair.first} and {pair.second}")
    return [f"The metrics or aggregations contradict each other on {_join(opposite)}."] if opposite else []
