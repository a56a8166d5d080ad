"""Systems ranked by people."""

from __future__ import annotations

from collections.abc import Iterator

from assay.reports import document
from assay.reports.html.figures import Wanted, figures, figures_html
from assay.reports.html.page import PageSection, Report, render
from assay.reports.html.tables import sections_html
from assay.reports.html.verdict.people import ranking_headline
from assay.results import PairRankings, Ranking, SystemComparison

__all__ = ["build"]

_FIGURES = (Wanted("human-ranking"),)


def build(report: Report) -> Iterator[PageSection]:
    """A section for each ranking."""
    rankings = [*report.of(Ranking)]
    for several in report.of(PairRankings):
        rankings += several.rankings.values()
    is_beside_metrics = bool(report.of(SystemComparison) or len(rankings) > 1)  # else the verdict says it already
    for number, ranking in enumerate(rankings, 1):
        suffix = f"-{number}" if len(rankings) > 1 else ""
        drawn = figures_html(figures(_FIGURES, ranking))
        tables = sections_html(document(ranking).sections, caption="Systems ranked by people")
        yield PageSection(
            f"people{suffix}",
            "What people said" if not suffix else f"People, {ranking.lp or number}",
            ranking_headline(ranking) if is_beside_metrics else "Scores, intervals and clusters",
            render("templates/section.html", blocks=[*drawn, tables]),
            part="Systems",
        )
