"""Agreement between human judges, as a document."""

from __future__ import annotations

from assay.reports.cells import Count, Number, Text
from assay.reports.documents import Caption, Document, Grid, Section, columns
from assay.results import Reliability

__all__ = ["document", "section"]

_DECIMALS = 3


def document(reliability: Reliability) -> Document:
    """One row per measure, with the reasons of undefined values below."""
    return Document.of(reliability, lambda: [section(reliability)])


def section(reliability: Reliability) -> Section:
    """A grid with a row per measure."""
    rows = tuple(
        (Text(measure), Number(found.value, _DECIMALS, found.low, found.high, reason=found.reason), Count(found.n))
        for measure, found in reliability.estimates.items()
    )
    reasons = [found.reason for found in reliability.estimates.values()]
    captions = tuple(
        Caption("{}: {}", (Text(measure), Text(reason)))
        for measure, reason in zip(reliability.estimates, reasons, strict=True)
        if reason
    )
    if reasons and reasons[0] and len(set(reasons)) == 1:
        captions = (Caption("{}", (Text(reasons[0]),)),)
    return Section((Grid(columns((f"agreement of judges, {reliability.name}", "value", "n")), rows, captions),))
