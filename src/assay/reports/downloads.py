"""Public test sets that can be downloaded, as a document."""

from __future__ import annotations

from assay.reports.cells import Text
from assay.reports.documents import Document, Grid, Section, columns
from assay.results import DownloadList

__all__ = ["document"]


def document(downloads: DownloadList) -> Document:
    """One row per test set, without the addresses."""
    rows = tuple((Text(each.name), Text(each.description), Text(each.licence)) for each in downloads)
    grid = Grid(columns(("name", "description", "licence"), labels=3), rows)
    return Document.of(downloads, lambda: [Section((grid,))])
