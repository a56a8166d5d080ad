"""Hypotheses and references as columns of the core, checked. sacreBLEU cuts lists of different lengths silently."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assay import _core
from assay.compat.sacrebleu.errors import NoReferencesError, NoSegmentsError, TextError
from assay.errors import AlignmentError
from assay.types import Column, TestSet

__all__ = ["CheckedTexts", "hypothesis_column", "read_references", "reference_columns", "reference_count"]

_SURROGATE = "surrogate"  # not valid text, but sacreBLEU scores it


class CheckedTexts(TestSet):
    """What a metric reads of a test set: texts that have been checked, because checks take longer than one segment."""

    def __init__(self, systems: Iterable[Column], references: Iterable[Column]) -> None:
        object.__setattr__(self, "outputs", dict(enumerate(systems)))
        object.__setattr__(self, "references", dict(enumerate(references)))


def hypothesis_column(texts: Iterable[str], references: Sequence[Column]) -> Column:
    """The hypotheses, one for each segment of the references."""
    column = _column("hypotheses", texts)
    if None in column:
        raise TextError(f"segment {column.index(None) + 1} of the hypotheses is None")
    lengths = sorted(set(map(len, references)))
    if lengths != [len(column)]:
        sizes = " and ".join(map(str, lengths))
        raise AlignmentError(
            f"{len(column)} hypotheses, but references are {len(references)} lists of {sizes}",
            hint="references are K lists of N texts: one list per reference, not per segment",
        )
    if not column:
        raise NoSegmentsError("no hypotheses were given")
    return column


def reference_columns(references: Iterable[Iterable[str | None]]) -> tuple[Column, ...]:
    """The K lists of references."""
    if isinstance(references, str):
        raise TextError("references are K lists of N strings, not a string")
    columns = tuple(_column("references", texts) for texts in references)
    if not columns:
        raise NoReferencesError("no references were given", hint="pass them here or to the constructor")
    return columns


def read_references(references: Iterable[str | None]) -> tuple[Column, ...]:
    """The references of one segment, as columns."""
    if isinstance(references, str):
        raise TextError("the references of a segment are a list of strings, not a string")
    columns = tuple([(text,) for text in references])
    if not columns:
        raise NoReferencesError("no references were given")
    return columns


def reference_count(columns: Sequence[Column]) -> int:
    """The number of references of each segment, -1 if it varies, as in sacreBLEU."""
    if not any(None in column for column in columns):
        return len(columns)
    counts = [sum(text is not None for text in segment) for segment in zip(*columns, strict=False)]
    if 0 in counts:
        raise TextError(f"segment {counts.index(0) + 1} has no reference")
    return counts[0] if len(set(counts)) == 1 else -1


def _column(kind: str, texts: Iterable[str | None]) -> Column:
    if isinstance(texts, str | bytes):
        raise TextError(f"{kind} are lists of strings, not a string")
    column = tuple(texts)
    flaw = _core.first_flaw(column)
    if flaw is not None and flaw[1] != _SURROGATE:
        raise TextError(f"segment {flaw[0] + 1} of the {kind} is not text, but {type(column[flaw[0]]).__name__}")
    return column
