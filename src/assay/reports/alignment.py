"""How well outputs fit the segments of a reference, as a document."""

from __future__ import annotations

from collections.abc import Iterator

from assay.reports.cells import Count, Number, Text
from assay.reports.documents import Column, Document, Grid, Section, TitledCells
from assay.results import Alignment

__all__ = ["document"]


def document(alignment: Alignment) -> Document:
    """A row for each output."""
    return Document.of(alignment, lambda: _sections(alignment), name="Outputs cut to the segments of the reference")


def _sections(alignment: Alignment) -> Iterator[Section]:
    outputs = alignment.outputs
    theirs = [sum(each.reference_words for each in output.segments) for output in outputs]
    shares = [100 * output.edits / words for output, words in zip(outputs, theirs, strict=True)]
    columns: list[TitledCells] = [
        (Column("system", "left"), [Text(each.system) for each in outputs]),
        ("words", [Count(each.words) for each in outputs]),
        ("of the reference", [Count(words) for words in theirs]),
        ("edits", [Count(each.edits) for each in outputs]),
        ("edits, %", [Number(share, 1) for share in shares]),
        ("segments", [Count(len(each.segments)) for each in outputs]),
        ("doubtful", [Count(each.doubtful) for each in outputs]),
        ("empty", [Count(each.empty) for each in outputs]),
    ]
    yield Section((Grid.of(columns),), signatures=(alignment.signature,))
