"""How far agreement depends on which systems are compared."""

from __future__ import annotations

from collections.abc import Iterator

from assay.reports.html.figures import Wanted
from assay.reports.html.page import PageSection, Report
from assay.reports.html.section_names import numbered
from assay.reports.html.sections.result_section import result_section
from assay.results import RobustnessCurves, RobustnessTable
from assay.types.note import plural

__all__ = ["SHOWS", "build"]

SHOWS = (RobustnessTable,)
_CHARTS = (Wanted("robustness"), Wanted("subsamples"))
_HEADINGS = {
    "top": ("Best systems only", "Does agreement hold among the best systems?"),
    "windows": ("Windows", "Does agreement hold among neighbours?"),
    "without-one": ("Without one system", "Does agreement hang on a single system?"),
    "subsamples": ("Subsamples", "How much does agreement vary between sets of systems?"),
}


def build(report: Report) -> Iterator[PageSection]:
    """A section for each table."""
    results = [result for result in report.results if isinstance(result, RobustnessTable)]
    for place, result in enumerate(results):
        link, heading = _HEADINGS.get(result.kind, ("Subsets", "How far does agreement depend on the systems?"))
        yield result_section(
            result,
            id=f"robustness{numbered(place)}",
            link=link,
            heading=heading,
            lede=f"{result.pair.lp}: {_judged(result)}human scores {result.pair.gold}.",
            charts=_CHARTS,
        )


def _judged(result: RobustnessTable) -> str:
    """The number of systems that the first metric and people scored."""
    members = result.curves if isinstance(result, RobustnessCurves) else getattr(result, "metrics", ())
    return f"{plural(members[0].all_systems.n, 'system')}, " if members else ""
