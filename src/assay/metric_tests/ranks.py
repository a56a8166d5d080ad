"""Ranks and winners among metrics, from the p-values of all pairs."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from assay.metric_tests import Tested, metric_test
from assay.results import MetricDifferences
from assay.significance import ALPHA
from assay.significance.corrections import corrected
from assay.types import FloatArray, IntArray

__all__ = ["assign_ranks", "find_winners", "metric_differences"]


def metric_differences(
    tested: Tested,
    *,
    lp: str | None = None,
    statistic: str = "",
    outliers: str = "kept",
    alpha: float = ALPHA,
    correction: str = "none",
) -> MetricDifferences:
    """The metrics that have a value, the best first, equal ones by name, with ranks and winners.

    p-values are corrected for the number of pairs, in both directions alike.
    """
    order = sorted(
        np.flatnonzero(~np.isnan(tested.values)).tolist(), key=lambda i: (-tested.values[i], tested.names[i])
    )
    both = np.ix_(order, order)
    p, differences = tested.p[both], tested.differences[both]
    adjusted = _corrected(p, correction)
    is_better = adjusted if tested.test.sides == "one" else np.where(differences > 0, adjusted, np.nan)
    return MetricDifferences(
        lp,
        statistic,
        outliers,
        metric_test.spec(tested.test),
        tested.test.null,
        tested.test.sides,
        tested.test.resamples,
        getattr(tested.test, "seed", None),
        alpha,
        correction,
        tuple(tested.names[i] for i in order),
        tested.values[order],
        assign_ranks(is_better, alpha),
        tuple(find_winners(is_better, alpha).tolist()),
        differences,
        adjusted,
        p,
        tested.n[both],
        tested.untested,
    )


def assign_ranks(p: FloatArray, alpha: float = ALPHA) -> IntArray:
    """Ranks from 1 for metrics in order, best first: mt-metrics-eval's `AssignRanks`.

    A new rank starts at a metric that some metric of the current rank is better than with p <= alpha; p = alpha is
    significant. `p[i, j]` is the p-value of "i is better than j"; NaN is not significant.
    """
    better = _significant(p, alpha)
    ranks = np.ones(len(p), dtype=np.int64)
    start = 0
    for k in range(1, len(p)):
        if better[start:k, k].any():
            start = k
        ranks[k] = ranks[k - 1] + (start == k)
    return ranks


def find_winners(p: FloatArray, alpha: float = ALPHA) -> npt.NDArray[np.bool_]:
    """The metrics that no other is better than with p <= alpha (Mathur et al. 2020, with Williams' test)."""
    return np.asarray(~_significant(p, alpha).any(axis=0))


def _significant(p: FloatArray, alpha: float) -> npt.NDArray[np.bool_]:
    return np.nan_to_num(p, nan=2.0) <= alpha


def _corrected(p: FloatArray, correction: str) -> FloatArray:
    upper = np.triu_indices(len(p), 1)
    adjusted = p.copy()
    adjusted[upper] = corrected(p[upper], correction)
    adjusted.T[upper] = corrected(p.T[upper], correction)
    return adjusted
