"""Several references, for metrics that compare an output with one reference at a time and choose between them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from assay.types import Column, FloatArray, Table, present

__all__ = ["BlockStatistics", "in_blocks", "of_best_reference"]

BlockStatistics: TypeAlias = Callable[[tuple[Column, ...], tuple[Column, ...], int], Table]
"""References, outputs and the index of their first segment → statistics (system, segment, column)."""

_BLOCK_CELLS = 1 << 15  # (reference, system, segment): some megabytes of statistics and scores
_MIN_SEGMENTS = 1024  # enough for all threads


def in_blocks(
    references: tuple[Column, ...],
    outputs: tuple[Column, ...],
    statistics: BlockStatistics,
    *,
    size: int | None = None,
) -> Table:
    """The statistics of all segments, computed some segments at a time (`size`, if given).

    So what is needed to choose between references, as many tables as there are references, is never in memory at once.
    """
    segments = len(outputs[0])
    if size is None:
        cells = len(references) * len(outputs)
        size = segments if len(references) == 1 else max(_MIN_SEGMENTS, _BLOCK_CELLS // cells)
    if segments <= size:
        return statistics(references, outputs, 0)
    table: Table = np.empty(0)
    for first in range(0, segments, size):
        rows = slice(first, first + size)
        block = statistics(
            tuple(column[rows] for column in references), tuple(column[rows] for column in outputs), first
        )
        if first == 0:
            table = np.empty((len(outputs), segments, block.shape[-1]), dtype=block.dtype)
        table[:, rows] = block
    return table


def of_best_reference(tables: Table, scores: FloatArray, references: tuple[Column, ...]) -> Table:
    """For each cell the statistics of the reference that scores highest, the first one in a tie.

    `tables` is (reference, system, segment, column) and `scores` (reference, system, segment), non-negative, or NaN for
    a reference against which there is no score: it is chosen only if there is no other.
    """
    has_reference = np.stack([present(column) for column in references])
    order = np.where(has_reference[:, np.newaxis], np.where(np.isnan(scores), -1.0, scores), -2.0)
    best = order.argmax(axis=0)[np.newaxis, ..., np.newaxis]
    chosen: Table = np.take_along_axis(tables, best, axis=0)[0]
    return chosen
