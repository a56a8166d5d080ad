"""The texts that COMET and MetricX write beside their scores, as a test set.

Each system has a list of segments, and a segment has the texts it was scored with. Every system repeats the sources and
the references, which must be the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from assay.errors import AlignmentError
from assay.types import Column, Note, TestSet, as_column
from assay.types.note import plural

__all__ = ["Segments", "TextKeys", "texts_of_segments"]

Segments: TypeAlias = Sequence[Mapping[str, Any]]


class TextKeys(NamedTuple):
    """The keys of the texts of a segment."""

    source: str
    output: str
    reference: str


def texts_of_segments(
    systems: Mapping[str, Segments], keys: TextKeys, *, path: str, notes: Iterable[Note] = ()
) -> TestSet:
    """The texts as a test set, whose reference is called `ref`. Raise if systems have different segments."""
    _check_lengths(systems, path)
    references = _shared(systems, "reference", keys.reference, path)
    return TestSet(
        outputs={name: as_column(item.get(keys.output) for item in segments) for name, segments in systems.items()},
        references={} if references is None else {"ref": references},
        sources=_shared(systems, "source", keys.source, path),
        notes=tuple(notes),
    )


def _check_lengths(systems: Mapping[str, Segments], path: str) -> None:
    first, segments = next(iter(systems.items()))
    for name, others in systems.items():
        if len(others) != len(segments):
            message = f"system '{name}' has {plural(len(others), 'segment')}, but '{first}' has {len(segments):,}"
            raise AlignmentError(message, path=path)


def _shared(systems: Mapping[str, Segments], kind: str, key: str, path: str) -> Column | None:
    """The sources or references, which must be the same for all systems; None if there are none, or all are empty."""
    first, segments = next(iter(systems.items()))
    column = as_column(item.get(key) for item in segments)
    for name, others in systems.items():
        for number, (text, item) in enumerate(zip(column, others, strict=True), 1):
            if item.get(key) != text:
                message = f"segment {number:,}: '{name}' and '{first}' have a different {kind}"
                hint = "score all systems with the same sources and references"
                raise AlignmentError(message, path=path, hint=hint)
    return column if any(column) else None
