"""Differences between two systems by groups of segments: documents, domains, lengths, and any labels of segments."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from assay.results import GroupDifference, GroupDifferences
from assay.runtime import Runtime
from assay.types import FloatArray, Scorable

__all__ = ["MIN_SEGMENTS", "group_differences"]

MIN_SEGMENTS = 30
"""Groups with fewer segments are marked as small."""


def group_differences(
    scorables: Mapping[str, Scorable],
    first: str,
    second: str,
    groups: Sequence[tuple[str, npt.NDArray[np.intp]]],
    *,
    metric: str,
    higher_is_better: bool = True,
    min_segments: int = MIN_SEGMENTS,
    runtime: Runtime | None = None,
) -> GroupDifferences:
    """The scores of two systems in each group, and their difference.

    `scorables` are those of a metric by aggregation. `groups` are labels with their segments, as
    `assay.segment_groups.groups_of` returns them. A group is scored over its segments that are scored for
    both systems. Groups stay with others of their grouping and aggregation and are ordered by difference, the largest
    in favour of the first system first, undefined ones last, and equal ones in the order given.
    """
    run = runtime or Runtime()
    sign = 1.0 if higher_is_better else -1.0
    found: list[GroupDifference] = []
    for aggregation, scorable in scorables.items():
        pair = _pair(scorable, first, second)
        for label, segments in groups:
            common = segments[pair.mask[0, segments]]
            scores = pair.take(common).values(run) if len(common) else np.full(2, np.nan)
            found.append(_difference(label, aggregation, scores, sign, len(common), min_segments))
    return GroupDifferences(metric, first, second, _ordered(found), min_segments)


def _pair(scorable: Scorable, first: str, second: str) -> Scorable:
    """Two of the systems, with only the segments that are scored for both."""
    systems = [scorable.system(first), scorable.system(second)]
    mask = np.concatenate([system.mask for system in systems])
    table = np.concatenate([system.table for system in systems])
    return Scorable(table, scorable.score, mask & mask.all(axis=0), (first, second), scorable.is_mean)


def _difference(
    label: str, aggregation: str, scores: FloatArray, sign: float, n: int, min_segments: int
) -> GroupDifference:
    first, second = scores.tolist()
    difference = sign * (first - second)
    reason = None
    if math.isnan(difference):
        reason = "the score is undefined" if n else "no segment is scored for both systems"
    return GroupDifference(label, aggregation, first, second, difference, n, n < min_segments, reason)


def _ordered(differences: Sequence[GroupDifference]) -> tuple[GroupDifference, ...]:
    """By grouping, by aggregation, and then by difference."""
    places: dict[str, int] = {}
    for difference in differences:
        for name in (_grouping(difference), difference.aggregation):
            places.setdefault(name, len(places))

    def key(group: GroupDifference) -> tuple[int, int, float]:
        order = math.inf if math.isnan(group.difference) else -group.difference
        return places[_grouping(group)], places[group.aggregation], order

    return tuple(sorted(differences, key=key))


def _grouping(difference: GroupDifference) -> str:
    return difference.group.partition(":")[0]
