"""How well human raters agree, as a document."""

from __future__ import annotations

import math

from assay.reports.cells import Count, Number, Text
from assay.reports.documents import Caption, Document, Grid, Section, columns
from assay.results import Reliability

__all__ = ["document", "section"]

_DECIMALS = 3


def document(reliability: Reliability) -> Document:
    """One row per measure, with the reasons of undefined values below."""
    return Document.of(reliability, lambda: [section(reliability)], name="Reliability of raters")


def section(reliability: Reliability) -> Section:
    """A grid with a row per measure, or the reasons why nothing could be measured."""
    title, found = f"reliability of raters, {reliability.name}", reliability.estimates
    if all(math.isnan(each.value) for each in found.values()):
        reasons = dict.fromkeys(each.reason for each in found.values() if each.reason)
        return Section((Grid(columns((title,)), tuple((Text(reason),) for reason in reasons)),))
    rows = tuple(
        (
            Text(measure),
            Number.of(each, _DECIMALS),
            Count(each.n),
            Text(reliability.n_unit.get(measure, "")),
        )
        for measure, each in found.items()
    )
    signatures = (reliability.signature,) if reliability.signature else ()
    captions = tuple(
        Caption("{}: {}", (Text(measure), Text(each.reason))) for measure, each in found.items() if each.reason
    )
    return Section((Grid(columns((title, "value", "n", "n_unit")), rows, captions),), signatures=signatures)
