"""What a difference means, as a document: the answer in words, then the same probability in other metrics."""

from __future__ import annotations

from collections.abc import Iterator

from assay.reports.cells import Number, Text
from assay.reports.documents import Caption, Document, Grid, Section, columns
from assay.results import Equivalent, Explanation
from assay.results.estimate import decimals_for

__all__ = ["document"]


def document(explanation: Explanation) -> Document:
    """The sentences and the equivalents."""
    return Document.of(explanation, lambda: _sections(explanation))


def _sections(explanation: Explanation) -> Iterator[Section]:
    for sentence in explanation.sentences:
        yield Section(title=sentence)
    shown = [each for each in explanation.equivalents if not _is_variant(each, explanation)]
    if shown:
        rows = tuple(
            (Text(each.metric), Number(each.difference, decimals_for([each.difference, explanation.difference])))
            for each in shown
        )
        hidden = len(explanation.equivalents) - len(shown)
        captions = (Caption(f"{hidden} variants of these metrics: --format json"),) if hidden else ()
        yield Section((Grid(columns(("the same probability", f"{shown[0].aggregation} difference")), rows, captions),))
    if explanation.signature:
        yield Section(signatures=(explanation.signature,))


def _is_variant(equivalent: Equivalent, explanation: Explanation) -> bool:
    """Whether it is another form of a metric in the list, such as `bleu-moses` of `bleu`."""
    names = [explanation.metric, *(each.metric for each in explanation.equivalents)]
    return any(equivalent.metric.startswith((f"{name}-", f"{name}:")) for name in names)
