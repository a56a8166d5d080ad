"""`assay.load`: columns in, a checked `TestSet` out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from assay import _core
from assay.data.alignment import likely_shift, suspicious_line
from assay.data.quoting import text_notes
from assay.data.text import read_lines, shown_path
from assay.errors import AlignmentError, DecodeError, EmptyInputError
from assay.types import Column, TestSet

__all__ = ["ColumnLike", "load"]

ColumnLike: TypeAlias = "str | Path | Sequence[str | None]"

# What some programs take for line ends and others, like this one, for content.
_FALSE_LINE_ENDS = {"\r": "CR", "\v": "VT", "\f": "FF", "\x85": "U+0085", "\u2028": "U+2028", "\u2029": "U+2029"}


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
    labelled_outputs = {_label(f"output '{name}'", outputs, name): column for name, column in outputs_read.items()}
    labelled_references = {
        _label(f"reference '{name}'", references, name): column for name, column in references_read.items()
    }
    labelled_plain = {_label(name, plain[name], name): column for name, column in plain_read.items()}
    labelled = labelled_outputs | labelled_references | labelled_plain
    _check_empty(labelled)
    _check_transposed(references_read, size)
    _check_lengths(labelled, size)
    notes += _shift_notes(labelled_outputs, labelled_references)
    return TestSet(outputs=outputs_read, references=references_read, lp=lp, notes=tuple(notes), **plain_read)  # type: ignore[arg-type]


def _label(name: str, given: object, key: str) -> str:
    """What to call a column in a message: its file, if it came from one."""
    source = given.get(key) if isinstance(given, Mapping) else given
    return shown_path(source) if isinstance(source, str | Path) else name


def _check_empty(columns: Mapping[str, Column]) -> None:
    for label, column in columns.items():
        if not column:
            raise EmptyInputError(
                f"{label} has no segments", hint="nothing was scored; was what should have written it cut off?"
            )


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
        if len(column) != usual:
            raise AlignmentError(
                f"{label} has {len(column):,} segments, {yardstick} has {usual:,}" + _why(columns, label, yardstick),
                hint="all columns need one text for each segment, in the same order; nothing was scored",
            )


def _why(columns: Mapping[str, Column], label: str, yardstick: str) -> str:
    """What may have made two columns differ in length, or where they begin to."""
    shorter, longer = sorted((label, yardstick), key=lambda name: len(columns[name]))
    surplus = columns[longer][len(columns[shorter]) :]
    if all(text is not None and not text.strip() for text in surplus):
        lines = "line" if len(surplus) == 1 else f"{len(surplus):,} lines"
        return f": the last {lines} of {longer} {'is' if len(surplus) == 1 else 'are'} blank"
    for character, name in _FALSE_LINE_ENDS.items():
        count = sum((text or "").count(character) for text in columns[shorter])
        if count in (len(surplus), len(surplus) + 1):  # one more if the file ends in it
            times = "once" if count == 1 else f"{count:,} times"
            return f": {shorter} contains {name} {times}, and only LF ends a line"
    return _where(columns[yardstick], columns[label])


def _where(usual: Column, column: Column) -> str:
    """The most likely place of what is missing or too much, where texts are long and alike enough to tell."""
    difference = len(usual) - len(column)
    characters = sum(len(text or "") for text in column) / len(column)
    if abs(difference) > max(5, len(usual) // 20) or characters < 10:
        return ""
    if difference > 0:
        return f": some are missing, most likely at line {suspicious_line(usual, column):,}"
    return f": there are too many, most likely at line {suspicious_line(column, usual):,}"


def _shift_notes(outputs: Mapping[str, Column], references: Mapping[str, Column]) -> list[str]:
    """Notes on outputs whose lines fit those before or after in the first reference."""
    notes = []
    for label, reference in list(references.items())[:1]:
        for output, column in outputs.items():
            shift = likely_shift(column, reference)
            if shift:
                other = "next" if shift > 0 else "previous"
                notes.append(
                    f"{output} looks shifted by a line: most of its lines fit the {other} line of {label} better "
                    "than their own"
                )
    return notes


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
        lines, found = read_lines(given)
        notes += (*found, *text_notes(lines, path=shown_path(given)))
        return lines
    column = tuple(given)
    flaw = _core.first_flaw(column)
    if flaw is None:
        return column
    odd = column[flaw[0]]
    if hasattr(odd, "__len__") and not isinstance(odd, str):
        raise _nested(what, column, segments)
    kind = "a lone surrogate" if isinstance(odd, str) else type(odd).__name__
    raise DecodeError(f"{what}, segment {flaw[0] + 1}: {kind} is not text")


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
