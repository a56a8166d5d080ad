"""One value with its interval, standard error, n and reason."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

__all__ = ["Estimate", "none_if_nan"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """One value from `n` observations.

    An undefined value is NaN, and `reason` says why. NaN bounds mean that no interval was computed.
    """

    value: float
    n: int
    low: float = math.nan
    high: float = math.nan
    standard_error: float = math.nan
    reason: str | None = None
    standard_deviation: float = math.nan
    """Of the segment scores, where the value is their mean; NaN elsewhere."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON: None for NaN."""
        return {
            "value": none_if_nan(self.value),
            "reason": self.reason,
            "low": none_if_nan(self.low),
            "high": none_if_nan(self.high),
            "standard_error": none_if_nan(self.standard_error),
            "standard_deviation": none_if_nan(self.standard_deviation),
            "n": self.n,
        }


def none_if_nan(value: float) -> float | None:
    """The value, or None for NaN, which JSON does not have."""
    return None if math.isnan(value) else value
