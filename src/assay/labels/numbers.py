"""Numbers as people read them, on terminals, pages, charts and in papers: one way for each kind of number."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import ROUND_CEILING, Decimal

from assay.results import Estimate
from assay.types.note import plural

__all__ = [
    "UNDEFINED",
    "agreement_interval",
    "agreement_text",
    "difference_text",
    "every",
    "interval_text",
    "joined",
    "number",
    "p_text",
    "p_words",
    "part_of",
    "percent",
    "share_text",
    "size_text",
    "threshold_text",
    "true_minus",
    "with_interval",
]

UNDEFINED = "–"
_SMALLEST_P = 0.0001
_MOST_DECIMALS = 6
_MOST_DIGITS = 6  # of a p-value
_ROUNDING = 1e-9  # relative
_THRESHOLD_DIGITS = 6


def number(value: float, decimals: int = 2) -> str:
    """27.30; zero has no sign, and an undefined value is a dash."""
    if math.isnan(value):
        return UNDEFINED
    text = f"{value:.{decimals}f}"
    return text if any(digit in text for digit in "123456789") else text.lstrip("-")


def difference_text(value: float, decimals: int = 2) -> str:
    """A difference with its sign, and more decimals where these would show zero: +1.20, -0.003, 0.00."""
    text = number(value, _shown_decimals(value, decimals))
    return f"+{text}" if value > 0 else text


def size_text(value: float, decimals: int = 2) -> str:
    """The size of a difference."""
    return number(abs(value), _shown_decimals(value, decimals))


def _shown_decimals(value: float, decimals: int) -> int:
    while decimals < _MOST_DECIMALS and value != 0 and round(value, decimals) == 0:
        decimals += 1
    return decimals


def agreement_text(value: float, decimals: int = 3) -> str:
    """A correlation or an accuracy, with more decimals where these would show a value below 1 as 1: 0.996."""
    while decimals < _MOST_DECIMALS and abs(value) < 1 == round(abs(value), decimals):
        decimals += 1
    return number(value, decimals)


def threshold_text(value: float) -> str:
    """A score from which on something holds, rounded up, so that it holds from what is written on, too."""
    if math.isnan(value):
        return UNDEFINED
    exact = Decimal(value)
    place = Decimal(1).scaleb(exact.adjusted() - _THRESHOLD_DIGITS + 1) if exact else Decimal(1)
    text = f"{exact.quantize(place, ROUND_CEILING):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def interval_text(low: float, high: float, decimals: int = 2) -> str:
    """[0.52, 3.90]. Nothing if there is no interval."""
    return "" if math.isnan(low) and math.isnan(high) else f"[{number(low, decimals)}, {number(high, decimals)}]"


def agreement_interval(low: float, high: float, decimals: int = 3) -> str:
    """[0.94, 0.996]. Nothing if there is no interval."""
    return "" if math.isnan(low) else f"[{agreement_text(low, decimals)}, {agreement_text(high, decimals)}]"


def with_interval(text: str, interval: str) -> str:
    """A value and its interval, if it has one."""
    return f"{text} {interval}" if interval else text


def p_text(p: float, *, alpha: float, is_bound: bool = False) -> str:
    """A p-value with two digits, and more where these would show it on the other side of alpha: 0.012, <0.0001, 1.

    `alpha`: the level of the test, which nobody may leave out by mistake; NaN if none was chosen.
    `is_bound`: no resample was as extreme, so that p is lower. What is written then is above p, so that one equal to
    alpha, which is not significant, does not read as below it.
    """
    if math.isnan(p):
        return UNDEFINED
    if p < _SMALLEST_P and not alpha < _SMALLEST_P:
        return f"<{_SMALLEST_P}"
    digits = 2
    while digits < _MOST_DIGITS and (p < alpha) != (float(f"{p:.{digits}g}") < alpha):
        digits += 1
    text = f"{p:#.{digits}g}"
    if is_bound and p < 1:
        return f"<{_next_above(p)}"
    return "1" if float(text) == 1 else text


def _next_above(p: float) -> str:
    """The smallest number of two digits above p."""
    digit = 10.0 ** (math.floor(math.log10(p)) - 1)
    return f"{(math.floor(p / digit * (1 + _ROUNDING)) + 1) * digit:.2g}"


def p_words(p: float, *, alpha: float, is_bound: bool = False) -> str:
    """A p-value in a sentence: p = 0.012, p < 0.0001."""
    text = p_text(p, alpha=alpha, is_bound=is_bound)
    return "p undefined" if math.isnan(p) else f"p < {text[1:]}" if text.startswith("<") else f"p = {text}"


def percent(level: float) -> str:
    """A level that someone chose, with all its digits: 95 %, 99.9 %."""
    return f"{100 * level:g} %"


def share_text(share: Estimate | float, decimals: int = 0) -> str:
    """A share that was counted or estimated, in per cent, with its interval: 46 % [29, 62]."""
    if not isinstance(share, Estimate):
        return UNDEFINED if math.isnan(share) else f"{number(100 * share, decimals)} %"
    interval = interval_text(100 * share.low, 100 * share.high, decimals)
    return with_interval(share_text(share.value, decimals), interval)


def joined(names: Sequence[str]) -> str:
    """A; A and B; A, B and C."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def every(count: int, noun: str = "") -> str:
    """All of several things: `both scores`, `all 3 scores`; with one, `the score`."""
    things = f" {noun}s" if noun else ""
    if count == 1:
        return f"the {noun}" if noun else "the only one"
    return f"both{things}" if count == 2 else f"all {count:,}{things}"


def part_of(count: int, total: int, noun: str) -> str:
    """Some of several things, or all of them: `2 of 17 systems`, `both systems`."""
    return every(total, noun) if count == total > 1 else f"{count:,} of {plural(total, noun)}"


def true_minus(text: str) -> str:
    """A number as pages and charts print it, which have a minus sign besides the hyphen."""
    return text.replace("-", "−")
