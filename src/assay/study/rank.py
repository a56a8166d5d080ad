"""`assay.rank`: rank systems by human judgement, with clusters and rank ranges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from assay.human.mqm import GOOGLE_WEIGHTS
from assay.human.ranking import RankingOptions, rank_systems
from assay.human.reliability import reliability_of
from assay.human.selection import Judged, select_judgements
from assay.results import Ranking
from assay.runtime import Runtime
from assay.types import Campaign

__all__ = ["rank"]


def rank(
    judgements: Judged | Campaign,
    *,
    gold: str | None = None,
    systems: Iterable[str] = ("*",),
    exclude: Iterable[str] = (),
    keep_references: bool = False,
    method: str | None = None,
    test: str | None = None,
    alpha: float = 0.05,
    correction: str = "none",
    resamples: int = 1000,
    seed: int = 12345,
    confidence: float = 0.95,
    standardise: str = "none",
    weights: Mapping[str, float] = GOOGLE_WEIGHTS,
    threshold: float = 25.0,
    agreement: bool = False,
    runtime: Runtime | None = None,
) -> Ranking:
    """Rank systems by human judgement.

    Pass human scores by segment, ratings, rankings, or a campaign; `gold` names the judgements of a campaign that has
    several kinds. `systems` and `exclude` are shell patterns; references of a campaign are left out unless
    `keep_references`.

    Scores and ratings are averaged (method `mean`) and compared with a `test` (default: rank-sum, as WMT does for DA;
    randomisation for MQM and ESA), which also decides the clusters. Rankings are scored by `expected-wins` (default),
    `wins` or `trueskill`; their clusters follow from rank ranges over `resamples` of the judgements. These methods also
    accept scores, which become preferences where they differ by at least `threshold`. `standardise` (sample or
    population) turns ratings into z-scores first; `weights` are the weights of MQM errors. `correction` corrects for
    the number of pairs: holm, bonferroni, …  With `agreement`, the ranking also has the agreement of the raters.
    """
    options = RankingOptions(
        method=method,
        test=test,
        alpha=alpha,
        correction=correction,
        resamples=resamples,
        seed=seed,
        confidence=confidence,
        standardise=standardise,
        weights=weights,
        threshold=threshold,
    )
    selected, notes = select_judgements(
        judgements, gold=gold, systems=systems, exclude=exclude, keep_references=keep_references
    )
    ranking = rank_systems(selected, options, runtime)
    others = judgements.human if isinstance(judgements, Campaign) else ()
    return replace(
        ranking,
        notes=(*notes, *ranking.notes),
        agreement=reliability_of(selected, others) if agreement else None,
    )
