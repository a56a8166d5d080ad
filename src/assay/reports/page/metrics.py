"""Metrics against people: their agreement, how far it depends on the systems, calibrations and decisions."""

from __future__ import annotations

from collections.abc import Iterator

from assay.charts import drawable
from assay.reports import document
from assay.reports.blocks import PageSection
from assay.reports.page.figures import HALF, Wanted
from assay.reports.page.report import Report, numbered
from assay.reports.page.tables import result_section
from assay.results import (
    Calibration,
    Decisions,
    MetaEvaluation,
    MetricsTask,
    PairRankings,
    Ranking,
    Reproduction,
    RobustnessCurves,
    RobustnessTable,
    Run,
    SystemComparison,
)
from assay.types.note import plural
from assay.words.metrics import best_metric
from assay.words.subjects import subject

__all__ = ["agreement", "calibrations", "decisions", "others", "robustness"]

_SHOWN = (
    *(Run, SystemComparison, Ranking, PairRankings, Reproduction),
    *(MetaEvaluation, MetricsTask, RobustnessTable, Calibration, Decisions),
)
"""Results that have sections of their own."""
_ROBUSTNESS = {
    "top": ("Best systems only", "Does agreement hold among the best systems?"),
    "windows": ("Windows", "Does agreement hold among neighbours?"),
    "without-one": ("Without one system", "Does agreement hang on a single system?"),
    "subsamples": ("Subsamples", "How much does agreement vary between sets of systems?"),
}
_MOST_CURVES = 4
_CALIBRATION = (
    "A curve holds for the pairs of systems that it was fitted on; other data may give another one. Column 50 %: the "
    "smallest difference at which people see it in half of the pairs or more. Base rate: how often in all pairs, "
    "whatever their difference."
)


def agreement(report: Report) -> Iterator[PageSection]:
    """A section for each meta-evaluation."""
    results = [result for result in report.results if isinstance(result, MetaEvaluation | MetricsTask)]
    for place, result in enumerate(results):
        where = subject(result)
        yield result_section(
            result,
            id=f"metrics{numbered(place)}",
            link="Agreement with people" if len(results) == 1 else f"Agreement, {where}",
            heading=f"Which metrics agree with people on {where}?",
            charts=_agreement_charts(result),
        )


def _agreement_charts(result: MetaEvaluation | MetricsTask) -> Iterator[Wanted]:
    """The ranking, what outliers change, and the best metrics with and without them beside the human scores."""
    yield Wanted("metric-ranking")
    yield Wanted("outlier-effect")
    if not isinstance(result, MetaEvaluation):
        return
    measures = [measure for measure in result.measures if measure.statistic == result.measures[0].statistic]
    found = (best_metric(result, measure) for measure in measures)
    best = dict.fromkeys(each.metric for each in found if each is not None)
    for metric in best:
        yield Wanted("metric-human", HALF, {"metric": metric})
    yield Wanted("replicates", HALF)


def robustness(report: Report) -> Iterator[PageSection]:
    """How far agreement depends on which systems are compared: a section for each table."""
    results = [result for result in report.results if isinstance(result, RobustnessTable)]
    for place, result in enumerate(results):
        link, heading = _ROBUSTNESS.get(result.kind, ("Subsets", "How far does agreement depend on the systems?"))
        yield result_section(
            result,
            id=f"robustness{numbered(place)}",
            link=link,
            heading=heading,
            lede=f"{result.pair.lp}: {_judged(result)}human scores {result.pair.gold}.",
            charts=(Wanted("robustness"), Wanted("subsamples")),
        )


def _judged(result: RobustnessTable) -> str:
    """The number of systems that the first metric and people scored."""
    members = result.curves if isinstance(result, RobustnessCurves) else getattr(result, "metrics", ())
    return f"{plural(members[0].all_systems.n, 'system')}, " if members else ""


def calibrations(report: Report) -> Iterator[PageSection]:
    """From a difference of scores to the probability that people see it."""
    for place, result in enumerate(report.of(Calibration)):
        yield result_section(
            result,
            id=f"calibration{numbered(place)}",
            link="Calibration",
            heading="How large must a difference be for people to see it?",
            lede=_CALIBRATION,
            charts=_curves(result),
            unfolded=1,
        )


def _curves(calibration: Calibration) -> Iterator[Wanted]:
    """The curves of the first metrics, for the first population."""
    first = calibration.curves[0]
    same = [curve for curve in calibration if (curve.outcome, curve.population) == (first.outcome, first.population)]
    curves = {curve.metric: curve for curve in reversed(same)}
    for curve in list(reversed(curves.values()))[:_MOST_CURVES]:
        population = {name: getattr(curve.population, name) for name in ("protocol", "group", "domain")}
        options = {"metric": curve.metric, "aggregation": curve.aggregation, "outcome": curve.outcome}
        yield Wanted("calibration", HALF, {**options, **population})


def decisions(report: Report) -> Iterator[PageSection]:
    """How often decisions by a metric are wrong."""
    for place, result in enumerate(report.of(Decisions)):
        yield result_section(
            result,
            id=f"decisions{numbered(place)}",
            link="Decisions",
            heading="How often do people confirm what a metric decides?",
            charts=[Wanted(name, HALF) for name in ("human-differences", "p-values", "metric-errors")],
            unfolded=3,  # those of the first metric
        )


def others(report: Report) -> Iterator[PageSection]:
    """A section for each result that has no other one: its charts and tables."""
    results = [result for result in report.results if not isinstance(result, _SHOWN)]
    for number, result in enumerate(results, 1):
        title = document(result).title
        heading = title if len(report.results) > 1 else "The numbers"  # of a single result, the verdict has the title
        yield result_section(
            result, id=f"other-{number}", link=title, heading=heading, charts=map(Wanted, drawable(result)), part="More"
        )
