"""The comparison of systems, as a document: a grid for each metric and aggregation."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Literal

from assay.labels.metrics import metric_label
from assay.labels.numbers import percent
from assay.labels.tests import IN_CLUSTERS, correction_words, significance_test_label
from assay.reports.brief_comparison import brief_sections, human_grid
from assay.reports.cells import BLANK, Cell, Count, Flag, Number, Passage, RankRange, Text
from assay.reports.compared_systems import PEOPLE, best_flags, human_columns, pair_look, reasons
from assay.reports.documents import Caption, Column, Document, Grid, Section, columns
from assay.reports.labelled import score_text
from assay.reports.record_grid import TABLES, Look, grid_column, record_cell, record_grid, shown_columns
from assay.reports.short_signatures import short_score_line, short_settings
from assay.reports.system_scores import (
    ScoreColumn,
    interval_captions,
    number_range,
    paper_decimals,
    score_grid,
    systems_on,
)
from assay.results import (
    ComparedMetric,
    ComparedPair,
    Contrast,
    DiffSpan,
    Example,
    Examples,
    GroupDifference,
    GroupDifferences,
    MarkedErrors,
    MarkedExample,
    NgramDifferences,
    SystemComparison,
    WordGroups,
)
from assay.results.columns import Shown, Unit
from assay.results.estimate import decimals_for
from assay.results.result import settings_line
from assay.results.system_comparison import PairRecord
from assay.types.note import plural
from assay.words import verdict
from assay.words.noticed import population_differences
from assay.words.pairs import corrected_for

__all__ = ["contrast_section", "document", "marked_grids", "pair_grid"]

_RATE_DECIMALS = 2
_ALPHA = 0.05
_WORD_DECIMALS = 3  # of F-measures
_EXTREMES = 10  # of many groups, these many best and worst ones are shown


def document(
    comparison: SystemComparison,
    *,
    details: bool = False,
    pairs: bool = False,
    signatures: Literal["short", "full"] = "full",
) -> Document:
    """What fits a screen; `pairs` lists every pair below it, and `details` shows everything instead.

    Short `signatures` name only what is not the default.
    """

    def sections() -> Iterator[Section]:
        if details:
            yield from _sections(comparison, signatures)
            return
        yield from brief_sections(comparison)
        if pairs:
            yield from (Section((_difference_grid(metric, comparison),)) for metric in comparison.metrics)
        yield from map(contrast_section, comparison.contrasts)

    def opening() -> tuple[str, ...]:
        found = verdict((comparison,))
        return found.sentences if details else found.brief

    return Document.of(
        comparison,
        sections,
        lists=TABLES | Shown.PAPER,
        sheet="metric",
        name="Comparison of systems",
        paper=lambda: _paper(comparison),
        opening=opening,
    )


def _paper(comparison: SystemComparison) -> Iterator[Section]:
    """The scores of all systems in one table, and as details the differences and where systems differ."""
    scores = [
        ScoreColumn(metric.metric, metric.aggregation, metric.higher_is_better, _marked_scores(comparison, metric))
        for metric in comparison.metrics
    ]
    order = scores[0].best_first
    if comparison.baseline is not None:  # a paper has it on top
        order = [comparison.baseline, *(system for system in order if system != comparison.baseline)]
    settings = comparison.settings
    counts = [pair.difference.n for metric in comparison.metrics for pair in metric.pairs]
    of_tests = (_test_caption(comparison), *interval_captions(settings))
    title = f"Comparison of {systems_on(comparison.inputs, counts, settings['unit'])}"
    signatures = (*(metric.signature for metric in comparison.metrics), comparison.signature)
    captions = (*_mark_captions(comparison), *of_tests)
    yield Section((_with_people(score_grid(order, scores, captions), order, comparison),), title, signatures)
    differences = _paper_differences(comparison, of_tests)
    yield Section((differences,), f"Differences between {title.removeprefix('Comparison of ')}", is_detail=True)
    for contrast in comparison.contrasts:
        yield replace(contrast_section(contrast), is_detail=True)


def _with_people(grid: Grid, order: Sequence[str], comparison: SystemComparison) -> Grid:
    """A table of scores, with what people gave the systems on the right."""
    if not comparison.human:
        return grid
    found = list(human_columns(comparison, order))
    titles = (Column(f"people: {name}", group="people", short=name) for name, _ in found)
    rows = tuple((*row, *cells) for row, *cells in zip(grid.rows, *(cells for _, cells in found), strict=True))
    return replace(grid, columns=(*grid.columns, *titles), rows=rows, captions=(*grid.captions, PEOPLE))


def _marked_scores(comparison: SystemComparison, metric: ComparedMetric) -> dict[str, Number]:
    """The score of each system with its cluster, and whether a difference from the best or the baseline is shown."""
    undecided = [{p.first, p.second} for p in metric.pairs if not p.shows_difference]
    found = {}
    for system, score in metric.scores.items():
        flags = best_flags(metric, system)
        if {system, comparison.baseline} in undecided:
            flags |= {Flag.NOT_SIGNIFICANT}
        found[system] = Number.of(score, metric.decimals, flags=flags, bracketed=metric.clusters.get(system))
    return found


def _mark_captions(comparison: SystemComparison) -> Iterator[Caption]:
    if comparison.baseline is not None:
        yield Caption("‡: no difference from the baseline ({}) shown", (Text(comparison.baseline),))
    if any(metric.clusters for metric in comparison.metrics):
        yield Caption(f"in parentheses: cluster, 1 is best; {IN_CLUSTERS}")


def _test_caption(comparison: SystemComparison) -> Caption:
    """The test, the level, and what p-values are corrected for."""
    settings = comparison.settings
    test = ", ".join(filter(None, (significance_test_label(settings["test"]), settings.get("alternative"))))
    return Caption("{}", (Text(f"tests: {test}, p < {settings['alpha']}, {corrected_for(comparison)}"),))


def _paper_differences(comparison: SystemComparison, captions: tuple[Caption, ...]) -> Grid:
    """A row for each pair of systems, and under each score the columns that papers show."""
    look = _look(comparison, comparison.metrics[0], Text("system"))
    shown = shown_columns(comparison.columns, list(comparison.records()), Shown.PAPER)
    names = [column for column in shown if column.written_as is Unit.TEXT]
    numbers = [column for column in shown if column.written_as is not Unit.TEXT]
    header = [grid_column(column, look.words) for column in names]
    rows: list[list[Cell]] = [
        [record_cell(column, PairRecord(comparison.metrics[0], pair), look) for column in names]
        for pair in comparison.metrics[0].pairs
    ]
    for metric in comparison.metrics:
        group = score_text(metric.metric, metric.aggregation).label + ("" if metric.higher_is_better else " ↓")
        header += (replace(grid_column(column, look.words), group=group) for column in numbers)
        in_paper = replace(look, decimals=paper_decimals(metric.decimals), flags=Look().flags)
        for row, pair in zip(rows, metric.pairs, strict=True):
            row += (record_cell(column, PairRecord(metric, pair), in_paper) for column in numbers)
    return Grid(tuple(header), tuple(map(tuple, rows)), captions)


def _sections(comparison: SystemComparison, signatures: str) -> Iterator[Section]:
    is_pair = len(comparison.metrics[0].pairs) == 1
    if is_pair:
        yield Section((pair_grid(comparison),))
    for metric in () if is_pair else comparison.metrics:
        grids = [_difference_grid(metric, comparison)]
        if metric.clusters:
            grids.append(_cluster_grid(metric, comparison.settings))
        yield Section(tuple(grids))
    if comparison.human:
        yield Section((replace(human_grid(comparison), captions=(PEOPLE,)),))
    yield from map(contrast_section, comparison.contrasts)
    full = (*(metric.signature for metric in comparison.metrics), comparison.signature)
    short: tuple[str, ...] = ()
    if signatures == "short":
        of_scores = (short_score_line(metric.metric, metric.signature) for metric in comparison.metrics)
        short = (*of_scores, short_settings(comparison.settings))
    yield Section(signatures=full, short_signatures=short)


def pair_grid(comparison: SystemComparison) -> Grid:
    """The differences between the only two systems below each other: a row for each metric and aggregation.

    Columns may be missing for metrics without a calibration.
    """
    pair = comparison.metrics[0].pairs[0]
    titles = {"first_score": pair.first, "second_score": pair.second}
    grids = [_difference_grid(metric, comparison) for metric in comparison.metrics]
    widest = max(grids, key=lambda grid: len(grid.columns))
    shown = [column for column in widest.columns if column.name not in ("first", "second")]
    rows = []
    for grid in grids:
        cells = {column.name: cell for column, cell in zip(grid.columns, grid.rows[0], strict=True)}
        score = next(column for column in grid.columns if column.name == "first")  # the title of the table
        rows.append((Text(score.title, label=score.label), *(cells.get(column.name, BLANK) for column in shown)))
    columns = (replace(each, title=titles[each.name]) if each.name in titles else each for each in shown)
    captions = dict.fromkeys(caption for grid in grids for caption in grid.captions)
    scores = (
        (score_text(each.metric, each.aggregation).label, each.pairs[0].explanation) for each in comparison.metrics
    )
    if mixed := population_differences(scores):
        captions[Caption("{}", (Text(mixed),))] = None
    return Grid((Column("", "left", label="Score"), *columns), tuple(rows), tuple(captions))


def _difference_grid(metric: ComparedMetric, comparison: SystemComparison) -> Grid:
    """Scores and differences; p-values of the family of this grid."""
    settings = comparison.settings
    unit, delta = settings["unit"], settings.get("delta")
    n = number_range(pair.difference.n for pair in metric.pairs)
    count = f"n={n}" if unit == "segment" else f"n={n} {unit}s"
    direction = "" if metric.higher_is_better else ", lower is better"
    name, rest = score_text(metric.metric, metric.aggregation), f" ({count}{direction})"
    captions = [*_reasons(metric.pairs)]
    if mixed := population_differences((f"{pair.first} and {pair.second}", pair.explanation) for pair in metric.pairs):
        captions.append(Caption("{}", (Text(mixed),)))
    if comparison.correction != "none":
        captions.append(Caption(f"p-values {correction_words(comparison.correction, f'{len(metric.pairs)} pairs')}"))
        if any(not math.isnan(pair.power.detectable) for pair in metric.pairs):
            what = "detectable is" if delta is None else f"detectable and {unit}s needed are"
            captions.append(Caption(f"{what} for a single pair, without the correction: all pairs need more"))
    look = _look(comparison, metric, Text(f"{name.text}{rest}", label=f"{name.label}{rest}"))
    return record_grid(comparison.columns, (PairRecord(metric, pair) for pair in metric.pairs), look, captions)


def _look(comparison: SystemComparison, metric: ComparedMetric, score: Text) -> Look:
    """How the pairs of a metric are shown. `score` is the title of the column of first systems."""
    other = "other" if comparison.baseline is None else "baseline"
    segments = "" if comparison.settings["unit"] == "segment" else "segments "
    return replace(pair_look(comparison, metric, score=score, other=other, segments=segments), flags=_pair_flags)


def _pair_flags(record: PairRecord) -> frozenset[Flag]:
    return frozenset() if record.pair.shows_difference else frozenset({Flag.NOT_SIGNIFICANT})


def _reasons(pairs: Sequence[ComparedPair]) -> Iterator[Caption]:
    """Why differences, numbers on power, and what people would notice are undefined."""
    names = [Text(f"{pair.first} and {pair.second}") for pair in pairs]
    yield from reasons((name, pair.reason or pair.power.reason) for name, pair in zip(names, pairs, strict=True))
    noticed = (None if pair.noticed is None else pair.noticed.reason for pair in pairs)
    yield from reasons(zip(names, noticed, strict=True))


def _cluster_grid(metric: ComparedMetric, settings: Mapping[str, str]) -> Grid:
    """The first system is the best; a cluster may have systems that differ significantly from it."""
    rows = tuple(
        (
            Text(system),
            Count(cluster),
            Number.of(metric.scores[system], metric.decimals, flags=best_flags(metric, system)),
            RankRange(*metric.rank_ranges[system]),
            Number(metric.p_best(system)),
        )
        for system, cluster in metric.clusters.items()
    )
    score = score_text(metric.metric, metric.aggregation)
    header = (
        *columns(("system", "cluster")),
        Column(score.text, label=score.label),
        Column(f"ranks ({percent(float(settings['confidence']))})"),
        Column("p_best", label="share first"),
    )
    return Grid(header, rows)


def contrast_section(contrast: Contrast) -> Section:
    """Where the systems of a pair differ."""
    names = f"{contrast.first} and {contrast.second}"
    match contrast:
        case Examples():
            rows = tuple(
                row for example in (*contrast.best, *contrast.worst) for row in _example_rows(contrast, example)
            )
            grid = Grid(columns(("segment", "", "score", "text"), labels=4), rows)
            title, end = f"Segments in which {names} differ most by ", "; words that only one has are marked"
            label = f"{title}{metric_label(contrast.metric)}{end}"
            return Section((grid,), f"{title}{contrast.metric}{end}", label=label)
        case GroupDifferences():
            title = f"{names} by groups of segments, "
            label = f"{title}{metric_label(contrast.metric)}"
            return Section((_group_grid(contrast),), f"{title}{contrast.metric}", label=label)
        case NgramDifferences():
            look = Look(words=_systems(contrast))
            title = f"N-grams of the references that {names} get right unequally often"
            return Section(
                (record_grid(contrast.columns, (*contrast.best, *contrast.worst), look),),
                title,
                signatures=(settings_line(contrast.settings),),
            )
        case MarkedErrors():
            return _marked_section(contrast)
        case WordGroups():
            look = Look(_WORD_DECIMALS, words=_systems(contrast))
            known = [group for group in contrast.groups if group.first.reference_words or group.second.reference_words]
            title = f"Words of the references that {names} get right: F-measure"
            return Section(
                (record_grid(contrast.columns, known, look),), title, signatures=(settings_line(contrast.settings),)
            )


def _marked_section(contrast: MarkedErrors) -> Section:
    """Marked errors by kind, and the worst of each system where the other has none."""
    verb = "rated" if contrast.is_human else "read"
    names, over = f"{contrast.first} and {contrast.second}", f"{plural(contrast.n, 'segment')} {verb} of both"
    if contrast.unit == "document":
        over += f" in {plural(contrast.units, contrast.unit)}"
    title = f"Errors that {contrast.marked_by} in {names}: {over}"
    return Section(marked_grids(contrast), title, signatures=(settings_line(contrast.settings),))


def marked_grids(contrast: MarkedErrors) -> tuple[Grid, ...]:
    """Rates by kind, and if there are any, errors in segments in which the other system has none."""
    captions = (
        Caption(
            f"p of the difference: swapping {contrast.unit}s, two-sided, corrected (Holm) for "
            f"{plural(len(contrast.kinds), 'kind')}"
        ),
        Caption(f"intervals: bootstrap over {contrast.unit}s", role="intervals"),
    )
    words = {**_systems(contrast), "length_unit": contrast.length_unit}
    rates = record_grid(contrast.columns, contrast.kinds, Look(_RATE_DECIMALS, _ALPHA, words), captions)
    only = (*contrast.only_first, *contrast.only_second)
    return (rates, record_grid(MarkedExample.columns, only)) if only else (rates,)


def _example_rows(contrast: Examples, example: Example) -> Iterator[tuple[Cell, ...]]:
    """The source, the references and both outputs; the first row has the number of the segment."""
    lines: list[tuple[str, Cell, Cell]] = [(name, BLANK, Text(text)) for name, text in example.references.items()]
    if example.source is not None:
        lines.insert(0, ("source", BLANK, Text(example.source)))
    decimals = decimals_for((example.first_score, example.second_score))
    lines.append((contrast.first, Number(example.first_score, decimals), _passage(example.diff.first)))
    lines.append((contrast.second, Number(example.second_score, decimals), _passage(example.diff.second)))
    for place, (name, score, text) in enumerate(lines):
        yield BLANK if place else Count(example.segment, grouped=False), Text(name), score, text


def _passage(spans: tuple[DiffSpan, ...]) -> Passage:
    """An output, with the words flagged that the other output does not have."""
    different = frozenset({Flag.DIFFERENT})
    return Passage(
        tuple(Text(span.text, frozenset() if span.is_same or span.text.isspace() else different) for span in spans)
    )


def _group_grid(contrast: GroupDifferences) -> Grid:
    shown = [group for groups in _tables(contrast) for group in _extremes(groups)]
    decimals = decimals_for(score for group in contrast.groups for score in (group.first_score, group.second_score))
    captions = []
    if hidden := len(contrast.groups) - len(shown):
        captions.append(
            Caption(f"{hidden} rows between the best and the worst {_EXTREMES} are left out; JSON has all of them")
        )
    if any(group.is_small for group in shown):
        captions.append(Caption(f"groups with fewer than {contrast.min_segments} segments say little"))
    return record_grid(contrast.columns, shown, Look(decimals, words=_systems(contrast)), captions)


def _tables(contrast: GroupDifferences) -> Iterator[list[GroupDifference]]:
    """The groups of each grouping and aggregation, which stand together."""
    for _, groups in groupby(contrast.groups, key=lambda each: (each.grouping, each.aggregation)):
        yield list(groups)


def _extremes(groups: list[GroupDifference]) -> list[GroupDifference]:
    return groups if len(groups) <= 2 * _EXTREMES else [*groups[:_EXTREMES], *groups[-_EXTREMES:]]


def _systems(contrast: Contrast) -> dict[str, str]:
    """What stands for the systems in titles."""
    return {"first": contrast.first, "second": contrast.second}
