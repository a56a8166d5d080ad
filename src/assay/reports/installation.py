"""What is installed, and public test sets that can be downloaded, as documents."""

from __future__ import annotations

from assay.reports.documents import Document, Section
from assay.reports.record_grid import record_grid, rows_document
from assay.results import DownloadList, Installation

__all__ = ["document"]


def document(result: DownloadList | Installation) -> Document:
    """One row per test set, without the addresses, or one per fact."""
    if isinstance(result, Installation):
        return rows_document(result)
    return Document.of(result, lambda: [Section((record_grid(result.columns, result.records()),))])
