"""`assay.load`: columns in, a checked `TestSet` out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from assay import _core
from assay.data.alignment import suspicious_line
from assay.data.plain import read_column
from assay.errors import AlignmentError
from assay.types import Column, TestSet

__all__ = ["ColumnLike", "load"]

ColumnLike: TypeAlias = "str | Path | Sequence[str | None]"


def load(
    *,
    outputs: Mapping[str, ColumnLike] | ColumnLike,
    references: Mapping[str, ColumnLike] | ColumnLike | None = None,
    sources: ColumnLike | None = None,
    documents: ColumnLike | None = None,
    domains: ColumnLike | None = None,
    lp: str | None = None,
) -> TestSet:
    """A test set from columns. A column is a path or a list of N strings (None: absent).

    Outputs and references are named: `outputs={"base": column}`. A single one may be given as a bare column.
    """
    notes: list[str] = []
    outputs_read = _named_columns("outputs", outputs, "output", notes)
    size = len(next(iter(outputs_read.values()), ()))
    references_read = _named_columns("references", references, "ref", notes, segments=size)
    plain = {"sources": sources, "documents": documents, "domains": domains}
    plain_read = {name: _column(name, given, notes) for name, given in plain.items() if given is not None}
    _check_lengths(
        {
            **{_label(f"output '{name}'", outputs, name): column for name, column in outputs_read.items()},
            **{_label(f"reference '{name}'", references, name): column for name, column in references_read.items()},
            **{_label(name, plain[name], name): column for name, column in plain_read.items()},
        }
    )
    return TestSet(outputs=outputs_read, references=references_read, lp=lp, notes=tuple(notes), **plain_read)


def _label(name: str, given: object, key: str) -> str:
    """What to call a column in a message: its file, if it came from one."""
    source = given.get(key) if isinstance(given, Mapping) else given
    return str(source) if isinstance(source, str | Path) else name


def _check_lengths(columns: Mapping[str, Column]) -> None:
    """Columns must be of one length; the error names the odd one out and the place where it begins to differ."""
    lengths = [len(column) for column in columns.values()]
    usual = max(lengths, key=lengths.count) if lengths else 0
    yardstick = next((label for label, column in columns.items() if len(column) == usual), "")
    for label, column in columns.items():
        if len(column) == usual or not column:
            continue
        missing = len(column) < usual
        pair = (columns[yardstick], column) if missing else (column, columns[yardstick])
        line = suspicious_line(*pair)
        raise AlignmentError(
            f"{label} has {len(column):,} segments, {yardstick} has {usual:,}: "
            f"{'some are missing' if missing else 'there are too many'}, most likely at line {line:,}",
            line=line,
            hint="all columns need one text for each segment, in the same order; nothing was scored",
        )


def _named_columns(
    what: str,
    given: Mapping[str, ColumnLike] | ColumnLike | None,
    single: str,
    notes: list[str],
    *,
    segments: int | None = None,
) -> dict[str, Column]:
    if given is None:
        return {}
    if isinstance(given, Mapping):
        return {name: _column(f"{what}[{name!r}]", column, notes, segments) for name, column in given.items()}
    name = Path(given).stem if isinstance(given, str | Path) and str(given) != "-" else single
    return {name: _column(what, given, notes, segments)}


def _column(what: str, given: ColumnLike, notes: list[str], segments: int | None = None) -> Column:
    if isinstance(given, str | Path):
        lines, found = read_column(given)
        notes += found
        return lines
    column = tuple(given)
    if _core.first_flaw(column) is not None and any(isinstance(text, list | tuple) for text in column):
        raise _nested(what, column, segments)
    return column


def _nested(what: str, column: Sequence[object], segments: int | None) -> AlignmentError:
    """Explain nested lists: which way round they are, and the call that was meant."""
    inner = sorted({len(row) for row in column if isinstance(row, list | tuple)})
    sizes = str(inner[0]) if len(inner) == 1 else f"{inner[0]} to {inner[-1]}"
    shape = f"{what} is {len(column)} lists of {sizes}"
    by_reference = 'references={"refA": refs[0]' + (', "refB": refs[1]}' if len(column) > 1 else "}")
    second = ', "refB": [r[1] for r in refs]}' if inner[-1] > 1 else "}"
    by_segment = 'references={"refA": [r[0] for r in refs]' + second
    if segments is not None and inner == [segments] and len(column) != segments:
        return AlignmentError(
            f"{shape}, one for each reference, as sacreBLEU takes it; a column is one flat list", hint=by_reference
        )
    if segments is not None and len(column) == segments and inner != [segments]:
        return AlignmentError(
            f"{shape}, one for each segment: transposed (sacreBLEU would score only the first segment)", hint=by_segment
        )
    return AlignmentError(
        f"{shape}; a column is one flat list with a text for each segment",
        hint=f"if a list is a reference: {by_reference}; if a list is a segment: {by_segment}",
    )
