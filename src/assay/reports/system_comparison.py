"""The comparison of systems, as a document: a grid for each metric and aggregation."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from assay.labels.metrics import metric_label
from assay.labels.numbers import percent
from assay.labels.tests import correction_words, significance_test_label
from assay.reports.brief_comparison import brief_sections
from assay.reports.cells import BLANK, Cell, Count, Flag, Number, Passage, RankRange, Text
from assay.reports.documents import Caption, Column, Document, Grid, Section, columns
from assay.reports.labelled import score_text
from assay.reports.record_grid import Look, grid_column, record_cell, record_grid, shown_columns
from assay.reports.system_scores import (
    ScoreColumn,
    best_first,
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
    NgramDifferences,
    SystemComparison,
    WordGroups,
)
from assay.results.columns import Shown, Unit
from assay.results.estimate import decimals_for
from assay.results.result import settings_line
from assay.results.system_comparison import PairRecord
from assay.words.pairs import corrected_for

__all__ = ["contrast_section", "document"]

_WORD_DECIMALS = 3  # of F-measures
_EXTREMES = 10  # of many groups, these many best and worst ones are shown


def document(comparison: SystemComparison, *, details: bool = False, pairs: bool = False) -> Document:
    """What fits a screen; `pairs` adds the differences of all pairs, and `details` everything else that is known."""

    def sections() -> Iterator[Section]:
        if not details:
            yield from brief_sections(comparison)
        if details or pairs:
            yield from _sections(comparison)
        elif comparison.contrasts:
            yield from map(contrast_section, comparison.contrasts)

    return Document.of(
        comparison,
        sections,
        sheet="metric",
        name="Comparison of systems",
        paper=lambda: _paper(comparison),
        opens_with_verdict=True,
        is_brief=not details,
    )


def _paper(comparison: SystemComparison) -> Iterator[Section]:
    """The scores of all systems in one table, and as details the differences and where systems differ."""
    scores = [
        ScoreColumn(metric.metric, metric.aggregation, metric.higher_is_better, _marked_scores(comparison, metric))
        for metric in comparison.metrics
    ]
    order = best_first(scores[0])
    if comparison.baseline is not None:  # a paper has it on top
        order = [comparison.baseline, *(system for system in order if system != comparison.baseline)]
    settings = comparison.settings
    counts = [pair.difference.n for metric in comparison.metrics for pair in metric.pairs]
    of_tests = (_test_caption(comparison), *interval_captions(settings))
    title = f"Comparison of {systems_on(comparison.inputs, counts, settings['unit'])}"
    signatures = (*(metric.signature for metric in comparison.metrics), comparison.signature)
    captions = (*_mark_captions(comparison), *of_tests)
    yield Section((score_grid(order, scores, captions),), title, signatures)
    differences = _paper_differences(comparison, of_tests)
    yield Section((differences,), f"Differences between {title.removeprefix('Comparison of ')}", is_detail=True)
    for contrast in comparison.contrasts:
        yield replace(contrast_section(contrast), is_detail=True)


def _marked_scores(comparison: SystemComparison, metric: ComparedMetric) -> dict[str, Number]:
    """The score of each system with its cluster, and whether a difference from the best or the baseline is shown."""
    undecided = [{p.first, p.second} for p in metric.pairs if not p.shows_difference]
    values = {system: score.value for system, score in metric.scores.items() if not math.isnan(score.value)}
    best = (max if metric.higher_is_better else min)(values.values(), default=math.nan)
    leader = next(iter(metric.clusters), None)
    found = {}
    for system, score in metric.scores.items():
        flags = {Flag.BEST} if score.value == best else set()
        flags |= {Flag.AMONG_BEST} if {system, leader} in undecided else set()
        flags |= {Flag.NOT_SIGNIFICANT} if {system, comparison.baseline} in undecided else set()
        cluster = metric.clusters.get(system)
        found[system] = Number.of(score, flags=frozenset(flags), rank=cluster)
    return found


def _mark_captions(comparison: SystemComparison) -> Iterator[Caption]:
    if comparison.baseline is not None:
        yield Caption("‡: no difference from the baseline ({}) shown", (Text(comparison.baseline),))
    if any(metric.clusters for metric in comparison.metrics):
        yield Caption("in brackets: clusters of systems, best first")


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
        decimals = paper_decimals([score.value for score in metric.scores.values()])
        in_paper = replace(look, decimals=decimals, flags=_no_flags)
        for row, pair in zip(rows, metric.pairs, strict=True):
            row += (record_cell(column, PairRecord(metric, pair), in_paper) for column in numbers)
    return Grid(tuple(header), tuple(map(tuple, rows)), captions)


def _sections(comparison: SystemComparison) -> Iterator[Section]:
    for metric in comparison.metrics:
        grids = [_difference_grid(metric, comparison)]
        if metric.clusters:
            grids.append(_cluster_grid(metric, comparison.settings))
        yield Section(tuple(grids))
    for contrast in comparison.contrasts:
        yield contrast_section(contrast)
    yield Section(signatures=(*(metric.signature for metric in comparison.metrics), comparison.signature))


def _difference_grid(metric: ComparedMetric, comparison: SystemComparison) -> Grid:
    """Scores and differences; p-values of the family of this grid."""
    settings = comparison.settings
    unit, delta = settings["unit"], settings.get("delta")
    n = number_range(pair.difference.n for pair in metric.pairs)
    count = f"n={n}" if unit == "segment" else f"n={n} {unit}s"
    direction = "" if metric.higher_is_better else ", lower is better"
    name, rest = score_text(metric.metric, metric.aggregation), f" ({count}{direction})"
    captions = [Caption(reason) for reason in _reasons(metric.pairs)]
    if comparison.correction != "none":
        captions.append(Caption(f"p-values {correction_words(comparison.correction, f'{len(metric.pairs)} pairs')}"))
        if any(not math.isnan(pair.power.detectable) for pair in metric.pairs):
            what = "detectable is" if delta is None else f"detectable and {unit}s for {delta} are"
            captions.append(Caption(f"{what} for a single pair, without the correction: all pairs need more"))
    look = _look(comparison, metric, Text(f"{name.text}{rest}", label=f"{name.label}{rest}"))
    return record_grid(comparison.columns, (PairRecord(metric, pair) for pair in metric.pairs), look, captions)


def _look(comparison: SystemComparison, metric: ComparedMetric, score: Text) -> Look:
    """How the pairs of a metric are shown. `score` is the title of the column of first systems."""
    settings, correction = comparison.settings, comparison.correction
    words = {
        "score": score,
        "other": "other" if comparison.baseline is None else "baseline",
        "confidence": percent(float(settings["confidence"])),
        "corrected": "" if correction == "none" else f" ({correction})",
        "segments": "" if settings["unit"] == "segment" else "segments ",
        "unit": settings["unit"],
        "delta": settings.get("delta", ""),
    }
    return Look(_decimals(metric), float(settings["alpha"]), words, _pair_flags)


def _pair_flags(record: PairRecord) -> frozenset[Flag]:
    return frozenset() if record.pair.shows_difference else frozenset({Flag.NOT_SIGNIFICANT})


def _no_flags(record: PairRecord) -> frozenset[Flag]:
    return frozenset()


def _reasons(pairs: Sequence[ComparedPair]) -> Iterator[str]:
    """Why numbers are undefined: a reason that all rows have, or that of each row."""
    reasons = [pair.reason or pair.power.reason for pair in pairs]
    if len(pairs) > 1 and reasons[0] and len(set(reasons)) == 1:
        yield reasons[0]
        return
    for pair, reason in zip(pairs, reasons, strict=True):
        if reason:
            yield f"{pair.first} and {pair.second}: {reason}"


def _cluster_grid(metric: ComparedMetric, settings: Mapping[str, str]) -> Grid:
    """The first system is the best; a cluster may have systems that differ significantly from it."""
    decimals = _decimals(metric)
    best = next(iter(metric.clusters))
    undecided = [{p.first, p.second} for p in metric.pairs if not p.shows_difference]
    rows = tuple(
        (
            Text(system),
            Count(cluster),
            Number.of(
                metric.scores[system],
                decimals,
                flags=_best_flags(system, best, is_undecided={system, best} in undecided),
            ),
            RankRange(*metric.rank_ranges[system]),
            Number(metric.p_best(system)),
        )
        for system, cluster in metric.clusters.items()
    )
    header = (
        *columns(("system", "cluster")),
        Column(metric.metric, label=metric_label(metric.metric)),
        Column(f"ranks ({percent(float(settings['confidence']))})"),
        Column("p_best", label="share first"),
    )
    return Grid(header, rows)


def _best_flags(system: str, best: str, *, is_undecided: bool) -> frozenset[Flag]:
    if system == best:
        return frozenset({Flag.BEST})
    return frozenset({Flag.AMONG_BEST} if is_undecided else ())


def _decimals(metric: ComparedMetric) -> int:
    return decimals_for(score.value for score in metric.scores.values())


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
        case WordGroups():
            look = Look(_WORD_DECIMALS, words=_systems(contrast))
            known = [group for group in contrast.groups if group.first.reference_words or group.second.reference_words]
            title = f"Words of the references that {names} get right: F-measure"
            return Section(
                (record_grid(contrast.columns, known, look),), title, signatures=(settings_line(contrast.settings),)
            )


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
