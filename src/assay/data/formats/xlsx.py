"""Excel workbooks: a sheet whose first row names the columns. Needs the extra `xlsx`.

Cells are read as they are stored, formulas as the values that were computed for them. A number in a column of texts,
which Excel makes of a text like 2024, is read as a text and counted; a date or a truth value is an error, because it
does not say what was typed.
"""

from __future__ import annotations

import io
import warnings
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.data import CERTAIN, NO
from assay.data.formats import TableFormat, data_format, has_suffix
from assay.data.tables.collectors import check_cells
from assay.data.tables.fields import MAX_COLUMNS
from assay.data.tables.joined_lines import JoinedLines
from assay.data.tables.schema import campaigns_of_table
from assay.data.text_files import read_bytes, shown_path
from assay.errors import (
    ConfigError,
    EmptyInputError,
    InputError,
    MissingExtraError,
    installing,
    nearest,
    option_name,
    printable,
)
from assay.types import Campaign, Note, NoteKind
from assay.types.note import listed, plural

__all__ = ["Xlsx"]

_FLAWS = (
    *(zipfile.BadZipFile, zlib.error, OSError, EOFError, LookupError, ValueError, TypeError, AttributeError),
    *(SyntaxError, ArithmeticError, RuntimeError),
)
"""What openpyxl and the standard library raise on corrupt workbooks."""
_MAX_RATIO = 200  # unpacked bytes per byte of the file, …
_FREE_BYTES = 64 << 20  # … beyond this many bytes
_WHOLE_FLOATS = 2**53


@data_format("xlsx")
@dataclass(frozen=True)
class Xlsx(TableFormat):
    """One row per row of the sheet; an empty cell is an empty text, a missing label or a missing score."""

    sheet: str = ""
    """The name of the sheet; empty: the first one."""

    suffixes = (".xlsx", ".xlsm")

    def recognises(self, path: Path, head: str) -> int:
        return CERTAIN if has_suffix(path, self.suffixes) else NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        shown, raw = shown_path(path), read_bytes(path)
        with _workbook(raw, shown, computed=True) as values, _workbook(raw, shown, computed=False) as formulas:
            names = list(values.sheetnames)
            name = self._sheet(names, shown)
            rows = list(_rows(values[name], formulas[name], shown, len(raw)))
        if not rows:
            raise EmptyInputError(f"the sheet '{name}' is empty", path=shown)
        table = _Table(rows, shown)
        return campaigns_of_table(
            path,
            table.names,
            table.records(),
            notes=_all_notes(self._notes(names, name, shown), table),
            header_line=rows[0][0],
            has_gaps=False,
            columns=self.columns,
            metric=self.metric,
        )

    def _sheet(self, names: Sequence[str], path: str) -> str:
        if not self.sheet or self.sheet in names:
            return self.sheet or names[0]
        raise ConfigError(f"{path} has no sheet '{self.sheet}'", hint=nearest(self.sheet, names))

    def _notes(self, names: Sequence[str], name: str, path: str) -> list[Note]:
        others = [other for other in names if other != name]
        if not others or self.sheet:
            return []
        said = option_name("input_format", f"xlsx:sheet={others[0]}")
        text = f"only the sheet '{name}' is read, not {listed(others)}; to read another: {said}"
        return [Note(NoteKind.UNREAD, text, path, len(others))]


def _all_notes(notes: Sequence[Note], table: _Table) -> Iterator[Note]:
    """Notes on the file, and, once all records are read, on their cells."""
    yield from notes
    yield from table.notes()


@contextmanager
def _workbook(raw: bytes, path: str, *, computed: bool) -> Iterator[Any]:
    """The workbook, with the values of formulas or with the formulas themselves. Faulty ones are an `InputError`."""
    try:
        import openpyxl
    except ImportError as error:
        raise MissingExtraError("Excel workbooks need openpyxl", hint=installing("xlsx")) from error
    try:
        _check_size(raw, path)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", module="openpyxl")  # of parts of workbooks that hold no values
            book = openpyxl.load_workbook(io.BytesIO(raw), read_only=True, data_only=computed, keep_links=False)
            with closing(book):
                yield book
    except _FLAWS as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0][:200]
        hint = "open it in a spreadsheet program and save it as .xlsx or .csv"
        raise InputError(f"cannot read the workbook: {printable(reason)}", path=path, hint=hint) from error


