"""What a leaderboard says: who is first by which scores, and who is not shown to be worse."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from assay.labels.metrics import score_label
from assay.labels.numbers import every, joined, part_of
from assay.results import Leaderboard, OverallStanding, Standing
from assay.types.note import plural
from assay.words.statement import Name, Verdict, Words

__all__ = ["leaderboard_verdict", "overall_remarks"]

_T = TypeVar("_T", bound=Hashable)


def leaderboard_verdict(board: Leaderboard) -> Verdict:
    """Who is first on a language pair, or by the mean over several, and by which scores."""
    of_score = _on_pair if len(board.lps) == 1 else _overall
    first = {
        score_label(*score): tuple(each.system for each in of_score(board, score) if each.rank == 1)
        for score in board.scores
    }
    leaders = _by_value({score: systems for score, systems in first.items() if systems})
    return Verdict((_headline(leaders, board),), (*_leads(leaders, board), *_evidence(board)))


def _on_pair(board: Leaderboard, score: tuple[str, str]) -> list[Standing]:
    return list(board.ranked(*score, board.lps[0]).values())


def _overall(board: Leaderboard, score: tuple[str, str]) -> list[OverallStanding]:
    return [each for each in board.overall if (each.metric, each.aggregation) == score]


def _by_value(found: Mapping[str, _T]) -> dict[_T, list[str]]:
    """The scores by what holds by each."""
    scores: dict[_T, list[str]] = {}
    for score, value in found.items():
        scores.setdefault(value, []).append(score)
    return scores


def _headline(leaders: Mapping[tuple[str, ...], list[str]], board: Leaderboard) -> Words:
    several, total = len(board.lps) > 1, len(board.scores)
    if not leaders:
        return ("No system is scored on all language pairs." if several else "No score is defined.",)
    if len(leaders) > 1:
        return (f"No system {'has the best mean' if several else 'is first'} by all scores.",)
    systems, scores = next(iter(leaders.items()))
    by = joined(scores) if len(scores) < total or total == 1 else every(total, "score")
    is_one, names = len(systems) == 1, Name(joined(systems), "a")
    if several:
        return (names, f" {'has' if is_one else 'have'} the best mean by {by}.")
    return (names, f" {'is' if is_one else 'are'} first by {by}.")


def _leads(leaders: Mapping[tuple[str, ...], list[str]], board: Leaderboard) -> Iterator[str]:
    """Who is first by which scores, if not by all of them the same."""
    if len(leaders) > 1:
        what = "Best mean" if len(board.lps) > 1 else "First"
        yield f"{what}: {'; '.join(f'{joined(systems)} by {joined(scores)}' for systems, scores in leaders.items())}."


def _evidence(board: Leaderboard) -> Iterator[str]:
    """How many systems the first cluster has; over several language pairs, who scores best on most of them."""
    if len(board.lps) == 1:
        counts = {
            score_label(*score): part_of(sum(each.cluster == 1 for each in found), len(found), "system")
            for score in board.scores
            if (found := _on_pair(board, score))
        }
        yield f"The first cluster has {_counted(counts)}."
    else:
        wins = {score_label(*score): _most_wins(_overall(board, score), len(board.lps)) for score in board.scores}
        yield f"Most often ahead: {_counted(wins)}."


def _most_wins(standings: Iterable[OverallStanding], total: int) -> str:
    found = list(standings)
    most = max(each.wins for each in found)
    winners = joined([each.system for each in found if each.wins == most])
    return f"{winners} on {most:,} of {plural(total, 'language pair')}"


def _counted(found: Mapping[str, str]) -> str:
    """What holds by each score, those that agree together."""
    return "; ".join(f"{value} by {joined(scores)}" for value, scores in _by_value(found).items())


def overall_remarks(board: Leaderboard, metric: str, overall: Sequence[OverallStanding]) -> Iterator[str]:
    """Why systems have no mean over the language pairs, and what the mean mixes."""
    unranked = sum(each.rank is None for each in overall)
    if unranked == len(overall):
        yield (
            "no system has a score on every language pair, so that none has a mean or a rank; those with most wins "
            "first. For means, choose language pairs that have systems in common"
        )
    elif unranked:
        yield "systems without a score on every language pair have no mean and no rank; those with most wins first"
    if len(board.signatures[metric]) > 1:
        yield "the mean mixes language pairs that were scored with different settings (see the signatures)"
