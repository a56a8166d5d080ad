"""P-values in words: one that no resample reached is only known to be lower than what is written."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from assay.lazily import numpy as np
from assay.types import FloatArray

__all__ = ["are_bounds", "p_bound_text", "p_words"]

if TYPE_CHECKING:
    import numpy.typing as npt

_ROUNDING = 1e-9  # relative


def p_bound_text(p: float) -> str:
    """A p-value that is an upper bound, such as `<0.0001` for 1 / 10,001; rounded up to two digits.

    What is written is above the p-value, so that one equal to alpha, which is not significant, does not read as below
    it. `1` if the bound says nothing, because a correction took it to 1.
    """
    if p >= 1:
        return "1"
    digit = 10.0 ** (math.floor(math.log10(p)) - 1)
    return f"<{(math.floor(p / digit * (1 + _ROUNDING)) + 1) * digit:.2g}"


def are_bounds(p_values: FloatArray | float, smallest: FloatArray | float) -> npt.NDArray[np.bool_]:
    """Where p is the smallest that the test can give, so that the true one is at most as high.

    A test without a smallest one (0) has no bounds, also where p is too low for a number and therefore 0.
    """
    lowest = np.asarray(smallest)
    return np.asarray((lowest > 0) & (np.asarray(p_values) <= lowest * (1 + _ROUNDING)))


def p_words(p: float, *, is_bound: bool = False) -> str:
    """A p-value in a sentence: p = 0.012, p < 0.0001."""
    text = p_bound_text(p) if is_bound else f"{p:.2g}"
    return f"p < {text[1:]}" if text.startswith("<") else f"p = {text}"
