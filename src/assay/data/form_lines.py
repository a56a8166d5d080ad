"""How lines in the wrong form are found: from the marks of a column and of the texts that it is compared with."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import Literal

from assay import _core
from assay.data.line_index import says_something
from assay.types import Column

__all__ = [
    "ColumnKind",
    "ComparedColumn",
    "in_other_script",
    "looping",
    "numbered",
    "quoted",
    "spaced_out",
    "unfinished",
    "with_small_start",
    "with_source",
    "without_capitals",
    "without_small_letters",
]

ColumnKind = Literal["output", "reference", "source"]

_UPPER, _LOWER, _STARTS_UPPER, _SPACED_OUT = range(60, 64)  # marks of the core
_MARKS = 64
_SHORTEST = 10  # characters of an unfinished line
_SHORT, _LONG = 0.8, 2.0  # times the length of the reference: cut off, and looping
_WITH_SOURCE = 1.3  # times the length of the source
_END = 1000  # characters of a long line in which repetitions are looked for
_MIN_LETTERS = 25  # of a line that is in another script
_QUOTED = re.compile(r'"(?:[^"]|"")*+"')
_NUMBER = re.compile(r"(\d{1,7})(?:[.):|\t]\s?|\s+)(?=\S)")


@dataclass(frozen=True, eq=False)
class ComparedColumn:
    """A column with its marks, and what it is compared with."""

    kind: ColumnKind
    column: Column
    marks: _core.LineMarks
    twin: str
    """What `reference` is called."""
    reference: _core.LineMarks | None
    """Of a text in the same language: the first reference, or for a reference another one, or the first output."""
    source: tuple[Column, _core.LineMarks] | None
    step: int
    """Every so many lines of the texts are here."""

    @property
    def others(self) -> list[_core.LineMarks]:
        """The marks of the texts that it is compared with."""
        return [marks for marks in (self.reference, self.source and self.source[1]) if marks is not None]

    @functools.cached_property
    def counts(self) -> list[int]:
        """For each mark, how many lines have it that the other texts do not have."""
        return self.marks.counts(self.others)

    @functools.cached_property
    def lacks(self) -> list[int]:
        """For each mark, how many lines of the reference have it that this column does not have."""
        return self.reference.counts([self.marks]) if self.reference is not None else [0] * _MARKS

    @functools.cached_property
    def usual(self) -> list[int]:
        """For each mark, how many lines of the reference have it."""
        return self.reference.counts([]) if self.reference is not None else [0] * _MARKS

    @functools.cached_property
    def totals(self) -> list[int]:
        """For each mark, how many lines have it."""
        return self.marks.counts([])

    def text(self, i: int) -> str:
        """A line; the empty text if there is none."""
        return self.column[i] or ""


# Each function returns the indices of lines. `place` is the mark of the strings of the form. If fewer than `least`
# lines have the form, none need be returned.


def quoted(own: ComparedColumn, place: int, least: float) -> list[int]:
    """Lines in quotation marks, where all marks inside are doubled."""
    lines = own.marks.lines(place, own.others) if own.counts[place] >= least else []
    return [i for i in lines if _QUOTED.fullmatch(own.text(i))]


def numbered(own: ComparedColumn, place: int, least: float) -> list[int]:
    """Lines that start with their own number, as far as all are counted from the same number on."""
    offsets: dict[int, list[int]] = {}
    for i in own.marks.lines(place, own.others) if own.counts[place] >= least else []:
        match = _NUMBER.match(own.text(i))
        if match is not None:
            offsets.setdefault(int(match[1]) - i * own.step, []).append(i)
    return max(offsets.values(), key=len, default=[])


def without_capitals(own: ComparedColumn, place: int, least: float) -> list[int]:
    """Lines with small letters only, where another text in the language has a capital."""
    return _lacking(_UPPER, _LOWER, own, least)


def without_small_letters(own: ComparedColumn, place: int, least: float) -> list[int]:
    """Lines in capitals, where another text in the language has small letters."""
    return _lacking(_LOWER, _UPPER, own, least)


def with_small_start(own: ComparedColumn, place: int, least: float) -> list[int]:
    """Lines that have capitals, but not at their start, where another text in the language has one."""
    return _lacking(_STARTS_UPPER, _UPPER, own, least)


def _lacking(mark: int, required: int, own: ComparedColumn, least: float) -> list[int]:
    """Lines of several words without a mark that another text in the language has, and with another mark."""
    if own.reference is None or own.lacks[mark] < least:
        return []
    having = set(own.marks.lines(required, []))
    return [i for i in own.reference.lines(mark, [own.marks]) if i in having and " " in own.text(i).strip()]


def spaced_out(own: ComparedColumn, place: int, least: float) -> list[int]:
    """Lines with spaces between letters of a script that is written without them."""
    return own.marks.lines(_SPACED_OUT, own.others) if own.counts[_SPACED_OUT] >= least else []


def unfinished(own: ComparedColumn, place: int, least: float) -> list[int]:
    """Long lines that are shorter than the reference and lack the punctuation at its end, for which the strings are.

    A limit cuts off the longest outputs. Those that are shorter than the average were not cut.
    """
    if own.reference is None or own.lacks[place] < least:
        return []
    ends = set(own.reference.lines(place, [own.marks]))
    lines = [i for i in own.marks.of_length(own.reference, 0, _SHORT) if i in ends]
    if len(lines) < least:
        return []
    average = sum(len(text or "") for text in own.column) / len(own.column)
    return [i for i in lines if len(own.text(i)) >= max(average, _SHORTEST)]


def looping(own: ComparedColumn, place: int, least: float) -> list[int]:
    """Lines that are much longer than the reference and repeat a few words on and on."""
    longer = [] if own.reference is None else own.marks.of_length(own.reference, _LONG, float("inf"))
    ends = [(i, own.text(i)[-_END:]) for i in longer] if len(longer) >= least else []
    return [i for i, end in ends if end.strip() and not says_something(end)]


def in_other_script(own: ComparedColumn, place: int, least: float) -> list[int]:
    """Lines in another script than another text in the language."""
    return [] if own.reference is None else own.marks.in_other_script(own.reference, _MIN_LETTERS)


def with_source(own: ComparedColumn, place: int, least: float) -> list[int]:
    """Lines that are the source and something after it."""
    if own.source is None:
        return []
    source, marks = own.source
    starts = set(own.marks.of_same_start(marks))
    longer = [i for i in own.marks.of_length(marks, _WITH_SOURCE, float("inf")) if i in starts] if starts else []
    return [i for i in longer if own.text(i).startswith((source[i] or "").strip())]
