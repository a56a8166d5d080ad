"""Hypotheses and references as columns of the core, checked. sacreBLEU cuts lists of different lengths silently."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any

from assay.compat.sacrebleu.errors import NoReferencesError, NoSegmentsError, TextError
from assay.errors import AlignmentError, printable
from assay.types import Column, TestSet, as_column

__all__ = ["checked_testset", "hypothesis_column", "read_references", "reference_columns", "reference_count"]

_SURROGATE = "surrogate"  # not valid text, but sacreBLEU scores it


def checked_testset(outputs: Iterable[Column], references: Iterable[Column]) -> TestSet:
    """A test set of columns that have been checked by the functions below."""
    return _CheckedTestSet(_numbered(outputs), _numbered(references))


class _CheckedTestSet(TestSet):
    """A test set that is not checked again, which would take longer than scoring one segment."""

    def __post_init__(self) -> None:
        pass


def _numbered(columns: Iterable[Column]) -> dict[str, Column]:
    return {str(number): column for number, column in enumerate(columns)}


def hypothesis_column(texts: Iterable[str], references: Sequence[Column], system: str | None = None) -> Column:
    """The hypotheses, one for each segment of the references. Errors name the system, if it has a name."""
    of_system = "" if system is None else f" of '{printable(str(system))}'"
    column = _column(f"hypotheses{of_system}", texts)
    if None in column:
        raise TextError(f"segment {column.index(None) + 1} of the hypotheses{of_system} is None")
    lengths = sorted(set(map(len, references)))
    if lengths != [len(column)]:
        outputs = "1 hypothesis" if len(column) == 1 else f"{len(column)} hypotheses"
        lists = "1 list" if len(references) == 1 else f"{len(references)} lists"
        raise AlignmentError(
            f"{outputs}{of_system}, but references are {lists} of {' and '.join(map(str, lengths))}",
            hint="references are K lists of N texts: one list per reference, not per segment",
        )
    if not column:
        raise NoSegmentsError("no hypotheses were given")
    return column


def reference_columns(references: Iterable[Iterable[str | None]]) -> tuple[Column, ...]:
    """The K lists of references."""
    columns = tuple(_column("references", texts) for texts in _ordered("references", "lists of strings", references))
    if not columns:
        raise NoReferencesError("no references were given", hint="pass them here or to the constructor")
    return columns


def read_references(references: Iterable[str | None]) -> tuple[Column, ...]:
    """The references of one segment, as columns."""
    texts = as_column(_ordered("references of a segment", "strings", references))
    if not texts:
        raise NoReferencesError("no references were given")
    flaw = _first_flaw(texts)
    if flaw is not None:
        raise TextError(f"reference {flaw + 1} is not text, but {type(texts[flaw]).__name__}")
    return tuple([Column((text,)) for text in texts])


def reference_count(columns: Sequence[Column]) -> int:
    """The number of references of each segment, -1 if it varies, as in sacreBLEU."""
    if not any(None in column for column in columns):
        return len(columns)
    counts = [sum(text is not None for text in segment) for segment in zip(*columns, strict=False)]
    if 0 in counts:
        raise TextError(f"segment {counts.index(0) + 1} has no reference")
    return counts[0] if len(set(counts)) == 1 else -1


def _column(kind: str, texts: Iterable[str | None]) -> Column:
    column = as_column(_ordered(kind, "strings", texts))
    flaw = _first_flaw(column)
    if flaw is not None:
        raise TextError(f"segment {flaw + 1} of the {kind} is not text, but {type(column[flaw]).__name__}")
    return column


def _ordered(kind: str, items: str, values: Iterable[Any]) -> Iterable[Any]:
    """The values, if they have an order: sets have none, and of dictionaries the keys would be scored."""
    if isinstance(values, list | tuple):  # for speed
        return values
    if isinstance(values, str | bytes | Set | Mapping) or not isinstance(values, Iterable):
        raise TextError(f"{kind} must be a list of {items}, not {type(values).__name__}")
    return values


def _first_flaw(texts: Column) -> int | None:
    return None if texts.flaw is None or texts.flaw[1] == _SURROGATE else texts.flaw[0]
