"""Which metrics agree better with human scores than others, by a test of all pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from assay.errors import UnknownNameError, nearest
from assay.lazily import numpy as np
from assay.results.outcome import are_bounds, is_significant
from assay.types import FloatArray, IntArray
from assay.types.record import OMITTED, Record

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["MetricDifferences", "assign_ranks", "usual"]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MetricDifferences(Record):
    """All metrics compared with each other, on one language pair or in an average over language pairs, best first.

    Ranks and winners are those of the metrics that have as many systems as most. Metrics with fewer systems are tested
    on the systems that both have, so their p-values do not fit into one order with the others'.
    """

    derived: ClassVar[tuple[str, ...]] = ("ranks", "winners", "untested")

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
    p_rule: str | None
    """How p-values follow from random draws: (b + 1) / (m + 1) (add-one), or b / m (share); None: nothing is drawn."""
    alpha: float
    correction: str = "none"
    metrics: tuple[str, ...]
    values: FloatArray
    """The agreement of each metric on its own cells."""
    systems: IntArray
    """The number of systems of each metric."""
    differences: FloatArray
    """(metric, metric): the row's value minus the column's, on the cells that both have."""
    p_values: FloatArray
    """(metric, metric), corrected: of "the row agrees better than the column" or, if two-sided, of "they differ".

    NaN on the diagonal and where undefined."""
    uncorrected: FloatArray
    """The p-values before the correction."""
    smallest_p: FloatArray
    """(metric, metric), corrected: no p-value of the pair could be lower; 0: there is no limit. NaN where p is NaN."""
    is_exact: npt.NDArray[np.bool_]
    """(metric, metric): whether p is computed, or counted over all ways to swap the scores, not over random draws."""
    n: IntArray
    """(metric, metric): the cells that both metrics and the human scores have: systems, or segment scores. On the
    diagonal, those of one metric."""
    reasons: tuple[tuple[str, str, str], ...] = field(default=(), metadata=OMITTED)
    """Pairs of metrics without a p-value, each with the reason."""

    @property
    def untested(self) -> dict[str, int]:
        """The number of pairs without a p-value, by reason."""
        return dict(Counter(reason for _, _, reason in self.reasons))

    @property
    def significant(self) -> npt.NDArray[np.bool_]:
        """(metric, metric): whether the row is significantly better than the column."""
        better = self.p_values if self.sides == "one" else np.where(self.differences > 0, self.p_values, np.nan)
        return is_significant(better, self.alpha)

    @property
    def tested(self) -> tuple[str, ...]:
        """The metrics that were tested against at least one other."""
        return tuple(self.metrics[k] for k in np.flatnonzero(self._is_tested).tolist())

    @property
    def _is_tested(self) -> npt.NDArray[np.bool_]:
        has_p = ~np.isnan(self.p_values)
        return np.asarray((has_p | has_p.T).any(axis=1))

    @property
    def lacks_systems(self) -> npt.NDArray[np.bool_]:
        """(metric,): whether the metric has fewer systems than most."""
        return self.systems < usual(self.systems.tolist())

    @property
    def ranks(self) -> dict[str, int]:
        """The rank of each metric from 1, best first: see `assign_ranks`. Metrics that lack systems or that were tested
        against no other have none."""
        ranked = self._ranked
        ranks = assign_ranks(self.significant[np.ix_(ranked, ranked)])
        return {self.metrics[k]: rank for k, rank in zip(ranked.tolist(), ranks.tolist(), strict=True)}

    @property
    def winners(self) -> tuple[str, ...]:
        """The ranked metrics that no other is significantly better than (Mathur et al. 2020, with Williams' test)."""
        ranked = self._ranked
        return tuple(self.metrics[k] for k in ranked.tolist() if not self.significant[ranked, k].any())

    @property
    def _ranked(self) -> IntArray:
        """The indices of the metrics that have a rank."""
        ranked: IntArray = np.flatnonzero(self._is_tested & ~self.lacks_systems)
        return ranked

    @property
    def out_of_reach(self) -> npt.NDArray[np.bool_]:
        """(metric, metric): the pairs that were tested but cannot be significant, however much they differ."""
        return ~np.isnan(self.smallest_p) & ~is_significant(self.smallest_p, self.alpha)

    @property
    def bounds(self) -> npt.NDArray[np.bool_]:
        """(metric, metric): where no resample was as extreme, so that the p-value is at most the one given."""
        return ~self.is_exact & are_bounds(self.p_values, self.smallest_p)

    def is_bound(self, better: str, worse: str) -> bool:
        """Whether `p_value` is only an upper bound."""
        return bool(self.bounds[self._index(better), self._index(worse)])

    def p_value(self, better: str, worse: str) -> float:
        """The corrected p-value of "the first metric agrees better than the second"; if two-sided, of "they differ"."""
        return float(self.p_values[self._index(better), self._index(worse)])

    def is_better(self, better: str, worse: str) -> bool:
        """Whether the first metric agrees significantly better than the second."""
        return bool(self.significant[self._index(better), self._index(worse)])

    def _index(self, metric: str) -> int:
        if metric not in self.metrics:
            raise UnknownNameError(f"'{metric}' was not tested", hint=nearest(metric, self.metrics))
        return self.metrics.index(metric)


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


def usual(counts: Iterable[int]) -> int:
    """The count that most metrics have, the highest of several such; 0 without any."""
    seen = Counter(counts)
    return max(seen, key=lambda n: (seen[n], n), default=0)
