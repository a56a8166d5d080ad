"""The distribution of a value over random draws: its mean, standard deviation and quantiles."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, ClassVar

from assay.lazily import numpy as np
from assay.results.columns import ResultColumn, look_up
from assay.types import FloatArray
from assay.types.note import plural
from assay.types.record import Record

__all__ = ["QUANTILES", "Distribution", "summary_columns"]

QUANTILES = (0.025, 0.25, 0.5, 0.75, 0.975)


class Distribution(Record):
    """What results with a value for every draw have in common."""

    __slots__ = ()

    derived: ClassVar[tuple[str, ...]] = ("mean", "standard_deviation", "quantiles", "draws", "undefined", "reason")
    drawn: ClassVar[str] = "resample"
    """What one draw is called: by the name of the option that sets their number."""
    values: FloatArray
    """One per draw, NaN where undefined."""
    why_undefined: str
    """What makes a value undefined."""

    @property
    def mean(self) -> float:
        """Over the draws that have a value; NaN if none has."""
        defined = self._defined()
        return float(defined.mean()) if len(defined) else math.nan

    @property
    def standard_deviation(self) -> float:
        """Over the draws that have a value; NaN for fewer than two."""
        defined = self._defined()
        return float(defined.std(ddof=1)) if len(defined) > 1 else math.nan

    @property
    def draws(self) -> int:
        """Number of draws, with and without a value."""
        return len(self.values)

    @property
    def undefined(self) -> int:
        """Number of draws without a value."""
        return int(np.isnan(self.values).sum())

    @property
    def reason(self) -> str | None:
        """Why a number is undefined or is computed from fewer draws."""
        if self.undefined:
            return f"undefined in {self.undefined:,} of {plural(self.draws, self.drawn)}: {self.why_undefined}"
        return f"one {self.drawn} has no standard deviation" if self.draws == 1 else None

    @property
    def quantiles(self) -> dict[str, float]:
        """By name: q2.5, q25, q50, q75 and q97.5."""
        return {_name(share): self.quantile(share) for share in QUANTILES}

    def quantile(self, share: float) -> float:
        """Over the draws that have a value; NaN if none has."""
        defined = self._defined()
        return float(np.quantile(defined, share)) if len(defined) else math.nan

    def _defined(self) -> FloatArray:
        return self.values[~np.isnan(self.values)]


def summary_columns(path: str, drawn: str) -> tuple[ResultColumn, ...]:
    """The columns of the distribution at a path of a record, for draws with this name."""
    return (
        ResultColumn("mean", float, f"{path}.mean", help=f"Over the {drawn}s that have a value."),
        ResultColumn("standard_deviation", float, f"{path}.standard_deviation", help=f"Over the {drawn}s."),
        *(ResultColumn(_name(share), float, _quantile(path, share)) for share in QUANTILES),
        ResultColumn(f"{drawn}s", int, f"{path}.draws", help=f"The number of {drawn}s."),
        ResultColumn("undefined", int, f"{path}.undefined", help=f"The number of {drawn}s without a value."),
        ResultColumn("reason", read=f"{path}.reason", help="Why numbers are missing or rest on fewer draws."),
    )


def _name(share: float) -> str:
    return f"q{100 * share:g}"


def _quantile(path: str, share: float) -> Callable[[Any], float | None]:
    def read(record: Any) -> float | None:
        found: Distribution | None = look_up(record, path)
        return None if found is None else found.quantile(share)

    return read
