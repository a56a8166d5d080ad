"""The scores of a run, as a document."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from assay.aggregate.resample import CONFIDENCE, RESAMPLES, SEED
from assay.labels.metrics import metric_label
from assay.registry import option_text, split_spec
from assay.reports.cells import Cell, Count, Flag, Number, Text
from assay.reports.documents import Caption, Column, Document, Grid, Section, columns
from assay.reports.labelled import metric_text
from assay.reports.system_scores import (
    ScoreColumn,
    interval_captions,
    number_range,
    score_grid,
    systems_on,
)
from assay.results import Disagreement, Estimate, MetricScores, Run, Scores
from assay.results.order import best_first, best_value
from assay.types.note import listed
from assay.words import Verdict, verdict
from assay.words.scores import order_words

__all__ = ["DEFAULT_RESAMPLING", "GIVEN", "document", "group_grid", "number_cells", "short_signature"]

GIVEN = "given"
"""The order of systems in which they were given."""

_BOTH = " of systems that have both"
_FLIPS_SHOWN = 3
DEFAULT_RESAMPLING = {
    "resamples": str(RESAMPLES),
    "size": "all",
    "seed": str(SEED),
    "confidence": option_text(CONFIDENCE),
}
"""The defaults of `assay.score`, as signatures write them."""


def document(
    run: Run,
    *,
    segments: bool = False,
    signatures: Literal["short", "full", "sacrebleu"] = "short",
    sort: str | None = None,
) -> Document:
    """A section for each metric. `segments` adds the segment scores.

    `sort` names the metric that orders the systems in all tables, or is "given"; by default, each metric orders its own
    table, and the first one that of a paper. Rows, trees and pages have the given order.

    `signatures`: "short" names on a terminal only what is not the default (files always have the full ones); "full"
    names everything; "sacrebleu" writes corpus signatures in sacreBLEU's form, everywhere.
    """
    sacrebleu = signatures == "sacrebleu"
    return Document(
        sections=lambda: (
            _section(run, metric, segments, signatures, _order(run, metric, sort)) for metric in run.metrics.values()
        ),
        columns=run.columns,
        rows=lambda: run.rows(segments=segments, sacrebleu=sacrebleu),
        tree=lambda: run.to_dict(segments=segments, sacrebleu=sacrebleu),
        name="Scores",
        notes=run.notes,
        sheet="metric",
        paper=lambda: _paper(run, segments, signatures, sort),
        verdict=lambda: verdict((run,)) if len(run.systems) > 1 else Verdict(),  # of one, the table says it all
    )


def _paper(run: Run, segments: bool, signatures: str, sort: str | None) -> Iterator[Section]:
    """All metrics in one table, and as details the scores of groups and segments."""
    metrics = list(run.metrics.values())
    scores = [
        ScoreColumn(metric.spec, name, metric.higher_is_better, {system: cells[k] for system, cells in rows.items()})
        for metric in metrics
        for rows in (number_cells(run, metric),)
        for k, name in enumerate(metric.aggregations)
    ]
    estimates = [
        estimate for metric in metrics for each in metric.aggregations.values() for estimate in each.estimates.values()
    ]
    captions = (*interval_captions(dict(metrics[0].headline.signature.resampling)), *_paper_reasons(metrics))
    order = _order(run, metrics[0], sort)
    sections = [_section(run, metric, segments, signatures, order) for metric in metrics]
    yield Section(
        (score_grid(order, scores, captions),),
        f"Scores of {systems_on(run.inputs, [estimate.n for estimate in estimates])}",
        tuple(line for section in sections for line in section.signatures),
    )
    for metric, section in zip(metrics, sections, strict=True):
        titles = (f"{metric_label(metric.spec)} scores of {what}" for what in _parts(metric, segments))
        for title, grid in zip(titles, section.grids[1:], strict=True):
            yield Section((grid,), title, is_detail=True)


def _order(run: Run, metric: MetricScores, sort: str | None) -> Sequence[str]:
    """The systems, best first by the first aggregation of a metric; undefined scores last."""
    if sort == GIVEN:
        return run.systems
    by = run[sort] if sort else metric
    return best_first(next(iter(by.aggregations.values())), higher_is_better=by.higher_is_better)


def _parts(metric: MetricScores, segments: bool) -> Iterator[str]:
    """What the grids are of that follow that of the test set."""
    if metric.groups:
        yield "groups of segments"
    if segments:
        yield "segments"


def _paper_reasons(metrics: Iterable[MetricScores]) -> Iterator[Caption]:
    """Why values are undefined, with the name of the metric."""
    for metric in metrics:
        for caption in _reasons(metric.aggregations.values()):
            yield Caption(f"{{}}, {caption.template}", (metric_text(metric.spec), *caption.values))


def _section(run: Run, metric: MetricScores, segments: bool, signatures: str, order: Sequence[str]) -> Section:
    grids = [_test_set_grid(metric, order)]
    if metric.groups:
        grids.append(group_grid(metric, order))
    if segments:
        grids.append(_segment_grid(run, metric))
    others = tuple(_other_forms(metric))
    full = metric.signature_text(metric.headline, sacrebleu=signatures == "sacrebleu")
    short = short_signature(metric, metric.headline) if signatures == "short" else full
    return Section(tuple(grids), signatures=(full, *others), short_signatures=(short, *others))


def _test_set_grid(metric: MetricScores, order: Sequence[str]) -> Grid:
    scores = list(metric.aggregations.values())
    decimals = metric.decimals
    disagreement = metric.disagreement
    captions = (
        []
        if disagreement is None or math.isnan(disagreement.largest)
        else [_caption(disagreement, decimals, has_all=_has_all(metric))]
    )
    direction = "" if metric.higher_is_better else ", lower is better"
    return Grid(
        (_first(metric, f" ({_n(scores)}{direction})"), *columns(metric.aggregations, labels=0)),
        tuple(_rows(metric, scores, order)),
        (*captions, *_reasons(scores)),
    )


def group_grid(metric: MetricScores, order: Sequence[str]) -> Grid:
    """The scores of each group of segments: rows of one group stand together."""
    groups: dict[str, list[Scores]] = {}
    for scores in metric.groups:
        groups.setdefault(scores.group or "", []).append(scores)
    rows: list[tuple[Cell, ...]] = [
        (Text(f"{group} ({_n(scores)})" if k == 0 else ""), *row)
        for group, scores in groups.items()
        for k, row in enumerate(_rows(metric, scores, order))
    ]
    titles = (_first(metric), *columns(("", *metric.aggregations)))
    return Grid(titles, tuple(rows), tuple(_reasons(metric.groups)))


def _segment_grid(run: Run, metric: MetricScores) -> Grid:
    decimals = metric.decimals
    values = zip(*(scores.tolist() for scores in metric.segments.values()), strict=True)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (Count(position, grouped=False), *(Number(value, decimals) for value in row))
        for position, row in enumerate(values, 1)
    )
    return Grid((_first(metric), *columns(run.systems, labels=0)), rows)


def _first(metric: MetricScores, rest: str = "") -> Column:
    """The title of the column of names: the metric."""
    return Column(f"{metric.spec}{rest}", "left", label=f"{metric_label(metric.spec)}{rest}")


def _rows(metric: MetricScores, columns: list[Scores], order: Sequence[str]) -> Iterator[tuple[Cell, ...]]:
    for system, cells in _numbers(metric, columns, order):
        yield (Text(system), *cells)


def number_cells(run: Run, metric: MetricScores) -> dict[str, tuple[Number, ...]]:
    """By system: its scores on the whole test set, under each aggregation."""
    return dict(_numbers(metric, list(metric.aggregations.values()), run.systems))


def _numbers(
    metric: MetricScores, columns: list[Scores], order: Sequence[str]
) -> Iterator[tuple[str, tuple[Number, ...]]]:
    decimals = metric.decimals
    best = [best_value(scores.values(), higher_is_better=metric.higher_is_better) for scores in columns]
    for system in order:
        estimates = [scores.estimates[system] for scores in columns]
        cells = (
            _cell(estimate, decimals, is_best=estimate.value == value and len(order) > 1)
            for estimate, value in zip(estimates, best, strict=True)
        )
        yield system, tuple(cells)


def _cell(estimate: Estimate, decimals: int, *, is_best: bool) -> Number:
    return Number.of(estimate, decimals, flags=frozenset({Flag.BEST} if is_best else ()))


def _n(columns: list[Scores]) -> str:
    """The number of segments that were scored."""
    return f"n={number_range(estimate.n for scores in columns for estimate in scores.estimates.values())}"


def _has_all(metric: MetricScores) -> bool:
    """Whether every system with a corpus score has a segment mean, and the other way round."""
    return all(math.isnan(metric.corpus[name]) == math.isnan(metric.segment_mean[name]) for name in metric.corpus)


def _caption(disagreement: Disagreement, decimals: int, *, has_all: bool) -> Caption:
    """How far corpus scores and segment means differ, and how many pairs of systems they rank differently.

    `has_all`: no system has only one of the two.
    """
    flips = disagreement.flips
    if not (disagreement.largest or flips):
        return Caption(f"corpus and segment scores{'' if has_all else _BOTH} are the same")
    text = f"corpus and segment scores{'' if has_all else _BOTH} differ by up to {{}} ({{}})"
    if 0 < disagreement.largest < 10**-decimals / 2:  # as many as it takes to show that it is not 0
        decimals = -math.floor(math.log10(disagreement.largest))
    values: list[Cell] = [Number(disagreement.largest, decimals), Text(disagreement.system)]
    if disagreement.pairs == 0:
        return Caption(text, tuple(values))
    text += f" and {order_words(disagreement)}"
    if flips and disagreement.pairs > 1:
        text += ": {}"
        values.append(Text(", ".join(f"{a} / {b}" for a, b in flips[:_FLIPS_SHOWN])))
    if len(flips) > _FLIPS_SHOWN:
        text += " and {} more"
        values.append(Count(len(flips) - _FLIPS_SHOWN, grouped=False))
    return Caption(text, tuple(values))


def _reasons(columns: Iterable[Scores]) -> Iterator[Caption]:
    """Why values or intervals are missing, once for all systems and aggregations that share a reason."""
    places: dict[tuple[str, str], list[str]] = {}
    for scores in columns:
        systems: dict[str, list[str]] = {}
        for system, estimate in scores.estimates.items():
            if estimate.reason is not None:
                systems.setdefault(estimate.reason, []).append(system)
        for reason, names in systems.items():
            named = "all systems" if 1 < len(names) == len(scores.estimates) else listed(names)
            where = f"{scores.aggregation}, {scores.group}" if scores.group else scores.aggregation
            places.setdefault((named, reason), []).append(where)
    for (named, reason), found in places.items():
        yield Caption("{}, {}: {}", (Text(named), Text(" and ".join(found)), Text(reason)))


def _other_forms(metric: MetricScores) -> Iterator[str]:
    """For every aggregation that uses another form of the metric, the options that differ."""
    usual = metric.signature.parameters
    for name, scores in metric.aggregations.items():
        differing = [f"{key}:{value}" for key, value in scores.signature.parameters if (key, value) not in usual]
        if differing:
            yield f"{name}: {'|'.join(differing)}"


def short_signature(metric: MetricScores, scores: Scores) -> str:
    """The name, options that are not the defaults, references, aggregation, unusual resampling, and the version.

    `bleu:tok=intl` becomes `bleu|tok:intl|refs:2|agg:corpus|version:0.1.0`. Scores without defaults, such as those from
    a file, keep their full signature.
    """
    signature = scores.signature
    if metric.nondefault_options is None:
        return str(signature)
    items = [
        *metric.nondefault_options,
        ("refs", signature.references),
        ("agg", signature.aggregation),
        *(item for item in signature.resampling if DEFAULT_RESAMPLING.get(item[0]) != item[1]),
        ("version", signature.version),
    ]
    return "|".join([split_spec(metric.spec)[0], *(f"{key}:{value}" for key, value in items)])
