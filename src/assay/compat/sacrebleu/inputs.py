"""References and outputs from files and standard input, read as sacreBLEU reads them, and checked."""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from dataclasses import dataclass

from assay.data.text_files import read_bytes, read_lines, shown_path
from assay.errors import AlignmentError, DecodeError, EmptyInputError, NameClashError
from assay.types import Note
from assay.types.note import plural

__all__ = ["Column", "Inputs", "read_inputs"]


@dataclass(frozen=True)
class Column:
    """The texts of one reference or system, named after their file."""

    name: str
    texts: list[str]


@dataclass(frozen=True)
class Inputs:
    """Columns of the same length, and notes on changes made while reading."""

    references: list[Column]
    systems: list[Column]
    notes: list[Note]


def read_inputs(references: Sequence[str], systems: Sequence[str] | None, *, encoding: str, num_refs: int) -> Inputs:
    """Read reference files, or one with `num_refs` columns, and a file per system, or standard input if None."""
    notes: list[Note] = []
    columns = [Column(path, _read_lines(path, encoding, notes)) for path in references]
    if num_refs > 1:
        columns = _split_references(columns[0], num_refs)
    if systems is None:
        outputs = _split_systems(_read_lines("-", encoding, notes))
    else:
        _check_names(systems)
        outputs = [Column(path, _read_lines(path, encoding, notes)) for path in systems]
    _check_lengths(columns, outputs)
    return Inputs(columns, outputs, notes)


def _read_lines(path: str, encoding: str, notes: list[Note]) -> list[str]:
    """The lines without white space at their end, which sacreBLEU removes."""
    if codecs.lookup(encoding).name == "utf-8":
        lines, reading_notes = read_lines(path)
        notes += reading_notes
        return [line.rstrip() for line in lines]
    text = _decoded(path, encoding)
    return [line.rstrip() for line in text.removesuffix("\n").split("\n")] if text else []


def _decoded(path: str, encoding: str) -> str:
    try:
        return read_bytes(path).decode(encoding)
    except UnicodeError as error:
        raise DecodeError(f"not valid {encoding}: {error}", path=shown_path(path)) from error


def _split_references(column: Column, count: int) -> list[Column]:
    rows = [line.split("\t", maxsplit=count - 1) for line in column.texts]
    for number, row in enumerate(rows, 1):
        if len(row) != count:
            raise AlignmentError(
                f"expected {count} tab-separated references (--num-refs), not {len(row)}", path=column.name, line=number
            )
    return [Column(f"{column.name}, column {k + 1}", [row[k] for row in rows]) for k in range(count)]


def _split_systems(lines: list[str]) -> list[Column]:
    """One system for each tab-separated field of the first line of standard input."""
    if not lines:
        raise EmptyInputError("no text", path="standard input", hint="pipe the output in, or name its file with -i")
    first, *others = [line.split("\t") for line in lines]
    for number, row in enumerate(others, 2):
        if len(row) != len(first):
            raise AlignmentError(
                f"expected {len(first)} tab-separated systems as in line 1, not {len(row)}",
                path="standard input",
                line=number,
                hint="an empty output at the end of a line gets lost; name a file for each system with -i",
            )
    rows = [first, *([text.rstrip() for text in row] for row in others)]  # sacreBLEU does not strip the first line
    return [Column(f"System {k + 1}", [row[k] for row in rows]) for k in range(len(first))]


def _check_names(systems: Sequence[str]) -> None:
    duplicate = next((path for path in systems if systems.count(path) > 1), None)
    if duplicate is not None:
        raise NameClashError(f"two systems are called '{duplicate}'", hint="name each file once after -i")


def _check_lengths(references: list[Column], systems: list[Column]) -> None:
    for column in (*references, *systems):
        if not column.texts:
            raise EmptyInputError("the file is empty", path=column.name, hint="nothing was scored")
    for system in systems:
        for reference in references:
            if len(system.texts) != len(reference.texts):
                raise AlignmentError(
                    f"{system.name} has {plural(len(system.texts), 'segment')}, "
                    f"{reference.name} has {len(reference.texts):,}",
                    hint="all files need one line per segment, in the same order; nothing was scored",
                )
