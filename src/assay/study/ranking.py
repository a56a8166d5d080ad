"""`assay.rank`: judgements in, systems in order out, with clusters and ranges of ranks."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay import aggregate
from assay.errors import ConfigError, InputError
from assay.people.comparisons import comparisons_of, preferences_by_threshold
from assay.people.methods import Method, Scored
from assay.people.methods import method as method_registry
from assay.people.mqm import GOOGLE_WEIGHTS, mqm_scores
from assay.people.scoring import segment_scores, standardised, without_controls
from assay.registry import option_text
from assay.resample import Bootstrap
from assay.results import Estimate, RankedSystem, Ranking
from assay.significance import test as test_registry
from assay.significance.clusters import clusters_by_range, clusters_by_test, fuzzy_ranks
from assay.significance.corrections import corrected
from assay.study.scoring import thread_count
from assay.types import FloatArray, IntArray, Rankings, Ratings, ScoreTable

__all__ = ["rank", "scores_of_ratings"]

_MEAN = "mean"


@dataclass(frozen=True, slots=True)
class _Plan:
    alpha: float
    correction: str
    draws: int
    seed: int
    confidence: float
    threads: int

    def __post_init__(self) -> None:
        for name in ("alpha", "confidence"):
            if not 0 < getattr(self, name) < 1:
                raise ConfigError(f"{name} must be between 0 and 1, not {getattr(self, name):g}")


def rank(
    judgements: ScoreTable | Ratings | Rankings,
    *,
    method: str | None = None,
    test: str | None = None,
    alpha: float = 0.05,
    correction: str = "none",
    draws: int = 1000,
    seed: int = 12345,
    confidence: float = 0.95,
    standardise: str = "none",
    weights: Mapping[str, float] = GOOGLE_WEIGHTS,
    threshold: float = 25.0,
    threads: int | None = None,
) -> Ranking:
    """Rank systems by what people said.

    Scores and ratings are averaged (`mean`) and compared by a `test` (default: rank-sum, as WMT does with DA; for MQM
    and ESA, randomisation); clusters follow from the test. Rankings go by `expected-wins` (default), `wins` or
    `trueskill`, and clusters follow from the ranges of ranks over `draws` of the judgements. With one of these methods,
    scores become preferences where they are `threshold` apart. `standardise` (sample, population) makes z-scores of
    ratings first, `weights` are those of MQM errors. `correction` is for the number of pairs: holm, bonferroni, …
    """
    plan = _Plan(alpha, correction, draws, seed, confidence, thread_count(threads))
    notes: tuple[str, ...] = ()
    if isinstance(judgements, Ratings):
        judgements, notes = scores_of_ratings(judgements, standardise, weights)
    elif standardise != "none":
        raise ConfigError("only single ratings can be standardised")
    if isinstance(judgements, ScoreTable) and method in (None, _MEAN):
        return _rank_by_mean(judgements, test, plan, notes)
    if method == _MEAN:
        raise ConfigError("rankings have no mean", hint=f"use {', '.join(method_registry.names())}")
    if test is not None:
        raise ConfigError(f"the method {method or 'expected-wins'} has its own test: draws of the judgements")
    settings = {}
    if isinstance(judgements, ScoreTable):
        settings["threshold"] = option_text(threshold)
        judgements = preferences_by_threshold(judgements, threshold)
    return _rank_by_comparisons(judgements, method_registry.create(method or "expected-wins"), settings, plan, notes)


def scores_of_ratings(
    ratings: Ratings,
    standardise: str = "none",
    weights: Mapping[str, float] = GOOGLE_WEIGHTS,
    *,
    segments: int | None = None,
) -> tuple[ScoreTable, tuple[str, ...]]:
    """Segment scores of the ordinary outputs, and what there is to know of them."""
    ordinary = without_controls(ratings)
    notes = [f"{len(ratings) - len(ordinary):,} quality-control items and document scores were left out"]
    if len(ordinary) == len(ratings):
        notes = []
    if standardise != "none":
        ordinary, problems = standardised(ordinary, standardise)  # type: ignore[arg-type]
        notes += problems
    if ordinary.errors and np.isnan(ordinary.score).all():
        return mqm_scores(ordinary, weights=weights, segments=segments), tuple(notes)
    return segment_scores(ordinary, segments=segments), tuple(notes)


def _rank_by_mean(table: ScoreTable, test: str | None, plan: _Plan, notes: tuple[str, ...]) -> Ranking:
    if table.level != "segment":
        raise InputError(f"the scores '{table.name}' are by {table.level}: without segments nothing can be tested")
    values = table.oriented
    scorable = aggregate.mean_of(values)
    means = scorable.values(threads=plan.threads)
    order = np.argsort(-np.nan_to_num(means, nan=-np.inf), kind="stable")
    unjudged = [table.systems[i] for i in order if math.isnan(means[i])]
    order = np.array([i for i in order if not math.isnan(means[i])], dtype=np.int64)
    if not len(order):
        raise InputError(f"nobody judged anything in '{table.name}'", path=table.origin or None)
    weights = Bootstrap(plan.draws, None, plan.seed).blocks(values.shape[1], threads=plan.threads)
    (drawn,) = aggregate.resampled_scores([scorable], weights, threads=plan.threads)
    spec = test or ("randomisation" if table.protocol in ("MQM", "ESA") else "rank-sum")
    p_values, problems = _p_values(values[order], spec)
    adjusted = _corrected(p_values, plan.correction)
    better = np.nan_to_num(adjusted, nan=1.0) < plan.alpha
    sign = 1.0 if table.higher_is_better else -1.0
    counts = (~np.isnan(values)).sum(axis=1)
    if unjudged:
        notes = (*notes, f"not judged: {', '.join(unjudged)}")
    return _ranking(
        table.name,
        {"method": _MEAN, "protocol": table.protocol or "metric", "test": spec, "correction": plan.correction},
        [table.systems[i] for i in order],
        Scored(means[order] * sign, drawn.T[:, order] * sign),
        counts[order],
        adjusted,
        clusters_by_test(better),
        plan,
        judgements=int(counts[order].sum()),
        higher_is_better=table.higher_is_better,
        notes=(*notes, *problems),
    )


def _rank_by_comparisons(
    rankings: Rankings, method: Method, settings: Mapping[str, str], plan: _Plan, notes: tuple[str, ...]
) -> Ranking:
    comparisons = comparisons_of(rankings)
    scored = method.score(comparisons, draws=plan.draws, seed=plan.seed, threads=plan.threads)
    met = np.bincount(comparisons.first, minlength=len(rankings.systems))
    met += np.bincount(comparisons.second, minlength=len(rankings.systems))
    by_score = np.argsort(-np.nan_to_num(scored.scores, nan=-np.inf), kind="stable")
    is_placed = (met > 0) & ~np.isnan(scored.scores)  # who was only ever tied may have no score: last for no reason
    order = by_score[is_placed[by_score]]
    if not len(order):
        raise InputError(f"the rankings '{rankings.name}' have nothing but ties", path=rankings.origin or None)
    for why, who in (("never compared", met == 0), ("only ever tied", (met > 0) & ~is_placed)):
        if who.any():
            notes = (*notes, f"{why}: {', '.join(np.array(rankings.systems)[who])}")
    drawn = scored.drawn[:, order]
    below = (~(drawn[:, :, np.newaxis] > drawn[:, np.newaxis, :])).sum(axis=0)  # undefined is not better
    p_values = (1.0 + below) / (1 + len(drawn))
    np.fill_diagonal(p_values, np.nan)
    low, high = _rank_ranges(drawn, plan.confidence)
    return _ranking(
        rankings.name,
        {"method": method_registry.spec(method), **settings, "correction": plan.correction},
        [rankings.systems[i] for i in order],
        Scored(scored.scores[order], drawn),
        met[order],
        _corrected(p_values, plan.correction),
        clusters_by_range(low, high),
        plan,
        judgements=len(comparisons),
        notes=notes,
    )


def _p_values(values: FloatArray, spec: str) -> tuple[FloatArray, list[str]]:
    """(system, system): of "the row is better than the column"; and why some are undefined."""
    test = test_registry.create(spec)
    found = np.full((len(values), len(values)), np.nan)
    problems: dict[str, int] = {}
    given = ~np.isnan(values)
    for i, j in np.ndindex(found.shape):
        if i == j:
            continue
        rows = (given[i] & given[j],) * 2 if test.is_paired else (given[i], given[j])
        outcome = test.compare(values[i][rows[0]], values[j][rows[1]])
        found[i, j] = outcome.p
        if outcome.reason is not None:
            problems[outcome.reason] = problems.get(outcome.reason, 0) + 1
    return found, [f"{count // 2} pairs could not be tested: {reason}" for reason, count in problems.items()]


def _corrected(p_values: FloatArray, correction: str) -> FloatArray:
    """Corrected for the number of pairs: each is tested in the direction of the order."""
    found = p_values.copy()
    upper = np.triu_indices(len(found), k=1)
    found[upper] = corrected(found[upper], correction)
    found.T[upper] = corrected(found.T[upper], correction)
    return found


def _rank_ranges(drawn: FloatArray, confidence: float) -> tuple[IntArray, IntArray]:
    """The ranks that are left when the tails of the draws are cut off, as WMT does."""
    if not len(drawn):
        places = np.arange(1, drawn.shape[1] + 1)
        return places, places
    best, worst = (np.sort(ranks, axis=0) for ranks in _ranks(drawn))
    cut = min(math.ceil(len(drawn) * (1 - confidence) / 2 - 1e-9), (len(drawn) - 1) // 2)
    return best[cut], worst[len(drawn) - 1 - cut]


def _ranks(drawn: FloatArray) -> tuple[IntArray, IntArray]:
    """(draw, system): ranks from 1, best first, and where scores are equal the first and the last that they share.

    Undefined scores come last.
    """
    scores = np.nan_to_num(drawn, nan=-np.inf)
    best, worst = np.empty(scores.shape, dtype=np.int64), np.empty(scores.shape, dtype=np.int64)
    for place in range(scores.shape[1]):
        own = scores[:, place : place + 1]
        best[:, place] = 1 + (scores > own).sum(axis=1)
        worst[:, place] = (scores >= own).sum(axis=1)
    return best, worst


def _ranking(
    name: str,
    settings: Mapping[str, str],
    systems: list[str],
    scored: Scored,
    counts: npt.NDArray[np.int64],
    p_values: FloatArray,
    clusters: IntArray,
    plan: _Plan,
    *,
    judgements: int,
    higher_is_better: bool = True,
    notes: tuple[str, ...] = (),
) -> Ranking:
    directed = scored.drawn if higher_is_better else -scored.drawn
    low, high = _rank_ranges(directed, plan.confidence)
    best, worst = _ranks(directed)
    held = (((best <= place) & (place <= worst)) / (worst - best + 1.0) for place in range(1, len(systems) + 1))
    shares = np.stack([each.mean(axis=0) for each in held], axis=1)
    fuzzy = fuzzy_ranks(np.nan_to_num(p_values, nan=1.0) < plan.alpha)
    ranked = tuple(
        RankedSystem(
            system=system,
            score=_estimate(float(scored.scores[i]), scored.drawn[:, i], int(counts[i]), plan.confidence),
            rank=i + 1,
            rank_low=int(low[i]),
            rank_high=int(high[i]),
            cluster=int(clusters[i]),
            fuzzy_rank=float(fuzzy[i]),
            first=float(shares[i, 0]),
        )
        for i, system in enumerate(systems)
    )
    numbers = {"alpha": plan.alpha, "draws": plan.draws, "seed": plan.seed, "confidence": plan.confidence}
    everything = dict(settings) | {key: option_text(value) for key, value in numbers.items()}
    return Ranking(name, everything, ranked, p_values, shares, judgements, notes)


def _estimate(value: float, drawn: FloatArray, n: int, confidence: float) -> Estimate:
    defined = drawn[~np.isnan(drawn)]
    if len(defined) < 2:
        return Estimate(value, n)
    low, high = aggregate.interval(defined, confidence)
    return Estimate(value, n, float(low), float(high), float(defined.std(ddof=1)))
