"""What can be released unedited, as a document: sentences, and what happened where judgements were held out."""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.labels.numbers import threshold_text
from assay.reports.cells import Count, Number, Text
from assay.reports.documents import Column, Document, Grid, Section, TitledCells
from assay.results import Estimate, Triage
from assay.words import verdict

__all__ = ["document"]

_SHOWN = {"kept": "shown to be kept", "broken": "shown to be broken", "": "not shown"}
"""Where the whole interval is on one side of what was promised."""
_ERRORS = "with errors, %"


def document(triage: Triage) -> Document:
    """The verdict, and a row for each part of the judgements that was held out."""
    return Document.of(
        triage,
        lambda: _sections(triage),
        name="Segments that can be released",
        opening=lambda: verdict((triage,)).sentences,
    )


def _sections(triage: Triage) -> Iterator[Section]:
    if triage.systems:
        yield Section((Grid.of(_systems(triage)),), f"By system ({_threshold(triage.threshold)})")
    if triage.pairs:
        is_withheld = not math.isnan(triage.withheld)
        common = _threshold(triage.withheld if is_withheld else triage.threshold, "common threshold")
        yield Section((Grid.of(_pairs(triage)),), f"By language pair ({common}{', withheld' if is_withheld else ''})")
    common = _threshold(triage.threshold, "threshold of all")
    yield Section((Grid.of(_held_out(triage)),), f"Held out in turn ({common})", (triage.signature,))


def _threshold(value: float, name: str = "threshold") -> str:
    return f"no {name}" if math.isnan(value) else f"{name} {threshold_text(value)}"


def _systems(triage: Triage) -> Iterator[TitledCells]:
    yield Column("system", "left"), [Text(each.system) for each in triage.systems]
    yield Column("promise", "left"), [Text(_SHOWN[triage.shown(each.error_rate)]) for each in triage.systems]
    yield "judgements", [Count(each.error_rate.n) for each in triage.systems]
    yield _ERRORS, [_errors(each.error_rate) for each in triage.systems]


def _pairs(triage: Triage) -> Iterator[TitledCells]:
    """What happens in each language pair; what no pair has is left out."""
    pairs = triage.pairs
    is_released = any(each.error_rate.n for each in pairs)
    yield Column("language pair", "left"), [Text(each.pair) for each in pairs]
    if is_released:
        shown = [_SHOWN[triage.shown(each.error_rate)] if each.error_rate.n else "" for each in pairs]
        yield Column("promise", "left"), list(map(Text, shown))
    yield "judgements", [Count(each.n) for each in pairs]
    yield "released", [Count(each.error_rate.n) for each in pairs]
    if is_released:
        yield _ERRORS, [_errors(each.error_rate) for each in pairs]
    if not all(math.isnan(each.own_threshold) for each in pairs):
        yield "threshold of the pair alone", [Text(threshold_text(each.own_threshold)) for each in pairs]


def _held_out(triage: Triage) -> Iterator[TitledCells]:
    """What happened in each part; what no part has is left out."""
    parts = triage.held_out
    yield Column("held out", "left"), [Text(each.part) for each in parts]
    if any(each.released for each in parts):
        shown = [_SHOWN[triage.shown(each.error_rate)] if each.released else "" for each in parts]
        yield Column("promise", "left"), list(map(Text, shown))
    yield "judgements", [Count(each.n) for each in parts]
    if not all(math.isnan(each.threshold) for each in parts):
        yield "threshold of the others", [Text(threshold_text(each.threshold)) for each in parts]
    yield "released", [Count(each.released) for each in parts]
    if any(each.released for each in parts):
        yield _ERRORS, [_errors(each.error_rate) for each in parts]


def _errors(rate: Estimate) -> Number:
    """A share with its two-sided interval, in percent."""
    return Number(100 * rate.value, 1, 100 * rate.low, 100 * rate.high)
