"""Papers that were run again: our numbers beside theirs, their tables, and their figures."""

from __future__ import annotations

from collections.abc import Iterator

from assay.reports import document
from assay.reports.blocks import Fold, PageSection
from assay.reports.page.figures import HALF, Wanted, beside, drawn
from assay.reports.page.report import Report
from assay.reports.page.tables import tables
from assay.results import Reproduction

__all__ = ["build"]


def build(report: Report) -> Iterator[PageSection]:
    """A section for the numbers of each paper, one for its tables, and one for its figures."""
    for result in report.of(Reproduction):
        yield _numbers(result)
        if result.tables:
            yield _tables(result)
        figures = beside(
            (wanted, figure)
            for name, each in result.figures.items()
            for wanted in (Wanted(each.chart, HALF),)
            for figure in drawn(wanted, result.drawn(name))
        )
        if figures:
            yield PageSection(
                f"figures-{result.paper}",
                "Figures",
                "What do the paper's figures look like on these data?",
                figures,
                "; ".join(each.caption for each in result.figures.values()) + ".",
                part="Paper",
            )


def _numbers(result: Reproduction) -> PageSection:
    counts = ", ".join(f"{count} {verdict}" for verdict, count in result.counts.items() if count)
    return PageSection(
        f"paper-{result.paper}",
        "Numbers",
        "What do we get, where the paper has a number?",
        tables(document(result).sections, f"Numbers of {result.paper}", draws=False),
        f"{result.citation} {result.published} published numbers and claims: {counts}.",
        part="Paper",
    )


def _tables(result: Reproduction) -> PageSection:
    """The results that are tables of the paper, with the value of every language pair and its interval, folded."""
    return PageSection(
        f"tables-{result.paper}",
        "Tables",
        "What are the values of each language pair?",
        tuple(
            Fold((caption,), tables(document(result.results[name]).sections, caption, draws=False), style="block")
            for name, caption in result.tables.items()
        ),
        "All metrics and language pairs, with intervals where there are any.",
        part="Paper",
    )
