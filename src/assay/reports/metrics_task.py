"""The main table of a metrics task, as a document."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from assay.reports.cells import BLANK, Cell, Count, Flag, Number, Text
from assay.reports.documents import Caption, Column, Document, Grid, Section
from assay.reports.metric_differences import p_value_section, verdict
from assay.results import Estimate, MetricsTask, TaskComponent, TaskMetric, TaskTable
from assay.results.meta import usual

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
    return Document.of(task, lambda: _sections(task, p_values), sheet=sheet, name="")


def _sections(task: MetricsTask, p_values: bool) -> Iterator[Section]:
    for table in task.tables:
        title = ": ".join(filter(None, (task.title, table.title)))
        yield Section((_grid(task, table),), title, signatures=(task.signature,))
        if p_values and table.test is not None:
            yield replace(p_value_section(table.test), title=f"{title}: tests of the {_SCORE_TITLES[task.combine]}")


def _grid(task: MetricsTask, table: TaskTable) -> Grid:
    rows = table.metrics
    names: list[Cell] = [Text(row.metric) for row in rows]
    shown = [(Column("metric", "left"), names), (Column("rank"), [_count(row.rank) for row in rows])]
    if any(row.cluster is not None for row in rows):
        shown.append((Column("cluster"), [_count(row.cluster) for row in rows]))
    combined = [
        (Column("average rank"), _rank_cells(table)),
        (Column(_SCORE_TITLES[task.combine]), _score_cells(table)),
    ]
    shown += combined if task.combine == "rank" else reversed(combined)
    counts: list[Cell] = [Text("n"), *[BLANK] * (len(shown) - 1)]
    if _is_summarised(task, table):
        shown += _by_attribute(task, table)
        counts = []
    else:
        shown += _by_component(table)
        counts += [Count(_usual_n(table, component)) for component in table.components]
    body = zip(*(cells for _, cells in shown), strict=True)
    grid = Grid(tuple(column for column, _ in shown), (*([tuple(counts)] if counts else ()), *body))
    return replace(grid, captions=tuple(_captions(task, table, grid)))


def _count(number: int | None) -> Cell:
    return BLANK if number is None else Count(number)


_ATTRIBUTES = {"lp": "language pair", "human_outputs": "human outputs"}
_NONE: frozenset[Flag] = frozenset()
_UNITS = {
    "pair": "single pairs of outputs",
    "ranking": "rankings with all their pairs",
    "segment": "segments with all their rankings",
}
_SCORE_TITLES = {"rank": "score", "score": "score", "mean": "average"}


def _is_summarised(task: MetricsTask, table: TaskTable) -> bool:
    return len(table.components) > _MANY and bool(task.split)


def _rank_cells(table: TaskTable) -> list[Cell]:
    ranks = [row.average_rank for row in table.metrics]
    best = min((rank.value for rank in ranks if not math.isnan(rank.value)), default=math.nan)
    return [Number(rank.value, 2, reason=rank.reason, flags=_best(rank.value == best)) for rank in ranks]


def _score_cells(table: TaskTable) -> list[Cell]:
    """The first metric has the best score, unless the average rank orders them. Stars are those of its cluster."""
    best = max((row.score.value for row in table.metrics if row.rank is not None), default=math.nan)
    return [
        _number(row.score, flags=_best(row.score.value == best and row.rank is not None, is_among=row.cluster == 1))
        for row in table.metrics
    ]


def _best(is_best: bool, *, is_among: bool = False) -> frozenset[Flag]:
    if is_best:
        return frozenset({Flag.BEST})
    return frozenset({Flag.AMONG_BEST}) if is_among else frozenset()


def _by_attribute(task: MetricsTask, table: TaskTable) -> Iterator[tuple[Column, list[Cell]]]:
    """The average rank in the components that share a value of an attribute."""
    for attribute in task.split:
        parts = table.average_ranks_by(attribute)
        for value, ranks in parts.items() if len(parts) > 1 else ():
            others = _on_other_cells(table, (c for c in table.components if c.describe(attribute) == value))
            best = min((rank for rank in ranks.values() if not math.isnan(rank)), default=math.nan)
            cells: list[Cell] = [
                Number(ranks[row.metric], 2, flags=_best(ranks[row.metric] == best) | others.get(row.metric, _NONE))
                for row in table.metrics
            ]
            yield Column(value, group=_ATTRIBUTES.get(attribute, attribute), short=value), cells


def _by_component(table: TaskTable) -> Iterator[tuple[Column, list[Cell]]]:
    """The value in each component. Averages beside the score are marked where they are out of sequence (WMT13)."""
    for component in table.components:
        label = component.label
        out_of_order = _out_of_sequence(table.metrics, component) if component.weight == 0 else frozenset()
        others = _on_other_cells(table, [component])
        best = max((row.values[label].value for row in table.metrics if label in row.values), default=math.nan)
        cells: list[Cell] = []
        for row in table.metrics:
            value, rank = row.values.get(label), row.ranks.get(label)
            is_among = component.test is not None and rank == 1
            flags = _best(value is not None and value.value == best, is_among=is_among)
            flags |= {Flag.OUT_OF_SEQUENCE} if row.metric in out_of_order else _NONE
            flags |= others.get(row.metric, _NONE)
            cells.append(_number(value, rank=rank if component.weight else None, flags=flags))
        yield _column(component), cells


def _column(component: TaskComponent) -> Column:
    """Titled by its label; in grouped headers the language pair stands below what is computed on it."""
    lp = component.describe("lp")
    return Column(component.label, group=component.label.removeprefix(lp).strip(), short=lp)


def _usual_n(table: TaskTable, component: TaskComponent) -> int:
    return usual(row.values[component.label].n for row in table.metrics if component.label in row.values)


def _on_other_cells(table: TaskTable, components: Iterable[TaskComponent]) -> dict[str, frozenset[Flag]]:
    """The metrics that have other systems or segment scores than most in some of these components."""
    others = {}
    for component in components:
        count = _usual_n(table, component)
        for row in table.metrics:
            if component.label in row.values and row.values[component.label].n != count:
                others[row.metric] = frozenset({Flag.OTHER_CELLS})
    return others


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


def _captions(task: MetricsTask, table: TaskTable, grid: Grid) -> Iterator[Caption]:
    flags = {flag for row in grid.rows for cell in row for flag in cell.flags}
    if not _is_summarised(task, table):
        yield Caption("n: systems or segment scores, over all language pairs of a component")
    if "confidence" in task.settings:
        yield Caption(_interval_words(task, table))
    if Flag.OUT_OF_SEQUENCE in flags:
        yield Caption("≀: higher than a value above it")
    if Flag.OTHER_CELLS in flags:
        yield Caption("†: on other systems or segment scores than most metrics")
    if any(component.test is not None for component in table.components):
        yield from _test_captions(task, table)
    if task.missing:
        are = "component of the task is" if len(task.missing) == 1 else "components of the task are"
        yield Caption(f"{len(task.missing):,} {are} missing or incomplete")


def _interval_words(task: MetricsTask, table: TaskTable) -> str:
    """What ± is, by which methods, and what a resample of judgements draws."""
    words = f"±: half the width of the {float(task.settings['confidence']):.0%} interval, which need not be centred"
    name, _, options = task.settings.get("ci", "").partition(":")
    if name == "judgements":
        unit = _UNITS[options.removeprefix("unit=") or "ranking"]
        return f"{words}; {task.settings['resamples']} resamples of the judgements draw {unit}"
    bases = [value.basis for row in table.metrics for value in row.values.values() if value.basis is not None]
    methods = dict.fromkeys(
        f"{basis.method}, {basis.resamples:,} resamples" if basis.resamples else basis.method for basis in bases
    )
    return f"{words} ({'; '.join(methods)})" if methods else words


def _test_captions(task: MetricsTask, table: TaskTable) -> Iterator[Caption]:
    """How ranks and clusters were made, and what the tests assume."""
    corrected = f" after {task.settings['correction']}" if "correction" in task.settings else ""
    alpha = Text(task.settings["alpha"])
    tests = {c.test: c.null for c in table.components if c.test is not None and c.null is not None}
    yield Caption(
        f"ranks in a component: metrics share one if {{}} shows no difference at p <= {{}}{corrected}",
        (Text(" or ".join(tests)), alpha),
    )
    for test, null in tests.items():
        yield Caption("null hypothesis of {}: {}", (Text(test), Text(null)))
    if table.test is not None:
        added = "; draws of different tests are added in order of size" if "+" in table.test.test else ""
        score = _SCORE_TITLES[task.combine]
        words = f"cluster: metrics share one if the {score} shows no difference at p <= {{}}{corrected}"
        yield Caption(f"{words}, tested on the draws of all components{added}", (alpha,))
        if len(table.test.metrics) > 1:
            yield verdict(replace(table.test, lp=score))
