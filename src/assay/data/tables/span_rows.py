"""Tables with a marked error in each row: the columns `start`, `end` (exclusive) and `severity`."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from assay.data.tables.roles import RATERS, SPAN_COLUMNS
from assay.data.tables.spans import errors_in_objects
from assay.errors import InputError, NameClashError, printable
from assay.types import ErrorSpan, Note, NoteKind
from assay.types.note import plural
from assay.types.severity import SEVERITIES, Severity

__all__ = [
    "check_agreement",
    "errors_of_row",
    "is_span_table",
    "raters_in",
    "span_names",
    "span_rows",
    "without_repeats",
]

_NO_ERROR = ("", Severity.NO_ERROR, "none")
_NO_PLACE = ("", "-1")
_SEPARATORS = (",", ";")
_TAB = "\t"


def is_span_table(header: str, path: Path) -> bool:
    """Whether the columns are those of marked errors."""
    return {*span_names(header, path)} >= SPAN_COLUMNS


def raters_in(names: Iterable[str]) -> list[str]:
    """The columns that name who marked the errors: people, not a metric."""
    return [name for name in names if name in RATERS]


def span_names(header: str, path: Path) -> list[str]:
    """The names of the columns, in lower case."""
    return [name.strip().strip('"').lower() for name in header.split(_separator(header, path))]


def span_rows(lines: Sequence[str], path: Path, shown: str) -> Iterator[tuple[int, dict[str, str]]]:
    """The cells of each row by column, with the number of its line."""
    if not lines:
        return
    separator, names = _separator(lines[0], path), span_names(lines[0], path)
    if twice := [name for name in names if name and names.count(name) > 1]:
        message = f"two columns are called '{printable(twice[0])}'"
        raise NameClashError(message, path=shown, line=1, hint="give each a name of its own")
    reader = csv.reader(
        lines[1:], delimiter=separator, quoting=csv.QUOTE_NONE if separator == _TAB else csv.QUOTE_MINIMAL
    )
    for cells in reader:
        line = reader.line_num + 1
        if len(cells) != len(names):
            message = f"{plural(len(cells), 'field')}, but the header has {len(names):,}"
            raise InputError(message, path=shown, line=line)
        yield line, dict(zip(names, cells, strict=True))


def without_repeats(
    rows: Iterable[tuple[int, dict[str, str]]], path: str
) -> tuple[list[tuple[int, dict[str, str]]], tuple[Note, ...]]:
    """The distinct rows, and a note on the others. Several errors without a place may be alike: all of them count."""
    kept, seen, repeats = [], set(), 0
    for line, row in rows:
        cells = tuple(row.values())
        is_error_without_place = _place_in(row) == (None, None) and row.get("severity", "").lower() not in _NO_ERROR
        if cells in seen and not is_error_without_place:
            repeats += 1
        else:
            kept.append((line, row))
        seen.add(cells)
    text = f"{plural(repeats, 'row')} counted once: the same as an earlier row in every column"
    return kept, (Note(NoteKind.DUPLICATE, text, path, repeats),) if repeats else ()


def check_agreement(errors: Sequence[ErrorSpan], earlier: Sequence[ErrorSpan], *, path: str, line: int) -> None:
    """Refuse a row that says of an output that there is no error if an earlier one has an error, or the reverse."""
    if bool(errors) != bool(earlier):
        said, before = ("an error", "no error") if errors else ("no error", "an error")
        message = f"{said} in this row, but {before} in an earlier one of the same output"
        raise InputError(message, path=path, line=line, hint="remove one of the two rows")


def errors_of_row(row: Mapping[str, str], *, path: str, line: int) -> tuple[ErrorSpan, ...]:
    """The error of a row; none if it says that there is none."""
    start, end = _place_in(row)
    severity = (row.get("severity") or "").strip()
    if severity.lower() not in _NO_ERROR:
        return errors_in_objects([{**row, "start": start, "end": end}], path=path, line=line)
    if start is None and end is None:
        return ()
    problem = f"the place of an error, but the severity '{severity}'" if severity else "an error without a severity"
    hint = f"write its severity: {', '.join(SEVERITIES[:3])}; an output without errors has an empty start and end"
    raise InputError(problem, path=path, line=line, hint=hint)


def _place_in(row: Mapping[str, str]) -> tuple[str | None, str | None]:
    start, end = (None if (cell := (row.get(name) or "").strip()) in _NO_PLACE else cell for name in ("start", "end"))
    return start, end


def _separator(header: str, path: Path) -> str:
    """A tab in TSV; in CSV the one of comma and semicolon that separates more columns."""
    is_tsv = path.name.lower().removesuffix(".gz").endswith(".tsv")
    return _TAB if is_tsv else max(_SEPARATORS, key=header.count)
