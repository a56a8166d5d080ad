"""What can go out unedited, as a document: sentences, and what happened where judgements were held out."""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.reports.cells import Cell, Count, Number, Text
from assay.reports.documents import Column, Document, Grid, Section
from assay.results import Estimate, Triage
from assay.words import verdict

__all__ = ["document"]


def document(triage: Triage) -> Document:
    """The verdict, and a row for each part of the judgements that was held out."""
    return Document.of(
        triage, lambda: _sections(triage), name="Segments that can go out", opening=lambda: verdict((triage,)).sentences
    )


def _sections(triage: Triage) -> Iterator[Section]:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            Text(each.part),
            Text("" if not each.released else "yes" if each.is_broken else "no"),
            Count(each.n),
            Number(
                each.threshold,
                3,
                reason=None if each.threshold == each.threshold else "none is shown to keep the promise",
            ),
            Count(each.released),
            _errors(each.error_rate),
        )
        for each in triage.held_out
    )
    titles = (
        Column("held out", "left"),
        Column("promise broken", "left"),
        *map(Column, ("judgements", "threshold of the others", "released", "with errors, %")),
    )
    grid = Grid(titles, rows)
    threshold = "none" if math.isnan(triage.threshold) else f"{triage.threshold:.6g}"
    if triage.systems:
        of_systems = [
            (Text(each.system), Count(each.error_rate.n), _errors(each.error_rate)) for each in triage.systems
        ]
        header = (Column("system", "left"), Column("judgements"), Column("with errors, %"))
        yield Section((Grid(header, tuple(of_systems)),), f"Systems from the threshold on ({threshold})")
    yield Section((grid,), f"Held out in turn (threshold of all: {threshold})", (triage.signature,))


def _errors(rate: Estimate) -> Number:
    """A share with its two-sided interval, in percent."""
    return Number(100 * rate.value, 1, 100 * rate.low, 100 * rate.high)
