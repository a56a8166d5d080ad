"""Metrics against people: the ranking of metrics, outliers, and metric scores beside human ones."""

from __future__ import annotations

from collections.abc import Iterator

from assay.reports.html.figures import HALF, Wanted
from assay.reports.html.page import PageSection, Report
from assay.reports.html.section_names import numbered
from assay.reports.html.sections.result_section import result_section
from assay.results import MetaEvaluation, MetricsTask
from assay.words.metrics import best_metric
from assay.words.subjects import subject

__all__ = ["SHOWS", "build"]

SHOWS = (MetaEvaluation, MetricsTask)


def build(report: Report) -> Iterator[PageSection]:
    """A section for each meta-evaluation."""
    results = [result for result in report.results if isinstance(result, MetaEvaluation | MetricsTask)]
    for place, result in enumerate(results):
        where = subject(result)
        yield result_section(
            result,
            id=f"metrics{numbered(place)}",
            link="Agreement with people" if len(results) == 1 else f"Agreement, {where}",
            heading=f"Which metrics agree with people on {where}?",
            charts=_charts(result),
        )


def _charts(result: MetaEvaluation | MetricsTask) -> Iterator[Wanted]:
    """The ranking, what outliers change, and the best metrics with and without them beside the human scores."""
    yield Wanted("metric-ranking")
    yield Wanted("outlier-effect")
    if not isinstance(result, MetaEvaluation):
        return
    measures = [measure for measure in result.measures if measure.statistic == result.measures[0].statistic]
    best = dict.fromkeys(best_metric(result, measure).metric for measure in measures)
    for metric in best:
        yield Wanted("metric-human", HALF, {"metric": metric})
    yield Wanted("replicates", HALF)
