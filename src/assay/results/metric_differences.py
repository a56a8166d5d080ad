"""Which metrics agree better with human scores than others, by a test of all pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.errors import UnknownNameError, nearest
from assay.results.estimate import none_if_nan
from assay.types import FloatArray, FrozenDict, IntArray

__all__ = ["MetricDifferences"]


@dataclass(frozen=True, slots=True, eq=False)
class MetricDifferences:
    """All metrics compared with each other on one language pair, or in the average over language pairs; best first."""

    lp: str | None
    """None: the average over language pairs."""
    statistic: str
    outliers: str
    test: str
    null: str
    """The null hypothesis of the test, in words."""
    sides: str
    """The p-values are one-sided (one) or two-sided (two)."""
    resamples: int
    """0: the test does not draw."""
    seed: int | None
    alpha: float
    correction: str
    metrics: tuple[str, ...]
    values: FloatArray
    ranks: IntArray
    """A metric has the rank of the one before it unless a metric of that rank is significantly better: p <= alpha."""
    is_winner: tuple[bool, ...]
    """Whether no other metric is significantly better."""
    differences: FloatArray
    """(metric, metric): the row's value minus the column's, on the cells that both have."""
    p_values: FloatArray
    """(metric, metric), corrected: of "the row agrees better than the column" or, if two-sided, of "they differ".

    NaN on the diagonal and where undefined."""
    uncorrected: FloatArray
    """The p-values before the correction."""
    n: IntArray
    """(metric, metric): the cells that both metrics and the human scores have: systems, or segment scores."""
    untested: Mapping[str, int]
    """The number of pairs without a p-value, by reason."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "untested", FrozenDict(self.untested))

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
            "untested": dict(self.untested),
        }


def _matrix(values: FloatArray) -> list[list[float | None]]:
    return [[none_if_nan(value) for value in row] for row in values.tolist()]
