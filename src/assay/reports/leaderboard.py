"""A leaderboard, as a document: one table for a language pair, one for each score for several."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Literal

from assay.labels.tests import IN_CLUSTERS, correction_words
from assay.reports.cells import BLANK, Count, Flag, Number, Text
from assay.reports.documents import Caption, Column, Document, Grid, Section, TitledCells, named
from assay.reports.labelled import reason_captions, score_text
from assay.reports.short_signatures import short_score_line, short_settings
from assay.reports.system_scores import ScoreColumn, interval_captions, paper_decimals, score_columns
from assay.results import Estimate, Leaderboard, OverallStanding, Standing
from assay.words.leaderboard import overall_remarks

__all__ = ["document"]


def document(board: Leaderboard, *, signatures: Literal["short", "full"] = "full") -> Document:
    """Systems from best to worst. Short `signatures` name only what is not the default."""
    return Document.of(
        board,
        lambda: _sections(board, signatures=signatures),
        paper=lambda: named(_sections(board, is_paper=True), "Leaderboard"),
    )


def _sections(board: Leaderboard, *, is_paper: bool = False, signatures: str = "full") -> Iterator[Section]:
    if len(board.lps) == 1:
        grids = [_grid(board, is_paper)]
    else:
        grids = _said_once([_overall_grid(board, *score, is_paper) for score in board.scores])
    full = (*chain.from_iterable(board.signatures.values()), board.signature)
    short: tuple[str, ...] = ()
    if signatures == "short":
        of_scores = (short_score_line(metric, line) for metric, lines in board.signatures.items() for line in lines)
        short = (*of_scores, short_settings(board.settings))
    yield Section(tuple(grids), board.lps[0] if len(board.lps) == 1 else "", full, short)


def _said_once(grids: Sequence[Grid]) -> list[Grid]:
    """What all tables would say below them stands below the last alone."""
    *others, last = grids
    shared = {each for each in last.captions if all(each in grid.captions for grid in others)}
    kept = (replace(grid, captions=tuple(each for each in grid.captions if each not in shared)) for grid in others)
    return [*kept, last]


def _grid(board: Leaderboard, is_paper: bool) -> Grid:
    """A column for each score, with its interval and the cluster in parentheses. The first score orders the systems."""
    ranked = {score: board.ranked(*score, board.lps[0]) for score in board.scores}
    first = next(iter(ranked.values()))
    scores = [
        ScoreColumn(
            metric,
            aggregation,
            metric not in board.lower_is_better,
            _numbers(found.values(), _decimals(board, metric, aggregation, board.lps[0], is_paper=is_paper)),
        )
        for (metric, aggregation), found in ranked.items()
    ]
    reasons = ((score_text(*score), each.score.reason) for score, found in ranked.items() for each in found.values())
    columns: list[TitledCells] = [
        (Column("rank", "left"), [_rank(standing.rank) for standing in first.values()]),
        (Column("system", "left"), map(Text, first)),
    ]
    for title, score in zip(score_columns(scores), scores, strict=True):
        columns.append((title, [score.numbers[system] for system in first]))
    captions = (*interval_captions(board.settings), *_cluster_captions(board), *reason_captions(reasons))
    return Grid.of(columns, captions)


def _overall_grid(board: Leaderboard, metric: str, aggregation: str, is_paper: bool) -> Grid:
    """The mean and what else counts over all language pairs, and a column for each of them."""
    overall = [each for each in board.overall if (each.metric, each.aggregation) == (metric, aggregation)]
    decimals = _decimals(board, metric, aggregation, is_paper=is_paper)
    numbers = {lp: _numbers(board.ranked(metric, aggregation, lp).values(), decimals, bounds=False) for lp in board.lps}
    name = score_text(metric, aggregation)
    rest = "" if metric not in board.lower_is_better else ", lower is better"
    is_ranked = any(each.rank is not None for each in overall)
    ranks: TitledCells = (Column("rank", "left"), [_rank(each.rank) for each in overall])
    means: TitledCells = ("mean", [Number.of(each.score, decimals, flags=_best(each)) for each in overall])
    columns: list[TitledCells] = [
        *([ranks] if is_ranked else []),
        (Column(f"{name.text}{rest}", "left", label=f"{name.label}{rest}"), [Text(each.system) for each in overall]),
        *([means] if is_ranked else []),
        ("pairs", [Count(each.score.n) for each in overall]),
        ("wins", [Count(each.wins) for each in overall]),
        ("top", [Count(each.top_clusters) for each in overall]),
        *((lp, [found.get(each.system, BLANK) for each in overall]) for lp, found in numbers.items()),
    ]
    return Grid.of(columns, _overall_captions(board, metric, overall))


def _overall_captions(board: Leaderboard, metric: str, overall: list[OverallStanding]) -> Iterator[Caption]:
    yield from _cluster_captions(board)
    yield Caption("pairs: language pairs with a score; wins: language pairs where no system scores better")
    yield Caption("top: language pairs where the system is in the first cluster, if there are several")
    yield from map(Caption, overall_remarks(board, metric, overall))


def _decimals(board: Leaderboard, metric: str, aggregation: str, lp: str | None = None, *, is_paper: bool) -> int:
    decimals = board.decimals(metric, aggregation, lp)
    return paper_decimals(decimals) if is_paper else decimals


def _numbers(standings: Iterable[Standing], decimals: int, *, bounds: bool = True) -> dict[str, Number]:
    return {
        each.system: Number.of(
            each.score if bounds else Estimate(each.score.value, each.score.n, reason=each.score.reason),
            decimals,
            bracketed=each.cluster if each.rank else None,
            flags=_best(each),
        )
        for each in standings
    }


def _best(standing: Standing | OverallStanding) -> frozenset[Flag]:
    return frozenset({Flag.BEST} if standing.rank == 1 else ())


def _rank(rank: int | None) -> Text:
    return Text("" if rank is None else str(rank))


def _cluster_captions(board: Leaderboard) -> Iterator[Caption]:
    settings = board.settings
    is_corrected = settings["correction"] != "none"
    corrected = correction_words(
        settings["correction"], "all pairs of systems under each score" if is_corrected else ""
    )
    yield Caption(f"in parentheses: cluster, 1 is best; {IN_CLUSTERS}")
    yield Caption("{}", (Text(f"a difference is shown where p < {settings['alpha']}, {corrected}"),))
