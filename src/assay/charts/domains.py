"""The ranges of axes that stand below each other."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

__all__ = ["aligned_domains"]

_SIDE, _AIR = 0.35, 0.05  # the least that each side of zero has of the longer one, and what is left free


def aligned_domains(groups: Sequence[Iterable[float]]) -> list[tuple[float, float]]:
    """A range for each group of values, by the largest of them, with all zeros below each other."""
    finite = [[value for value in group if math.isfinite(value)] for group in groups]
    sizes = [max(map(abs, group), default=1.0) or 1.0 for group in finite]
    shares = [value / size for group, size in zip(finite, sizes, strict=True) for value in group]
    low, high = min((*shares, -_SIDE)) - _AIR, max((*shares, _SIDE)) + _AIR
    return [(size * low, size * high) for size in sizes]
