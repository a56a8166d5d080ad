"""A ranking of systems by human judgement, as a document."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from assay.labels.numbers import percent, share_text
from assay.labels.tests import IN_CLUSTERS, correction_words, significance_test_label
from assay.reports.cells import BLANK, Cell, Count, Flag, Interval, Number, PValue, RankRange, Text
from assay.reports.documents import Caption, Column, Document, Grid, Section, TitledCells
from assay.reports.record_grid import record_columns
from assay.reports.reliability import section as reliability_section
from assay.results import Estimate, PairRankings, RankedSystem, Ranking
from assay.results.columns import ResultColumn, Shown
from assay.results.estimate import decimals_for
from assay.significance import test as significance_test
from assay.types.note import plural
from assay.words import verdict

__all__ = ["document"]

_DECIMALS = 3
_MISSING = "missing: segments that other systems were judged on, but not this one"


def document(ranking: Ranking | PairRankings, *, p_values: bool = False) -> Document:
    """One row per system, best first; `p_values` adds those of all pairs: a matrix for people, rows for programs.

    The reliability of the raters has its own section. Several language pairs have a section each.
    """

    rankings = ranking.rankings if isinstance(ranking, PairRankings) else {"": ranking}

    def sections() -> Iterator[Section]:
        for label, each in rankings.items():
            yield from _sections(each, p_values, ranking.columns, title=label if len(rankings) > 1 else "")

    def paper() -> Iterator[Section]:
        for label, each in rankings.items():
            yield from _paper(each, p_values, ranking.columns, label)

    return Document(
        sections,
        ranking.columns,
        lambda: chain(ranking.rows(), ranking.p_value_rows() if p_values else ()),
        ranking.to_dict,
        lists=Shown.TABLE | Shown.PAPER,
        name="Ranking of systems by human judgement",
        notes=ranking.notes,
        sheet="lp" if isinstance(ranking, PairRankings) else "",
        paper=paper,
        verdict=lambda: verdict((ranking,)),
    )


def _sections(ranking: Ranking, p_values: bool, declared: Sequence[ResultColumn], title: str = "") -> Iterator[Section]:
    counts = Count(ranking.judgement_count), Text(ranking.judgement_kind), Count(ranking.outputs)
    lower = "" if ranking.higher_is_better else "; lower is better"
    captions = [Caption("{} {} of {} outputs" + lower, counts)]
    if ranking.documents is not None:
        captions.append(Caption("{} documents, which are drawn and swapped", (Count(ranking.documents),)))
    if any(ranked.missing for ranked in ranking):
        captions.append(Caption(_MISSING))
    is_tested = not math.isnan(ranking.alpha)
    if len(ranking) > 1 and is_tested and (ranking.alternative, ranking.settings["method"]) == ("better", "mean"):
        captions.append(Caption(_clusters_caption(ranking), role="remark"))
    grids = [Grid.of((*_columns(ranking), *_declared(ranking, declared, Shown.TABLE)), captions)]
    if p_values:
        grids.append(_p_value_grid(ranking))
    if ranking.by_domain is not None:
        grids.append(_domain_grid(ranking, ranking.by_domain))
    yield Section(tuple(grids), title, signatures=(ranking.signature,))
    if ranking.reliability is not None:
        yield reliability_section(ranking.reliability)


def _paper(ranking: Ranking, p_values: bool, declared: Sequence[ResultColumn], lp: str) -> Iterator[Section]:
    """Systems with cluster, score and range of ranks; as details what else there is."""
    first, *others = _sections(ranking, p_values, declared)
    table, *more = first.grids
    shown = {column.title: (column, cells) for column, cells in _columns(ranking)}
    decimals = min(_DECIMALS, decimals_for(ranked.score.value for ranked in ranking))
    scores = [
        replace(cell, low=ranked.score.low, high=ranked.score.high, decimals=decimals)
        for cell, ranked in zip(_scores(ranking), ranking, strict=True)
    ]
    systems = Column("system", "left"), [Text(ranked.system) for ranked in ranking]
    columns: list[TitledCells] = [systems, shown["cluster"], (Column("score"), scores), shown["n"], shown["ranks"]]
    columns += _declared(ranking, declared, Shown.PAPER)
    grid = Grid.of(columns, (*table.captions, *_paper_captions(ranking)))
    where = ", ".join(filter(None, (lp, ranking.name)))
    title = f"Ranking of {plural(len(ranking), 'system')} by human judgement ({where})"
    yield Section((grid,), title, first.signatures)
    for each in more:
        yield Section((each,), title, is_detail=True)
    for section in others:
        yield replace(section, title=section.title or f"Reliability of the raters ({where})", is_detail=True)


def _paper_captions(ranking: Ranking) -> Iterator[Caption]:
    settings = ranking.settings
    if "test" in settings and "alpha" in settings:
        pairs = plural(len(ranking) * (len(ranking) - 1) // 2, "pair")
        sides = "one-sided" if ranking.alternative == "better" else "two-sided"
        corrected = correction_words(settings.get("correction", "none"), pairs)
        words = f"tests: {significance_test_label(settings['test'])}, {sides}, p < {settings['alpha']}, {corrected}"
        yield Caption("{}", (Text(words),))
    if "confidence" in settings:
        yield Caption("{}", (Text(f"in brackets: {percent(float(settings['confidence']))} intervals"),), "intervals")


def _clusters_caption(ranking: Ranking) -> str:
    """The order comes from the same scores as the one-sided tests, so either of two equal systems may end up above."""
    clusters, settings = f"clusters: {IN_CLUSTERS} (one-sided, p < {ranking.alpha:g})", ranking.settings
    if settings.get("correction", "none") != "none":
        return clusters
    keeps_level = "test" not in settings or significance_test.create(settings["test"]).keeps_level
    rate = f"{'about' if keeps_level else 'more than'} {share_text(2 * ranking.alpha)}"
    return f"{clusters}; of pairs of equal systems, {rate} end up in different clusters"


def _columns(ranking: Ranking) -> Iterator[tuple[Column, list[Cell]]]:
    """What the table shows of each system."""
    yield Column(ranking.name, "left"), [Text(ranked.system) for ranked in ranking]
    yield Column("cluster"), [_cluster(ranked.cluster) for ranked in ranking]
    yield Column("score"), list(_scores(ranking))
    yield Column("interval"), [Interval(ranked.score.low, ranked.score.high, _DECIMALS) for ranked in ranking]
    yield Column("n"), [Count(ranked.score.n) for ranked in ranking]
    yield Column("ranks"), [_ranks(ranked) for ranked in ranking]
    yield Column("fuzzy", label="fuzzy rank"), [Number(ranked.fuzzy_rank, 1) for ranked in ranking]
    yield Column("p_best", label="share first"), [Number(ranked.p_best) for ranked in ranking]
    if any(ranked.missing for ranked in ranking):
        yield Column("missing"), [Count(ranked.missing or 0) for ranked in ranking]


def _declared(ranking: Ranking, columns: Sequence[ResultColumn], form: Shown) -> list[tuple[Column, list[Cell]]]:
    """The columns that are declared for a form, of each system."""
    return record_columns(columns, [each for each in ranking.records() if each["row"] == "system"], forms=form)


def _cluster(cluster: int | None) -> Cell:
    return Number(math.nan) if cluster is None else Count(cluster, grouped=False)


def _ranks(ranked: RankedSystem) -> Cell:
    return (
        BLANK if ranked.rank_low is None or ranked.rank_high is None else RankRange(ranked.rank_low, ranked.rank_high)
    )


def _scores(ranking: Ranking) -> Iterator[Number]:
    """The first system is the best; a cluster may have systems that differ significantly from it."""
    p_values = ranking.p_values[0].tolist() if len(ranking) > 1 else [math.nan] * len(ranking)
    for place, (ranked, p) in enumerate(zip(ranking, p_values, strict=True)):
        is_best, is_among = place == 0 and len(ranking) > 1, place > 0 and p >= ranking.alpha  # NaN: not tested
        flags = frozenset({Flag.BEST} if is_best else {Flag.AMONG_BEST} if is_among else ())
        yield Number(ranked.score.value, _DECIMALS, reason=ranked.score.reason, flags=flags)


def _domain_grid(ranking: Ranking, means: Mapping[str, Mapping[str, Estimate]]) -> Grid:
    """System by domain: means with the number of segments in parentheses."""
    columns: list[TitledCells] = [(Column("mean by domain (n)", "left"), [Text(ranked.system) for ranked in ranking])]
    for name, domain in means.items():
        found = [domain[ranked.system] for ranked in ranking]
        columns.append((name, [Number(mean.value, _DECIMALS, n=mean.n, reason=mean.reason) for mean in found]))
    return Grid.of(columns)


def _p_value_grid(ranking: Ranking) -> Grid:
    names = [ranked.system for ranked in ranking]
    bounds = np.zeros_like(ranking.p_values, dtype=np.bool_) if ranking.bounds is None else ranking.bounds
    cells = zip(*map(np.ndarray.tolist, (ranking.p_values.T, bounds.T)), strict=True)
    title = "p: row better than column" if ranking.alternative == "better" else "p: row and column differ (two-sided)"
    compared = (
        (name, [PValue(p, ranking.alpha, is_bound=is_bound) for p, is_bound in zip(*column, strict=True)])
        for name, column in zip(names, cells, strict=True)
    )
    return Grid.of([(Column(title, "left"), map(Text, names)), *compared])
