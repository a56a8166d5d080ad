"""Metrics in order, with p-values corrected for the number of pairs: what a table shows of the tests."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from assay.results import MetricDifferences
from assay.significance import ALPHA
from assay.significance.corrections import corrected
from assay.types import FloatArray

__all__ = ["ranked"]


def ranked(
    differences: MetricDifferences,
    *,
    lp: str | None = None,
    statistic: str = "",
    outliers: str = "kept",
    alpha: float = ALPHA,
    correction: str = "none",
) -> MetricDifferences:
    """The metrics that have a value, the best first, equal ones by name, without the draws.

    p-values are corrected for the number of pairs, in both directions alike.
    """
    values, names = differences.values, differences.metrics
    order = sorted(np.flatnonzero(~np.isnan(values)).tolist(), key=lambda i: (-values[i], names[i]))
    both = np.ix_(order, order)
    p = differences.uncorrected[both]
    return replace(
        differences,
        lp=lp,
        statistic=statistic,
        outliers=outliers,
        alpha=alpha,
        correction=correction,
        metrics=tuple(names[i] for i in order),
        values=values[order],
        differences=differences.differences[both],
        p_values=_corrected(p, correction),
        uncorrected=p,
        n=differences.n[both],
        draws=None,
    )


def _corrected(p: FloatArray, correction: str) -> FloatArray:
    upper = np.triu_indices(len(p), 1)
    adjusted = p.copy()
    adjusted[upper] = corrected(p[upper], correction)
    adjusted.T[upper] = corrected(p.T[upper], correction)
    return adjusted
