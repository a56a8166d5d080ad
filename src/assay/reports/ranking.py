"""A ranking of systems by human judgement, as a document."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain

import numpy as np

from assay.labels.tests import correction_words, significance_test_label
from assay.reports.cells import BLANK, Cell, Count, Flag, Interval, Number, PValue, RankRange, Text
from assay.reports.documents import Caption, Column, Document, Grid, Section, columns
from assay.reports.reliability import section as reliability_section
from assay.results import Estimate, PairRankings, RankedSystem, Ranking
from assay.results.estimate import decimals_for
from assay.types.note import plural
from assay.words import verdict

__all__ = ["document"]

_DECIMALS = 3
_COLUMNS = (
    *columns(("cluster", "score", "interval", "n", "ranks"), labels=0),
    Column("fuzzy", label="fuzzy rank"),
    Column("p_best", label="share first"),
)
_MISSING = "missing: segments that other systems were judged on, but not this one"


def document(ranking: Ranking | PairRankings, *, p_values: bool = False) -> Document:
    """One row per system, best first; `p_values` adds those of all pairs: a matrix for people, rows for programs.

    The reliability of the raters has its own section. Several language pairs have a section each.
    """

    rankings = ranking.rankings if isinstance(ranking, PairRankings) else {"": ranking}

    def sections() -> Iterator[Section]:
        for label, each in rankings.items():
            yield from _sections(each, p_values, title=label if len(rankings) > 1 else "")

    def paper() -> Iterator[Section]:
        for label, each in rankings.items():
            yield from _paper(each, p_values, label)

    return Document(
        sections,
        ranking.columns,
        lambda: chain(ranking.rows(), ranking.p_value_rows() if p_values else ()),
        ranking.to_dict,
        name="Ranking of systems by human judgement",
        notes=ranking.notes,
        sheet="lp" if isinstance(ranking, PairRankings) else "",
        paper=paper,
        verdict=lambda: verdict((ranking,)),
    )


def _sections(ranking: Ranking, p_values: bool, title: str = "") -> Iterator[Section]:
    counts = Count(ranking.judgement_count), Text(ranking.judgement_kind), Count(ranking.outputs)
    captions = [Caption("{} {} of {} outputs" + ("" if ranking.higher_is_better else "; lower is better"), counts)]
    header = [Column(ranking.name, "left"), *_COLUMNS]
    rows = [_row(ranked, flags) for ranked, flags in zip(ranking, _best(ranking), strict=True)]
    if any(ranked.missing for ranked in ranking):
        header.append(Column("missing"))
        rows = [(*row, Count(ranked.missing or 0)) for row, ranked in zip(rows, ranking, strict=True)]
        captions.append(Caption(_MISSING))
    alpha = ranking.settings.get("alpha")
    if len(rows) > 1 and alpha and (ranking.alternative, ranking.settings["method"]) == ("better", "mean"):
        captions.append(Caption(_clusters_caption(float(alpha)), role="remark"))
    grids = [Grid(tuple(header), tuple(rows), tuple(captions))]
    if p_values:
        grids.append(_p_value_grid(ranking))
    if ranking.by_domain is not None:
        grids.append(_domain_grid(ranking, ranking.by_domain))
    yield Section(tuple(grids), title, signatures=(ranking.signature,))
    if ranking.reliability is not None:
        yield reliability_section(ranking.reliability)


def _paper(ranking: Ranking, p_values: bool, lp: str) -> Iterator[Section]:
    """Systems with cluster, score and range of ranks; as details what else there is."""
    first, *others = _sections(ranking, p_values)
    table, *more = first.grids
    decimals = min(_DECIMALS, decimals_for(ranked.score.value for ranked in ranking))
    rows = tuple(
        (row[0], row[1], _with_interval(row[2], ranked.score, decimals), row[4], row[5])
        for row, ranked in zip(table.rows, ranking, strict=True)
    )
    captions = (*table.captions, *_paper_captions(ranking))
    grid = Grid(columns(("system", "cluster", "score", "n", "ranks")), rows, captions)
    where = ", ".join(filter(None, (lp, ranking.name)))
    title = f"Ranking of {plural(len(ranking), 'system')} by human judgement ({where})"
    yield Section((grid,), title, first.signatures)
    for each in more:
        yield Section((each,), title, is_detail=True)
    for section in others:
        yield replace(section, title=section.title or f"Reliability of the raters ({where})", is_detail=True)


def _with_interval(cell: Cell, score: Estimate, decimals: int) -> Cell:
    return replace(cell, low=score.low, high=score.high, decimals=decimals) if isinstance(cell, Number) else cell


def _paper_captions(ranking: Ranking) -> Iterator[Caption]:
    settings = ranking.settings
    if "test" in settings and "alpha" in settings:
        pairs = plural(len(ranking) * (len(ranking) - 1) // 2, "pair")
        sides = "one-sided" if ranking.alternative == "better" else "two-sided"
        corrected = correction_words(settings.get("correction", "none"), pairs)
        words = f"tests: {significance_test_label(settings['test'])}, {sides}, p < {settings['alpha']}, {corrected}"
        yield Caption("{}", (Text(words),))
    if "confidence" in settings:
        yield Caption("{}", (Text(f"in brackets: {100 * float(settings['confidence']):g} % intervals"),), "intervals")


def _clusters_caption(alpha: float) -> str:
    """The order comes from the same scores as the one-sided tests, so either of two equal systems may end up above."""
    rate = f"{2 * alpha:.0%}".replace("%", " %")
    return f"clusters: one-sided tests at {alpha:g}, as WMT does; about {rate} of pairs of equal systems are set apart"


def _best(ranking: Ranking) -> Iterator[frozenset[Flag]]:
    """The first system is the best; a cluster may have systems that differ significantly from it."""
    alpha = float(ranking.settings.get("alpha", "nan"))
    for place, p in enumerate(ranking.p_values[0].tolist() if len(ranking) > 1 else [math.nan] * len(ranking)):
        is_among = place > 0 and p > alpha  # NaN: not tested
        yield frozenset({Flag.BEST} if place == 0 and len(ranking) > 1 else {Flag.AMONG_BEST} if is_among else ())


def _row(ranked: RankedSystem, flags: frozenset[Flag]) -> tuple[Cell, ...]:
    score = ranked.score
    return (
        Text(ranked.system),
        Number(math.nan) if ranked.cluster is None else Count(ranked.cluster, grouped=False),
        Number(score.value, _DECIMALS, reason=score.reason, flags=flags),
        Interval(score.low, score.high, _DECIMALS),
        Count(score.n),
        BLANK if ranked.rank_low is None or ranked.rank_high is None else RankRange(ranked.rank_low, ranked.rank_high),
        Number(ranked.fuzzy_rank, 1),
        Number(ranked.p_best),
    )


def _domain_grid(ranking: Ranking, means: Mapping[str, Mapping[str, Estimate]]) -> Grid:
    """System by domain: means with the number of segments in brackets."""
    rows = tuple((Text(ranked.system), *_domain_cells(means, ranked.system)) for ranked in ranking)
    return Grid(columns(("mean by domain (n)", *means)), rows)


def _domain_cells(means: Mapping[str, Mapping[str, Estimate]], system: str) -> Iterator[Cell]:
    for domain in means.values():
        yield Number(domain[system].value, _DECIMALS, n=domain[system].n, reason=domain[system].reason)


def _p_value_grid(ranking: Ranking) -> Grid:
    names = [ranked.system for ranked in ranking]
    bounds = np.zeros_like(ranking.p_values, dtype=np.bool_) if ranking.bounds is None else ranking.bounds
    cells = (
        [PValue(p, is_bound=is_bound) for p, is_bound in zip(*row, strict=True)]
        for row in zip(ranking.p_values.tolist(), bounds.tolist(), strict=True)
    )
    rows: list[tuple[Cell, ...]] = [(Text(name), *row) for name, row in zip(names, cells, strict=True)]
    title = "p: row better than column" if ranking.alternative == "better" else "p: row and column differ (two-sided)"
    return Grid(columns((title, *names)), tuple(rows))
