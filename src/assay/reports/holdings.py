"""The contents of test sets, as a document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from assay.reports.cells import Cell, Count, Text
from assay.reports.documents import Caption, Document, Grid, Section, columns
from assay.results import Holding, Holdings

__all__ = ["document"]

_LABELS = ("test set", "pair", "human by system", "human by segment", "judgements")
_COUNTS = ("segments", "outputs", "references", "metrics by system", "metrics by segment")


def document(holdings: Holdings) -> Document:
    """One row per test set and language pair."""
    return Document.of(holdings, lambda: _sections(holdings))


def _sections(holdings: Holdings) -> Iterator[Section]:
    rows = tuple(_row(holding) for holding in holdings)
    total = Caption("1 language pair") if len(rows) == 1 else Caption("{} language pairs", (Count(len(rows)),))
    yield Section((Grid(columns((*_LABELS, *_COUNTS), labels=len(_LABELS)), rows, (total,)),))


def _row(holding: Holding) -> tuple[Cell, ...]:
    return (
        Text(holding.testset),
        Text(holding.lp),
        Text(" ".join(holding.human_system)),
        Text(_counted(holding.human_segment)),
        Text(_counted(holding.judgements)),
        Count(holding.segments),
        Count(holding.outputs),
        Count(holding.references),
        Count(holding.metrics_system),
        Count(holding.metrics_segment),
    )


def _counted(counts: Mapping[str, int]) -> str:
    return " ".join(f"{name}:{count:,}" for name, count in counts.items())
