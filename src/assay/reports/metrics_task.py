"""The main table of a metrics task, as a document."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from assay.reports.cells import Cell, Count, Flag, Number, Text
from assay.reports.documents import Caption, Document, Grid, Section, columns
from assay.reports.metric_differences import p_value_section
from assay.results import Estimate, MetricsTask, TaskComponent, TaskMetric, TaskTable

__all__ = ["document"]

_DECIMALS = 3
_MANY = 40
"""With more components than this, the table shows average ranks by the attributes that split the weight."""


def document(task: MetricsTask, *, p_values: bool = False) -> Document:
    """A section for each table: what orders the metrics first, then their values in the components.

    A table of very many components shows the average ranks by attribute (WMT22) instead; the values are in the forms
    for programs. `p_values` adds the matrices of the tests between metrics.
    """
    sheet = "table" if any(table.title for table in task.tables) else ""
    return Document.of(task, lambda: _sections(task, p_values), sheet=sheet)


def _sections(task: MetricsTask, p_values: bool) -> Iterator[Section]:
    for table in task.tables:
        yield Section((_grid(task, table),), title=table.title, signatures=(task.signature,))
        if p_values and table.test is not None:
            yield p_value_section(table.test)


def _grid(task: MetricsTask, table: TaskTable) -> Grid:
    has_clusters = any(row.cluster is not None for row in table.metrics)
    combined = [("average rank", _rank_cells(table)), (_SCORE_TITLES[task.combine], _score_cells(table))]
    if task.combine != "rank":
        combined.reverse()
    parts = [*combined, *(_by_attribute(task, table) if _is_summarised(task, table) else _by_component(table))]
    places = [Text("") if row.rank is None else Count(row.rank) for row in table.metrics]
    clusters = [Text("") if row.cluster is None else Count(row.cluster) for row in table.metrics]
    leading = [("rank", places), *([("cluster", clusters)] if has_clusters else [])]
    names: list[Cell] = [Text(row.metric) for row in table.metrics]
    shown = [(task.title, names), *leading, *parts]
    rows = tuple(zip(*(cells for _, cells in shown), strict=True))
    return Grid(columns(title for title, _ in shown), rows, tuple(_captions(task, table)))


_SCORE_TITLES = {"rank": "score", "score": "score", "mean": "average"}


def _is_summarised(task: MetricsTask, table: TaskTable) -> bool:
    return len(table.components) > _MANY and bool(task.split)


def _rank_cells(table: TaskTable) -> list[Cell]:
    return [Number(row.average_rank.value, 2) for row in table.metrics]


def _score_cells(table: TaskTable) -> list[Cell]:
    return [_number(row.score) for row in table.metrics]


def _by_attribute(task: MetricsTask, table: TaskTable) -> Iterator[tuple[str, list[Cell]]]:
    """The average rank in the components that share a value of an attribute."""
    for attribute in task.split:
        parts = table.average_ranks_by(attribute)
        for value, ranks in parts.items() if len(parts) > 1 else ():
            yield value, [Number(ranks[row.metric], 2) for row in table.metrics]


def _by_component(table: TaskTable) -> Iterator[tuple[str, list[Cell]]]:
    """The value in each component. Averages beside the score are marked where they are out of sequence (WMT13)."""
    for component in table.components:
        out_of_order = _out_of_sequence(table.metrics, component) if component.weight == 0 else frozenset()
        cells: list[Cell] = [
            _number(
                row.values.get(component.label),
                rank=row.ranks.get(component.label) if component.weight else None,
                flags=frozenset({Flag.OUT_OF_SEQUENCE} if row.metric in out_of_order else ()),
            )
            for row in table.metrics
        ]
        yield component.label, cells


def _out_of_sequence(rows: Sequence[TaskMetric], component: TaskComponent) -> frozenset[str]:
    """Ranked metrics with a higher value than a metric above them."""
    lowest, found = math.inf, []
    for row in rows:
        if row.rank is not None and component.label in row.values:
            value = row.values[component.label].value
            if value > lowest:
                found.append(row.metric)
            lowest = min(lowest, value)
    return frozenset(found)


def _number(
    estimate: Estimate | None, *, rank: int | None = None, flags: frozenset[Flag] = frozenset()
) -> Number | Text:
    """A value ± half the width of its interval, with its rank in brackets."""
    if estimate is None:
        return Text("")
    spread = (estimate.high - estimate.low) / 2
    return Number(estimate.value, _DECIMALS, spread=spread, rank=rank, flags=flags, reason=estimate.reason)


def _captions(task: MetricsTask, table: TaskTable) -> Iterator[Caption]:
    if "confidence" in task.settings:
        yield Caption(f"±: half the width of the {float(task.settings['confidence']):.0%} interval")
    if not _is_summarised(task, table) and any(component.weight == 0 for component in table.components):
        yield Caption("≀: higher than a value above it")
    if table.test is not None:
        yield Caption(
            "clusters: metrics that {} does not tell apart at p <= {}; so are the ranks in brackets",
            (Text(table.test.test), Text(f"{table.test.alpha:g}")),
        )
    if task.missing:
        are = "component of the task is" if len(task.missing) == 1 else "components of the task are"
        yield Caption(f"{len(task.missing):,} {are} missing or incomplete")
