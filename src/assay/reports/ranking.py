"""A ranking of systems by human judgement, as a document."""

from __future__ import annotations

from collections.abc import Iterator

from assay.reports.cells import Cell, Count, Interval, Number, PValue, RankRange, Text
from assay.reports.documents import Caption, Document, Grid, Section, columns
from assay.reports.reliability import section as reliability_section
from assay.results import RankedSystem, Ranking

__all__ = ["document"]

_DECIMALS = 3
_TITLES = ("cluster", "score", "interval", "n", "ranks", "fuzzy", "p_best")


def document(ranking: Ranking, *, p_values: bool = False) -> Document:
    """One row per system, best first; `p_values` adds their matrix. The agreement of the judges has its own section."""
    return Document.of(ranking, lambda: _sections(ranking, p_values))


def _sections(ranking: Ranking, p_values: bool) -> Iterator[Section]:
    judgements = Caption("{} judgements", (Count(ranking.judgements),))
    grids = [Grid(columns((ranking.name, *_TITLES)), tuple(map(_row, ranking)), (judgements,))]
    if p_values:
        grids.append(_p_value_grid(ranking))
    yield Section(tuple(grids), signatures=(ranking.signature,))
    if ranking.agreement is not None:
        yield reliability_section(ranking.agreement)


def _row(ranked: RankedSystem) -> tuple[Cell, ...]:
    score = ranked.score
    return (
        Text(ranked.system),
        Count(ranked.cluster, grouped=False),
        Number(score.value, _DECIMALS, reason=score.reason),
        Interval(score.low, score.high, _DECIMALS),
        Count(score.n),
        RankRange(ranked.rank_low, ranked.rank_high),
        Number(ranked.fuzzy_rank, 1),
        Number(ranked.p_best),
    )


def _p_value_grid(ranking: Ranking) -> Grid:
    names = [ranked.system for ranked in ranking]
    matrix = ranking.p_values.tolist()
    rows: list[tuple[Cell, ...]] = [(Text(name), *map(PValue, row)) for name, row in zip(names, matrix, strict=True)]
    return Grid(columns(("p: row better than column", *names)), tuple(rows))
