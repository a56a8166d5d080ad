"""A metric's table of per-segment statistics."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from assay.errors import PluginError
from assay.types.arrays import Table
from assay.types.signature import Signature

__all__ = ["Statistics"]


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Statistics:
    """A metric's table (system, segment, column) for a test set, and a mask of the scored cells."""

    systems: tuple[str, ...]
    columns: tuple[str, ...]
    table: Table
    scored: npt.NDArray[np.bool_]
    signature: Signature
    _compute: Callable[[], Table] | None = field(default=None, init=False)

    @classmethod
    def later(
        cls,
        systems: tuple[str, ...],
        columns: tuple[str, ...],
        compute: Callable[[], Table],
        scored: npt.NDArray[np.bool_],
        signature: Signature,
    ) -> Statistics:
        """Statistics whose table is computed when it is first read."""
        statistics = object.__new__(cls)
        values = {"systems": systems, "columns": columns, "scored": scored, "signature": signature, "_compute": compute}
        for name, value in values.items():
            object.__setattr__(statistics, name, value)
        return statistics

    def __getattr__(self, name: str) -> Table:
        """The table, which is the only attribute that may not be there yet."""
        if name != "table" or self._compute is None:
            raise AttributeError(name)
        object.__setattr__(self, "table", self._compute())
        self.__post_init__()
        return self.table

    def __post_init__(self) -> None:
        table, scored = np.ascontiguousarray(self.table), np.ascontiguousarray(self.scored)
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
        table.flags.writeable = scored.flags.writeable = False
        object.__setattr__(self, "table", table)
        object.__setattr__(self, "scored", scored)

    def __repr__(self) -> str:
        systems, segments = self.scored.shape
        columns = f"{len(self.columns)} columns: {', '.join(self.columns)}"
        return f"Statistics({systems} systems, {segments} segments, {columns})"
