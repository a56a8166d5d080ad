"""Units of resampling: segments, or whole documents where the segments of a document depend on each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Self

from assay.errors import ConfigError, InputError, option_name
from assay.lazily import numpy as np
from assay.measurement.segment_groups import is_placeholder, known_documents
from assay.options.option import TESTS, Option
from assay.types import FloatArray, IntArray, Note, NoteKind, Scorable
from assay.types.note import listed, plural

__all__ = ["UNITS", "ResamplingUnits", "Unit", "by_document", "placeholder_notes", "test_of_segments"]

UNITS = ("segment", "document")
Unit = Annotated[
    str,
    Option(
        "What is resampled: segment, or document where the segments of a document depend on each other.",
        group=TESTS,
        choices=UNITS,
        metavar="NAME",
    ),
]


@dataclass(frozen=True, slots=True, eq=False)
class ResamplingUnits:
    """The unit that each row belongs to: its document if those of all rows are known, else its segment."""

    number: IntArray
    """Of each row, from 0."""
    unit: str
    """`document` or `segment`."""

    @classmethod
    def of(cls, segments: IntArray, documents: Sequence[str | None]) -> Self:
        """The units of rows of these segments; `documents` has the document of each segment, or nothing."""
        names = known_documents(documents[k] for k in segments.tolist()) if documents else ()
        labels = list(names) if names else segments.tolist()
        numbers = {label: number for number, label in enumerate(dict.fromkeys(labels))}
        number = np.array([numbers[label] for label in labels], dtype=np.int64)
        return cls(number, "document" if names else "segment")

    def sizes(self, weights: FloatArray | None = None) -> FloatArray:
        """How many rows each unit has, or the sum of their weights."""
        return np.bincount(self.number, weights).astype(np.float64)


def by_document(scorable: Scorable, documents: Sequence[str | None]) -> Scorable:
    """The same scores with documents as rows: the rows of a document's segments are added up.

    Sums are the same, so every score is, but resamples draw or swap whole documents. A document is a name, wherever
    its segments stand.
    """
    if any(name is None for name in documents):
        raise InputError("some segments have no document", hint="documents as units need a document for each segment")
    names = {name: number for number, name in enumerate(dict.fromkeys(documents))}
    index = np.array([names[name] for name in documents])
    order = np.argsort(index, kind="stable")
    starts = np.searchsorted(index[order], np.arange(len(names)))
    table = np.add.reduceat(scorable.table[:, order], starts, axis=1)
    mask = np.logical_or.reduceat(scorable.mask[:, order], starts, axis=1)
    return replace(scorable, table=np.ascontiguousarray(table), mask=mask, is_mean=False)


def test_of_segments(test: str) -> ConfigError:
    """The error for a test of samples, where documents are the units."""
    message = f"{test} compares segments, not documents"
    return ConfigError(message, hint=f"e.g. {option_name('test', 'randomisation')}")


def placeholder_notes(documents: Sequence[str | None]) -> tuple[Note, ...]:
    """A note on segments whose document is a placeholder, which is swapped like one document. Raises if all are."""
    names = dict.fromkeys(name for name in documents if name is not None)
    placeholders = [name for name in names if is_placeholder(name)]
    if not placeholders:
        return ()
    if len(placeholders) == len(names):
        raise InputError(
            f"the documents of the segments are not known: {listed(placeholders)}",
            hint="documents as units need the document of each segment",
        )
    count = sum(name in placeholders for name in documents)
    text = (
        f"{plural(count, 'segment')} of unknown documents ({listed(placeholders)}) are swapped as if each name were "
        "one document"
    )
    return (Note(NoteKind.SUSPECT, text, count=count),)