def _check_size(raw: bytes, path: str) -> None:
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        size = sum(member.file_size for member in archive.infolist())
    if size > max(_FREE_BYTES, _MAX_RATIO * len(raw)):
        raise InputError(f"it unpacks to more than {_MAX_RATIO} times its size", path=path)


def _rows(values: Any, formulas: Any, path: str, size: int) -> Iterator[tuple[int, list[object]]]:
    """Rows from the first that is not empty on, with their numbers, without empty cells at their end.

    `formulas` is the same sheet with formulas in place of their values.
    """
    for sheet in (values, formulas):
        if not hasattr(sheet, "reset_dimensions"):
            raise InputError(f"the sheet '{sheet.title}' has no cells", path=path)
        sheet.reset_dimensions()  # what the file says about its size may be wrong
    is_first, cells = True, 0
    for number, (row, computed) in enumerate(zip(values.rows, formulas.rows, strict=True), 1):
        _check(row, computed, path, number)
        contents = [cell.value for cell in row]
        while contents and contents[-1] is None:
            contents.pop()
        cells += len(contents)
        check_cells(cells, size, "almost empty: far more cells than bytes", path=path)
        if len(contents) > MAX_COLUMNS:
            raise InputError(f"{len(contents):,} cells; the limit is {MAX_COLUMNS:,}", path=path, line=number)
        if contents or not is_first:
            is_first = False
            yield number, contents


def _check(row: Sequence[Any], formulas: Sequence[Any], path: str, number: int) -> None:
    """Refuse formulas that were never computed, and errors."""
    for cell, formula in zip(row, formulas, strict=False):
        if cell.value is None and formula.value is not None:
            message = f"cell {formula.coordinate} has a formula without a value"
            hint = "open the workbook in a spreadsheet program and save it"
            raise InputError(message, path=path, line=number, hint=hint)
        if getattr(cell, "data_type", "") == "e":
            hint = "a text that starts with = or - is taken for a formula: format the cell as text, and write it again"
            raise InputError(f"cell {cell.coordinate} is {cell.value}", path=path, line=number, hint=hint)


class _Table:
    """The rows of a sheet as records."""

    def __init__(self, rows: Sequence[tuple[int, list[object]]], path: str) -> None:
        self.path = path
        (_, header), *self._rows = rows
        self.names = ["" if cell is None else str(cell) for cell in header]
        self._joined = JoinedLines(path)
        self._numbers: dict[int, list[int]] = {}
        self._texts: set[int] = set()

    def records(self) -> Iterator[tuple[int, list[object]]]:
        """The cells of each row; an empty one is an empty text."""
        width = len(self.names)
        for number, values in self._rows:
            if len(values) > width:
                message = f"{plural(len(values), 'cell')}, but the first row names {plural(width, 'column')}"
                raise InputError(message, path=self.path, line=number, hint="name all columns in the first row")
            yield (
                number,
                [self._cell(value, i, number) for i, value in enumerate(values)] + [""] * (width - len(values)),
            )

    def _cell(self, value: object, column: int, row: int) -> object:
        if value is None:
            return ""
        if isinstance(value, str):
            self._texts.add(column)
            return self._joined.join(value.replace("_x000D_", ""), row)
        if isinstance(value, int | float) and not isinstance(value, bool):
            self._numbers.setdefault(column, []).append(row)
            return str(int(value) if float(value).is_integer() and abs(value) < _WHOLE_FLOATS else value)
        return value

    def notes(self) -> Iterator[Note]:
        """Numbers in columns of texts, and cells of several lines."""
        for column in sorted(self._texts & self._numbers.keys()):
            rows = self._numbers[column]
            text = f"column '{printable(self.names[column])}': {plural(len(rows), 'number')} among the texts, first in "
            yield Note(NoteKind.CHANGED, f"{text}row {rows[0]:,}, read as a text", self.path, len(rows))
        yield from self._joined.notes()
