"""Fisher's z over systems: r is about normal after z = atanh r."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

from assay.agreement import Statistic
from assay.lazily import numpy as np
from assay.metaeval.intervals import Interval, IntervalMethod, IntervalOptions, interval_method, no_interval
from assay.metaeval.replicates import Observed
from assay.types import FloatArray
from assay.types.runtime import Runtime

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Fisher", "fisher_interval"]

_PERFECT = 1 - 1e-12  # up to rounding

_CONSTANTS: dict[str, tuple[int, Callable[[FloatArray], FloatArray]]] = {
    "pearson": (3, np.ones_like),
    "spearman": (3, lambda r: np.sqrt(1 + r**2 / 2)),
    "kendall": (4, lambda r: np.full_like(r, math.sqrt(0.437))),
}
"""b and c of Bonett & Wright (2000): z has the standard error c / sqrt(n - b)."""


@interval_method("fisher")
@dataclass(frozen=True)
class Fisher(IntervalMethod):
    """tanh(atanh r ± z c / sqrt(n - b)), for other systems from a population where both scores are about normal."""

    default_resamples = 0
    levels = ("system",)

    def interval(self, observed: Observed, options: IntervalOptions, resamples: int, runtime: Runtime) -> Interval:
        """The interval, or the reason why there is none."""
        constants = _constants(observed.statistic)
        if constants is None:
            return no_interval(f"Fisher's z is not defined for {observed.statistic.name}")
        if observed.level != "system":
            return no_interval("Fisher's z needs independent scores, and the segments of a system are not")
        r, n = observed.value, int(observed.batch.sizes[0])
        basis = self.basis(n, options)
        if n <= constants[0]:
            return no_interval(f"Fisher's z needs more than {constants[0]} systems", basis)
        if abs(r) >= _PERFECT:
            return no_interval(f"the correlation is exactly {r:g}", basis)
        low, high = fisher_interval(observed.statistic, np.array([r]), np.array([n]), options.confidence)
        return Interval(float(low[0]), float(high[0]), basis=basis)


def fisher_interval(
    statistic: Statistic, values: FloatArray, n: npt.NDArray[np.int64], confidence: float
) -> tuple[FloatArray, FloatArray]:
    """The bounds for correlations over n items each.

    NaN where a value is undefined or ±1, where n is too small, and for statistics other than Pearson, Spearman and
    Kendall a and b.
    """
    constants = _constants(statistic)
    if constants is None:
        return np.full_like(values, np.nan), np.full_like(values, np.nan)
    b, c = constants
    is_defined = (np.abs(values) < _PERFECT) & (n > b)
    r = np.where(is_defined, values, 0.0)
    half_width = NormalDist().inv_cdf((1 + confidence) / 2) * c(r) / np.sqrt(np.where(is_defined, n - b, 1))
    low, high = (np.where(is_defined, np.tanh(np.arctanh(r) + sign * half_width), np.nan) for sign in (-1, 1))
    return low, high


def _constants(statistic: Statistic) -> tuple[int, Callable[[FloatArray], FloatArray]] | None:
    return None if getattr(statistic, "variant", None) == "c" else _CONSTANTS.get(statistic.name)
