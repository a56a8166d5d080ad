"""Comma-separated values (RFC 4180) with a header that names the columns.

A quoted text may contain commas, quotes and carriage returns, but no line end: most tools would count two segments, so
it is an error.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.data import NO
from assay.data.formats import Format, data_format, may_have_suffix
from assay.data.tables.fields import MAX_FIELD, check_fields
from assay.data.tables.long_table import delimited, encoded, long_table, write_packed
from assay.data.tables.schema import campaigns_of_table, certainty_of
from assay.data.text_files import read_lines, shown_path
from assay.errors import EmptyInputError, InputError, printable
from assay.types import Campaign
from assay.types.note import plural

__all__ = ["Csv"]


@data_format("csv")
@dataclass(frozen=True)
class Csv(Format):
    """One row per line; an empty cell is an empty text, a missing label or a missing score."""

    suffixes = (".csv",)

    def recognises(self, path: Path, head: str) -> int:
        if not may_have_suffix(path, self.suffixes):
            return NO
        try:
            return certainty_of(next(csv.reader([head.partition("\n")[0].removeprefix("\ufeff")])))
        except (csv.Error, StopIteration):
            return NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        lines, notes = read_lines(path)
        if not lines:
            raise EmptyInputError("no header", path=shown_path(path))
        check_fields(lines, ",", path=shown_path(path))
        csv.field_size_limit(MAX_FIELD)
        names = _cells(lines[0], (), shown_path(path), 1)
        records = _records(lines, names, shown_path(path))
        return campaigns_of_table(path, names, records, notes=notes, header_line=1, has_gaps=False)

    def write(self, campaigns: Iterable[Campaign], path: Path) -> None:
        text = delimited(long_table(campaigns), ",", _quoted, _flaw)
        write_packed(path, encoded(text))


def _records(lines: Sequence[str], names: Sequence[str], path: str) -> Iterator[tuple[int, list[str]]]:
    width = len(names)
    for number, line in enumerate(lines[1:], 2):
        cells = line.split(",") if _is_plain(line) else _cells(line, names, path, number)
        if len(cells) != width:
            message = f"{plural(len(cells), 'field')}, but the header has {width:,}"
            hint = "put a text with a comma in quotation marks" if line else "delete the empty line"
            raise InputError(message, path=path, line=number, hint=hint)
        yield number, cells


def _is_plain(line: str) -> bool:
    """Whether a line needs no more than to be split at commas, which is quicker."""
    return bool(line) and not ('"' in line or "\r" in line or "\0" in line) and len(line) <= MAX_FIELD


def _cells(line: str, names: Sequence[str], path: str, number: int) -> list[str]:
    try:
        return next(csv.reader((line,), strict=True), [])
    except csv.Error as error:
        position = _open_field(line)
        if position is None:
            raise InputError(f"invalid CSV: {error}", path=path, line=number) from error
    name = f"'{printable(names[position])}'" if position < len(names) else f"number {position + 1}"
    message = f"field {name} starts with a quotation mark that is not closed in this line"
    hint = "a segment cannot span two lines here; JSON lines can hold such texts"
    raise InputError(message, path=path, line=number, hint=hint)


def _open_field(line: str) -> int | None:
    """The field with an unclosed quotation mark at the end of the line, if that is the flaw."""
    try:
        return len(next(csv.reader((line + '"',), strict=True))) - 1
    except csv.Error:
        return None


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if any(char in text for char in ',"\r') else text


def _flaw(text: str) -> str | None:
    forbidden = next((name for char, name in _FORBIDDEN.items() if char in text), None)
    return None if forbidden is None else f"contains {forbidden}, which CSV cannot hold here"


_FORBIDDEN = {"\n": "a line end", "\0": "a NUL"}
