"""What a difference means, as a document: the answer in words, then differences of other metrics that mean the same."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from assay.calibration.wording import sentences
from assay.reports.cells import Cell, Number, Text
from assay.reports.documents import Caption, Document, Grid, Section, columns
from assay.results import Equivalent, Explanation

__all__ = ["document"]

_DIGITS = 3


def document(explanation: Explanation) -> Document:
    """The sentences and the equivalents."""
    return Document.of(explanation, lambda: _sections(explanation), name="What a difference means")


def _sections(explanation: Explanation) -> Iterator[Section]:
    for sentence in sentences(explanation):
        yield Section(title=sentence)
    shown = [each for each in explanation.equivalents if not _is_variant(each, explanation)]
    if shown:
        hidden = len(explanation.equivalents) - len(shown)
        captions = (Caption(f"variants of these metrics that are left out here: {hidden}"),) if hidden else ()
        yield Section((_equivalents(shown, captions),))
    if explanation.signature:
        yield Section(signatures=(explanation.signature,))


def _equivalents(equivalents: Sequence[Equivalent], captions: tuple[Caption, ...]) -> Grid:
    """Other metrics and the range of their differences."""
    titles = ("means the same", f"{equivalents[0].aggregation} difference", "up to")
    return Grid(columns(titles), tuple(map(_row, equivalents)), captions)


def _row(equivalent: Equivalent) -> tuple[Cell, ...]:
    decimals = _decimals(equivalent.difference if math.isnan(equivalent.up_to) else equivalent.up_to)
    up_to = Number(equivalent.up_to, decimals, reason="no higher cut-off is published")
    return Text(equivalent.metric), Number(equivalent.difference, decimals), up_to


def _decimals(largest: float) -> int:
    """Those that show three digits: metrics have different scales."""
    return 0 if largest <= 0 else max(0, _DIGITS - 1 - math.floor(math.log10(largest)))


def _is_variant(equivalent: Equivalent, explanation: Explanation) -> bool:
    """Whether it is another form of a metric in the list, such as `bleu-moses` of `bleu`."""
    names = [explanation.metric, *(each.metric for each in explanation.equivalents)]
    return any(equivalent.metric.startswith((f"{name}-", f"{name}:")) for name in names)
