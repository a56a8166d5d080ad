"""What people said of the systems."""

from __future__ import annotations

import math
from collections.abc import Sequence

from assay.reports.html.labels import joined
from assay.reports.html.verdict.statement import MAX_LISTED, Name, Verdict, Words
from assay.results import PairRankings, Ranking, Result
from assay.types.note import plural

__all__ = [
    "CLUSTERS",
    "other_first",
    "people_preference",
    "people_sentence",
    "ranking_for",
    "ranking_headline",
    "ranking_of",
    "ranking_verdict",
]

_ALPHA = "0.05"
CLUSTERS = (
    "Each system of a cluster is shown to be better than each system of the clusters below it; systems of one cluster "
    "may differ, too."
)


def ranking_of(results: Sequence[Result]) -> Ranking | None:
    """The first ranking of one language pair."""
    for result in results:
        if isinstance(result, Ranking):
            return result
        if isinstance(result, PairRankings) and len(result) == 1:
            return next(iter(result.rankings.values()))
    return None


def ranking_for(results: Sequence[Result], lp: str | None) -> Ranking | None:
    """The first ranking of a language pair: systems of the same name in another one are other systems."""
    for result in results:
        several = result.rankings.values() if isinstance(result, PairRankings) else (result,)
        for ranking in several:
            if isinstance(ranking, Ranking) and ranking.lp == (lp or ""):
                return ranking
    return None


def ranking_verdict(ranking: Ranking) -> Verdict:
    """Who is first, and on how much it rests."""
    clusters = len({each.cluster for each in ranking.systems if each.cluster is not None})
    judged = f"{ranking.judgement_count:,} {ranking.judgement_kind} of {plural(len(ranking), 'system')}"
    if clusters == 1:
        lede = f"{judged}. They fall into no groups of which one is shown to be better; single systems may differ."
    else:
        lede = f"{judged}, in {plural(clusters, 'cluster')}. {CLUSTERS}"
    return Verdict(((f"{ranking_headline(ranking)}.",),), (lede,))


def ranking_headline(ranking: Ranking) -> str:
    """Whom people put first."""
    top = [each.system for each in ranking.systems if each.cluster == 1] or [ranking.systems[0].system]
    where = f" in {ranking.lp}" if ranking.lp else ""
    if len(top) == 1:
        return f"People put {top[0]} first{where}"
    if len(top) == len(ranking):
        return f"People put all {len(top)} systems in one cluster{where}"
    names = joined(top) if len(top) <= MAX_LISTED else f"{len(top)} systems"
    return f"People put {names} in the first cluster{where}"


def other_first(first: str, second: str, ranking: Ranking) -> tuple[str, ...]:
    """Whom people put first, if it is neither of the two systems."""
    top = {each.system for each in ranking.systems if each.cluster == 1} or {ranking.systems[0].system}
    return () if top & {first, second} else (f"{ranking_headline(ranking)}.",)


def people_sentence(first: str, second: str, winner: str | None, ranking: Ranking | None) -> Words | None:
    """What people said of two systems, beside what metrics say; None if people did not judge both, or no test did.

    `winner`: the system that metrics put ahead; None if they disagree or show no difference.
    """
    ranks = {} if ranking is None else {each.system: each for each in ranking.systems}
    if ranking is None or first not in ranks or second not in ranks:
        return None
    preferred, other = (first, second) if ranks[first].rank < ranks[second].rank else (second, first)
    p = ranking.p_value(preferred, other)
    if math.isnan(p):
        return None
    if not _shows_difference(p, ranking):
        return ("People show no difference between them.",)
    if preferred == winner:
        return ("The people who judged both agree.",)
    return ("The people who judged both put ", Name(preferred, "a" if preferred == first else "b"), " first.")


def people_preference(first: str, second: str, ranking: Ranking) -> str:
    """What people do who judged both systems: put one first, or show no difference."""
    ranks = {each.system: each.rank for each in ranking.systems}
    preferred, other = sorted((first, second), key=lambda name: ranks[name])
    is_shown = _shows_difference(ranking.p_value(preferred, other), ranking)
    return f"put {preferred} first" if is_shown else "show no difference"


def _shows_difference(p: float, ranking: Ranking) -> bool:
    return p < float(ranking.settings.get("alpha", _ALPHA))
