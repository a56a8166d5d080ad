"""Metrics as a document: a list of them, or one with its documentation and options."""

from __future__ import annotations

from assay.reports.cells import Text
from assay.reports.documents import Caption, Document, Grid, Section, columns
from assay.results import MetricDescription, MetricList

__all__ = ["document"]


def document(result: MetricList | MetricDescription) -> Document:
    """One row per metric, or one row per option of a metric."""
    section = _list(result) if isinstance(result, MetricList) else _description(result)
    return Document.of(result, lambda: [section])


def _list(metrics: MetricList) -> Section:
    rows = tuple((Text(m.name), Text(m.summary), Text(_direction(m.higher_is_better))) for m in metrics)
    return Section((Grid(columns(("metric", "description", "better"), labels=3), rows),))


def _description(description: MetricDescription) -> Section:
    metric = description.metric
    name = metric.name if metric.spec == metric.name else f"{metric.name} = {metric.spec}"
    lines = [*description.documentation.splitlines(), ""]
    lines.append(
        f"Needs: {', '.join(metric.needs)}. {_direction(metric.higher_is_better).capitalize()} is better. "
        f"Usual aggregation: {metric.aggregation}."
    )
    rows = tuple((Text(option), Text(value)) for option, value in description.options.items())
    grid = Grid(columns(("option", "default"), labels=2), rows, tuple(Caption(line) for line in ["", *lines]))
    return Section((grid,), title=name)


def _direction(higher_is_better: bool) -> str:
    return "higher" if higher_is_better else "lower"
