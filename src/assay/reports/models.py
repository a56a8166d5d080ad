"""Models of learned metrics and encoders, as a document."""

from __future__ import annotations

from assay.reports.documents import Document, Section
from assay.reports.record_grid import record_grid
from assay.results import ModelList

__all__ = ["document"]


def document(models: ModelList) -> Document:
    """One row per model."""
    return Document.of(models, lambda: [Section((record_grid(models.columns, models.records()),))])
