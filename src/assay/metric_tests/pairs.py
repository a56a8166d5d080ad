"""All pairs of metrics as a test leaves them: p-values, and the draws from which averages are tested."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.lazily import numpy as np
from assay.types import FloatArray, IntArray

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["MetricPairs"]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MetricPairs:
    """What a test found. Matrices are (metric, metric), with NaN on the diagonal and where undefined."""

    test: str
    null: str
    sides: str
    resamples: int
    """0: the test does not draw."""
    seed: int | None
    p_rule: str | None
    """None: the test does not draw."""
    metrics: tuple[str, ...]
    values: FloatArray
    """The agreement of each metric on its own cells."""
    systems: IntArray
    """The number of systems of each metric."""
    differences: FloatArray
    """The row's value minus the column's, on the cells that both have."""
    p_values: FloatArray
    """Of "the row agrees better than the column" or, if two-sided, of "they differ"."""
    smallest_p: FloatArray
    """No p-value of the pair could be lower; 0: there is no limit."""
    is_exact: npt.NDArray[np.bool_]
    """Whether the p-value is computed, or counted over all ways to swap the scores; if not, it is from random draws."""
    n: IntArray
    """The cells that both metrics and the human scores have; on the diagonal, those of a metric."""
    reasons: tuple[tuple[str, str, str], ...] = ()
    """Pairs of metrics without a p-value, each with the reason."""
    draws: FloatArray | None = None
    """(resample, metric, metric): differences under the null hypothesis, antisymmetric; None: none are drawn."""

    @property
    def untested(self) -> dict[str, int]:
        """The number of pairs without a p-value, by reason."""
        return dict(Counter(reason for _, _, reason in self.reasons))
