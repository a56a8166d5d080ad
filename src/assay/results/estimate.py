"""One value with its interval, standard error, n and reason."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from assay.types.record import Record, in_tree

__all__ = ["Estimate", "IntervalBasis", "decimals_for", "interval_settings"]

_SMALL = 2.0


@dataclass(frozen=True, slots=True)
class IntervalBasis(Record):
    """What an interval rests on."""

    method: str
    confidence: float
    n: int
    """The number of units that vary: systems, segments, documents or judgements."""
    resamples: int = 0
    """0: nothing was drawn."""
    resamples_undefined: int = 0
    """Number of resamples without a value."""
    seed: int | None = None
    """None: nothing was drawn."""
    effective: float | None = field(default=None, metadata=in_tree(optional=True))
    """As how many units of equal size they count, where the interval is wider for it."""

    @property
    def settings(self) -> dict[str, str]:
        """What reproduces the interval."""
        settings = {"ci": self.method}
        if self.resamples:
            settings |= {"resamples": str(self.resamples), "seed": str(self.seed)}
        return settings | {"confidence": f"{self.confidence:g}"}


@dataclass(frozen=True, slots=True)
class Estimate(Record):
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
    """Of the segment scores or of the random metrics whose mean the value is; NaN elsewhere."""
    basis: IntervalBasis | None = field(default=None, metadata=in_tree(key="ci", optional=True))
    """What the interval rests on, where several methods are possible."""

    @property
    def is_bounded(self) -> bool:
        """Whether there is a value, or at least a bound."""
        return not (math.isnan(self.value) and math.isnan(self.low))

    def negated(self) -> Estimate:
        """The estimate of the value with the other sign."""
        return replace(self, value=-self.value, low=-self.high, high=-self.low)


def interval_settings(bases: Iterable[IntervalBasis | None]) -> dict[str, str]:
    """The settings of several intervals: one value where they agree, else all of them."""
    values: dict[str, dict[str, None]] = {}
    for basis in bases:
        for name, value in (basis.settings if basis is not None else {}).items():
            values.setdefault(name, {})[value] = None
    return {name: "+".join(different) for name, different in values.items()}


def decimals_for(values: Iterable[float], signature: str = "") -> int:
    """How many decimals are worth showing: two, or four if all values are of the order of 1.

    `signature`: that of scores; percentages have two decimals, however small they are.
    """
    if "percent:yes" in signature.split("|"):
        return 2
    return 4 if max((abs(value) for value in values if not math.isnan(value)), default=100.0) < _SMALL else 2
