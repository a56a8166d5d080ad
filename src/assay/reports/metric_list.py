"""Metrics as a document: a list of them, or one with its documentation and options."""

from __future__ import annotations

from assay.reports.documents import Caption, Document, Section
from assay.reports.record_grid import TABLES, record_grid, rows_document
from assay.results import MetricDescription, MetricList

__all__ = ["document"]


def document(result: MetricList | MetricDescription) -> Document:
    """One row per metric, or one row per option of a metric."""
    if isinstance(result, MetricList):
        return rows_document(result)
    return Document.of(result, lambda: [_description(result)], lists=TABLES)


def _description(description: MetricDescription) -> Section:
    metric = description.metric
    name = metric.name if metric.spec == metric.name else f"{metric.name} = {metric.spec}"
    lines = [*description.documentation.splitlines(), ""]
    lines.append(
        f"Needs: {', '.join(metric.needs)}. {metric.better.capitalize()} is better. "
        f"Usual aggregation: {metric.aggregation}."
    )
    captions = [Caption(line) for line in ["", *lines]]
    return Section((record_grid(description.columns, description.records(), captions=captions),), title=name)
