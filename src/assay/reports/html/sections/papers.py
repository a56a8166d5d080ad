"""Papers that were run again: our numbers beside theirs, their tables, and their figures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from assay.reports import document
from assay.reports.cells import Cell, Number
from assay.reports.documents import Section
from assay.reports.html.figures import HALF, Wanted, figures, figures_html
from assay.reports.html.page import PageSection, Report, render
from assay.reports.html.tables import sections_html
from assay.results import Reproduction

__all__ = ["SHOWS", "build"]

SHOWS = (Reproduction,)


def build(report: Report) -> Iterator[PageSection]:
    """A section for the numbers of each paper, one for its tables, and one for its figures."""
    for result in report.of(Reproduction):
        yield _numbers(result)
        if result.tables:
            yield _tables(result)
        drawn = [
            figure
            for name, each in result.figures.items()
            for figure in figures([Wanted(each.chart, HALF)], *result.drawn(name))
        ]
        if drawn:
            yield PageSection(
                f"figures-{result.paper}",
                "Figures",
                "What do the paper's figures look like on these data?",
                render("templates/section.html", blocks=figures_html(drawn)),
                "; ".join(each.caption for each in result.figures.values()) + ".",
                part="Paper",
            )


def _numbers(result: Reproduction) -> PageSection:
    counts = ", ".join(f"{count} {verdict}" for verdict, count in result.counts.items() if count)
    sections = _with_printed_digits(document(result).sections)
    return PageSection(
        f"paper-{result.paper}",
        "Numbers",
        "What do we get, where the paper has a number?",
        render(
            "templates/section.html",
            blocks=[sections_html(sections, caption=f"Numbers of {result.paper}", draws=False)],
        ),
        f"{result.citation} {result.published} published numbers and claims: {counts}.",
        part="Paper",
    )


def _tables(result: Reproduction) -> PageSection:
    """The results that are tables of the paper, with the value of every language pair and its interval, folded."""
    folded = [
        (caption, sections_html(document(result.results[name]).sections, caption=caption, draws=False))
        for name, caption in result.tables.items()
    ]
    return PageSection(
        f"tables-{result.paper}",
        "Tables",
        "What are the values of each language pair?",
        render("templates/folded.html", folded=folded),
        "All metrics and language pairs, with intervals where there are any.",
        part="Paper",
    )


def _with_printed_digits(sections: Iterable[Section]) -> list[Section]:
    """Pages show a decimal less than files do; a verdict rests on all of them."""
    return [
        replace(
            section,
            grids=tuple(
                replace(grid, rows=tuple(tuple(map(_with_all_digits, row)) for row in grid.rows))
                for grid in section.grids
            ),
        )
        for section in sections
    ]


def _with_all_digits(cell: Cell) -> Cell:
    return replace(cell, decimals=cell.decimals + 1) if isinstance(cell, Number) and cell.decimals else cell
