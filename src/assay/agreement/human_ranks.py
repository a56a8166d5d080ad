"""Correlation with what a human ranking says of systems, rather than with their human scores (WMT13)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from assay.agreement import Batch, Statistic, Values
from assay.agreement.pearson import Pearson
from assay.types import FloatArray

__all__ = ["correlation_with_clusters", "correlation_with_fuzzy_ranks"]


def correlation_with_clusters(
    metric: npt.ArrayLike, clusters: npt.ArrayLike, statistic: Statistic | None = None
) -> Values:
    """Of the scores of systems with the numbers of their clusters, 1 the best; Pearson's r unless told otherwise."""
    return _with_ranks(metric, clusters, statistic)


def correlation_with_fuzzy_ranks(
    metric: npt.ArrayLike, ranks: npt.ArrayLike, statistic: Statistic | None = None
) -> Values:
    """Of the scores of systems with their fuzzy ranks: the mean rank of those that a system does not differ from."""
    return _with_ranks(metric, ranks, statistic)


def _with_ranks(metric: npt.ArrayLike, ranks: npt.ArrayLike, statistic: Statistic | None) -> Values:
    """Low ranks are good, so their sign is turned. NaN: a system without a score or without a rank."""
    scores, places = (np.atleast_2d(np.asarray(each, dtype=np.float64)) for each in (metric, ranks))
    given = ~(np.isnan(scores) | np.isnan(places)) if scores.shape == places.shape else np.ones(scores.shape, np.bool_)
    goodness: FloatArray = -places
    return (statistic or Pearson()).compute(Batch(scores, goodness, given))
