"""Tests of metrics on the cells that they have in common, put together for all metrics."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from assay.results import MetricDifferences

__all__ = ["joined"]

_DIFFERENT_HUMAN = "the human scores beside the two metrics differ, as means over different segments do"


def joined(nothing: MetricDifferences, parts: Iterable[MetricDifferences]) -> MetricDifferences:
    """All metrics of an empty result with the pairs of the parts; the first part that has a pair counts."""
    names = nothing.metrics
    p, differences, n = nothing.p_values.copy(), nothing.differences.copy(), nothing.n.copy()
    draws = np.full((nothing.resamples, *p.shape), np.nan) if nothing.resamples else None
    is_new = ~np.eye(len(names), dtype=np.bool_)
    reasons: list[tuple[str, str, str]] = []
    for part in parts:
        at = np.array([names.index(name) for name in part.metrics])
        rows, columns = np.nonzero(is_new[np.ix_(at, at)])
        own, target = (rows, columns), (at[rows], at[columns])
        p[target], differences[target], n[target] = part.p_values[own], part.differences[own], part.n[own]
        if draws is not None and part.draws is not None:
            draws[:, *target] = part.draws[:, *own]
        reasons += [each for each in part.reasons if is_new[names.index(each[0]), names.index(each[1])]]
        is_new[target] = False
    first, second = np.nonzero(np.triu(is_new))
    reasons += [(names[i], names[j], _DIFFERENT_HUMAN) for i, j in zip(first.tolist(), second.tolist(), strict=True)]
    return replace(
        nothing, p_values=p, uncorrected=p, differences=differences, n=n, reasons=tuple(reasons), draws=draws
    )
