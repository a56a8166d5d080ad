"""Score files of mt-metrics-eval: `SYSTEM SCORE` lines, one block per system in the order of segments.

A regular file is parsed in one pass. Any other is read again line by line, to say what is wrong and where.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from assay import _core
from assay.data.tables.numbers import parse_score
from assay.data.text_files import digest_of_bytes, read_bytes, read_text, shown_path, without_mark
from assay.errors import EmptyInputError, InputError, UnsafeNameError, nearest
from assay.types import FloatArray, Note, ScoreTable
from assay.types.note import plural

__all__ = ["LEVELS", "name_and_level", "read_score_file", "score_text"]

LEVELS = {"sys": "system", "domain": "domain", "doc": "document", "seg": "segment"}


def name_and_level(file_name: str) -> tuple[str, str] | None:
    """The name and level of `NAME.LEVEL.score`; None if the name does not have this form."""
    name, _, level = file_name.removesuffix(".gz").removesuffix(".score").rpartition(".")
    return (name, LEVELS[level]) if name and level in LEVELS else None


def read_score_file(
    path: Path,
    *,
    name: str,
    level: str,
    items: Sequence[str] | int | None = None,
    references: tuple[str, ...] = (),
    protocol: str | None = None,
    rater: str | None = None,
    notes: list[Note] | None = None,
) -> ScoreTable:
    """A table of scores. `items` are the number or names of the values of a system.

    Notes on what was changed while reading are added to `notes`.
    """
    raw = read_bytes(path)
    body, changes = without_mark(raw, path)
    if notes is not None:
        notes += changes
    count = items if isinstance(items, int) or items is None else len(items)
    if level == "domain":
        names, values, labels = _by_domain(path, items)
    else:
        names, values = _in_one_pass(body, count) or _line_by_line(path, count)
        labels = tuple(items or ()) if not isinstance(items, int) else ()
        if level == "document" and not labels:
            labels = tuple(f"document {k}" for k in range(1, values.shape[1] + 1))
    try:
        return ScoreTable(
            name=name,
            level=level,
            systems=names,
            values=values,
            origin=str(path),
            digest=digest_of_bytes(raw),
            references=references,
            protocol=protocol,
            rater=rater,
            items=labels if level in ("document", "domain") else (),
            lines={} if level == "domain" else {name: 1 + k * values.shape[1] for k, name in enumerate(names)},
        )
    except InputError as error:
        hint = "rename it in the file" if isinstance(error, UnsafeNameError) else error.hint
        raise type(error)(error.message, path=shown_path(path), hint=hint) from None


def score_text(table: ScoreTable) -> str:
    """A table as the text of such a file."""

    def number(value: float) -> str:
        return "None" if value != value else repr(float(value))

    rows = zip(table.systems, table.values, strict=True)
    if table.level == "domain":
        cells = ((domain, s, v) for s, values in rows for domain, v in zip(table.items, values, strict=True))
        return "".join(f"{domain}\t{system}\t{number(value)}\n" for domain, system, value in cells)
    return "".join(f"{system}\t{number(value)}\n" for system, values in rows for value in values)


def _in_one_pass(raw: bytes, count: int | None) -> tuple[tuple[str, ...], FloatArray] | None:
    """None if the file is not regular."""
    parsed = _core.parse_score_lines(raw)
    if parsed is None:
        return None
    names, sizes, values = parsed
    size = count or (int(sizes[0]) if names else 0)
    if not size or len(set(names)) != len(names) or (sizes != size).any():
        return None
    try:
        return tuple(name.decode() for name in names), values.reshape(len(names), size)
    except UnicodeDecodeError:
        return None


def _line_by_line(path: Path, count: int | None) -> tuple[tuple[str, ...], FloatArray]:
    rows: dict[str, list[float]] = {}
    latest = ""
    for number, (system, score) in _lines(path, 2):
        if system != latest and system in rows:
            raise InputError(f"a second block of system '{system}'", path=shown_path(path), line=number)
        latest = system
        rows.setdefault(system, []).append(parse_score(score, path=shown_path(path), line=number))
        if count is not None and len(rows[system]) > count:
            message = f"more than {plural(count, 'score')} for system '{system}'"
            raise InputError(message, path=shown_path(path), line=number)
    size = count or max(map(len, rows.values()))
    for system, values in rows.items():
        if len(values) != size:
            message = f"{plural(len(values), 'score')} for system '{system}', expected {size:,}"
            hint = "each system needs a line for each segment; write None where it has no score"
            raise InputError(message, path=shown_path(path), hint=hint)
    return tuple(rows), np.array(list(rows.values()))


def _by_domain(path: Path, items: Sequence[str] | int | None) -> tuple[tuple[str, ...], FloatArray, tuple[str, ...]]:
    """`DOMAIN SYSTEM SCORE` lines, in any order."""
    cells: dict[tuple[str, str], float] = {}
    for number, (domain, system, score) in _lines(path, 3):
        if (domain, system) in cells:
            raise InputError(f"duplicate score of '{system}' in '{domain}'", path=shown_path(path), line=number)
        if not (items is None or isinstance(items, int)) and domain not in items:
            hint = nearest(domain, items)
            raise InputError(f"unknown domain '{domain}'", path=shown_path(path), line=number, hint=hint)
        cells[domain, system] = parse_score(score, path=shown_path(path), line=number)
    domains = tuple(sorted({domain for domain, _ in cells}))
    systems = tuple(dict.fromkeys(system for _, system in cells))
    return systems, np.array([[cells.get((d, s), np.nan) for d in domains] for s in systems]), domains


def _lines(path: Path, fields: int) -> list[tuple[int, list[str]]]:
    text, _ = read_text(path)
    if not text.strip():
        raise EmptyInputError("empty file", path=shown_path(path))
    rows = []
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        parts = re.split(r"\s+", line.strip(), maxsplit=fields)
        if len(parts) != fields or not parts[0]:
            expected = "SYSTEM SCORE" if fields == 2 else "DOMAIN SYSTEM SCORE"
            raise InputError(f"expected '{expected}', not {line[:60]!r}", path=shown_path(path), line=number)
        rows.append((number, parts))
    return rows
