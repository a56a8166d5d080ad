"""sacreBLEU's random draws, and sums of statistics over them in its precision.

The draws are those of NumPy's default generator, in blocks, which does not change them, and shared by all systems and
metrics. sacreBLEU sums the statistics of a resample in single precision. It is exact for whole numbers up to 2^24, so
their sums may be computed in any order: as products of matrices.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from assay import _core
from assay.lazily import numpy as np
from assay.types import Table

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["SummableTable", "resampled_sums", "swap_blocks"]

_BLOCK_CELLS = 1 << 18
_WORD = 32  # bits of a random number
_MAX_EXACT = 1 << 24  # single precision holds all whole numbers up to this one
_SCALES = (1, 2, 4)  # the mean length of two or four references is not whole


class SummableTable:
    """A table (system, segment, column) of statistics that are not negative, ready for sums over many draws."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._scale = _scale(table)

    @property
    def is_whole(self) -> bool:
        """Whether sums can be exact: not with the mean length of three references, for example."""
        return self._scale > 0

    def resampled(self, draws: npt.NDArray[np.uint32], weights: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Sums (system, resample, column) in single precision over segments that are drawn `weights` times."""
        if self.is_whole:
            sums = self._statistics.sums(weights)
            if sums.max(initial=0) <= _MAX_EXACT:
                return (sums / self._scale).astype(np.float32)
        single = self.table.astype(np.float32)  # as in sacreBLEU, because the order decides how sums are rounded
        return np.array([[rows[draw].sum(axis=0) for draw in draws] for rows in single])

    def swapped(self, swaps: npt.NDArray[np.bool_]) -> tuple[Table, Table]:
        """Sums (system, trial, column) of both shuffled systems, for the baseline, the first, and every other one."""
        baseline, systems = self.table[0], self.table[1:]
        if not self.is_whole:  # as in sacreBLEU, because the order decides how sums are rounded
            return (
                np.array([swaps @ baseline + ~swaps @ system for system in systems]),
                np.array([~swaps @ baseline + swaps @ system for system in systems]),
            )
        taken = self._differences.sums(swaps) / self._scale
        return self.totals[1:, np.newaxis] + taken, self.totals[0] - taken

    @cached_property
    def totals(self) -> Table:
        """The sums (system, column) over all segments."""
        totals: Table = self.table.sum(axis=1)
        return totals

    @cached_property
    def _statistics(self) -> _Matrix:
        return _Matrix(self.table * self._scale)

    @cached_property
    def _differences(self) -> _Matrix:
        return _Matrix((self.table[0] - self.table[1:]) * self._scale)


def _scale(table: Table) -> int:
    """What makes all statistics whole; 0 if nothing does."""
    if table.dtype.kind == "i":
        return 1
    return next((scale for scale in _SCALES if not np.any(table * scale % 1)), 0)


class _Matrix:
    """A table of whole numbers whose weighted sums are exact, in single precision if that is enough.

    Columns that are the same are summed once, such as the length of the only reference in BLEU for every system.
    """

    def __init__(self, table: Table) -> None:
        self._systems, segments, self._columns = table.shape
        largest = np.abs(table).max(initial=0) * segments  # the weights of a sum add up to `segments` at most
        rows = (
            table.transpose(0, 2, 1).reshape(-1, segments).astype(np.float32 if largest <= _MAX_EXACT else np.float64)
        )
        distinct: dict[bytes, int] = {}
        self._places = [distinct.setdefault(row.tobytes(), len(distinct)) for row in rows]
        self._matrix = rows[[self._places.index(place) for place in range(len(distinct))]].T

    def sums(self, weights: npt.NDArray[np.float32] | npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
        """Sums (system, row of weights, column)."""
        products = weights.astype(self._matrix.dtype, copy=False) @ self._matrix
        sums: npt.NDArray[np.float64] = products[:, self._places].astype(np.float64)
        return sums.reshape(len(weights), self._systems, self._columns).transpose(1, 0, 2)


def resampled_sums(
    generator: np.random.Generator, resamples: int, tables: Sequence[SummableTable]
) -> list[npt.NDArray[np.float32]]:
    """The sums (system, resample, column) of all tables over the same resamples of segments."""
    segments = tables[0].table.shape[1]
    parts: list[list[npt.NDArray[np.float32]]] = [[] for _ in tables]
    for count in _counts(resamples, max(1, _BLOCK_CELLS // segments)):
        draws = _draws(generator, count * segments, segments).reshape(count, segments)
        weights = _core.count_draws(draws, segments)
        for table, sums in zip(tables, parts, strict=True):
            sums.append(table.resampled(draws, weights))
    return [np.concatenate(sums, axis=1) for sums in parts]


def _draws(generator: np.random.Generator, size: int, segments: int) -> npt.NDArray[np.uint32]:
    """`generator.choice(segments, size)`, which makes each draw of one 32-bit random number, or of the next ones."""
    parts = []
    while size > 0:
        words = generator.integers(0, 1 << _WORD, size=size, dtype=np.uint32)
        parts.append(_core.bounded_draws(words, segments))
        size -= len(parts[-1])
    return np.concatenate(parts) if len(parts) != 1 else parts[0]


def swap_blocks(
    generator: np.random.Generator, trials: int, segments: int, *, in_parts: bool = True
) -> Iterator[npt.NDArray[np.bool_]]:
    """Which segments each trial takes from the baseline, (trial, segment): `generator.integers(2, dtype=bool)`.

    Every bit of a 32-bit random number decides on one segment, the lowest first.
    """
    block = _WORD * max(1, _BLOCK_CELLS // (_WORD * segments)) if in_parts else trials
    for count in _counts(trials, block):
        words = generator.integers(0, 1 << _WORD, size=-(-count * segments // _WORD), dtype=np.uint32)
        bits = np.unpackbits(words.astype("<u4").view(np.uint8), bitorder="little", count=count * segments)
        yield bits.view(np.bool_).reshape(count, segments)


def _counts(total: int, block: int) -> Iterator[int]:
    """The sizes of blocks."""
    yield from (min(block, total - first) for first in range(0, total, block))
