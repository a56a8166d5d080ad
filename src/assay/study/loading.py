"""`assay.load`: columns in, a checked `TestSet` out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

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
    _check_transposed(references_read, size)
    labelled = {
        **{_label(f"output '{name}'", outputs, name): column for name, column in outputs_read.items()},
        **{_label(f"reference '{name}'", references, name): column for name, column in references_read.items()},
        **{_label(name, plain[name], name): column for name, column in plain_read.items()},
    }
    _check_lengths(labelled, size)
    return TestSet(outputs=outputs_read, references=references_read, lp=lp, notes=tuple(notes), **plain_read)


def _label(name: str, given: object, key: str) -> str:
    """What to call a column in a message: its file, if it came from one."""
    source = given.get(key) if isinstance(given, Mapping) else given
    return str(source) if isinstance(source, str | Path) else name


def _check_transposed(references: Mapping[str, Column], segments: int) -> None:
    """As many references as segments, each with as many texts as there should be references."""
    lengths = {len(column) for column in references.values()}
    if len(references) == segments > 1 and lengths != {segments}:
        raise AlignmentError(
            f"there are {segments} segments and {segments} references of {_span(lengths)} texts: transposed, a column "
            "for each segment where one for each reference is needed",
            hint='references={"refA": [the first reference of each segment], …}',
        )


def _check_lengths(columns: Mapping[str, Column], segments: int) -> None:
    """Columns must be as long as the outputs; the error names the odd one out, and where it begins to differ."""
    lengths = [len(column) for column in columns.values()]
    usual = segments
    if len(columns) == 2:
        usual = max(lengths)  # one against one: say what is missing in the shorter
    elif segments not in lengths[1:]:
        usual = max(lengths[1:], key=lengths.count, default=segments)  # the first output stands alone
    yardstick = next((label for label, column in columns.items() if len(column) == usual), "")
    for label, column in columns.items():
        if len(column) != usual and column:
            raise AlignmentError(
                f"{label} has {len(column):,} segments, {yardstick} has {usual:,}{_where(columns[yardstick], column)}",
                hint="all columns need one text for each segment, in the same order; nothing was scored",
            )


def _where(usual: Column, column: Column) -> str:
    """The most likely place of what is missing or too much, where texts are long and alike enough to tell."""
    difference = len(usual) - len(column)
    words = sum(len(text or "") for text in column) / len(column)
    if abs(difference) > max(5, len(usual) // 20) or words < 10:
        return ""
    if difference > 0:
        return f": some are missing, most likely at line {suspicious_line(usual, column):,}"
    return f": there are too many, most likely at line {suspicious_line(column, usual):,}"


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
    flaw = _core.first_flaw(column)
    if flaw is not None and hasattr(column[flaw[0]], "__len__") and not isinstance(column[flaw[0]], str):
        raise _nested(what, column, segments)
    return column


def _nested(what: str, column: Sequence[Any], segments: int | None) -> AlignmentError:
    """Explain nested lists: which way round they are, and the call that was meant."""
    lengths = {len(row) for row in column if row is not None and not isinstance(row, str) and hasattr(row, "__len__")}
    shape = f"{what} is {len(column)} lists of {_span(lengths)}"
    if not what.startswith("references"):
        return AlignmentError(f"{shape}; a column is one flat list with a text for each segment")
    by_reference = _reference_call("refs[0]", "refs[1]", len(column))
    second = "r[1]" if len(lengths) == 1 else "r[1] if len(r) > 1 else None"
    by_segment = _reference_call("[r[0] for r in refs]", f"[{second} for r in refs]", max(lengths))
    if segments is not None and lengths == {segments} and len(column) != segments:
        return AlignmentError(
            f"{shape}, one for each reference, as sacreBLEU takes it; a column is one flat list",
            hint=by_reference,
        )
    if segments is not None and len(column) == segments and lengths != {segments}:
        return AlignmentError(
            f"{shape}, one for each segment: transposed (sacreBLEU would score only the first segment)",
            hint=by_segment,
        )
    return AlignmentError(
        f"{shape}; a column is one flat list with a text for each segment",
        hint=f"if a list is a reference: {by_reference}; if a list is a segment: {by_segment}",
    )


def _reference_call(first: str, second: str, references: int) -> str:
    columns = [f'"refA": {first}', f'"refB": {second}', "…"][: min(references, 3)]
    return f"references={{{', '.join(columns)}}}"


def _span(lengths: set[int]) -> str:
    return str(min(lengths)) if len(lengths) == 1 else f"{min(lengths)} to {max(lengths)}"
