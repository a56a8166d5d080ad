"""What can go out unedited, as a document: sentences, and what happened where judgements were held out."""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.labels.numbers import threshold_text
from assay.reports.cells import Cell, Count, Number, Text
from assay.reports.documents import Column, Document, Grid, Section
from assay.results import Estimate, Triage
from assay.words import verdict

__all__ = ["document"]

_SHOWN = {"kept": "shown to be kept", "broken": "shown to be broken", "": "not shown"}
"""Where the whole interval is on one side of what was promised."""


def document(triage: Triage) -> Document:
    """The verdict, and a row for each part of the judgements that was held out."""
    return Document.of(
        triage, lambda: _sections(triage), name="Segments that can go out", opening=lambda: verdict((triage,)).sentences
    )


def _sections(triage: Triage) -> Iterator[Section]:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            Text(each.part),
            Text(_SHOWN[triage.shown(each.error_rate)] if each.released else ""),
            Count(each.n),
            Text(threshold_text(each.threshold)),
            Count(each.released),
            _errors(each.error_rate),
        )
        for each in triage.held_out
    )
    titles = (
        Column("held out", "left"),
        Column("promise", "left"),
        *map(Column, ("judgements", "threshold of the others", "released", "with errors, %")),
    )
    grid = Grid(titles, rows)
    threshold = "none" if math.isnan(triage.threshold) else threshold_text(triage.threshold)
    if triage.systems:
        of_systems = [
            (
                Text(each.system),
                Text(_SHOWN[triage.shown(each.error_rate)]),
                Count(each.error_rate.n),
                _errors(each.error_rate),
            )
            for each in triage.systems
        ]
        header = (Column("system", "left"), Column("promise", "left"), Column("judgements"), Column("with errors, %"))
        yield Section((Grid(header, tuple(of_systems)),), f"Systems from the threshold on ({threshold})")
    yield Section((grid,), f"Held out in turn (threshold of all: {threshold})", (triage.signature,))


def _errors(rate: Estimate) -> Number:
    """A share with its two-sided interval, in percent."""
    return Number(100 * rate.value, 1, 100 * rate.low, 100 * rate.high)
