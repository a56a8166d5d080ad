"""Systems ranked by people."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from assay.labels.numbers import percent
from assay.reports import document
from assay.reports.blocks import PageSection
from assay.reports.documents import Caption, Section
from assay.reports.page.figures import Wanted, figures
from assay.reports.page.report import Report, numbered
from assay.reports.page.tables import tables
from assay.results import PairRankings, Ranking, SystemComparison
from assay.words.people import CLUSTERS, ranking_headline

__all__ = ["build"]

_READING = (
    "ranks: those in the middle {} of the resamples; fuzzy rank: the mean rank of the systems that are not shown to "
    "differ from it; share first: of the resamples, in how many it is first"
)


def build(report: Report) -> Iterator[PageSection]:
    """A section for each ranking."""
    rankings = [*report.of(Ranking)]
    for several in report.of(PairRankings):
        rankings += several.rankings.values()
    is_beside_metrics = bool(report.of(SystemComparison) or len(rankings) > 1)  # else the verdict says it already
    for place, ranking in enumerate(rankings):
        drawn = figures((Wanted("human-ranking"),), ranking)
        yield PageSection(
            f"people{numbered(place)}",
            "What people said" if len(rankings) == 1 else f"People, {_label(ranking)}",
            ranking_headline(ranking) if is_beside_metrics else "Scores, intervals and clusters",
            (*drawn, *tables(_explained(ranking), "Systems ranked by people")),
            lede=CLUSTERS if _has_several_first(ranking) else "",
            eyebrow=_label(ranking) if len(rankings) > 1 else "",
            part="Systems",
        )


def _label(ranking: Ranking) -> str:
    """The language pair and the judgements: DA and MQM of one language pair may contradict each other."""
    return " ".join(filter(None, (ranking.lp, ranking.name)))


def _has_several_first(ranking: Ranking) -> bool:
    return sum(each.cluster == 1 for each in ranking.systems) > 1


def _explained(ranking: Ranking) -> Iterator[Section]:
    """The sections of the document, with a sentence on the columns of the first table."""
    first, *others = document(ranking).sections
    table, *grids = first.grids
    direction = "higher scores are better; " if ranking.higher_is_better else ""
    reading = Caption(direction + _READING.format(percent(float(ranking.settings.get("confidence", 0.95)))))
    yield replace(first, grids=(replace(table, captions=(*table.captions, reading)), *grids))
    yield from others
