"""The count that most metrics have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

__all__ = ["usual"]


def usual(counts: Iterable[int]) -> int:
    """The count that most metrics have, the highest of several such; 0 without any."""
    seen = Counter(counts)
    return max(seen, key=lambda n: (seen[n], n), default=0)
