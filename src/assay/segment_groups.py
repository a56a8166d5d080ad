"""Groups of segments: by document, domain or length."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from assay.errors import InputError
from assay.types import TestSet

__all__ = ["GROUPINGS", "groups_of"]

GROUPINGS = ("document", "domain", "length")
_LENGTH_BUCKETS = 4


def groups_of(testset: TestSet, groupings: Iterable[str]) -> list[tuple[str, npt.NDArray[np.intp]]]:
    """Labels like `domain:news` with the indices of their segments, in order of first appearance."""
    groups: list[tuple[str, npt.NDArray[np.intp]]] = []
    for grouping in groupings:
        labels = _length_labels(testset) if grouping == "length" else getattr(testset, f"{grouping}s")
        if labels is None:
            raise InputError(f"cannot score by {grouping}: the test set has no {grouping}s", hint=f"give --{grouping}s")
        segments: dict[str, list[int]] = {}
        for i, label in enumerate(labels):
            segments.setdefault("(none)" if label is None else label, []).append(i)
        names = sorted(segments, key=_lower_bound) if grouping == "length" else segments
        groups += [(f"{grouping}:{name}", np.array(segments[name])) for name in names]
    return groups


def _lower_bound(bucket: str) -> int:
    return int(bucket.partition("-")[0])


def _length_labels(testset: TestSet) -> list[str]:
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
    return [next(f"{low}-{high}" for low, high in buckets if low <= length <= high) for length in lengths]
