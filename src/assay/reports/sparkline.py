"""A row of values as a line of blocks, to see its shape at a glance."""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = ["BLOCKS", "sparkline"]

BLOCKS = "▁▂▃▄▅▆▇█"
_UNDEFINED = "·"


def sparkline(values: Sequence[float], low: float, high: float) -> str:
    """A block for each value: the lowest at `low`, the highest at `high`, in equal steps; a dot for the undefined."""
    return "".join(_block(value, low, high) for value in values)


def _block(value: float, low: float, high: float) -> str:
    if math.isnan(value):
        return _UNDEFINED
    share = (value - low) / (high - low) if high > low else 1.0
    return BLOCKS[min(max(int(share * len(BLOCKS)), 0), len(BLOCKS) - 1)]
