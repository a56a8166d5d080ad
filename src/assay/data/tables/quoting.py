"""Quotation marks around the cells of tab-separated tables, as spreadsheets write them.

A spreadsheet quotes a cell that contains a quotation mark, a tab, a comma or a line end, and doubles the marks inside:
`"She said ""hi"" twice"`. Most files of the field do not quote cells, and none says whether it does, so it is detected:
cells are quoted if the column names are, or if every cell with a mark is written as a spreadsheet would and at least
one has doubled marks or a tab inside. In tables of names and numbers one quoted cell is enough. If the cells disagree,
all marks are kept and a note says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from assay import _core
from assay.data.tables.fields import check_fields
from assay.errors import InputError, option_name
from assay.types import BLOCK, Column, Note, NoteKind, as_column

__all__ = [
    "CellReader",
    "Quotes",
    "cell_reader",
    "enclosed_line",
    "header_cells",
    "is_enclosed",
    "open_cell",
    "text_notes",
]

Quotes = Literal["auto", "yes", "no"]
CellReader = Callable[[int, str], list[str]]
"""Takes the number and text of a line, and returns its cells."""

_ENCLOSED = re.compile(r'"(?:[^"]|"")*+"')
_CELLS = re.compile(r'(?:\A|\t)("(?:[^"]|"")*+"(?=\t|\Z)|[^\t]*)')
_OPEN = re.compile(r'"(?:[^"]|"")*+\Z')
_REASONS = ('""', "\t", ",")  # for a spreadsheet to quote a cell
_SIGNS = ('""', "\t")  # that no cell contains by chance
_CONVERT = (
    """python3 -c 'import csv, sys; [print(*row, sep="\\t") for row in csv.reader(sys.stdin, delimiter="\\t")]' """
    "< FILE > NEW-FILE"
)


@dataclass(frozen=True, slots=True)
class _Evidence:
    """The first lines with a cell that only a spreadsheet writes, and with one that no spreadsheet writes."""

    quoted_line: int | None
    plain_line: int | None

    @property
    def is_clear(self) -> bool:
        return self.quoted_line is not None and self.plain_line is None


def cell_reader(
    lines: Sequence[str],
    *,
    path: str,
    notes: list[Note],
    quotes: Quotes = "auto",
    override: str = "",
    has_header: bool = True,
    are_names: bool = False,
) -> CellReader:
    """A function that reads the cells of these lines; the decision about quotation marks is noted.

    `override`, followed by `=yes` or `=no`, is the input format that overrides it. `are_names`: it has no texts.
    """

    def enclosed(number: int, line: str) -> list[str]:
        return [_content(cell, path, number) for cell in _raw_cells(line)]

    def plain(number: int, line: str) -> list[str]:
        return line.split("\t")

    check_fields(lines, "\t", path=path)
    if quotes != "auto":
        return enclosed if quotes == "yes" else plain
    is_header_quoted = has_header and _is_marked(lines[0])
    evidence = _Evidence(1, None) if is_header_quoted else _examine(_marked_cells(lines), are_names=are_names)
    if evidence.is_clear:
        remedy = f" (to keep them: {option_name('input_format', f'{override}=no')})" if override else ""
        text = f"removed spreadsheet quotation marks around cells, first in line {evidence.quoted_line}{remedy}"
        notes.append(Note(NoteKind.CHANGED, text, path))
        return enclosed
    if evidence.quoted_line is not None:
        remedy = f" (to remove them: {option_name('input_format', f'{override}=yes')})" if override else ""
        lines_shown = f"line {evidence.quoted_line} has some, but line {evidence.plain_line} has others"
        notes.append(Note(NoteKind.KEPT, f"kept all quotation marks: {lines_shown}{remedy}", path))
    return plain


def header_cells(line: str) -> list[str]:
    """The names of columns, without quotation marks around them."""
    cells = _raw_cells(line)
    return [cell[1:-1].replace('""', '"') if _ENCLOSED.fullmatch(cell) else cell for cell in cells]


def is_enclosed(lines: Sequence[str]) -> bool:
    """Whether the cells of such a table would be read as quoted."""
    return _is_marked(lines[0]) or _examine(_marked_cells(lines)).is_clear


def open_cell(line: str) -> int | None:
    """The first cell (from 0) that starts with a quotation mark and is not closed in the line."""
    cells = _raw_cells(line)
    return next((i for i, cell in enumerate(cells) if _OPEN.fullmatch(cell)), None)


def enclosed_line(lines: Iterable[str | None]) -> int | None:
    """The first line that shows that a plain text was a spreadsheet column; None if nothing shows it."""
    first = None
    for marked in _marked_lines(as_column(lines)):
        evidence = _examine([marked])
        if evidence.plain_line is not None:
            return None
        first = first or evidence.quoted_line
    return first


def _marked_lines(column: Column) -> Iterator[tuple[int, str]]:
    """Lines with a quotation mark, and their numbers."""
    for start in range(0, len(column), BLOCK):
        block = column[start : start + BLOCK]
        yield from ((start + i + 1, block[i] or "") for i in _core.lines_containing(block, '"'))


def text_notes(lines: Iterable[str | None], *, path: str) -> Iterator[Note]:
    """A note on such a text, which is read as it is."""
    if (line := enclosed_line(lines)) is not None:
        text = f"kept spreadsheet quotation marks, first in line {line} (to remove them: {_CONVERT})"
        yield Note(NoteKind.KEPT, text, path)


def _examine(cells: Iterable[tuple[int, str]], *, are_names: bool = False) -> _Evidence:
    quoted = plain = None
    for number, cell in cells:
        inside = cell[1:-1]
        if _ENCLOSED.fullmatch(cell) is None or not (are_names or any(reason in inside for reason in _REASONS)):
            plain = plain or number
        elif are_names or any(mark in inside for mark in _SIGNS):
            quoted = quoted or number
        if quoted and plain:
            break
    return _Evidence(quoted, plain)


def _is_marked(header: str) -> bool:
    return any(map(_ENCLOSED.fullmatch, header.split("\t")))


def _marked_cells(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Cells with a quotation mark, as written in the file, with their lines."""
    width = lines[0].count("\t") + 1
    for number, line in enumerate(lines, 1):
        if '"' in line:
            cells = line.split("\t") if line.count("\t") + 1 == width else _raw_cells(line)
            yield from ((number, cell) for cell in cells if '"' in cell)


def _raw_cells(line: str) -> list[str]:
    """A line split at the tabs outside quotation marks."""
    return [cell[1] for cell in _CELLS.finditer(line)]


def _content(cell: str, path: str, line: int) -> str:
    if not cell.startswith('"'):
        return cell
    if _ENCLOSED.fullmatch(cell):
        return cell[1:-1].replace('""', '"')
    is_open = _OPEN.fullmatch(cell) is not None
    flaw = "is not closed in this line" if is_open else "is closed before the end of the cell"
    hint = "a segment cannot span two lines here; save the table as CSV, whose cells can" if is_open else None
    raise InputError(f"a cell starts with a quotation mark that {flaw}", path=path, line=line, hint=hint)
