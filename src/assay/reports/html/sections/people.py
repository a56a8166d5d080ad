"""Systems ranked by people."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from assay.reports import document
from assay.reports.documents import Caption, Section
from assay.reports.html.figures import Wanted, figures, figures_html
from assay.reports.html.page import PageSection, Report, render
from assay.reports.html.tables import sections_html
from assay.reports.html.verdict.people import ranking_headline
from assay.results import PairRankings, Ranking, SystemComparison

__all__ = ["SHOWS", "build"]

SHOWS = (Ranking, PairRankings)
_FIGURES = (Wanted("human-ranking"),)
_READING = (
    "ranks: the range of ranks of a system over resamples; fuzzy rank: the mean rank of the systems that are not shown "
    "to differ from it; share first: of the resamples, in how many it is first"
)


def build(report: Report) -> Iterator[PageSection]:
    """A section for each ranking."""
    rankings = [*report.of(Ranking)]
    for several in report.of(PairRankings):
        rankings += several.rankings.values()
    is_beside_metrics = bool(report.of(SystemComparison) or len(rankings) > 1)  # else the verdict says it already
    for number, ranking in enumerate(rankings, 1):
        suffix = f"-{number}" if len(rankings) > 1 else ""
        drawn = figures_html(figures(_FIGURES, ranking))
        tables = sections_html(_explained(ranking), caption="Systems ranked by people")
        yield PageSection(
            f"people{suffix}",
            "What people said" if not suffix else f"People, {ranking.lp or number}",
            ranking_headline(ranking) if is_beside_metrics else "Scores, intervals and clusters",
            render("templates/section.html", blocks=[*drawn, tables]),
            part="Systems",
        )


def _explained(ranking: Ranking) -> Iterator[Section]:
    """The sections of the document, with a sentence on the columns of the first table."""
    first, *others = document(ranking).sections
    table, *grids = first.grids
    direction = "higher scores are better; " if ranking.higher_is_better else ""
    yield replace(first, grids=(replace(table, captions=(*table.captions, Caption(f"{direction}{_READING}"))), *grids))
    yield from others
