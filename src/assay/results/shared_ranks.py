"""Ranks from 1 of values in order, where equal values share a rank."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["shared_ranks"]


def shared_ranks(values: Sequence[float]) -> list[int]:
    """The rank of each value, best first: 1, 2, 2, 4 if the second and third are equal. NaN equals nothing."""
    ranks: list[int] = []
    for place, value in enumerate(values, 1):
        is_tied = place > 1 and value == values[place - 2]
        ranks.append(ranks[-1] if is_tied else place)
    return ranks
