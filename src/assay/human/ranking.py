"""Rank systems by human judgement: scores, p-values, clusters and rank ranges."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from assay import aggregate
from assay.errors import ConfigError, InputError
from assay.human.comparisons import comparisons_of, preferences_by_threshold
from assay.human.methods import Method, Scored
from assay.human.methods import method as method_registry
from assay.human.mqm import GOOGLE_WEIGHTS, mqm_scores
from assay.human.scoring import segment_scores, standardised, without_controls
from assay.human.selection import Judged
from assay.registry import option_text
from assay.resample import Bootstrap
from assay.results import RankedSystem, Ranking
from assay.runtime import Runtime
from assay.significance import test as test_registry
from assay.significance.clusters import clusters_by_range, clusters_by_test, fuzzy_ranks
from assay.significance.corrections import corrected
from assay.types import FloatArray, IntArray, Note, NoteKind, Rankings, Ratings, Scorable, ScoreTable

__all__ = ["RankingOptions", "rank_systems", "scores_of_ratings"]

_MEAN = "mean"
_DEFAULT_METHOD = "expected-wins"


@dataclass(frozen=True, slots=True)
class RankingOptions:
    """How to rank. `assay.rank` describes the options."""

    method: str | None = None
    test: str | None = None
    alpha: float = 0.05
    correction: str = "none"
    resamples: int = 1000
    seed: int = 12345
    confidence: float = 0.95
    standardise: str = "none"
    weights: Mapping[str, float] = field(default_factory=lambda: GOOGLE_WEIGHTS)
    threshold: float = 25.0

    def __post_init__(self) -> None:
        for name in ("alpha", "confidence"):
            if not 0 < getattr(self, name) < 1:
                raise ConfigError(f"{name} must be between 0 and 1, not {getattr(self, name):g}")

    @property
    def settings(self) -> dict[str, str]:
        """The numbers that every ranking depends on, as text."""
        return {name: option_text(getattr(self, name)) for name in ("alpha", "resamples", "seed", "confidence")}


def rank_systems(judgements: Judged, options: RankingOptions | None = None, runtime: Runtime | None = None) -> Ranking:
    """Rank systems from best to worst, with clusters."""
    options, runtime = options or RankingOptions(), runtime or Runtime()
    notes: tuple[Note, ...] = ()
    if isinstance(judgements, Ratings):
        judgements, notes = scores_of_ratings(judgements, options.standardise, options.weights)
    elif options.standardise != "none":
        raise ConfigError("standardise needs the ratings of individual raters, not scores or rankings")
    if isinstance(judgements, ScoreTable) and options.method in (None, _MEAN):
        return _rank_by_mean(judgements, options, notes, runtime)
    if options.method == _MEAN:
        raise ConfigError(
            "the method mean does not apply to rankings", hint=f"use {', '.join(method_registry.names())}"
        )
    method = method_registry.create(options.method or _DEFAULT_METHOD)
    if options.test is not None:
        raise ConfigError(
            f"the method {method_registry.spec(method)} compares systems by resampling the judgements, not by a test",
            hint="leave out the test",
        )
    settings = {}
    if isinstance(judgements, ScoreTable):
        settings["threshold"] = option_text(options.threshold)
        judgements = preferences_by_threshold(judgements, options.threshold)
    return _rank_by_comparisons(judgements, method, settings, options, notes, runtime)


def scores_of_ratings(
    ratings: Ratings,
    standardise: str = "none",
    weights: Mapping[str, float] = GOOGLE_WEIGHTS,
    *,
    segments: int | None = None,
) -> tuple[ScoreTable, tuple[Note, ...]]:
    """Segment scores of the ordinary outputs, and notes on the ratings that were left out."""
    ordinary = without_controls(ratings)
    notes: tuple[Note, ...] = ()
    if excluded := len(ratings) - len(ordinary):
        items = "item or document score" if excluded == 1 else "items and document scores"
        notes = (Note(NoteKind.EXCLUDED, f"left out: {excluded:,} quality-control {items}", count=excluded),)
    if standardise != "none":
        ordinary, problems = standardised(ordinary, standardise)  # type: ignore[arg-type]
        notes += problems
    if ordinary.errors and np.isnan(ordinary.score).all():
        return mqm_scores(ordinary, weights=weights, segments=segments), notes
    return segment_scores(ordinary, segments=segments), notes


def _rank_by_mean(table: ScoreTable, options: RankingOptions, notes: tuple[Note, ...], runtime: Runtime) -> Ranking:
    if table.level != "segment":
        raise InputError(f"'{table.name}' has {table.level} scores, but ranking needs segment scores")
    scorable = Scorable.of_segments(table.oriented, table.systems)
    means = scorable.values(runtime)
    is_judged = ~np.isnan(means)
    if not is_judged.any():
        raise InputError(f"'{table.name}' has no scores", path=table.origin or None)
    order = _best_first(means, is_judged)
    names = [table.systems[i] for i in order]
    weights = Bootstrap(options.resamples, None, options.seed).blocks(table.values.shape[1], runtime)
    (replicates,) = aggregate.resampled_scores([scorable], weights, runtime)
    spec = options.test or ("randomisation" if table.protocol in ("MQM", "ESA") else "rank-sum")
    p_values, problems = _p_values([scorable.system(name) for name in names], spec)
    adjusted = _corrected(p_values, options.correction)
    sign = 1.0 if table.higher_is_better else -1.0
    counts = scorable.mask.sum(axis=1)[order]
    protocol = table.protocol or "metric"
    return _ranking(
        table.name,
        {"method": _MEAN, "protocol": protocol, "test": spec, "correction": options.correction},
        names,
        Scored(means[order] * sign, replicates.T[:, order] * sign),
        counts=counts,
        p_values=adjusted,
        clusters=clusters_by_test(_significant(adjusted, options.alpha)),
        options=options,
        judgements=int(counts.sum()),
        higher_is_better=table.higher_is_better,
        notes=(*notes, *_exclusion_notes("not judged", table.systems, ~is_judged), *problems),
    )


def _rank_by_comparisons(
    rankings: Rankings,
    method: Method,
    settings: Mapping[str, str],
    options: RankingOptions,
    notes: tuple[Note, ...],
    runtime: Runtime,
) -> Ranking:
    comparisons = comparisons_of(rankings)
    scored = method.score(comparisons, resamples=options.resamples, seed=options.seed, runtime=runtime)
    counts = np.bincount(comparisons.first, minlength=len(rankings.systems))
    counts += np.bincount(comparisons.second, minlength=len(rankings.systems))
    is_ranked = (counts > 0) & ~np.isnan(scored.scores)  # a system that only ever tied may have no score
    if not is_ranked.any():
        raise InputError(f"the rankings '{rankings.name}' contain only ties", path=rankings.origin or None)
    order = _best_first(scored.scores, is_ranked)
    replicates = scored.replicates[:, order]
    not_better = ~(replicates[:, :, np.newaxis] > replicates[:, np.newaxis, :])  # undefined scores count as not better
    p_values = (1.0 + not_better.sum(axis=0)) / (1 + len(replicates))
    np.fill_diagonal(p_values, np.nan)
    never_compared, only_tied = counts == 0, (counts > 0) & ~is_ranked
    return _ranking(
        rankings.name,
        {"method": method_registry.spec(method), **settings, "correction": options.correction},
        [rankings.systems[i] for i in order],
        Scored(scored.scores[order], replicates),
        counts=counts[order],
        p_values=_corrected(p_values, options.correction),
        clusters=clusters_by_range(*_rank_ranges(replicates, options.confidence)),
        options=options,
        judgements=len(comparisons),
        notes=(
            *notes,
            *_exclusion_notes("never compared", rankings.systems, never_compared),
            *_exclusion_notes("only ever tied", rankings.systems, only_tied),
        ),
    )


def _best_first(scores: FloatArray, is_ranked: npt.NDArray[np.bool_]) -> IntArray:
    """The positions of the ranked systems by descending score; systems with equal scores keep their order."""
    order = np.argsort(-np.nan_to_num(scores, nan=-np.inf), kind="stable")
    ranked: IntArray = order[is_ranked[order]]
    return ranked


def _exclusion_notes(reason: str, systems: tuple[str, ...], mask: npt.NDArray[np.bool_]) -> tuple[Note, ...]:
    names = [name for name, is_left_out in zip(systems, mask, strict=True) if is_left_out]
    return (Note(NoteKind.EXCLUDED, f"{reason}: {', '.join(names)}", count=len(names)),) if names else ()


def _p_values(systems: list[Scorable], spec: str) -> tuple[FloatArray, list[Note]]:
    """(system, system): the p-value of "the row is better than the column"; and notes on undefined ones."""
    test = test_registry.create(spec)
    p_values = np.full((len(systems), len(systems)), np.nan)
    reasons: dict[str, int] = {}
    for i, j in np.ndindex(p_values.shape):
        if i != j:
            comparison = test.compare(systems[i], systems[j])
            p_values[i, j] = comparison.p
            if comparison.reason is not None:
                reasons[comparison.reason] = reasons.get(comparison.reason, 0) + 1
    return p_values, [_untested_note(reason, count // 2) for reason, count in reasons.items()]


def _untested_note(reason: str, count: int) -> Note:
    pairs = "1 pair of systems" if count == 1 else f"{count:,} pairs of systems"
    return Note(NoteKind.UNDEFINED, f"{pairs} could not be tested: {reason}", count=count)


def _significant(p_values: FloatArray, alpha: float) -> npt.NDArray[np.bool_]:
    return np.nan_to_num(p_values, nan=1.0) < alpha


def _corrected(p_values: FloatArray, correction: str) -> FloatArray:
    """Corrected for the number of pairs, separately for the two directions of "better"."""
    adjusted = p_values.copy()
    upper = np.triu_indices(len(adjusted), k=1)
    adjusted[upper] = corrected(adjusted[upper], correction)
    adjusted.T[upper] = corrected(adjusted.T[upper], correction)
    return adjusted


def _rank_ranges(replicates: FloatArray, confidence: float) -> tuple[IntArray, IntArray]:
    """The lowest and highest rank of each system after cutting off the tails of the resamples, as WMT does."""
    count, systems = replicates.shape
    if not count:
        positions = np.arange(1, systems + 1)
        return positions, positions
    best, worst = (np.sort(ranks, axis=0) for ranks in _ranks(replicates))
    cut = min(math.ceil(count * (1 - confidence) / 2 - 1e-9), (count - 1) // 2)
    return best[cut], worst[count - 1 - cut]


def _ranks(replicates: FloatArray) -> tuple[IntArray, IntArray]:
    """(resample, system): the best and the worst rank, from 1, that a system shares with systems of equal score.

    Undefined scores come last.
    """
    scores = np.nan_to_num(replicates, nan=-np.inf)
    best, worst = np.empty(scores.shape, dtype=np.int64), np.empty(scores.shape, dtype=np.int64)
    for system in range(scores.shape[1]):
        own_scores = scores[:, system : system + 1]
        best[:, system] = 1 + (scores > own_scores).sum(axis=1)
        worst[:, system] = (scores >= own_scores).sum(axis=1)
    return best, worst


def _rank_shares(replicates: FloatArray) -> FloatArray:
    """(system, rank): the share of resamples with the rank; systems of equal score share their ranks equally."""
    count, systems = replicates.shape
    if not count:
        return np.full((systems, systems), np.nan)
    best, worst = _ranks(replicates)
    shares_by_rank = (((best <= rank) & (rank <= worst)) / (worst - best + 1.0) for rank in range(1, systems + 1))
    return np.stack([shares.mean(axis=0) for shares in shares_by_rank], axis=1)


def _ranking(
    name: str,
    settings: Mapping[str, str],
    systems: list[str],
    scored: Scored,
    *,
    counts: npt.NDArray[np.int64],
    p_values: FloatArray,
    clusters: IntArray,
    options: RankingOptions,
    judgements: int,
    higher_is_better: bool = True,
    notes: tuple[Note, ...] = (),
) -> Ranking:
    oriented = scored.replicates if higher_is_better else -scored.replicates
    low, high = _rank_ranges(oriented, options.confidence)
    shares = _rank_shares(oriented)
    fuzzy = fuzzy_ranks(_significant(p_values, options.alpha))
    ranked = tuple(
        RankedSystem(
            system=system,
            score=aggregate.estimate_from_replicates(
                float(scored.scores[i]), scored.replicates[:, i], int(counts[i]), options.confidence
            ),
            rank=i + 1,
            rank_low=int(low[i]),
            rank_high=int(high[i]),
            cluster=int(clusters[i]),
            fuzzy_rank=float(fuzzy[i]),
            p_best=float(shares[i, 0]),
        )
        for i, system in enumerate(systems)
    )
    return Ranking(name, {**settings, **options.settings}, ranked, p_values, shares, judgements, notes=notes)
