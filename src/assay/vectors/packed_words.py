"""Words as one array of bytes, and hashes of their parts: millions of words without a Python string for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["PackedWords", "fnv1a"]

_FNV = {  # offset basis and prime; Fowler, Noll and Vo
    np.dtype(np.uint32): (2166136261, 16777619),
    np.dtype(np.uint64): (14695981039346656037, 1099511628211),
}


@dataclass(frozen=True, slots=True)
class PackedWords:
    """The UTF-8 of words, one after another; word `i` is `data[offsets[i]:offsets[i + 1]]`."""

    data: npt.NDArray[np.uint8]
    offsets: npt.NDArray[np.int64]

    @classmethod
    def of(cls, words: Sequence[bytes]) -> PackedWords:
        """Pack words."""
        offsets = np.zeros(len(words) + 1, dtype=np.int64)
        np.cumsum(np.fromiter(map(len, words), dtype=np.int64, count=len(words)), out=offsets[1:])
        return cls(np.frombuffer(b"".join(words), dtype=np.uint8), offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def word(self, index: int) -> bytes:
        """One word."""
        return self.data[self.offsets[index] : self.offsets[index + 1]].tobytes()

    @property
    def starts(self) -> npt.NDArray[np.int64]:
        """Where each word starts."""
        return self.offsets[:-1]

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """How many bytes each word has."""
        return np.diff(self.offsets)

    def hashes(self, indices: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
        """The 64-bit FNV-1a hashes of some of the words."""
        found: npt.NDArray[np.uint64] = fnv1a(self.data.astype(np.uint64), self.starts[indices], self.lengths[indices])
        return found

    def equals(
        self, indices: npt.NDArray[np.int64], other: PackedWords, others: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.bool_]:
        """Whether words equal words of another pack, pairwise."""
        lengths = self.lengths[indices]
        same: npt.NDArray[np.bool_] = (lengths == other.offsets[others + 1] - other.offsets[others]) & (lengths > 0)
        indices, others, lengths = indices[same], others[same], lengths[same]
        if not len(indices):
            return same
        ends = np.cumsum(lengths)
        within = np.arange(ends[-1]) - np.repeat(ends - lengths, lengths)
        equal = (
            self.data[np.repeat(self.offsets[indices], lengths) + within]
            == other.data[np.repeat(other.offsets[others], lengths) + within]
        )
        same[same] = np.logical_and.reduceat(equal, ends - lengths)
        return same


def fnv1a(octets: npt.NDArray[Any], starts: npt.NDArray[np.int64], lengths: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
    """FNV-1a hashes of parts of an array, in its type: all parts advance by one byte at a time, the longest first."""
    basis, prime = _FNV[octets.dtype]
    hashes = np.full(len(starts), basis, dtype=octets.dtype)
    order = np.argsort(-lengths, kind="stable")
    position, shortest_first = starts[order], lengths[order][::-1]
    for step in range(int(lengths.max(initial=0))):
        active = len(order) - int(np.searchsorted(shortest_first, step, side="right"))
        hashes[:active] ^= octets[position[:active] + step]
        hashes[:active] *= octets.dtype.type(prime)
    in_order = np.empty_like(hashes)
    in_order[order] = hashes
    return in_order
