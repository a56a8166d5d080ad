"""Comma-separated values (RFC 4180) with a header that names the columns, also separated by semicolons.

A quoted text may contain separators, quotes, carriage returns and line ends. A segment is one line everywhere else, so
line ends and the white space around them become one space; this is counted and noted, and strict reading refuses it.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.data import NO
from assay.data.formats import TableFormat, data_format, may_have_suffix
from assay.data.tables.fields import MAX_FIELD, check_fields
from assay.data.tables.joined_lines import JoinedLines
from assay.data.tables.long_table import delimited, encoded, long_table, write_packed
from assay.data.tables.schema import campaigns_of_table, certainty_of
from assay.data.text_files import read_lines, shown_path
from assay.errors import EmptyInputError, InputError, printable
from assay.types import Campaign, Note, NoteKind
from assay.types.note import plural

__all__ = ["Csv"]

_SEPARATORS = {",": "commas", ";": "semicolons"}
_DECLARED = "sep="  # Excel reads the separator from a first line `sep=;`
_MAX_INSIDE = 20  # lines inside quotation marks; of more, most must not look like rows


@data_format("csv")
@dataclass(frozen=True)
class Csv(TableFormat):
    """One row per line; an empty cell is an empty text, a missing label or a missing score."""

    suffixes = (".csv",)

    def recognises(self, path: Path, head: str) -> int:
        if not may_have_suffix(path, self.suffixes):
            return NO
        lines = [line.removesuffix("\r") for line in head.removeprefix("\ufeff").split("\n", 3)]
        header, first = ([*lines[lines[0].startswith(_DECLARED) :], "", ""])[:2]
        return max(certainty_of(_cells(header, each), _cells(first, each)) for each in _SEPARATORS)

    def read(self, path: Path) -> tuple[Campaign, ...]:
        lines, notes = read_lines(path)
        shown = shown_path(path)
        first = 1 if lines and lines[0].startswith(_DECLARED) else 0
        if len(lines) <= first:
            raise EmptyInputError("no header", path=shown)
        separator = _separator(lines[first])
        if separator != ",":
            text = f"the columns are separated by {_SEPARATORS[separator]}"
            notes.append(Note(NoteKind.PROVENANCE, text, shown))
        check_fields(lines, separator, path=shown)
        csv.field_size_limit(MAX_FIELD)
        table = _Table(lines, separator, shown, first)
        return campaigns_of_table(
            path,
            table.names,
            table.records(),
            notes=_notes(notes, table.joined),
            header_line=first + 1,
            has_gaps=False,
            columns=self.columns,
            metric=self.metric,
        )

    def write(self, campaigns: Iterable[Campaign], path: Path) -> None:
        text = delimited(long_table(campaigns), ",", _quoted, _flaw)
        write_packed(path, encoded(text))


def _notes(notes: Iterable[Note], joined: JoinedLines) -> Iterator[Note]:
    """Notes on the file, and, once all records are read, on texts of several lines."""
    yield from notes
    yield from joined.notes()


def _separator(header: str) -> str:
    """What separates the columns: with it, most is recognised, and there are most of them."""
    return max(_SEPARATORS, key=lambda each: (certainty_of(cells := _cells(header, each)), len(cells)))


def _cells(line: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=separator), [])
    except csv.Error:
        return []


class _Table:
    """The lines of a file as records."""

    def __init__(self, lines: Sequence[str], separator: str, path: str, first: int) -> None:
        self._lines, self._separator, self._path, self._first = lines, separator, path, first
        self._dialect: dict[str, Any] = {"delimiter": separator, "strict": True}
        self.joined = JoinedLines(path)
        self.names: list[str] = []
        self.names = self._cells(lines[first], first + 1)
        if not any(self.names):
            raise InputError("an empty line", path=path, line=first + 1, hint="name the columns in the first line")

    def records(self) -> Iterator[tuple[int, list[str]]]:
        """The cells of each row, with the number of its first line."""
        width, place = len(self.names), self._first + 1
        while place < len(self._lines):
            line, number = self._lines[place], place + 1
            if self._is_plain(line):
                cells, place = line.split(self._separator), place + 1
            else:
                end, cells = self._row(place)
                if end > place + 1:
                    cells = [self.joined.join(cell, number) for cell in cells]
                place = end
            if len(cells) > width and not any(cells[width:]):
                cells = cells[:width]  # a spreadsheet may write empty cells after the last column
            if len(cells) != width:
                message = f"{plural(len(cells), 'field')}, but the header has {width:,}"
                name = "comma" if self._separator == "," else "semicolon"
                hint = f"put a text with a {name} in quotation marks" if line else "delete the empty line"
                raise InputError(message, path=self._path, line=number, hint=hint)
            yield number, cells

    def _is_plain(self, line: str) -> bool:
        """Whether a line needs no more than to be split at the separators, which is quicker."""
        return bool(line) and not ('"' in line or "\r" in line or "\0" in line) and len(line) <= MAX_FIELD

    def _row(self, start: int) -> tuple[int, list[str]]:
        """The line after a row, and its cells."""
        try:
            return start + 1, next(csv.reader((self._lines[start],), **self._dialect), [])
        except csv.Error:
            end = self._end_of_open_row(start)
            return end, self._cells("\n".join(self._lines[start:end]), start + 1)

    def _end_of_open_row(self, start: int) -> int:
        """The line after a row whose quotation marks are open at the end of its first line."""
        end, is_open = start + 1, self._open_field(self._lines[start]) is not None
        while is_open and end < len(self._lines):
            is_open ^= self._lines[end].count('"') % 2 == 1
            end += 1
        inside = self._lines[start + 1 : end - 1]
        rows = sum(line.count(self._separator) == len(self.names) - 1 for line in inside)
        if is_open or (len(inside) >= _MAX_INSIDE and 2 * rows > len(inside)):
            return start + 1  # a stray quotation mark: the error names its line
        return end

    def _cells(self, text: str, number: int) -> list[str]:
        try:
            return next(csv.reader((text,), **self._dialect), [])
        except csv.Error as error:
            position = self._open_field(text)
            if position is None:
                raise InputError(f"invalid CSV: {error}", path=self._path, line=number) from error
        name = f"'{printable(self.names[position])}'" if position < len(self.names) else f"number {position + 1}"
        message = f"field {name} starts with a quotation mark that is not closed"
        hint = 'close it, or write a quotation mark inside a text twice: "She said ""yes"""'
        raise InputError(message, path=self._path, line=number, hint=hint)

    def _open_field(self, line: str) -> int | None:
        """The field with an unclosed quotation mark at the end of the line, if that is the flaw."""
        try:
            return len(next(csv.reader((line + '"',), **self._dialect))) - 1
        except csv.Error:
            return None


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if any(char in text for char in ',"\r') else text


def _flaw(text: str) -> str | None:
    forbidden = next((name for char, name in _FORBIDDEN.items() if char in text), None)
    return None if forbidden is None else f"contains {forbidden}, which CSV cannot hold here"


_FORBIDDEN = {"\n": "a line end", "\0": "a NUL"}
