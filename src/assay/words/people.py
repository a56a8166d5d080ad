"""What people said of the systems."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from assay.labels.numbers import size_text
from assay.labels.tests import IN_CLUSTERS
from assay.results import PairRankings, Ranking, Result
from assay.results.outcome import is_significant
from assay.types.note import plural
from assay.words.statement import Name, Verdict, Words, named

__all__ = [
    "CLUSTERS",
    "first_by_people",
    "given_scores",
    "is_bound_pair",
    "judged_pair",
    "people_preference",
    "people_sentence",
    "ranking_for",
    "ranking_headline",
    "ranking_of",
    "ranking_verdict",
]

CLUSTERS = f"{IN_CLUSTERS[:1].upper()}{IN_CLUSTERS[1:]}; systems of one cluster may differ, too."


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
        lede = [f"{judged}.", *_worse(ranking)]
    else:
        lede = [f"{judged}, in {plural(clusters, 'cluster')}. {CLUSTERS}"]
    return Verdict(((f"{ranking_headline(ranking)}.",),), (*lede, *_tests(ranking)))


def _worse(ranking: Ranking) -> Iterator[str]:
    """In one cluster, systems may still differ: how many are shown to be worse than the first."""
    best, *others = (each.system for each in ranking.systems)
    worse = sum(_shows_difference(ranking.p_value(best, other), ranking) for other in others)
    if others:
        shown = f"{worse:,} of the {len(others):,} others {'is' if worse == 1 else 'are'} shown to be worse than {best}"
        yield f"{shown}, which has the best score."


def _tests(ranking: Ranking) -> Iterator[str]:
    """What the tests of pairs do not know."""
    if ranking.settings.get("correction", "none") == "none" and len(ranking) > 2:
        pairs = len(ranking) * (len(ranking) - 1) // 2
        independent = "" if ranking.documents else ", and take segments as independent, also of one document"
        yield f"The tests of {pairs} pairs are not corrected{independent}."


def ranking_headline(ranking: Ranking) -> str:
    """Whom people put first."""
    top = [each.system for each in ranking.systems if each.cluster == 1] or [ranking.systems[0].system]
    where = f" in {ranking.lp}" if ranking.lp else ""
    if len(top) == 1:
        return f"People put {top[0]} first{where}"
    if len(top) == len(ranking):
        return f"People put all {len(top)} systems in one cluster{where}"
    return f"People put {named(top, 'system')} in the first cluster{where}"


def first_by_people(first: str, second: str, ranking: Ranking | None) -> tuple[Sequence[str], Words] | None:
    """The systems that people put first, with the sentence, if these are others and people judged one of the two."""
    if ranking is None or not {first, second} & {each.system for each in ranking.systems}:
        return None
    top = [each.system for each in ranking.systems if each.cluster == 1] or [ranking.systems[0].system]
    if {first, second} & set(top):
        return None
    return top, (f"{ranking_headline(replace(ranking, lp=''))}.",)


def judged_pair(first: str, second: str, ranking: Ranking | None) -> float | None:
    """The p-value of the one of two systems that people prefer; None if they did not judge both, or no test did."""
    ranks = {} if ranking is None else {each.system: each.rank for each in ranking.systems}
    if ranking is None or first not in ranks or second not in ranks:
        return None
    preferred, other = sorted((first, second), key=lambda name: ranks[name])
    p = ranking.p_value(preferred, other)
    return None if math.isnan(p) else p


def is_bound_pair(first: str, second: str, ranking: Ranking) -> bool:
    """Whether the p-value of `judged_pair` is only an upper bound."""
    preferred, other = sorted((first, second), key=lambda name: ranking[name].rank)
    return ranking.is_bound(preferred, other)


def people_sentence(
    first: str, second: str, winner: str | None, ranking: Ranking | None, *, is_shown: bool = True
) -> Words | None:
    """What people said of two systems, beside what metrics say; None if people did not judge both, or no test did.

    `winner`: the system that metrics put ahead; None if they disagree or show no difference. `is_shown`: whether any
    metric shows a difference.
    """
    p = judged_pair(first, second, ranking)
    if ranking is None or p is None:
        return None
    if not _shows_difference(p, ranking):
        return ("People show no difference between them." if is_shown else "People show none, either.",)
    ranks = {each.system: each.rank for each in ranking.systems}
    preferred = min((first, second), key=lambda name: ranks[name])
    name = Name(preferred, "a" if preferred == first else "b")
    return ("People who judged both put ", name, " first, too." if preferred == winner else " first.")


def given_scores(first: str, second: str, winner: str | None, human: Mapping[str, Mapping[str, float]]) -> str:
    """Which of two systems the human scores in the data put ahead, beside the one that metrics do; empty: not known."""
    known = {name: given for name, given in human.items() if {first, second} <= given.keys()}
    sides: dict[str, list[str]] = {}
    for name, given in known.items():
        difference = given[first] - given[second]
        if difference:
            sides.setdefault(first if difference > 0 else second, []).append(f"{size_text(difference)} {name}")
    if not sides:
        return ""
    if len(sides) > 1:
        said = " and ".join(f"{name} ahead ({', '.join(scores)})" for name, scores in sides.items())
        return f"The human scores in the data disagree: they put {said}, not tested here."
    ((ahead, scores),) = sides.items()
    relation = "" if winner is None else ", too" if ahead == winner else f", not {winner}"
    return f"The human scores in the data put {ahead} ahead{relation} ({', '.join(scores)}; not tested here)."


def people_preference(first: str, second: str, ranking: Ranking) -> str:
    """What people do who judged both systems: put one first, or show no difference."""
    ranks = {each.system: each.rank for each in ranking.systems}
    preferred, other = sorted((first, second), key=lambda name: ranks[name])
    is_shown = _shows_difference(ranking.p_value(preferred, other), ranking)
    return f"put {preferred} first" if is_shown else "show no difference"


def _shows_difference(p: float, ranking: Ranking) -> bool:
    return is_significant(p, ranking.alpha)
