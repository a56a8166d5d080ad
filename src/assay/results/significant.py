"""When a p-value is significant: one rule for systems, metrics and human scores."""

from __future__ import annotations

from typing import overload

import numpy as np
import numpy.typing as npt

from assay.types import FloatArray

__all__ = ["is_significant"]


@overload
def is_significant(p: float, alpha: float) -> bool: ...


@overload
def is_significant(p: FloatArray, alpha: float) -> npt.NDArray[np.bool_]: ...


def is_significant(p: float | FloatArray, alpha: float) -> bool | npt.NDArray[np.bool_]:
    """Whether p is below alpha, as in sacreBLEU and the WMT tasks: p = alpha does not count, nor does NaN."""
    return p < alpha
