"""Labels of segments from a file of metadata: one value per line, or a table with a column for each kind of label.

A file with tabs or the suffix `.tsv` is a table: its first line names the columns, and each other line belongs to
a segment. Any other file has one value per line, and its name is the name of the column. Empty values are no label.
"""

from __future__ import annotations

from pathlib import Path

from assay.data.tables.names import check_names_in_file, stem_of
from assay.data.tables.quoting import cell_reader
from assay.data.text_files import read_lines, shown_path
from assay.errors import AlignmentError, InputError, UnsafeNameError
from assay.types import Column, Note, as_column
from assay.types.note import plural

__all__ = ["read_segment_labels"]

_ORDER = "the file needs a value for each segment, in the order of the segments"


def read_segment_labels(path: str | Path, segments: int) -> tuple[dict[str, Column], list[Note]]:
    """The columns of a file by name, each with a label or None for every segment; and notes on reading it."""
    shown = shown_path(path)
    lines, notes = read_lines(path)
    if not any("\t" in line for line in lines) and not _has_table_suffix(path):
        columns = {stem_of(path): lines}
        hint = f"{_ORDER}; if the first line names the column, give the file the suffix .tsv"
        _check_count(len(lines), segments, "line", shown, hint)
    else:
        columns = _table(lines, segments, shown, notes)
    for name in columns:
        _check_name(name, shown)
    check_names_in_file("column", columns, path=shown)
    return {name: as_column(value or None for value in column) for name, column in columns.items()}, notes


def _has_table_suffix(path: str | Path) -> bool:
    return str(path).lower().removesuffix(".gz").endswith(".tsv")


def _table(lines: tuple[str, ...], segments: int, path: str, notes: list[Note]) -> dict[str, tuple[str, ...]]:
    rows = max(len(lines) - 1, 0)
    _check_count(rows, segments, "row", path, f"the first line must name the columns; {_ORDER}")
    cells = cell_reader(lines, path=path, notes=notes, are_names=True)
    names = [name.strip() for name in cells(1, lines[0])]
    if duplicate := next((name for place, name in enumerate(names) if name in names[:place]), None):
        raise InputError(f"two columns are called '{duplicate}'", path=path, line=1)
    records = []
    for number, line in enumerate(lines[1:], 2):
        record = cells(number, line)
        if len(record) != len(names):
            message = f"{plural(len(record), 'field')}, but the header has {len(names):,}"
            raise InputError(message, path=path, line=number)
        records.append(record)
    return dict(zip(names, zip(*records, strict=True), strict=True))


def _check_count(count: int, segments: int, noun: str, path: str, hint: str) -> None:
    if count != segments:
        raise AlignmentError(f"{plural(count, noun)} for {plural(segments, 'segment')}", path=path, hint=hint)


def _check_name(name: str, path: str) -> None:
    """A label is written `column:value`."""
    if ":" in name:
        raise UnsafeNameError(f"the name of a column cannot contain a colon: '{name}'", path=path, hint="rename it")
