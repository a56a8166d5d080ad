"""The cells of a grid: values with a hint how to show them. Forms turn them into text with `cell_text`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Literal, TypeAlias

from assay.labels.numbers import UNDEFINED, agreement_interval, difference_text, interval_text, number, p_text
from assay.results import Estimate
from assay.results.order import best_value

__all__ = [
    "AMONG_BEST_MARK",
    "AMONG_BEST_NOTE",
    "BLANK",
    "MARKS",
    "Cell",
    "Count",
    "Flag",
    "Flags",
    "Interval",
    "Number",
    "PValue",
    "Passage",
    "RankRange",
    "Segments",
    "Text",
    "cell_text",
    "with_best",
]

_MOST_SEGMENTS = 5


class Flag(StrEnum):
    """Something a form may mark."""

    BEST = "best"
    """Of its column."""
    AMONG_BEST = "among the best"
    """Not significantly different from the best of its column."""
    NOT_SIGNIFICANT = "not significant"
    OUTLIER = "outlier"
    DIFFERENT = "different"
    OUT_OF_SEQUENCE = "out of sequence"
    """In a column that should fall from row to row: higher than a value above. All forms for people mark it with ≀."""
    OTHER_CELLS = "other cells"
    """Rests on other systems or segments than most values of its column. All forms for people mark it with §."""
    FIRST = "first"
    """The first system of a pair, or in its favour; pages show it in the colour of that system."""
    SECOND = "second"
    SEGMENT_MEAN = "segment mean"
    """Not a corpus score; drawings show a hollow dot."""
    ALIGNED = "aligned"
    """A text whose characters stand below those of other rows."""


MARKS = {Flag.OUT_OF_SEQUENCE: "≀", Flag.OTHER_CELLS: "§"}
"""What marks a value in all forms for people."""
AMONG_BEST_MARK = "†"
"""What marks it on pages and in papers, too; never the same as another mark."""
AMONG_BEST_NOTE = f"{AMONG_BEST_MARK}: no difference from the best shown."

Flags: TypeAlias = frozenset[Flag]
_NONE: Flags = frozenset()


@dataclass(frozen=True, slots=True)
class Text:
    """A name or a label."""

    text: str
    flags: Flags = _NONE
    label: str = ""
    """The same as the literature writes it, if that differs: pages and papers show BLEU, a terminal `bleu`."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A text in pieces; those with a flag stand out. Forms mark them in their own way."""

    pieces: tuple[Text, ...]
    flags: Flags = _NONE


BLANK = Text("")
"""A cell without content, unlike an undefined number."""


@dataclass(frozen=True, slots=True)
class Number:
    """A value, with its interval or standard deviation if it has one. NaN is undefined, and `reason` says why.

    `n` is set where it differs from that of the whole column. `bound_decimals`: those of the bounds, where the
    value has more.
    """

    value: float
    decimals: int = 2
    low: float = math.nan
    high: float = math.nan
    spread: float = math.nan
    n: int | None = None
    bound_decimals: int | None = None
    style: Literal["fixed", "signed", "scientific"] = "fixed"
    reason: str | None = None
    flags: Flags = _NONE
    bracketed: int | None = None
    """A whole number that belongs to the value, such as the cluster of a system."""

    @classmethod
    def of(cls, estimate: Estimate, decimals: int = 2, **others: Any) -> Number:
        """The value of an estimate with its interval and reason."""
        return cls(estimate.value, decimals, estimate.low, estimate.high, reason=estimate.reason, **others)

    p: PValue | None = None
    """The p-value of a difference, where it has no column of its own."""


@dataclass(frozen=True, slots=True)
class Interval:
    """Bounds alone; NaN: no interval."""

    low: float
    high: float
    decimals: int = 2
    flags: Flags = _NONE


@dataclass(frozen=True, slots=True)
class Count:
    """A whole number. `grouped`: with separators of thousands."""

    value: int
    grouped: bool = True
    flags: Flags = _NONE


@dataclass(frozen=True, slots=True)
class RankRange:
    """The ranks from `low` to `high`."""

    low: int
    high: int
    flags: Flags = _NONE


@dataclass(frozen=True, slots=True)
class PValue:
    """A p-value; NaN: undefined. It is not rounded across `alpha`."""

    value: float
    alpha: float
    """NaN if no level was chosen."""
    flags: Flags = _NONE
    is_bound: bool = False
    """Whether no resample was as extreme: the p-value is at most this."""


@dataclass(frozen=True, slots=True)
class Segments:
    """The numbers of segments that show something, which a page leads to. Only the first of them: `is_cut`."""

    numbers: tuple[int, ...]
    label: str = ""
    """What they show."""
    viewer: str = ""
    """The id of the viewer on a page."""
    systems: tuple[str, str] = ("", "")
    words: str = ""
    """What to mark in them."""
    is_cut: bool = False
    flags: Flags = _NONE

    @property
    def text(self) -> str:
        """The first of them."""
        return ", ".join(map(str, self.numbers[:_MOST_SEGMENTS]))


Cell: TypeAlias = Text | Passage | Number | Interval | Count | RankRange | PValue | Segments


def cell_text(cell: Cell) -> str:
    """A cell as text, as all forms for people write it."""
    match cell:
        case Text() | Segments():
            return cell.text
        case Passage():
            return "".join(f"*{piece.text}*" if piece.flags else piece.text for piece in cell.pieces)
        case Number():
            return _number_text(cell)
        case Interval():
            return interval_text(cell.low, cell.high, cell.decimals)
        case Count():
            return f"{cell.value:,}" if cell.grouped else str(cell.value)
        case RankRange():
            return str(cell.low) if cell.low == cell.high else f"{cell.low}-{cell.high}"
        case PValue():
            return p_text(cell.value, alpha=cell.alpha, is_bound=cell.is_bound) + _marks(cell.flags)


def _number_text(cell: Number) -> str:
    if math.isnan(cell.value):
        text = UNDEFINED
    elif cell.style == "signed":
        text = difference_text(cell.value, cell.decimals)
    elif cell.style == "scientific":
        text = f"{cell.value:+.{cell.decimals}e}"
    else:
        text = number(cell.value, cell.decimals)
    if not math.isnan(cell.low):
        text += f" {_bounds(cell)}"
    elif not math.isnan(cell.spread):
        text += f" ± {number(cell.spread, cell.decimals)}"
    text += _marks(cell.flags)
    bracketed = cell.n if cell.n is not None else cell.bracketed
    if bracketed is not None:
        text += f" ({bracketed:,})"
    return text if cell.p is None else f"{text} (p {cell_text(cell.p)})"


def _marks(flags: Flags) -> str:
    return "".join(f" {mark}" for flag, mark in MARKS.items() if flag in flags)


def _bounds(cell: Number) -> str:
    if cell.bound_decimals is None:
        return interval_text(cell.low, cell.high, cell.decimals)
    return agreement_interval(cell.low, cell.high, cell.bound_decimals)


def with_best(column: Sequence[Cell]) -> list[Cell]:
    """The cells of a column, of which the highest numbers are flagged as the best; a single cell is no best."""
    best = best_value(cell.value for cell in column if isinstance(cell, Number))
    return [_flagged(cell, best) for cell in column] if len(column) > 1 else list(column)


def _flagged(cell: Cell, best: float) -> Cell:
    return replace(cell, flags=cell.flags | {Flag.BEST}) if isinstance(cell, Number) and cell.value == best else cell
