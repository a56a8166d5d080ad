"""`assay.diff`: compare two runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated

from assay.errors import InputError
from assay.lazily import numpy as np
from assay.options.option import Option
from assay.options.verb import verb
from assay.results import Difference, MetricScores, Run, ScoreChange, SegmentChanges, SettingChange
from assay.results.difference import moved_scores
from assay.store import open_result
from assay.types import Signature

__all__ = ["diff"]

_LARGEST_SHOWN = 3


@verb
def diff(
    first: Annotated[Run | str | Path, Option("A run, or the folder it was saved in.")],
    second: Annotated[Run | str | Path, Option("Another run, or its folder.")],
) -> Difference:
    """Show how two runs differ.

    Inputs, systems, segments and settings are compared, and the scores that changed are listed. Metrics are paired by
    spec; the remaining ones are paired by name if each run has exactly one with that name.
    """
    names = [default if isinstance(run, Run) else str(run) for run, default in ((first, "first"), (second, "second"))]
    first, second = _open_run(first), _open_run(second)
    pairs = _pair_metrics(first.metrics, second.metrics)
    settings = [*_input_changes(first, second), *_metric_changes(first, second, pairs)]
    metrics = [(first.metrics[one], second.metrics[other]) for one, other in pairs]
    for one, other in metrics:
        settings += _signature_changes(one, other)
        settings += _group_changes(one, other)
    return Difference(
        settings=tuple(settings),
        scores=tuple(change for one, other in metrics for change in _score_changes(one, other)),
        segments=tuple(changes for one, other in metrics for changes in _segment_changes(one, other)),
        first=names[0],
        second=names[1],
    )


def _open_run(run: Run | str | Path) -> Run:
    result = open_result(run) if isinstance(run, str | Path) else run
    if not isinstance(result, Run):
        path = str(run) if isinstance(run, str | Path) else None
        message = f"expected a Run, got a {type(result).__name__}"
        raise InputError(message, path=path, hint="diff compares runs, which are results of score")
    return result


def _pair_metrics(first: Mapping[str, MetricScores], second: Mapping[str, MetricScores]) -> list[tuple[str, str]]:
    pairs = [(spec, spec) for spec in first if spec in second]
    names = {spec: metric.signature.metric for spec, metric in first.items() if spec not in second}
    other_names = {spec: metric.signature.metric for spec, metric in second.items() if spec not in first}
    for spec, name in names.items():
        others = [other for other, other_name in other_names.items() if other_name == name]
        if len(others) == 1 and list(names.values()).count(name) == 1:
            pairs.append((spec, others[0]))
    return pairs


def _input_changes(first: Run, second: Run) -> Iterator[SettingChange]:
    one, other = first.record, second.record
    for name in ("name", "lp", "segments"):
        a, b = getattr(one, name), getattr(other, name)
        if a != b:
            yield SettingChange("test set", name, None if a is None else str(a), None if b is None else str(b))
    for column in dict.fromkeys((*one.digests, *other.digests)):
        a, b = one.digests.get(column), other.digests.get(column)
        if a != b:
            yield SettingChange("input", column, a, b)


def _metric_changes(first: Run, second: Run, pairs: list[tuple[str, str]]) -> Iterator[SettingChange]:
    """Metrics that only one run has."""
    for spec in first.metrics:
        if spec not in [one for one, _ in pairs]:
            yield SettingChange("metric", spec, "scored", None)
    for spec in second.metrics:
        if spec not in [other for _, other in pairs]:
            yield SettingChange("metric", spec, None, "scored")


def _signature_changes(first: MetricScores, second: MetricScores) -> Iterator[SettingChange]:
    """Settings that differ between the signatures; a difference that several aggregations share is listed once."""
    changes: dict[tuple[str, str | None, str | None], None] = {}
    for name in dict.fromkeys((*first.aggregations, *second.aggregations)):
        if name not in second.aggregations:
            changes["agg " + name, "scored", None] = None
        elif name not in first.aggregations:
            changes["agg " + name, None, "scored"] = None
        else:
            one, other = (_settings(metric.aggregations[name].signature) for metric in (first, second))
            for key in dict.fromkeys((*one, *other)):
                if one.get(key) != other.get(key):
                    changes[key, one.get(key), other.get(key)] = None
    label = first.spec if first.spec == second.spec else f"{first.spec} / {second.spec}"
    for key, before, after in changes:
        yield SettingChange("signature", f"{label} {key}", before, after)


def _group_changes(first: MetricScores, second: MetricScores) -> Iterator[SettingChange]:
    """Groups of segments that only one run has scores for."""
    one, other = ({scores.group: None for scores in metric.groups} for metric in (first, second))
    for group in dict.fromkeys((*one, *other)):
        if (group in one) != (group in other):
            scored = ("scored", None) if group in one else (None, "scored")
            yield SettingChange("group", f"{first.spec} {group}", *scored)


def _settings(signature: Signature) -> dict[str, str]:
    """The settings of a signature, by their names in its text form."""
    return {
        **dict(signature.parameters),
        **{f"{name}.digest": digest for name, digest in signature.resources},
        "refs": signature.references,
        "agg": signature.aggregation,
        **dict(signature.resampling),
        "version": signature.version,
    }


def _score_changes(first: MetricScores, second: MetricScores) -> Iterator[ScoreChange]:
    others = {(scores.aggregation, scores.group): scores for scores in (*second.aggregations.values(), *second.groups)}
    for scores in (*first.aggregations.values(), *first.groups):
        other = others.get((scores.aggregation, scores.group))
        for system, estimate in scores.estimates.items():
            if other is not None and system in other.estimates:
                yield ScoreChange(
                    metric=first.spec,
                    aggregation=scores.aggregation,
                    group=scores.group,
                    system=system,
                    first=estimate,
                    second=other.estimates[system],
                    tolerance=_tolerance(first, second),
                    decimals=_decimals(first, second),
                )


def _tolerance(first: MetricScores, second: MetricScores) -> float:
    return max(first.tolerance, second.tolerance)


def _decimals(first: MetricScores, second: MetricScores) -> int:
    return max(first.decimals, second.decimals)


def _segment_changes(first: MetricScores, second: MetricScores) -> Iterator[SegmentChanges]:
    for system, before in first.segments.items():
        after = second.segments.get(system)
        if after is None or len(before) != len(after):
            continue
        moved = moved_scores(before, after, _tolerance(first, second))
        size = np.where(moved, np.nan_to_num(np.abs(before - after), nan=np.inf), -1.0)
        largest = np.argsort(-size, kind="stable")[: min(_LARGEST_SHOWN, int(moved.sum()))]
        yield SegmentChanges(
            first.spec,
            system,
            len(before),
            int(moved.sum()),
            tuple((int(i) + 1, float(before[i]), float(after[i])) for i in largest),
            _decimals(first, second),
        )
