"""Metrics in order, with p-values corrected for the number of pairs: what a table shows of the tests."""

from __future__ import annotations

from assay.lazily import numpy as np
from assay.metric_tests.pairs import MetricPairs
from assay.results import MetricDifferences
from assay.significance import ALPHA
from assay.significance.corrections import corrected
from assay.types import FloatArray

__all__ = ["ranked"]


def ranked(
    pairs: MetricPairs,
    *,
    lp: str | None = None,
    statistic: str = "",
    outliers: str = "kept",
    alpha: float = ALPHA,
    correction: str = "none",
) -> MetricDifferences:
    """The metrics that have a value, the best first, equal ones by name.

    p-values are corrected for the number of pairs, in both directions alike.
    """
    values, names = pairs.values, pairs.metrics
    order = sorted(np.flatnonzero(~np.isnan(values)).tolist(), key=lambda i: (-values[i], names[i]))
    both = np.ix_(order, order)
    p = pairs.p_values[both]
    return MetricDifferences(
        lp=lp,
        statistic=statistic,
        outliers=outliers,
        test=pairs.test,
        null=pairs.null,
        sides=pairs.sides,
        resamples=pairs.resamples,
        seed=pairs.seed,
        p_rule=pairs.p_rule,
        alpha=alpha,
        correction=correction,
        metrics=tuple(names[i] for i in order),
        values=values[order],
        systems=pairs.systems[order],
        differences=pairs.differences[both],
        p_values=_corrected(p, correction),
        uncorrected=p,
        smallest_p=_corrected(np.where(np.isnan(p), np.nan, pairs.smallest_p[both]), correction),
        is_exact=pairs.is_exact[both],
        n=pairs.n[both],
        reasons=pairs.reasons,
    )


def _corrected(p: FloatArray, correction: str) -> FloatArray:
    upper = np.triu_indices(len(p), 1)
    adjusted = p.copy()
    adjusted[upper] = corrected(p[upper], correction)
    adjusted.T[upper] = corrected(p.T[upper], correction)
    return adjusted
