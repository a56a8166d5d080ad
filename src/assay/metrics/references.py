"""The best of several references, for metrics that compare an output with one reference at a time."""

from __future__ import annotations

import numpy as np

from assay.types import Column, FloatArray, Table, present

__all__ = ["of_best_reference"]


def of_best_reference(tables: Table, scores: FloatArray, references: tuple[Column, ...]) -> Table:
    """For each cell the statistics of the reference that scores highest, the first one in a tie.

    `tables` is (reference, system, segment, column) and `scores` (reference, system, segment), non-negative.
    """
    has_reference = np.stack([present(column) for column in references])
    best = np.where(has_reference[:, np.newaxis], scores, -1.0).argmax(axis=0)[np.newaxis, ..., np.newaxis]
    chosen: Table = np.take_along_axis(tables, best, axis=0)[0]
    return chosen
