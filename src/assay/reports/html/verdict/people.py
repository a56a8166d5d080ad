"""What people said of the systems."""

from __future__ import annotations

from collections.abc import Sequence

from assay.reports.html.labels import joined
from assay.reports.html.verdict.statement import MAX_LISTED, Name, Verdict, Words
from assay.results import PairRankings, Ranking, Result
from assay.types.note import plural

__all__ = ["people_sentence", "ranking_headline", "ranking_of", "ranking_verdict"]


def ranking_of(results: Sequence[Result]) -> Ranking | None:
    """The first ranking of one language pair."""
    for result in results:
        if isinstance(result, Ranking):
            return result
        if isinstance(result, PairRankings) and len(result) == 1:
            return next(iter(result.rankings.values()))
    return None


def ranking_verdict(ranking: Ranking) -> Verdict:
    """Who is first, and on how much it rests."""
    clusters = len({each.cluster for each in ranking.systems if each.cluster is not None})
    lede = (
        f"{ranking.judgement_count:,} {ranking.judgement_kind} of {plural(len(ranking), 'system')}, in "
        f"{plural(clusters, 'cluster')} of systems not shown to differ.",
    )
    return Verdict(((f"{ranking_headline(ranking)}.",),), lede)


def ranking_headline(ranking: Ranking) -> str:
    """Whom people put first."""
    top = [each.system for each in ranking.systems if each.cluster == 1] or [ranking.systems[0].system]
    where = f" in {ranking.lp}" if ranking.lp else ""
    if len(top) == 1:
        return f"People put {top[0]} first{where}"
    names = joined(top) if len(top) <= MAX_LISTED else f"{len(top)} systems"
    return f"People show no difference between {names}, which share first place{where}"


def people_sentence(first: str, second: str, winner: str | None, ranking: Ranking | None) -> Words | None:
    """What people said of two systems, beside what metrics say; None if people did not judge both.

    `winner`: the system that metrics put ahead; None if they disagree or show no difference.
    """
    ranks = {} if ranking is None else {each.system: each for each in ranking.systems}
    if first not in ranks or second not in ranks:
        return None
    if ranks[first].cluster == ranks[second].cluster:
        return ("People show no difference between them.",)
    preferred = first if ranks[first].rank < ranks[second].rank else second
    if preferred == winner:
        return ("The people who judged both agree.",)
    return ("The people who judged both put ", Name(preferred, "a" if preferred == first else "b"), " first.")
