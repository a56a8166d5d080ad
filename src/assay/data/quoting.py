"""Quotation marks around the cells of tab-separated tables, as spreadsheets and some programs write them.

A spreadsheet encloses a cell that holds a quotation mark, a tab, a comma or a line end, and doubles the marks inside:
`"She said ""hi"" twice"`. Most files of the field have every cell as it is, and none says which it does. Its cells
tell: they are enclosed if the names of the columns are, or if all cells with a mark are written as a spreadsheet would
and at least one as nobody else does, with doubled marks or a tab inside. In tables of names and numbers any enclosed
cell is enough. Where some cells say one thing and some the other, they stay as they are, and a note says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from assay.errors import InputError

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
"""The cells of a line, given its number."""

_ENCLOSED = re.compile(r'"(?:[^"]|"")*+"')
_CELLS = re.compile(r'(?:\A|\t)("(?:[^"]|"")*+"(?=\t|\Z)|[^\t]*)')
_OPEN = re.compile(r'"(?:[^"]|"")*+\Z')
_REASONS = ('""', "\t", ",")  # for a spreadsheet to enclose a cell
_SIGNS = ('""', "\t")  # what no cell holds by chance
_CONVERT = (
    """python3 -c 'import csv, sys; [print(*row, sep="\\t") for row in csv.reader(sys.stdin, delimiter="\\t")]' """
    "< FILE > NEW-FILE"
)


@dataclass(frozen=True, slots=True)
class _Found:
    """The first lines with an enclosed cell that tells, and with a mark that no spreadsheet writes; None: none has."""

    sign: int | None
    contrary: int | None

    @property
    def is_clear(self) -> bool:
        return self.sign is not None and self.contrary is None


def cell_reader(
    lines: Sequence[str],
    *,
    path: str,
    notes: list[str],
    quotes: Quotes = "auto",
    option: str = "",
    has_header: bool = True,
    are_names: bool = False,
) -> CellReader:
    """How to read the cells of these lines; what was decided is noted.

    `option` is what to write before `=yes` and `=no` to decide otherwise. `are_names`: the table holds no texts.
    """

    def enclosed(number: int, line: str) -> list[str]:
        return [_content(cell, path, number) for cell in _raw_cells(line)]

    def plain(number: int, line: str) -> list[str]:
        return line.split("\t")

    if quotes != "auto":
        return enclosed if quotes == "yes" else plain
    is_named_so = has_header and _is_marked(lines[0])
    found = _Found(1, None) if is_named_so else _look(_marked_cells(lines), are_names=are_names)
    if found.is_clear:
        otherwise = f" (to keep them: {option}=no)" if option else ""
        what = f"quotation marks around cells, the first in line {found.sign:,}, were taken off, as a spreadsheet"
        notes.append(f"{path}: {what} puts them there{otherwise}")
        return enclosed
    if found.sign is not None:
        otherwise = f" (to take them off: {option}=yes)" if option else ""
        what = f"a cell in line {found.sign:,} has quotation marks as a spreadsheet puts them around cells, but"
        notes.append(f"{path}: {what} not one in line {found.contrary:,}: all were kept{otherwise}")
    return plain


def header_cells(line: str) -> list[str]:
    """The names of columns, without marks around them."""
    cells = _raw_cells(line)
    return [cell[1:-1].replace('""', '"') if _ENCLOSED.fullmatch(cell) else cell for cell in cells]


def is_enclosed(lines: Sequence[str]) -> bool:
    """Whether the cells of such a table would be read as enclosed."""
    return _is_marked(lines[0]) or _look(_marked_cells(lines)).is_clear


def open_cell(line: str) -> int | None:
    """Which cell (from 0) begins with a quote that is not closed in the line, as if the line ended inside it."""
    cells = _raw_cells(line)
    return next((place for place, cell in enumerate(cells) if _OPEN.fullmatch(cell)), None)


def enclosed_line(lines: Iterable[str]) -> int | None:
    """The first line that shows that a text, a segment a line, was a column of a spreadsheet; None: nothing does."""
    found = _look((number, line) for number, line in enumerate(lines, 1) if '"' in line)
    return found.sign if found.is_clear else None


def text_notes(lines: Iterable[str], *, path: str) -> Iterator[str]:
    """What to say of such a text; it is read as it is."""
    if (line := enclosed_line(lines)) is not None:
        what = "all lines with quotation marks have them as a spreadsheet puts them around cells"
        yield f"{path}: {what}, the first of them line {line:,}; they were kept (to take them off: {_CONVERT})"


def _look(cells: Iterable[tuple[int, str]], *, are_names: bool = False) -> _Found:
    sign = contrary = None
    for number, cell in cells:
        inside = cell[1:-1]
        if _ENCLOSED.fullmatch(cell) is None or not (are_names or any(reason in inside for reason in _REASONS)):
            contrary = contrary or number
        elif are_names or any(mark in inside for mark in _SIGNS):
            sign = sign or number
        if sign and contrary:
            break
    return _Found(sign, contrary)


def _is_marked(header: str) -> bool:
    return any(map(_ENCLOSED.fullmatch, header.split("\t")))


def _marked_cells(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Cells with a mark, as they stand in the file, with their lines."""
    width = lines[0].count("\t") + 1
    for number, line in enumerate(lines, 1):
        if '"' in line:
            cells = line.split("\t") if line.count("\t") + 1 == width else _raw_cells(line)
            yield from ((number, cell) for cell in cells if '"' in cell)


def _raw_cells(line: str) -> list[str]:
    """A line cut at the tabs that are not enclosed."""
    return [cell[1] for cell in _CELLS.finditer(line)]


def _content(cell: str, path: str, line: int) -> str:
    if not cell.startswith('"'):
        return cell
    if _ENCLOSED.fullmatch(cell):
        return cell[1:-1].replace('""', '"')
    what = "is not closed in this line" if _OPEN.fullmatch(cell) else "is closed before the cell ends"
    hint = "a text over two lines is no segment; JSON lines can hold it" if _OPEN.fullmatch(cell) else None
    raise InputError(f"a cell begins with a quote that {what}", path=path, line=line, hint=hint)
