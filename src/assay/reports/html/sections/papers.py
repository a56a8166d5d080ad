"""Papers that were run again: our numbers beside theirs, and their figures."""

from __future__ import annotations

from collections.abc import Iterator

from assay.reports import document
from assay.reports.html.figures import HALF, Wanted, figures, figures_html
from assay.reports.html.page import PageSection, Report, render
from assay.reports.html.tables import sections_html
from assay.results import Reproduction

__all__ = ["SHOWS", "build"]

SHOWS = (Reproduction,)


def build(report: Report) -> Iterator[PageSection]:
    """A section for the numbers of each paper, and one for its figures."""
    for result in report.of(Reproduction):
        counts = ", ".join(f"{count} {verdict}" for verdict, count in result.counts.items() if count)
        tables = sections_html(document(result).sections, caption=f"Numbers of {result.paper}", draws=False)
        yield PageSection(
            f"paper-{result.paper}",
            "Numbers",
            "What do we get, where the paper has a number?",
            render("templates/section.html", blocks=[tables]),
            f"{len(result)} numbers: {counts}.",
            part="Paper",
        )
        drawn = [
            figure
            for each in result.figures.values()
            for figure in figures([Wanted(each.chart, HALF)], *(result.results[name] for name in each.results))
        ]
        if drawn:
            yield PageSection(
                f"figures-{result.paper}",
                "Figures",
                "What do the paper's figures look like on these data?",
                render("templates/section.html", blocks=figures_html(drawn)),
                "; ".join(each.where for each in result.figures.values()) + ".",
                part="Paper",
            )
