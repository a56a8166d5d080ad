"""Tests of metrics on the cells that they have in common, put together for all metrics."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from assay.lazily import numpy as np
from assay.metric_tests.cells import ComparableMetrics
from assay.metric_tests.pairs import MetricPairs

__all__ = ["joined"]

_DIFFERENT_HUMAN = "the human scores beside the two metrics differ, as means over different segments do"
_MATRICES = ("differences", "p_values", "smallest_p", "is_exact", "n")


def joined(nothing: MetricPairs, parts: Iterable[tuple[ComparableMetrics, MetricPairs]]) -> MetricPairs:
    """All metrics of a result without pairs, with the pairs of the parts; every pair is in one part at most."""
    names = nothing.metrics
    matrices = {name: getattr(nothing, name).copy() for name in _MATRICES}
    draws = np.full((nothing.resamples, len(names), len(names)), np.nan) if nothing.resamples else None
    is_missing = np.triu(np.ones((len(names), len(names)), dtype=np.bool_), 1)
    reasons: list[tuple[str, str, str]] = []
    for group, part in parts:
        members = np.array(group.members)
        for own in ((group.first, group.second), (group.second, group.first)):
            target = (members[own[0]], members[own[1]])
            is_missing[target] = False
            for name, matrix in matrices.items():
                matrix[target] = getattr(part, name)[own]
            if draws is not None and part.draws is not None:
                draws[:, *target] = part.draws[:, *own]
        reasons += part.reasons
    first, second = np.nonzero(is_missing)
    reasons += [(names[i], names[j], _DIFFERENT_HUMAN) for i, j in zip(first.tolist(), second.tolist(), strict=True)]
    return replace(nothing, **matrices, reasons=tuple(reasons), draws=draws)
