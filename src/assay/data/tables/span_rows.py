"""Tables with a marked error in each row: the columns `start`, `end` (exclusive) and `severity`."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from assay.data.tables.roles import RATERS, SPAN_COLUMNS
from assay.data.tables.spans import errors_in_objects
from assay.errors import InputError
from assay.types import ErrorSpan
from assay.types.note import plural
from assay.types.severity import SEVERITIES, Severity

__all__ = ["errors_of_row", "is_span_table", "raters_in", "span_names", "span_rows"]

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
    reader = csv.reader(
        lines[1:], delimiter=separator, quoting=csv.QUOTE_NONE if separator == _TAB else csv.QUOTE_MINIMAL
    )
    for cells in reader:
        line = reader.line_num + 1
        if len(cells) != len(names):
            message = f"{plural(len(cells), 'field')}, but the header has {len(names):,}"
            raise InputError(message, path=shown, line=line)
        yield line, dict(zip(names, cells, strict=True))


def errors_of_row(row: Mapping[str, str], *, path: str, line: int) -> tuple[ErrorSpan, ...]:
    """The error of a row; none if it says that there is none."""
    start, end = (None if (cell := (row.get(name) or "").strip()) in _NO_PLACE else cell for name in ("start", "end"))
    severity = (row.get("severity") or "").strip()
    if severity.lower() not in _NO_ERROR:
        return errors_in_objects([{**row, "start": start, "end": end}], path=path, line=line)
    if start is None and end is None:
        return ()
    problem = f"the place of an error, but the severity '{severity}'" if severity else "an error without a severity"
    hint = f"write its severity: {', '.join(SEVERITIES[:3])}; an output without errors has an empty start and end"
    raise InputError(problem, path=path, line=line, hint=hint)


def _separator(header: str, path: Path) -> str:
    """A tab in TSV; in CSV the one of comma and semicolon that separates more columns."""
    is_tsv = path.name.lower().removesuffix(".gz").endswith(".tsv")
    return _TAB if is_tsv else max(_SEPARATORS, key=header.count)
