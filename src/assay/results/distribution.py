"""The distribution of a value over random draws: its mean, standard deviation and quantiles."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from assay.results.estimate import none_if_nan
from assay.types import FloatArray

__all__ = ["QUANTILES", "SUMMARY_COLUMNS", "Distribution", "summary_columns"]

QUANTILES = (0.025, 0.25, 0.5, 0.75, 0.975)


def summary_columns(drawn: str) -> Mapping[str, type]:
    """The keys of `Distribution.summary`, for draws with this name."""
    return {
        "mean": float,
        "standard_deviation": float,
        **{f"q{100 * share:g}": float for share in QUANTILES},
        f"{drawn}s": int,
        "undefined": int,
        "reason": str,
    }


SUMMARY_COLUMNS = summary_columns("resample")


class Distribution:
    """What results with a value for every draw have in common."""

    __slots__ = ()

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
    def undefined(self) -> int:
        """Number of draws without a value."""
        return int(np.isnan(self.values).sum())

    @property
    def reason(self) -> str | None:
        """Why a number is undefined or is computed from fewer draws."""
        if self.undefined:
            return f"undefined in {self.undefined:,} of {len(self.values):,} {self.drawn}s: {self.why_undefined}"
        return f"one {self.drawn} has no standard deviation" if len(self.values) == 1 else None

    def quantile(self, share: float) -> float:
        """Over the draws that have a value; NaN if none has."""
        defined = self._defined()
        return float(np.quantile(defined, share)) if len(defined) else math.nan

    def summary(self) -> dict[str, Any]:
        """Mean, standard deviation and quantiles of the draws; None for NaN."""
        return {
            "mean": none_if_nan(self.mean),
            "standard_deviation": none_if_nan(self.standard_deviation),
            **{f"q{100 * share:g}": none_if_nan(self.quantile(share)) for share in QUANTILES},
            f"{self.drawn}s": len(self.values),
            "undefined": self.undefined,
            "reason": self.reason,
        }

    def _defined(self) -> FloatArray:
        return self.values[~np.isnan(self.values)]
