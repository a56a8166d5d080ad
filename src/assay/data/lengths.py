"""Columns that differ in length: which is the odd one out, and why it most likely is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from assay.data.foreign_files import foreign_file
from assay.data.missing_lines import most_likely_gap
from assay.types import Column
from assay.types.note import plural
from assay.types.testset import lengths_text, odd_length

__all__ = ["OddLength", "odd_lengths"]

_FALSE_LINE_ENDS = {"\r": "CR", "\v": "VT", "\f": "FF", "\x85": "U+0085", "\u2028": "U+2028", "\u2029": "U+2029"}


class OddLength(NamedTuple):
    """A column that has another length than most, and what is known of the cause."""

    label: str
    text: str
    """The lengths and the cause, or what the file is instead of texts."""
    line: int | None = None
    """Where segments are most likely missing."""
    hint: str | None = None


def odd_lengths(columns: Mapping[str, Column]) -> Iterator[OddLength]:
    """One for each column that has not the usual length."""
    baseline, odd = odd_length(columns)
    return (_explained(columns, label, baseline) for label in odd)


def _explained(columns: Mapping[str, Column], label: str, baseline: str) -> OddLength:
    for name in (label, baseline):
        found = foreign_file(columns[name])
        if found is not None:
            return OddLength(name, f"{name} {found.text}", hint=found.hint)
    cause, line = _likely_cause(columns, label, baseline)
    return OddLength(label, lengths_text(columns, label, baseline) + cause, line)


def _likely_cause(columns: Mapping[str, Column], label: str, baseline: str) -> tuple[str, int | None]:
    """A likely cause of different lengths, or else the likely position."""
    shorter, longer = sorted((label, baseline), key=lambda name: len(columns[name]))
    surplus = columns[longer][len(columns[shorter]) :]
    if all(text is not None and not text.strip() for text in surplus):
        lines = "line" if len(surplus) == 1 else f"{len(surplus):,} lines"
        return f": the last {lines} of {longer} {'is' if len(surplus) == 1 else 'are'} blank", None
    for character, name in _FALSE_LINE_ENDS.items():
        count = sum((text or "").count(character) for text in columns[shorter])
        if count in (len(surplus), len(surplus) + 1):  # one more if the file ends in it
            times = "once" if count == 1 else f"{count:,} times"
            return f": {shorter} contains {name} {times}, and only LF ends a line", None
    return _likely_position(columns, label, baseline)


def _likely_position(columns: Mapping[str, Column], label: str, baseline: str) -> tuple[str, int | None]:
    """The likely position of missing or extra segments; nothing if the texts are too short or too different to tell."""
    shorter, longer = sorted((label, baseline), key=lambda name: len(columns[name]))
    difference = len(columns[longer]) - len(columns[shorter])
    characters = sum(len(text or "") for text in columns[label]) / len(columns[label])
    if difference > max(5, len(columns[baseline]) // 20) or characters < 10:
        return "", None
    lacks = f"the first lacks {plural(difference, 'segment')}"
    if len(columns) == 2:  # either may be wrong
        lacks += f", or the second has {difference:,} too many"
    elif longer == label:
        lacks = f"the first has {plural(difference, 'segment')} too many"
    line = most_likely_gap(columns[longer], columns[shorter])
    return f": {lacks}, most likely at line {line}", line
