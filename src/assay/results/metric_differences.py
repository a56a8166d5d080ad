"""Which metrics agree better with human scores than others, by a test of all pairs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.errors import UnknownNameError, nearest
from assay.results.estimate import none_if_nan
from assay.types import FloatArray, IntArray

__all__ = ["MetricDifferences", "assign_ranks"]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MetricDifferences:
    """All metrics compared with each other, on one language pair or in an average over language pairs.

    Results of `assay.meta` have the best metric first.
    """

    lp: str | None = None
    """None: the average over language pairs."""
    statistic: str = ""
    outliers: str = "kept"
    test: str
    null: str
    """The null hypothesis of the test, in words."""
    sides: str
    """The p-values are one-sided (one) or two-sided (two)."""
    resamples: int
    """0: the test does not draw."""
    seed: int | None
    p_rule: str = "add-one"
    """How p-values follow from draws: (b + 1) / (m + 1) (add-one), or b / m (share)."""
    alpha: float
    correction: str = "none"
    metrics: tuple[str, ...]
    values: FloatArray
    """The agreement of each metric on its own cells."""
    differences: FloatArray
    """(metric, metric): the row's value minus the column's, on the cells that both have."""
    p_values: FloatArray
    """(metric, metric), corrected: of "the row agrees better than the column" or, if two-sided, of "they differ".

    NaN on the diagonal and where undefined."""
    uncorrected: FloatArray
    """The p-values before the correction."""
    n: IntArray
    """(metric, metric): the cells that both metrics and the human scores have: systems, or segment scores."""
    reasons: tuple[tuple[str, str, str], ...] = ()
    """Pairs of metrics without a p-value, each with the reason."""
    draws: FloatArray | None = None
    """(resample, metric, metric): differences under the null hypothesis, antisymmetric, for pooled tests; None: none
    were drawn, or they are no longer needed."""

    @property
    def untested(self) -> dict[str, int]:
        """The number of pairs without a p-value, by reason."""
        return dict(Counter(reason for _, _, reason in self.reasons))

    @property
    def significant(self) -> npt.NDArray[np.bool_]:
        """(metric, metric): whether the row is significantly better than the column: p <= alpha."""
        better = self.p_values if self.sides == "one" else np.where(self.differences > 0, self.p_values, np.nan)
        return np.asarray(np.nan_to_num(better, nan=2.0) <= self.alpha)

    @property
    def ranks(self) -> IntArray:
        """The ranks of the metrics from 1, the best value first: see `assign_ranks`."""
        order = np.argsort(-self.values, kind="stable")
        ranks = np.empty(len(order), dtype=np.int64)
        ranks[order] = assign_ranks(self.significant[np.ix_(order, order)])
        return ranks

    @property
    def is_winner(self) -> tuple[bool, ...]:
        """Whether no other metric is significantly better (Mathur et al. 2020, with Williams' test)."""
        return tuple(not self.significant[:, k].any() for k in range(len(self.metrics)))

    @property
    def winners(self) -> tuple[str, ...]:
        """The metrics that no other metric is significantly better than."""
        return tuple(name for name, wins in zip(self.metrics, self.is_winner, strict=True) if wins)

    def p_value(self, better: str, worse: str) -> float:
        """The corrected p-value of "the first metric agrees better than the second"; if two-sided, of "they differ"."""
        return float(self.p_values[self._index(better), self._index(worse)])

    def is_tested(self, metric: str) -> bool:
        """Whether the metric was tested against any other; if not, its rank means nothing."""
        if metric not in self.metrics:
            return False
        place = self.metrics.index(metric)
        return not (np.isnan(self.p_values[place]).all() and np.isnan(self.p_values[:, place]).all())

    def rank_of(self, metric: str) -> int:
        """The rank of a metric."""
        return int(self.ranks[self._index(metric)])

    def _index(self, metric: str) -> int:
        if metric not in self.metrics:
            raise UnknownNameError(f"'{metric}' was not tested", hint=nearest(metric, self.metrics))
        return self.metrics.index(metric)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON: None for NaN."""
        rows = zip(self.metrics, self.values.tolist(), self.ranks.tolist(), self.is_winner, strict=True)
        return {
            "lp": self.lp,
            "statistic": self.statistic,
            "outliers": self.outliers,
            "test": self.test,
            "null": self.null,
            "sides": self.sides,
            "resamples": self.resamples,
            "seed": self.seed,
            "p_rule": self.p_rule,
            "alpha": self.alpha,
            "correction": self.correction,
            "metrics": [
                {"metric": name, "value": none_if_nan(value), "rank": rank, "is_winner": is_winner}
                for name, value, rank, is_winner in rows
            ],
            "differences": _matrix(self.differences),
            "p_values": _matrix(self.p_values),
            "uncorrected": _matrix(self.uncorrected),
            "n": self.n.tolist(),
            "untested": self.untested,
        }


def assign_ranks(significant: npt.NDArray[np.bool_]) -> IntArray:
    """Ranks from 1 for metrics in order, best first: mt-metrics-eval's `AssignRanks`.

    A new rank starts at a metric that some metric of the current rank is significantly better than.
    """
    ranks = np.ones(len(significant), dtype=np.int64)
    start = 0
    for k in range(1, len(significant)):
        if significant[start:k, k].any():
            start = k
        ranks[k] = ranks[k - 1] + (start == k)
    return ranks


def _matrix(values: FloatArray) -> list[list[float | None]]:
    return [[none_if_nan(value) for value in row] for row in values.tolist()]
