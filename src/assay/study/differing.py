"""`assay.diff`: two runs in, how they differ out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from assay.results import Difference, MetricScores, Run, ScoreChange, SegmentChanges, SettingChange
from assay.store import open_run
from assay.types import Signature

__all__ = ["diff"]

_LARGEST_SHOWN = 3


def diff(first: Run | str | Path, second: Run | str | Path) -> Difference:
    """Whether two runs differ in inputs, systems, segments or settings, and where the numbers moved.

    A run may be named by the folder it was saved in. Metrics are paired by their spec; those left over by their name,
    if that leaves one of a kind on each side.
    """
    first, second = (run if isinstance(run, Run) else open_run(run) for run in (first, second))
    pairs = _paired(first.metrics, second.metrics)
    settings = [*_inputs(first, second), *_metrics(first, second, pairs)]
    for one, other in pairs:
        settings += _signatures(first.metrics[one], second.metrics[other])
        settings += _groups(first.metrics[one], second.metrics[other])
    return Difference(
        settings=tuple(settings),
        scores=tuple(change for a, b in pairs for change in _scores(first.metrics[a], second.metrics[b])),
        segments=tuple(change for a, b in pairs for change in _segments(first.metrics[a], second.metrics[b])),
    )


def _paired(first: Mapping[str, MetricScores], second: Mapping[str, MetricScores]) -> list[tuple[str, str]]:
    pairs = [(spec, spec) for spec in first if spec in second]
    left, right = [spec for spec in first if spec not in second], [spec for spec in second if spec not in first]

    def name(spec: str, metrics: Mapping[str, MetricScores]) -> str:
        return metrics[spec].signature.metric

    names = [name(spec, second) for spec in right]
    for spec in left:
        wanted = name(spec, first)
        if names.count(wanted) == 1 and [name(other, first) for other in left].count(wanted) == 1:
            pairs.append((spec, right[names.index(wanted)]))
    return pairs


def _inputs(first: Run, second: Run) -> Iterator[SettingChange]:
    one, other = first.record, second.record
    for name in ("name", "lp", "segments"):
        a, b = getattr(one, name), getattr(other, name)
        if a != b:
            yield SettingChange("test set", name, None if a is None else str(a), None if b is None else str(b))
    for label in dict.fromkeys((*one.digests, *other.digests)):
        a, b = one.digests.get(label), other.digests.get(label)
        if a != b:
            yield SettingChange("input", label, a, b)


def _metrics(first: Run, second: Run, pairs: list[tuple[str, str]]) -> Iterator[SettingChange]:
    for spec in first.metrics:
        if spec not in [a for a, _ in pairs]:
            yield SettingChange("metric", spec, "scored", None)
    for spec in second.metrics:
        if spec not in [b for _, b in pairs]:
            yield SettingChange("metric", spec, None, "scored")


def _signatures(first: MetricScores, second: MetricScores) -> Iterator[SettingChange]:
    """Every item of the signatures that differs, once for all aggregations it differs in alike."""
    changes: dict[tuple[str, str | None, str | None], None] = {}
    for name in dict.fromkeys((*first.aggregations, *second.aggregations)):
        if name not in first.aggregations or name not in second.aggregations:
            has = "scored" if name in first.aggregations else None
            changes["agg " + name, has, None if has else "scored"] = None
            continue
        a, b = (_items(metric.aggregations[name].signature) for metric in (first, second))
        for key in dict.fromkeys((*a, *b)):
            if a.get(key) != b.get(key):
                changes[key, a.get(key), b.get(key)] = None
    label = first.spec if first.spec == second.spec else f"{first.spec} / {second.spec}"
    for key, one, other in changes:
        yield SettingChange("signature", f"{label} {key}", one, other)


def _groups(first: MetricScores, second: MetricScores) -> Iterator[SettingChange]:
    """Groups that only one run has scores of."""
    one, other = ({scores.group: None for scores in metric.groups} for metric in (first, second))
    for group in dict.fromkeys((*one, *other)):
        if (group in one) != (group in other):
            scored = ("scored", None) if group in one else (None, "scored")
            yield SettingChange("group", f"{first.spec} {group}", *scored)


def _items(signature: Signature) -> dict[str, str]:
    return dict(item.split(":", 1) for item in str(signature).split("|")[1:])


def _scores(first: MetricScores, second: MetricScores) -> Iterator[ScoreChange]:
    others = {(s.aggregation, s.group): s for s in (*second.aggregations.values(), *second.groups)}
    for scores in (*first.aggregations.values(), *first.groups):
        other = others.get((scores.aggregation, scores.group))
        for system, estimate in scores.estimates.items():
            if other is not None and system in other.estimates:
                yield ScoreChange(
                    first.spec, scores.aggregation, scores.group, system, estimate, other.estimates[system]
                )


def _segments(first: MetricScores, second: MetricScores) -> Iterator[SegmentChanges]:
    for system, a in first.segments.items():
        b = second.segments.get(system)
        if b is None or len(a) != len(b):
            continue
        moved = ~((a == b) | (np.isnan(a) & np.isnan(b)))
        size = np.where(moved, np.nan_to_num(np.abs(a - b), nan=np.inf), -1.0)
        largest = np.argsort(-size, kind="stable")[: min(_LARGEST_SHOWN, int(moved.sum()))]
        yield SegmentChanges(
            first.spec,
            system,
            len(a),
            int(moved.sum()),
            tuple((int(i) + 1, float(a[i]), float(b[i])) for i in largest),
        )
