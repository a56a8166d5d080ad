"""Differences between two systems by groups of segments: documents, domains, lengths, and any labels of segments."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from assay.lazily import numpy as np
from assay.measurement.segment_groups import Group, groups_by_label
from assay.results import GroupDifference, GroupDifferences, SystemComparison
from assay.results.contrasts import in_order
from assay.types import FloatArray, Scorable
from assay.types.runtime import Runtime

__all__ = ["MIN_SEGMENTS", "domain_differences", "group_differences"]

MIN_SEGMENTS = 30
"""Groups with fewer segments are marked as small."""


def group_differences(
    scorables: Mapping[str, Scorable],
    first: str,
    second: str,
    groups: Sequence[Group],
    *,
    metric: str,
    higher_is_better: bool = True,
    min_segments: int = MIN_SEGMENTS,
    runtime: Runtime | None = None,
) -> GroupDifferences:
    """The scores of two systems in each group, and their difference.

    `scorables` are those of a metric by aggregation. A group is scored over its segments that are scored for both
    systems. Groups stay with others of their grouping and aggregation and are ordered by difference, the largest in
    favour of the first system first, undefined ones last, and equal ones in the order given.
    """
    run = runtime or Runtime()
    sign = 1.0 if higher_is_better else -1.0
    tables: dict[str, dict[str, list[GroupDifference]]] = {}  # by grouping and aggregation
    for aggregation, scorable in scorables.items():
        pair = _pair(scorable, first, second)
        for group in groups:
            common = group.segments[pair.mask[0, group.segments]]
            scores = pair.take(common).values(run) if len(common) else np.full(2, np.nan)
            table = tables.setdefault(group.grouping, {}).setdefault(aggregation, [])
            table.append(_difference(group, aggregation, scores, sign, len(common), min_segments))
    ordered = (in_order(table) for by_aggregation in tables.values() for table in by_aggregation.values())
    return GroupDifferences(first, second, metric, tuple(chain.from_iterable(ordered)), min_segments)


def domain_differences(comparison: SystemComparison, first: str, second: str) -> Iterator[GroupDifferences]:
    """For each metric, differences of the means of segment scores; nothing without several domains."""
    domains = comparison.inputs.domains
    if domains is None or len(set(domains)) < 2:
        return
    groups = groups_by_label("domain", domains)
    for metric in comparison.metrics:
        segments = comparison.segments.get(metric.metric, {})
        if metric.aggregation == "segment" and first in segments and second in segments:
            scores = Scorable.of_segments(np.stack([segments[first], segments[second]]), (first, second))
            higher = metric.higher_is_better
            yield group_differences(
                {"segment": scores}, first, second, groups, metric=metric.metric, higher_is_better=higher
            )


def _pair(scorable: Scorable, first: str, second: str) -> Scorable:
    """Two of the systems, with only the segments that are scored for both."""
    systems = [scorable.system(first), scorable.system(second)]
    mask = np.concatenate([system.mask for system in systems])
    table = np.concatenate([system.table for system in systems])
    return Scorable(table, scorable.score, mask & mask.all(axis=0), (first, second), scorable.is_mean)


def _difference(
    group: Group, aggregation: str, scores: FloatArray, sign: float, n: int, min_segments: int
) -> GroupDifference:
    first, second = scores.tolist()
    better_by = sign * (first - second)
    reason = None
    if math.isnan(better_by):
        reason = "the score is undefined" if n else "no segment is scored for all systems"
    return GroupDifference(
        group.grouping, group.label, aggregation, first, second, better_by, n, n < min_segments, reason
    )
