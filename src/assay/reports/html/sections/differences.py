"""How far two systems are apart: one row for each metric and aggregation, each metric on its own scale."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from assay.charts.domains import aligned_domains
from assay.labels.metrics import AGGREGATIONS, metric_label
from assay.labels.numbers import difference_text, interval_text, p_text
from assay.reports.cells import Number
from assay.reports.html.lanes import Lane, Scale, marks
from assay.reports.html.page import render
from assay.reports.html.pair_tables import correction_text
from assay.reports.html.tables import Header, Table, TableCell, cell, table_html
from assay.results import Outcome, SystemComparison
from assay.words.compared_pair import ComparedScore, pair_verdict

if TYPE_CHECKING:
    from markupsafe import Markup

__all__ = ["difference_table"]

_WIDTH = 440
_LOOKS = {Outcome.BETTER: "a", Outcome.WORSE: "b"}


def difference_table(comparison: SystemComparison) -> Markup:
    """The differences of the two systems of the verdict. Metrics whose lower scores are better are negated."""
    found = pair_verdict(comparison)
    scales = _scales(found.scores)
    last = {score.metric.metric: score for score in found.scores}
    headers = (
        Header("Metric", is_label=True),
        Header("Aggregation", is_label=True),
        *((Header("Each metric on its own scale", is_drawn=True),) if scales else ()),
        Header("Difference"),
        Header("Interval"),
        Header("p"),
    )
    rows = tuple(
        tuple(_row(score, scales.get(score.metric.metric), has_axis=score is last[score.metric.metric]))
        for score in found.scores
    )
    return render(
        "templates/differences.html",
        first=found.first,
        second=found.second,
        table=table_html(Table(f"{found.first} against {found.second}", headers, rows, look="plot")),
        n=comparison.metrics[0].pairs[0].n,
        unit=comparison.settings["unit"],
        confidence=f"{100 * float(comparison.settings['confidence']):g}",
        corrected=correction_text(comparison),
        turned=[metric_label(each.metric) for each in comparison.metrics if not each.higher_is_better],
    )


def _scales(scores: Sequence[ComparedScore]) -> dict[str, Scale]:
    """A scale for each metric, with all zeros below each other: points of two metrics cannot be compared.

    None if there is no interval to draw.
    """
    if not any(math.isfinite(score.in_favour.low) for score in scores):
        return {}
    ends: dict[str, list[float]] = {}
    for score in scores:
        ends.setdefault(score.metric.metric, []).extend((score.favour, score.in_favour.low, score.in_favour.high))
    domains = aligned_domains(list(ends.values()))
    return {metric: Scale(low, high, _WIDTH) for metric, (low, high) in zip(ends, domains, strict=True)}


def _number(score: ComparedScore) -> Number:
    reason = score.pair.difference.reason
    return Number(
        score.favour, score.decimals, score.in_favour.low, score.in_favour.high, style="signed", reason=reason
    )


def _row(score: ComparedScore, scale: Scale | None, *, has_axis: bool) -> Iterator[TableCell]:
    number = _number(score)
    colour = _LOOKS.get(score.pair.outcome, "unshown")
    yield TableCell(metric_label(score.metric.metric))
    yield TableCell(AGGREGATIONS.get(score.metric.aggregation, score.metric.aggregation), classes="muted")
    if scale is not None:
        look = colour if score.metric.aggregation == "corpus" else f"{colour} hollow"
        ticks = scale.ticks if has_axis else ()
        lane = Lane(scale.width, marks((number,), (look,), scale), zero=scale.zero, ticks=ticks)
        yield TableCell(lane=lane, classes="lane")
    shown = cell(number)
    text = difference_text(score.favour, score.decimals)
    yield replace(shown, text=text, aside="", classes=f"{shown.classes} strong {colour}")
    yield TableCell(interval_text(score.in_favour.low, score.in_favour.high, score.decimals), classes="number muted")
    p = score.pair.p_corrected
    yield TableCell(p_text(p, is_bound=score.pair.is_bound), classes="number", order=None if math.isnan(p) else p)
