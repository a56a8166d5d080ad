"""Numbers as charts and pages write them: one rule for each kind, so that a number reads the same everywhere."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from assay.results import Estimate
from assay.results.estimate import decimals_for
from assay.results.p_values import p_bound_text

__all__ = [
    "UNDEFINED",
    "agreement_text",
    "difference_decimals",
    "difference_text",
    "interval_text",
    "joined",
    "number",
    "p_text",
    "p_words",
    "percent",
    "signed",
    "size_text",
]

UNDEFINED = "–"
_MOST_DECIMALS = 4
_SMALLEST_P = 0.001


def difference_decimals(scores: Mapping[str, Estimate]) -> int:
    """The decimals of differences between the scores of systems: 1, or 3 if the scores are of the order of 1."""
    return decimals_for(score.value for score in scores.values()) - 1


def difference_text(value: float, decimals: int = 1) -> str:
    """A difference with its sign, and more decimals where these would show zero: +1.2, −0.04, 0.0."""
    return UNDEFINED if math.isnan(value) else signed(value, _shown_decimals(value, decimals))


def size_text(value: float, decimals: int = 1) -> str:
    """The size of a difference."""
    return UNDEFINED if math.isnan(value) else number(abs(value), _shown_decimals(value, decimals))


def interval_text(low: float, high: float, decimals: int = 1) -> str:
    """The interval of a difference: +0.5 to +3.9. Nothing if there is none."""
    if math.isnan(low) and math.isnan(high):
        return ""
    return f"{difference_text(low, decimals)} to {difference_text(high, decimals)}"


def _shown_decimals(value: float, decimals: int) -> int:
    while decimals < _MOST_DECIMALS and value != 0 and round(value, decimals) == 0:
        decimals += 1
    return decimals


def p_text(p: float, *, is_bound: bool = False) -> str:
    """A p-value as papers print it: .012, <.001, 1; `is_bound`: no resample was as extreme, so that it is lower."""
    if math.isnan(p):
        return UNDEFINED
    if p < _SMALLEST_P:
        return "<.001"
    if is_bound:
        return p_bound_text(p).replace("<0.", "<.")
    text = f"{p:.3f}"
    return "1" if text == "1.000" else text.removeprefix("0")


def p_words(p: float, *, is_bound: bool = False) -> str:
    """A p-value in a sentence: p = .012, p < .001."""
    text = "undefined" if math.isnan(p) else p_text(p, is_bound=is_bound)
    return f"p < {text[1:]}" if text.startswith("<") else f"p {text}" if math.isnan(p) else f"p = {text}"


def number(value: float, decimals: int = 1) -> str:
    """A number with a true minus sign."""
    if math.isnan(value):
        return UNDEFINED
    text = f"{value:,.{decimals}f}"
    return text.lstrip("-") if _is_zero(text) else text.replace("-", "−")


def signed(value: float, decimals: int = 1) -> str:
    """A number with its sign; 0 has none."""
    text = number(value, decimals)
    return text if text.startswith(("−", UNDEFINED)) or _is_zero(text) else f"+{text}"


def _is_zero(text: str) -> bool:
    return not any(character in "123456789" for character in text)


def agreement_text(value: float) -> str:
    """A correlation or an accuracy: two decimals, and more where these would show a value below 1 as 1."""
    decimals = 2
    while decimals < _MOST_DECIMALS and value < 1 and round(value, decimals) == 1:
        decimals += 1
    return number(value, decimals)


def percent(share: float) -> str:
    """`95%`."""
    return f"{100 * share:g}%"


def joined(names: Sequence[str]) -> str:
    """A; A and B; A, B and C."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
