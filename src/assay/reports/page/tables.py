"""The grids of documents as blocks of a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from assay.reports import document
from assay.reports.blocks import Block, Fold, Heading, PageSection, PageTable, Sentences
from assay.reports.documents import Section
from assay.reports.page.figures import Wanted, figures
from assay.results import Result

__all__ = ["result_section", "tables"]


def tables(sections: Iterable[Section], caption: str, *, draws: bool = True) -> tuple[Block, ...]:
    """The sections of a document below each other: titles and grids. `draws`: intervals, in their rows."""
    return tuple(block for section in sections for block in _blocks(section, caption, draws=draws))


def _blocks(section: Section, caption: str, *, draws: bool) -> Iterator[Block]:
    title = section.label or section.title
    if title:
        yield Heading((title,)) if section.grids else Sentences((title,), "notes")
    yield from (PageTable(grid, title or caption, draws=draws) for grid in section.grids)


def result_section(
    result: Result,
    *,
    id: str,  # noqa: A002
    link: str,
    heading: str,
    lede: str = "",
    part: str = "Metrics",
    charts: Iterable[Wanted] = (),
    unfolded: int = 0,
) -> PageSection:
    """A result as its document has it, with charts above the tables.

    Tables whose numbers the charts show are folded below them, but for `unfolded` ones; without a chart, a page shows
    all of them. Charts that the result has no numbers for are left out.
    """
    drawn = figures(charts, result)
    shown, folded = list(document(result).sections), list[Section]()
    if drawn:
        shown, folded = _split(shown, unfolded)
    blocks = (*drawn, *tables(shown, heading))
    if folded:
        summary = "More numbers" if unfolded else "All numbers"
        blocks += (Fold((summary,), tables(folded, heading, draws=False)),)
    return PageSection(id, link, heading, blocks, lede, part=part)


def _split(sections: Iterable[Section], unfolded: int) -> tuple[list[Section], list[Section]]:
    """The sections up to a number of tables, and the rest; sentences without a table stay in sight."""
    shown, folded = [], []
    for section in sections:
        first, rest = section.grids[:unfolded], section.grids[unfolded:]
        unfolded -= len(first)
        if first or not rest:
            shown.append(replace(section, grids=first))
        if rest:
            folded.append(replace(section, grids=rest))
    return shown, folded
