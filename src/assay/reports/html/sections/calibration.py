"""From a difference of scores to the probability that people see it."""

from __future__ import annotations

from collections.abc import Iterator

from assay.reports.html.figures import HALF, Wanted
from assay.reports.html.page import PageSection, Report
from assay.reports.html.section_names import numbered
from assay.reports.html.sections.result_section import result_section
from assay.results import Calibration

__all__ = ["SHOWS", "build"]

SHOWS = (Calibration,)
_MOST_CHARTS = 4
_LEDE = (
    "A curve holds for the pairs of systems that it was fitted on; other data may give another one. Column 50 %: the "
    "smallest difference at which people see it in half of the pairs or more. Base rate: how often in all pairs, "
    "whatever their difference."
)


def build(report: Report) -> Iterator[PageSection]:
    """A section for each calibration."""
    results = report.of(Calibration)
    for place, result in enumerate(results):
        yield result_section(
            result,
            id=f"calibration{numbered(place)}",
            link="Calibration",
            heading="How large must a difference be for people to see it?",
            lede=_LEDE,
            charts=_charts(result),
            unfolded=1,
        )


def _charts(calibration: Calibration) -> Iterator[Wanted]:
    """The curves of the first metrics, for the first population."""
    first = calibration.curves[0]
    same = [curve for curve in calibration if (curve.outcome, curve.population) == (first.outcome, first.population)]
    curves = {curve.metric: curve for curve in reversed(same)}
    for curve in list(reversed(curves.values()))[:_MOST_CHARTS]:
        population = {name: getattr(curve.population, name) for name in ("protocol", "group", "domain")}
        options = {"metric": curve.metric, "aggregation": curve.aggregation, "outcome": curve.outcome}
        yield Wanted("calibration", HALF, {**options, **population})
