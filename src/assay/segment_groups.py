"""Groups of segments: by document, domain, length or any labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt

from assay.errors import ConfigError, InputError, NameClashError, nearest
from assay.types import Column, TestSet

__all__ = ["GROUPINGS", "groups_by_label", "groups_of"]

GROUPINGS = ("document", "domain", "length")
_LENGTH_BUCKETS = 4


def groups_of(
    testset: TestSet, groupings: Iterable[str], labels: Mapping[str, Column] | None = None
) -> list[tuple[str, npt.NDArray[np.intp]]]:
    """Labels like `domain:news` with the indices of their segments, in order of first appearance.

    A grouping is one of the test set's (`GROUPINGS`), or the name of a column of `labels`.
    """
    columns = labels or {}
    if clash := next((name for name in GROUPINGS if name in columns), None):
        raise NameClashError(f"a column of labels cannot be called '{clash}'", hint="rename it")
    groups: list[tuple[str, npt.NDArray[np.intp]]] = []
    for grouping in groupings:
        found = groups_by_label(grouping, _labels(testset, grouping, columns))
        groups += sorted(found, key=_lower_bound) if grouping == "length" else found
    return groups


def groups_by_label(grouping: str, labels: Column) -> list[tuple[str, npt.NDArray[np.intp]]]:
    """Labels like `GROUPING:news` with the indices of their segments, in order of first appearance."""
    segments: dict[str, list[int]] = {}
    for i, label in enumerate(labels):
        segments.setdefault("(none)" if label is None else label, []).append(i)
    return [(f"{grouping}:{name}", np.array(places)) for name, places in segments.items()]


def _labels(testset: TestSet, grouping: str, columns: Mapping[str, Column]) -> Column:
    if grouping in columns:
        return columns[grouping]
    if grouping == "length":
        return _length_labels(testset)
    if grouping not in GROUPINGS:
        raise ConfigError(f"unknown grouping '{grouping}'", hint=nearest(grouping, (*GROUPINGS, *columns)))
    labels: Column | None = getattr(testset, f"{grouping}s")
    if labels is None:
        raise InputError(f"cannot score by {grouping}: the test set has no {grouping}s", hint=f"give --{grouping}s")
    return labels


def _lower_bound(group: tuple[str, npt.NDArray[np.intp]]) -> int:
    """Of the length bucket in a label like `length:20-39`."""
    return int(group[0].partition(":")[2].partition("-")[0])


def _length_labels(testset: TestSet) -> tuple[str, ...]:
    """The length bucket of each segment as `lowest-highest` characters. The buckets are quartiles.

    The length of a segment is that of its first text that is present: references come before the source and the
    outputs, so that a segment is in the same bucket for all systems.
    """
    columns = [*testset.references.values(), *([testset.sources] if testset.sources else []), *testset.outputs.values()]
    lengths = [len(next((c[i] for c in columns if c[i] is not None), None) or "") for i in range(len(testset))]
    ordered = sorted(lengths)
    starts = sorted({ordered[len(ordered) * quarter // _LENGTH_BUCKETS] for quarter in range(_LENGTH_BUCKETS)})
    ends = [*(start - 1 for start in starts[1:]), ordered[-1]]
    buckets = list(zip(starts, ends, strict=True))
    return tuple(next(f"{low}-{high}" for low, high in buckets if low <= length <= high) for length in lengths)
