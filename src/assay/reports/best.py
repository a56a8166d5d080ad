"""Marks of the best values of a table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from assay.reports.cells import Cell, Flag, Number

__all__ = ["with_best"]


def with_best(rows: Sequence[tuple[Cell, ...]]) -> list[tuple[Cell, ...]]:
    """The rows with the highest number of each column flagged as the best; a single row is no best."""
    if len(rows) < 2:
        return list(rows)
    best = [max((_value(cell) for cell in column), default=-math.inf) for column in zip(*rows, strict=True)]
    return [tuple(_flagged(cell, value) for cell, value in zip(row, best, strict=True)) for row in rows]


def _value(cell: Cell) -> float:
    return cell.value if isinstance(cell, Number) and not math.isnan(cell.value) else -math.inf


def _flagged(cell: Cell, best: float) -> Cell:
    return replace(cell, flags=cell.flags | {Flag.BEST}) if isinstance(cell, Number) and cell.value == best else cell
