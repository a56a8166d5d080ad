"""Scorables: tables of segments whose scores are functions of sums over segments.

Corpus scores, means of segment scores and human scores are all scorables, so resampling, intervals and significance
tests work on all of them in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assay import _core
from assay.errors import AlignmentError, UnknownNameError, nearest
from assay.lazily import numpy as np
from assay.types.arrays import FloatArray, Mask, Table, summable, without_mask
from assay.types.note import plural

if TYPE_CHECKING:
    import numpy.typing as npt

    from assay.types.runtime import Runtime

__all__ = ["Scorable", "ratio_of_sums", "totals"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Scorable:
    """A table (system, segment, column) and the function that scores sums of its rows.

    `score` maps (..., column) to (...). `mask` (system, segment) marks the cells that count; the rows of the others
    are set to zero.
    """

    table: Table
    score: Callable[[Table], FloatArray]
    mask: Mask
    systems: tuple[str, ...]
    is_mean: bool = False
    """Whether the score is the plain mean of segment values: the columns are a value and 1."""

    def __post_init__(self) -> None:
        shape = (len(self.systems), self.mask.shape[-1])
        if self.table.ndim != 3 or self.table.shape[:2] != shape or self.mask.shape != shape:
            raise AlignmentError(
                f"a table of shape {self.table.shape} and a mask of shape {self.mask.shape} do not fit "
                f"{plural(len(self.systems), 'system')}"
            )
        if self.table[~self.mask].any():  # NaN counts as any
            object.__setattr__(
                self, "table", np.where(self.mask[..., np.newaxis], self.table, self.table.dtype.type(0))
            )

    @classmethod
    def of_segments(cls, values: FloatArray, systems: Sequence[str]) -> Scorable:
        """The mean of segment values (system, segment) as a scorable; NaN cells do not count.

        The values of a single system may have one dimension.
        """
        rows = np.atleast_2d(without_mask(values))
        mask = ~np.isnan(rows)
        table = np.stack([np.where(mask, rows, 0.0), mask.astype(np.float64)], axis=-1)
        return cls(table, ratio_of_sums, mask, tuple(systems), is_mean=True)

    def __repr__(self) -> str:
        systems, segments, columns = self.table.shape
        return f"Scorable({plural(systems, 'system')}, {plural(segments, 'segment')}, {plural(columns, 'column')})"

    def system(self, name: str) -> Scorable:
        """One system alone."""
        if name not in self.systems:
            raise UnknownNameError(f"no system is called '{name}'", hint=nearest(name, self.systems))
        row = slice(place := self.systems.index(name), place + 1)
        return replace(self, table=self.table[row], mask=self.mask[row], systems=(name,))

    def take(self, segments: npt.NDArray[np.intp]) -> Scorable:
        """Only these segments, in this order, each at most once."""
        if np.array_equal(segments, np.arange(self.table.shape[1])):
            return self
        return replace(self, table=np.ascontiguousarray(self.table[:, segments]), mask=self.mask[:, segments])

    def values(self, runtime: Runtime) -> FloatArray:
        """The score of each system over all segments."""
        return self.score(totals(self.table, runtime))

    @property
    def segment_values(self) -> FloatArray | None:
        """The values (system, segment) whose mean is the score, NaN where masked; None if the score is not a mean."""
        return np.where(self.mask, self.table[..., 0], np.nan) if self.is_mean else None


def totals(table: Table, runtime: Runtime) -> Table:
    """Sums over segments (system, column): exact for integers, in a fixed order for floats."""
    ones = np.ones((1, table.shape[1]), dtype=np.uint32)
    sums: Table = summable(table).sums(ones, runtime.threads)[:, 0]
    return sums


def ratio_of_sums(sums: Table) -> FloatArray:
    """Column 0 divided by column 1: a mean, where column 1 counts or weighs the values."""
    ratios: FloatArray = _core.ratios(np.ascontiguousarray(sums, dtype=np.float64))
    return ratios[()]  # a number, if there is one row
