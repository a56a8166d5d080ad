"""Small charts in block characters."""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = ["BLOCKS", "sparkline"]

BLOCKS = "▁▂▃▄▅▆▇█"
_UNDEFINED = "·"


def sparkline(values: Sequence[float], low: float, high: float) -> str:
    """One block per value, in equal steps from `low` to `high`; a dot for an undefined value."""
    return "".join(_block(value, low, high) for value in values)


def _block(value: float, low: float, high: float) -> str:
    if math.isnan(value):
        return _UNDEFINED
    share = (value - low) / (high - low) if high > low else 1.0
    return BLOCKS[min(max(int(share * len(BLOCKS)), 0), len(BLOCKS) - 1)]
