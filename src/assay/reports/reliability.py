"""How well human raters or judges agree, as a document."""

from __future__ import annotations

import math

from assay.reports.cells import Count, Number, Text
from assay.reports.documents import Caption, Column, Document, Grid, Section, TitledCells, columns
from assay.reports.record_grid import TABLES, record_columns
from assay.results import Reliability

__all__ = ["document", "section"]

_DECIMALS = 3


def document(reliability: Reliability) -> Document:
    """One row per measure, with the reasons of undefined values below."""
    return Document.of(
        reliability, lambda: [section(reliability)], lists=TABLES, name=f"Reliability of {reliability.subject}"
    )


def section(reliability: Reliability) -> Section:
    """A grid with a row per measure, or the reasons why nothing could be measured."""
    title, found = f"reliability of {reliability.subject}, {reliability.name}", reliability.estimates
    if all(math.isnan(each.value) for each in found.values()):
        reasons = dict.fromkeys(each.reason for each in found.values() if each.reason)
        return Section((Grid(columns((title,)), tuple((Text(reason),) for reason in reasons)),))
    shown: list[TitledCells] = [
        (Column(title, "left"), map(Text, found)),
        ("value", [Number.of(each, _DECIMALS) for each in found.values()]),
        ("n", [Count(each.n) for each in found.values()]),
        ("n_unit", [Text(reliability.n_unit.get(measure, "")) for measure in found]),
        *record_columns(reliability.columns, list(reliability.records())),
    ]
    signatures = tuple(reliability.signature.splitlines())
    captions = tuple(
        Caption("{}: {}", (Text(measure), Text(each.reason))) for measure, each in found.items() if each.reason
    )
    return Section((Grid.of(shown, captions),), signatures=signatures)
