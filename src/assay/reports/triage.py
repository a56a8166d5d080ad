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
_WITH_ERRORS = "with errors, %"


def document(triage: Triage) -> Document:
    """The verdict, and a row for each part of the judgements that was held out."""
    return Document.of(
        triage, lambda: _sections(triage), name="Segments that can go out", opening=lambda: verdict((triage,)).sentences
    )


def _sections(triage: Triage) -> Iterator[Section]:
    threshold = "none" if math.isnan(triage.threshold) else threshold_text(triage.threshold)
    if triage.systems:
        yield Section((_systems(triage),), f"Systems from the threshold on ({threshold})")
    if triage.pairs:
        common = threshold if math.isnan(triage.withheld) else f"{threshold_text(triage.withheld)}, withheld"
        yield Section((_pairs(triage),), f"Language pairs from the common threshold on ({common})")
    yield Section((_held_out(triage),), f"Held out in turn (threshold of all: {threshold})", (triage.signature,))


def _systems(triage: Triage) -> Grid:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            Text(each.system),
            Text(_SHOWN[triage.shown(each.error_rate)]),
            Count(each.error_rate.n),
            _errors(each.error_rate),
        )
        for each in triage.systems
    )
    return Grid(_titles("system", "judgements", _WITH_ERRORS), rows)


def _pairs(triage: Triage) -> Grid:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            Text(each.pair),
            Text(_SHOWN[triage.shown(each.error_rate)] if each.error_rate.n else ""),
            Count(each.n),
            Count(each.error_rate.n),
            _errors(each.error_rate),
            Text(threshold_text(each.own_threshold)),
        )
        for each in triage.pairs
    )
    return Grid(_titles("language pair", "judgements", "released", _WITH_ERRORS, "threshold of the pair alone"), rows)


def _held_out(triage: Triage) -> Grid:
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
    return Grid(_titles("held out", "judgements", "threshold of the others", "released", _WITH_ERRORS), rows)


def _titles(named: str, *numbers: str) -> tuple[Column, ...]:
    return Column(named, "left"), Column("promise", "left"), *map(Column, numbers)


def _errors(rate: Estimate) -> Number:
    """A share with its two-sided interval, in percent."""
    return Number(100 * rate.value, 1, 100 * rate.low, 100 * rate.high)
