"""The power of a paired comparison, from the standard error of the difference.

The difference of two corpus scores or segment means is close to normal, with a standard error s that shrinks with the
square root of the number of segments n. A two-sided test at level alpha rejects if |d| / s > c. With a true difference
delta, d / s has the mean delta / s, so the test rejects with probability

    power(delta) = P(|N(delta / s, 1)| > c),   c = the 1 - alpha/2 quantile,

and the smallest difference that is shown with probability `power` is

    (z(1 - alpha/2) + z(power)) s   =   2.80 s  at alpha = .05 and power = .8.

With few units, such as documents, both quantiles are those of the (non-central) t distribution. The observed difference
does not occur: "power at the observed difference" only says again what p says (Hoenig & Heisey 2001).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

from assay.errors import ConfigError
from assay.results.estimate import none_if_nan

__all__ = ["ALPHA", "MAX_SIZE", "POWER", "Power", "power_analysis"]

ALPHA = 0.05
POWER = 0.8
MAX_SIZE = 10**12
"""The largest number of segments that is ever said to be needed; beyond it, none is."""

_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class Power:
    """The power of a two-sided test of the difference between two systems on `n` segments or documents.

    It depends on how much the difference varies from segment to segment, never on how large the difference was found
    to be. An undefined value is NaN, and `reason` says why.
    """

    n: int
    standard_error: float
    """Of the difference between the two scores."""
    smallest_difference: float
    """The smallest true difference that a test set like this shows with probability `power`."""
    alpha: float
    power: float
    delta: float | None = None
    """A true difference that the user asked about."""
    power_at_delta: float = math.nan
    """The probability that a test set like this shows `delta`."""
    n_needed: int | None = None
    """How many segments or documents a test set needs to show `delta` with probability `power`."""
    reason: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON: None for NaN."""
        return {
            "n": self.n,
            "standard_error": none_if_nan(self.standard_error),
            "smallest_difference": none_if_nan(self.smallest_difference),
            "alpha": self.alpha,
            "power": self.power,
            "delta": self.delta,
            "power_at_delta": none_if_nan(self.power_at_delta),
            "n_needed": self.n_needed,
            "reason": self.reason,
        }


def power_analysis(
    standard_error: float,
    n: int,
    *,
    delta: float | None = None,
    alpha: float = ALPHA,
    power: float = POWER,
    sides: int = 2,
    degrees_of_freedom: float | None = None,
) -> Power:
    """What a paired comparison on `n` segments (or documents) can show.

    `standard_error` is that of the difference between the two scores, from the bootstrap or the jackknife. `delta` is a
    difference that matters to the user, in points of the metric. `sides` is 1 for a one-sided test. Few units need
    `degrees_of_freedom`, n - 1 for most.
    """
    _check(delta, alpha, power)
    tail = alpha / sides
    if not standard_error > 0 or not math.isfinite(standard_error):
        reason = "the systems differ by the same amount in every segment" if standard_error == 0 else None
        reason = reason or "the standard error of the difference is undefined"
        return Power(n, standard_error, math.nan, alpha, power, delta, reason=reason)
    smallest = _detectable_effect(tail, power, degrees_of_freedom) * standard_error
    if delta is None:
        return Power(n, standard_error, smallest, alpha, power)
    achieved = _power(delta / standard_error, tail, sides, degrees_of_freedom)
    needed = _size_needed(delta / standard_error, n, tail, power, degrees_of_freedom)
    reason = f"{delta:g} needs more than {MAX_SIZE:,} segments" if needed is None else None
    return Power(n, standard_error, smallest, alpha, power, delta, achieved, needed, reason)


def _check(delta: float | None, alpha: float, power: float) -> None:
    if not 0 < alpha < power < 1:
        raise ConfigError(f"alpha must be above 0 and power between alpha and 1, not {alpha:g} and {power:g}")
    if delta is not None and not (math.isfinite(delta) and delta > 0):
        raise ConfigError(
            f"delta must be a positive number, not {delta:g}", hint="both directions are tested: leave out the sign"
        )


def _detectable_effect(tail: float, power: float, df: float | None) -> float:
    """The true difference in standard errors that is shown with this power by a test that rejects beyond the tail."""
    if df is None:
        return _NORMAL.inv_cdf(1 - tail) + _NORMAL.inv_cdf(power)
    from scipy.special import nctdtrinc, stdtrit  # slow to import, and only needed for few units

    return float(nctdtrinc(df, 1 - power, stdtrit(df, 1 - tail)))


def _power(effect: float, tail: float, sides: int, df: float | None) -> float:
    """The probability of rejecting, for a true difference in standard errors."""
    if df is None:
        critical = _NORMAL.inv_cdf(1 - tail)
        upper, lower = _NORMAL.cdf(effect - critical), _NORMAL.cdf(-effect - critical)
    else:
        from scipy.special import nctdtr, stdtrit

        critical = float(stdtrit(df, 1 - tail))
        upper, lower = float(1 - nctdtr(df, effect, critical)), float(nctdtr(df, effect, -critical))
    return upper + lower if sides == 2 else upper


def _size_needed(effect: float, n: int, tail: float, power: float, df: float | None) -> int | None:
    """The smallest size with this power, where `effect` is the difference in standard errors at size `n`.

    The standard error shrinks with the square root of the size, and every further unit is a further degree of freedom.
    """

    def suffices(size: int) -> bool:
        freedom = None if df is None else max(df + size - n, 1)
        return effect * math.sqrt(size / n) >= _detectable_effect(tail, power, freedom)

    low, high = 1, 2  # `low` does not suffice, `high` does: one unit alone has no standard error
    while not suffices(high):
        if high >= MAX_SIZE:
            return None
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if suffices(middle) else (middle, high)
    return high
