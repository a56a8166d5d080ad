"""Segments by document, domain or length."""

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
    """Labels like `domain:news` with the numbers of their segments, in order of first appearance."""
    found: list[tuple[str, npt.NDArray[np.intp]]] = []
    for grouping in groupings:
        labels = _length_labels(testset) if grouping == "length" else getattr(testset, f"{grouping}s")
        if labels is None:
            raise InputError(f"cannot score by {grouping}: the test set has no {grouping}s", hint=f"give --{grouping}s")
        members: dict[str, list[int]] = {}
        for i, label in enumerate(labels):
            members.setdefault("(none)" if label is None else label, []).append(i)
        names = sorted(members, key=_shortest) if grouping == "length" else members
        found += [(f"{grouping}:{name}", np.array(members[name])) for name in names]
    return found


def _shortest(bucket: str) -> int:
    return int(bucket.partition("-")[0])


def _length_labels(testset: TestSet) -> list[str]:
    """Each segment's bucket as `first-last` characters: quartiles of the lengths of the first text there is.

    References come before the source and outputs, so that all systems fall into the same buckets.
    """
    columns = [*testset.references.values(), *([testset.sources] if testset.sources else []), *testset.outputs.values()]
    lengths = [len(next((c[i] for c in columns if c[i] is not None), None) or "") for i in range(len(testset))]
    ordered = sorted(lengths)
    starts = sorted({ordered[len(ordered) * quarter // _LENGTH_BUCKETS] for quarter in range(_LENGTH_BUCKETS)})
    ends = [*(start - 1 for start in starts[1:]), ordered[-1]]
    bounds = list(zip(starts, ends, strict=True))
    return [next(f"{low}-{high}" for low, high in bounds if low <= length <= high) for length in lengths]
