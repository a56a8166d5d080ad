"""The contents of test sets, as a document."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from assay.reports.cells import BLANK, Cell, Count, Text
from assay.reports.documents import Caption, Document, Grid, Section, columns
from assay.results import Holding, Holdings

__all__ = ["document"]

_LABELS: dict[str, Callable[[Holding], str]] = {
    "test set": lambda holding: holding.testset,
    "pair": lambda holding: holding.lp,
    "human by system": lambda holding: " ".join(holding.human_system),
    "human by segment": lambda holding: _counted(holding.human_segment),
    "judgements": lambda holding: _counted(holding.judgements),
}
_COUNTS: dict[str, Callable[[Holding], int]] = {
    "systems": lambda holding: holding.systems,
    "segments": lambda holding: holding.segments,
    "outputs": lambda holding: holding.outputs,
    "references": lambda holding: holding.references,
    "metrics by system": lambda holding: holding.metrics_system,
    "metrics by segment": lambda holding: holding.metrics_segment,
}


def document(holdings: Holdings) -> Document:
    """One row per test set and language pair, without the columns that are empty in all of them."""
    return Document.of(holdings, lambda: _sections(holdings))


def _sections(holdings: Holdings) -> Iterator[Section]:
    labels = {title: value for title, value in _LABELS.items() if any(map(value, holdings))}
    counts = {title: value for title, value in _COUNTS.items() if any(map(value, holdings))}
    rows = tuple(
        (*(Text(label(holding)) for label in labels.values()), *(_count(count(holding)) for count in counts.values()))
        for holding in holdings
    )
    total = Caption("1 language pair") if len(rows) == 1 else Caption("{} language pairs", (Count(len(rows)),))
    yield Section((Grid(columns((*labels, *counts), labels=len(labels)), rows, (total,)),))


def _count(number: int) -> Cell:
    return Count(number) if number else BLANK


def _counted(counts: Mapping[str, int]) -> str:
    return " ".join(f"{name}:{count:,}" for name, count in counts.items())
