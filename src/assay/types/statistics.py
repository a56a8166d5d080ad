"""A metric's table of per-segment statistics."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from assay.errors import PluginError
from assay.lazily import numpy as np
from assay.types.arrays import Mask, Table
from assay.types.note import plural
from assay.types.signature import Signature

__all__ = ["Statistics"]


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Statistics:
    """A metric's table (system, segment, column) for a test set, and a mask of the scored cells."""

    systems: tuple[str, ...]
    columns: tuple[str, ...]
    table: Table
    scored: Mask
    signature: Signature
    _later: tuple[Callable[[], Table], Callable[[], Mask]] | None = field(default=None, init=False)

    @classmethod
    def later(
        cls,
        systems: tuple[str, ...],
        columns: tuple[str, ...],
        table: Callable[[], Table],
        scored: Callable[[], Mask],
        signature: Signature,
    ) -> Statistics:
        """Statistics whose table and mask are computed when they are first read."""
        statistics = object.__new__(cls)
        values = {"systems": systems, "columns": columns, "signature": signature, "_later": (table, scored)}
        for name, value in values.items():
            object.__setattr__(statistics, name, value)
        return statistics

    def __getattr__(self, name: str) -> Any:
        """The table or the mask, the only attributes that may not be there yet."""
        if name not in ("table", "scored") or self._later is None:
            raise AttributeError(name)
        table, scored = self._later
        value = _frozen(scored()) if name == "scored" else self._checked(_frozen(table()), self.scored)
        object.__setattr__(self, name, value)
        return value

    def __reduce__(self) -> tuple[type[Statistics], tuple[Any, ...]]:
        return Statistics, (self.systems, self.columns, self.table, self.scored, self.signature)

    def __post_init__(self) -> None:
        scored = _frozen(self.scored)
        object.__setattr__(self, "table", self._checked(_frozen(self.table), scored))
        object.__setattr__(self, "scored", scored)

    def _checked(self, table: Table, scored: Mask) -> Table:
        shape = (len(self.systems), scored.shape[-1], len(self.columns))
        if table.shape != shape:
            raise PluginError(f"the statistics have shape {table.shape}, expected {shape} (system, segment, column)")
        if table.dtype not in (np.int64, np.float64):
            raise PluginError(f"the statistics are {table.dtype}, expected int64 or float64")
        if table.dtype == np.float64 and not np.isfinite(table).all():
            system, segment, column = (int(axis[0]) for axis in np.nonzero(~np.isfinite(table)))
            raise PluginError(
                f"the statistic '{self.columns[column]}' of system '{self.systems[system]}', segment {segment + 1} "
                "is not finite",
                hint="a cell that cannot be scored is a row of zeros; an undefined score is NaN from `score`",
            )
        if table[~scored].any():
            raise PluginError("the statistics of an unscored cell are not zero")
        return table

    def __repr__(self) -> str:
        systems, segments = self.scored.shape
        columns = f"{plural(len(self.columns), 'column')}: {', '.join(self.columns)}"
        return f"Statistics({plural(systems, 'system')}, {plural(segments, 'segment')}, {columns})"


def _frozen(array: Table) -> Table:
    """The array, contiguous and read-only."""
    array = np.ascontiguousarray(array)
    array.flags.writeable = False
    return array
