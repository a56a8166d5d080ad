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
from statistics import NormalDist

from assay.errors import ConfigError, option_name
from assay.results import Power
from assay.significance import ALPHA

__all__ = ["MAX_SIZE", "POWER", "power_analysis"]

POWER = 0.8
MAX_SIZE = 10**12
"""The largest number of segments that is named as needed."""

_NORMAL = NormalDist()


def power_analysis(
    standard_error: float,
    n: int,
    *,
    delta: float | None = None,
    alpha: float = ALPHA,
    power: float = POWER,
    is_two_sided: bool = True,
    degrees_of_freedom: float | None = None,
) -> Power:
    """What a paired comparison on `n` segments (or documents) can show.

    `standard_error` is that of the difference between the two scores, from the bootstrap or the jackknife. `delta` is a
    difference that matters to the user, in points of the metric. Few units need
    `degrees_of_freedom`, n - 1 for most.
    """
    _check(delta, alpha, power)
    tail = alpha / 2 if is_two_sided else alpha
    if standard_error == 0:
        return Power(math.nan, reason="the difference is the same in every segment")
    if not math.isfinite(standard_error):
        return Power(math.nan, reason="the standard error of the difference is undefined")
    detectable = _detectable_effect(tail, power, degrees_of_freedom) * standard_error
    if delta is None:
        return Power(detectable)
    achieved = _power(delta / standard_error, tail, is_two_sided, degrees_of_freedom)
    needed = _size_needed(delta / standard_error, n, tail, power, degrees_of_freedom)
    reason = f"a difference of {delta:g} needs more than {MAX_SIZE:,} units" if needed is None else None
    return Power(detectable, achieved, needed, reason)


def _check(delta: float | None, alpha: float, power: float) -> None:
    if not 0 < alpha < power < 1:
        raise ConfigError(f"alpha must be above 0 and power between alpha and 1, not {alpha:g} and {power:g}")
    if delta is not None and not (math.isfinite(delta) and delta > 0):
        raise ConfigError(f"{option_name('delta')} must be a positive number, not {delta:g}")


def _detectable_effect(tail: float, power: float, df: float | None) -> float:
    """The true difference in standard errors that is shown with this power by a test that rejects beyond the tail."""
    if df is None:
        return _NORMAL.inv_cdf(1 - tail) + _NORMAL.inv_cdf(power)
    from scipy.special import nctdtrinc, stdtrit  # slow to import, and only needed for few units

    return float(nctdtrinc(df, 1 - power, stdtrit(df, 1 - tail)))


def _power(effect: float, tail: float, is_two_sided: bool, df: float | None) -> float:
    """The probability of rejecting, for a true difference in standard errors."""
    if df is None:
        critical = _NORMAL.inv_cdf(1 - tail)
        upper, lower = _NORMAL.cdf(effect - critical), _NORMAL.cdf(-effect - critical)
    else:
        from scipy.special import nctdtr, stdtrit

        critical = float(stdtrit(df, 1 - tail))
        upper, lower = float(1 - nctdtr(df, effect, critical)), float(nctdtr(df, effect, -critical))
    return upper + lower if is_two_sided else upper


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
