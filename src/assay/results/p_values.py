"""What p-values are evidence for, and those that no resample reached: the true ones are only known to be lower."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from assay.lazily import numpy as np
from assay.types import FloatArray

__all__ = ["Alternative", "are_bounds"]

if TYPE_CHECKING:
    import numpy.typing as npt

Alternative = Literal["two-sided", "better", "worse"]
"""What a small p-value is evidence for: the two systems differ; the first is better; the first is worse."""

_ROUNDING = 1e-9  # relative


def are_bounds(p_values: FloatArray | float, smallest: FloatArray | float) -> npt.NDArray[np.bool_]:
    """Where p is the smallest that the test can give, so that the true one is at most as high.

    A test without a smallest one (0) has no bounds, also where p is too low for a number and therefore 0.
    """
    lowest = np.asarray(smallest)
    return np.asarray((lowest > 0) & (np.asarray(p_values) <= lowest * (1 + _ROUNDING)))
