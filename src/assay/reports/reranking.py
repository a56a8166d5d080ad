"""Which candidates a metric chose, as a document."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from assay.reports.cells import Count, Number, Text
from assay.reports.documents import Caption, Column, Document, Grid, Section, TitledCells
from assay.results import Reranking

__all__ = ["document"]

_RULES = {
    "mbr": "Chosen is the candidate with the {} mean utility: its mean {} against the pseudo-references.",
    "score": "Chosen is the candidate with the {} {} of its segment.",
}


def document(reranking: Reranking) -> Document:
    """A row for the whole test set; files have a row for each segment."""
    return Document.of(reranking, lambda: _sections(reranking), name="Chosen candidates")


def _sections(reranking: Reranking) -> Iterator[Section]:
    segments = reranking.segments
    best = "highest" if reranking.higher_is_better else "lowest"
    columns: list[TitledCells] = [
        (Column("chosen by", "left"), [Text(reranking.metric)]),
        ("segments", [Count(len(segments))]),
        ("candidates", [Count(sum(each.candidates for each in segments))]),
        ("not the first", [Count(reranking.changed)]),
        ("chosen", [_mean(each.value for each in segments)]),
        ("first", [_mean(each.first_value for each in segments)]),
        ("all", [_mean(each.mean_value for each in segments)]),
        ("ties", [Count(sum(each.ties > 0 for each in segments))]),
    ]
    rule = Caption(_RULES[reranking.rule].format(best, reranking.metric))
    means = Caption(
        "Means over segments of the value of the chosen candidate, of the first one and of all; ties went to the first."
    )
    yield Section((Grid.of(columns, captions=(rule, means)),), signatures=(reranking.signature,))


def _mean(values: Iterable[float]) -> Number:
    defined = [value for value in values if not math.isnan(value)]
    return Number(math.fsum(defined) / len(defined) if defined else math.nan, 2)
