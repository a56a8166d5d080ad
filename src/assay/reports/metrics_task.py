"""The main table of a metrics task, as a document."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from assay.labels.intervals import interval_words
from assay.labels.numbers import percent
from assay.labels.statistics import statistic_label
from assay.labels.tests import correction_words
from assay.metaeval.parity import MTME
from assay.reports.cells import BLANK, Cell, Count, Flag, Number, Text
from assay.reports.documents import Caption, Column, Document, Grid, Section, TitledCells
from assay.reports.metric_differences import p_value_section, verdict
from assay.results import Estimate, MetricsTask, TaskComponent, TaskMetric, TaskTable
from assay.results.metric_differences import usual
from assay.results.order import best_value
from assay.types.note import plural

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
    labels: list[tuple[Column, list[Cell]]] = [
        (Column("metric", "left"), [Text(row.metric) for row in rows]),
        (Column("rank"), [_count(row.rank) for row in rows]),
    ]
    if any(row.cluster is not None for row in rows):
        labels.append((Column(_cluster_title(task)), [_cluster(row, table) for row in rows]))
    combined = [
        (Column("average rank"), _rank_cells(table)),
        (Column(_SCORE_TITLES[task.combine]), _score_cells(table)),
    ]
    labels += combined if task.combine == "rank" else reversed(combined)
    is_summarised = _is_summarised(task, table)
    names = ("weight",) if is_summarised else ("n", "weight")
    heads = [[*map(Text, names)], *([BLANK] * len(names) for _ in labels[1:])]
    values = _by_attribute(task, table) if is_summarised else _by_component(table)
    shown = ((column, [*head, *cells]) for head, (column, cells) in zip(heads, labels, strict=True))
    grid = Grid.of([*shown, *values])
    return replace(grid, captions=tuple(_captions(task, table, grid)))


def _count(number: int | None) -> Cell:
    return BLANK if number is None else Count(number)


def _cluster_title(task: MetricsTask) -> str:
    """The score is tested, whatever orders the metrics."""
    return "score cluster" if task.combine == "rank" else "cluster"


def _cluster(row: TaskMetric, table: TaskTable) -> Cell:
    """The cluster of a metric, with a star if no metric is significantly better."""
    if row.cluster is None:
        return BLANK
    return Text(f"{row.cluster}{'*' if _is_winner(row, table) else ' '}")


def _is_winner(row: TaskMetric, table: TaskTable) -> bool:
    return row.cluster is not None and table.test is not None and row.metric in table.test.winners


def _n_cell(table: TaskTable, component: TaskComponent) -> Cell:
    """The number of systems or segment scores; of an average, that of the language pairs it is over."""
    if len(component.lps) > 1:
        return Text(plural(len(component.lps), "language pair"))
    return Count(_usual_n(table, component))


_ATTRIBUTES = {"lp": "language pair", "human_outputs": "human outputs"}
_NONE: frozenset[Flag] = frozenset()
_SCORE_TITLES = {"rank": "score", "score": "score", "mean": "average"}


def _is_summarised(task: MetricsTask, table: TaskTable) -> bool:
    return len(table.components) > _MANY and bool(task.split)


def _rank_cells(table: TaskTable) -> list[Cell]:
    ranks = [row.average_rank for row in table.metrics]
    best = best_value((rank.value for rank in ranks), higher_is_better=False)
    return [Number(rank.value, 2, reason=rank.reason, flags=_best(rank.value == best)) for rank in ranks]


def _score_cells(table: TaskTable) -> list[Cell]:
    """The first metric has the best score, unless the average rank orders them. Stars mark the winners."""
    comparable = [row for row in table.metrics if row.rank is not None and not row.fewer_systems]
    best = best_value(row.score.value for row in comparable)
    return [
        _number(row.score, flags=_best(row.score.value == best and row in comparable, is_among=_is_winner(row, table)))
        for row in table.metrics
    ]


def _best(is_best: bool, *, is_among: bool = False) -> frozenset[Flag]:
    if is_best:
        return frozenset({Flag.BEST})
    return frozenset({Flag.AMONG_BEST}) if is_among else frozenset()


def _by_attribute(task: MetricsTask, table: TaskTable) -> Iterator[TitledCells]:
    """The average rank in the components that share a value of an attribute, below the sum of their weights."""
    for attribute in task.split:
        parts = table.average_ranks_by(attribute)
        for value, ranks in parts.items() if len(parts) > 1 else ():
            components = [each for each in table.components if each.describe(attribute) == value]
            others = _on_other_cells(table, components)
            best = best_value(ranks.values(), higher_is_better=False)
            cells = [
                Number(ranks[row.metric], 2, flags=_best(ranks[row.metric] == best) | others.get(row.metric, _NONE))
                for row in table.metrics
            ]
            weight = Number(math.fsum(each.weight for each in components), _DECIMALS)
            yield Column(value, group=_ATTRIBUTES.get(attribute, attribute), short=value), [weight, *cells]


def _by_component(table: TaskTable) -> Iterator[TitledCells]:
    """The value in each component, below what it rests on and its weight.

    Averages beside the score are marked where they are out of sequence (WMT13).
    """
    for component in table.components:
        label = component.label
        out_of_order = _out_of_sequence(table.metrics, component) if component.weight == 0 else frozenset()
        others = _on_other_cells(table, [component])
        comparable = [row for row in table.metrics if label in row.values and label not in row.fewer_systems]
        best = best_value(row.values[label].value for row in comparable)
        cells: list[Cell] = [_n_cell(table, component), Number(component.weight, _DECIMALS)]
        for row in table.metrics:
            value, rank = row.values.get(label), row.ranks.get(label)
            is_among = component.test is not None and rank == 1
            flags = _best(value is not None and value.value == best and row in comparable, is_among=is_among)
            flags |= {Flag.OUT_OF_SEQUENCE} if row.metric in out_of_order else _NONE
            flags |= others.get(row.metric, _NONE)
            cells.append(_number(value, rank=rank if component.weight else None, flags=flags))
        yield _column(component), cells


def _column(component: TaskComponent) -> Column:
    """Titled by its label; in grouped headers the language pair stands below what is computed on it."""
    lp = component.describe("lp")
    words = component.label.removeprefix(lp).split()
    return Column(component.label, group=" ".join(map(statistic_label, words)), short=lp)


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
    """A value ± half the width of its interval, with its rank in parentheses."""
    if estimate is None:
        return Text("")
    spread = (estimate.high - estimate.low) / 2
    return Number(estimate.value, _DECIMALS, spread=spread, bracketed=rank, flags=flags, reason=estimate.reason)


def _captions(task: MetricsTask, table: TaskTable, grid: Grid) -> Iterator[Caption]:
    flags = {flag for row in grid.rows for cell in row for flag in cell.flags}
    if not _is_summarised(task, table):
        yield Caption("n: systems or segment scores; of an average, the language pairs")
    bases = [value.basis for row in table.metrics for value in row.values.values() if value.basis is not None]
    if bases:
        width = f"±: half the width of the {percent(bases[0].confidence)} interval, which need not be centred"
        yield Caption(f"{width} ({interval_words(bases)})", role="intervals")
    if Flag.OUT_OF_SEQUENCE in flags:
        yield Caption("≀: higher than a value above it")
    if Flag.OTHER_CELLS in flags:
        yield Caption("§: on other systems or segment scores than most metrics")
    if any(component.test is not None for component in table.components):
        yield from _test_captions(task, table)
    elif task.combine == "rank":
        yield Caption("average rank: of places by value, not of significance clusters")
    yield from _missing_captions(task)


def _missing_captions(task: MetricsTask) -> Iterator[Caption]:
    for state, components in (("missing", task.missing), ("incomplete", task.incomplete)):
        if components:
            are = "component of the task is" if len(components) == 1 else "components of the task are"
            yield Caption(f"{len(components):,} {are} {state}")


def _test_captions(task: MetricsTask, table: TaskTable) -> Iterator[Caption]:
    """How ranks and clusters were made, and what the tests assume."""
    corrected = f", {correction_words(task.settings.get('correction', 'none'))}"
    alpha = Text(task.settings["alpha"])
    tests = {c.test: c.null for c in table.components if c.test is not None and c.null is not None}
    yield Caption(
        f"rank in a component: {_starts('rank')} ({{}}, p < {{}}{corrected})",
        (Text(" or ".join(tests)), alpha),
    )
    for test, null in tests.items():
        yield Caption("null hypothesis of {}: {}", (Text(test), Text(null)), "remark")
    if table.test is not None:
        added = "; draws of different tests are added in order of size" if "+" in table.test.test else ""
        if task.settings.get("preset") == MTME:
            added = ", which are added as they are drawn, as mt-metrics-eval does"
        score = _SCORE_TITLES[task.combine]
        words = f"{_cluster_title(task)}: {_starts('cluster')} by its {score} (p < {{}}{corrected})"
        yield Caption(f"{words}, on the draws of all components{added}; * no metric is significantly better", (alpha,))
        if task.combine == "rank":
            yield Caption("the score is tested; the average rank, which orders the metrics, is not", role="remark")
        if len(table.test.ranks) > 1:
            yield replace(verdict(table.test, score), role="remark")


def _starts(word: str) -> str:
    return f"a new {word} starts at a metric that some metric of the current {word} is significantly better than"
