"""Agreement between raters and of raters with themselves.

If raters err independently of each other and of a metric, the metric's correlation with one of them is at most the
square root of the correlation of two of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice
from typing import TYPE_CHECKING, Literal

from assay.aggregate import interval
from assay.aggregate.resample import CONFIDENCE, SEED
from assay.agreement.pearson import correlation
from assay.errors import ConfigError, nearest
from assay.human.rater_scores import RaterScores, rater_scores_of_ratings, rater_scores_of_tables
from assay.human.selection import Judged
from assay.lazily import numpy as np
from assay.registry import option_text
from assay.results import Estimate, Reliability
from assay.significance.ranks import average_ranks
from assay.types import (
    UNRANKED,
    FloatArray,
    Rankings,
    Ratings,
    ScoreTable,
    base_name,
    column_of,
    rater_of,
)
from assay.types.runtime import Runtime

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = [
    "Kappa",
    "kappa",
    "pearson",
    "pearson_together",
    "rater_agreement",
    "reliability_of",
    "split_half",
    "wave_agreement",
]

JudgePairs = Literal["between", "within", "all"]
"""Pairs of judgements to compare: by different judges, by the same judge, or all."""

_JUDGE_PAIRS: tuple[Literal["between", "within"], ...] = ("between", "within")
_HALVINGS = 100
_TWO = 2
_NOT_STORED = "the scores of individual raters are not stored"


def reliability_of(
    judgements: Judged,
    others: Sequence[ScoreTable] = (),
    *,
    seed: int = SEED,
    confidence: float = CONFIDENCE,
    runtime: Runtime | None = None,
) -> Reliability:
    """Agreement between raters and of raters with themselves, by the measures that the judgements allow.

    Rankings: kappa between raters and within a rater. Ratings, which must have been prepared: the mean correlation
    within pairs of raters, that of two raters over all outputs, that of two waves, and split-half reliability. Scores:
    the same without waves, over the scores of individual raters (`mqm-col1`, …) among `others`. `seed` and `confidence`
    are those of the split halves.
    """
    if isinstance(judgements, Rankings):
        kappas = {f"kappa {pairs} raters": kappa(judgements, pairs) for pairs in _JUDGE_PAIRS}
        estimates = {measure: Estimate(k.value, k.comparable, reason=k.reason) for measure, k in kappas.items()}
        return Reliability(judgements.name, estimates, dict.fromkeys(estimates, "pairs of judgements"))
    if isinstance(judgements, Ratings):
        scores = rater_scores_of_ratings(judgements)
    else:
        scores = rater_scores_of_tables([t.take(judgements.systems) for t in _raters(judgements, others)])
    pearson_of_two, spearman_of_two = rater_agreement(scores)
    of_segments, of_systems = split_half(scores, seed=seed, confidence=confidence, runtime=runtime)
    estimates = {
        "Pearson within pairs of raters": pearson_of_two,
        "Spearman within pairs of raters": spearman_of_two,
        "Pearson of two raters, all together": pearson_together(scores),
        "split-half reliability of segments": of_segments,
        "split-half reliability of systems": of_systems,
    }
    if not scores.raters and not isinstance(judgements, Ratings):
        estimates = dict.fromkeys(estimates, Estimate(math.nan, 0, reason=_NOT_STORED))
    n_unit = ["pairs of raters"] * 2 + ["pairs of ratings"] + ["halvings of the raters"] * 2
    if isinstance(judgements, Ratings) and len(set(judgements.wave)) == _TWO:
        estimates |= wave_agreement(judgements)
        n_unit += ["outputs rated in both waves", "systems"]
    halvings = "all" if _halving_count(scores.raters) <= _HALVINGS else str(_HALVINGS)
    settings = {"halvings": halvings, "seed": str(seed), "confidence": option_text(confidence)}
    return Reliability(judgements.name, estimates, dict(zip(estimates, n_unit, strict=True)), settings)


def _raters(judged: ScoreTable, tables: Sequence[ScoreTable]) -> list[ScoreTable]:
    """The segment scores of individual raters; `judged` is their average or one of them."""
    averaged = base_name(judged.name) if column_of(judged.name) else judged.name
    found = [t for t in tables if t.level == "segment" and column_of(t.name) and base_name(t.name) == averaged]
    is_one_rater = judged.rater or rater_of(judged.name)
    return found or ([judged] if is_one_rater else [])


@dataclass(frozen=True, slots=True)
class Kappa:
    """Agreement on pairwise judgements, observed and expected by chance."""

    agreed: int
    comparable: int
    ties: int
    judgements: int

    @property
    def observed(self) -> float:
        """P(A): the share of equal judgements among comparable pairs of judgements."""
        return self.agreed / self.comparable if self.comparable else math.nan

    @property
    def by_chance(self) -> float:
        """P(E) = t^2 + 2 ((1 - t) / 2)^2, where t is the share of ties."""
        if not self.judgements:
            return math.nan
        tie = self.ties / self.judgements
        return tie**2 + (1 - tie) ** 2 / 2

    @property
    def value(self) -> float:
        """(P(A) - P(E)) / (1 - P(E)); NaN without comparable judgements, or if all are ties."""
        return (self.observed - self.by_chance) / (1 - self.by_chance) if self.by_chance != 1 else math.nan

    @property
    def reason(self) -> str | None:
        """Why the value is undefined."""
        if not self.comparable:
            return "no two judgements compare the same two outputs"
        return "every judgement is a tie" if self.by_chance == 1 else None


def kappa(rankings: Rankings, pairs: JudgePairs = "between", *, as_shown: bool = False) -> Kappa:
    """Agreement of judgements of the same two outputs: between different judges, within a judge, or of all judgements.

    Systems with the same output were judged together and count once. The scripts of WMT15 and WMT16 count `all`, call
    it inter-annotator agreement, and compare two judgements only if both showed the outputs in the same order;
    `as_shown` does the same.
    """
    if pairs not in ("between", "within", "all"):
        raise ConfigError(f"unknown kind of agreement '{pairs}'", hint=nearest(pairs, ("between", "within", "all")))
    outcomes_by_pair: dict[tuple[object, ...], list[tuple[int, int]]] = {}
    ties = judgements = 0
    for row in range(len(rankings)):
        outputs = list(_outputs(rankings, row).items())
        for (first, rank), (second, other_rank) in combinations(outputs if as_shown else sorted(outputs), 2):
            outcome = (rank > other_rank) - (rank < other_rank)
            pair = int(rankings.segment[row]), first, second
            outcomes_by_pair.setdefault(pair, []).append((int(rankings.judge[row]), outcome))
            ties += outcome == 0
            judgements += 1
    agreed = comparable = 0
    for outcomes in outcomes_by_pair.values():
        for (judge, outcome), (other_judge, other_outcome) in combinations(outcomes, 2):
            if pairs == "all" or (judge != other_judge) == (pairs == "between"):
                comparable += 1
                agreed += outcome == other_outcome
    return Kappa(agreed, comparable, ties, judgements)


def _outputs(rankings: Rankings, row: int) -> dict[tuple[int, ...], int]:
    """The rank of each output, in the order shown; an output is identified by the systems that share it."""
    systems_by_output: dict[int, list[int]] = {}
    for system in np.flatnonzero(rankings.ranks[row] != UNRANKED).tolist():
        number = system if rankings.output is None else int(rankings.output[row, system])
        systems_by_output.setdefault(number, []).append(system)
    return {tuple(systems): int(rankings.ranks[row, systems[0]]) for _, systems in sorted(systems_by_output.items())}


def rater_agreement(scores: RaterScores) -> tuple[Estimate, Estimate]:
    """The mean Pearson's r and Spearman's rho of two raters, over the outputs that both judged.

    A pair of raters counts by the number of these outputs, because a correlation of few outputs says little. n counts
    the pairs.
    """
    found: list[FloatArray] = []
    weights: list[FloatArray] = []
    for overlap in scores.overlaps():
        shared = overlap.mask.sum(axis=1) > 2
        own, other, mask = overlap.own[shared], overlap.other[shared], overlap.mask[shared]
        ranks = average_ranks(own, mask), average_ranks(other, mask)
        found.append(np.stack([correlation(own, other, mask), correlation(*ranks, mask)]))
        weights.append(mask.sum(axis=1, dtype=np.float64))
    values = np.concatenate(found, axis=1) if found else np.empty((2, 0))
    shared_outputs = np.concatenate(weights) if weights else np.empty(0)
    return _mean_agreement(scores, values[0], shared_outputs), _mean_agreement(scores, values[1], shared_outputs)


def pearson_together(scores: RaterScores) -> Estimate:
    """Pearson's r of two raters over all outputs that two judged, whoever they were, in either order.

    Unlike the mean within pairs of raters, it counts that some raters give higher scores than others. n counts the
    pairs of ratings.
    """
    overlaps = list(scores.overlaps())
    own = np.concatenate([np.empty(0), *(each.own[each.mask] for each in overlaps)])
    other = np.concatenate([np.empty(0), *(each.other[each.mask] for each in overlaps)])
    if len(own) <= _TWO:
        reason = _too_few_raters(scores) if scores.raters < _TWO else "no three outputs were rated by two raters"
        return Estimate(math.nan, 0, reason=reason)
    value = pearson(np.concatenate([own, other]), np.concatenate([other, own]))
    return Estimate(value, len(own), reason="all ratings are equal" if math.isnan(value) else None)


def wave_agreement(ratings: Ratings) -> dict[str, Estimate]:
    """Pearson's r of the two waves of a campaign, over the outputs rated in both, and over the systems' means of these.

    The rater may have been the same in both.
    """
    names = list(dict.fromkeys(ratings.wave))
    second = np.array([names.index(wave) for wave in ratings.wave], dtype=np.int64)
    both = rater_scores_of_ratings(replace(ratings, rater=second, raters=tuple(names)))
    (means,) = both.halvings(iter([np.array([False, True])])) if both.raters == _TWO else (np.empty((2, 0)),)
    known = np.flatnonzero(~np.isnan(means).any(axis=0))
    outputs = means[:, known]
    systems = both.system[known] if len(known) else np.empty(0, dtype=np.int64)
    counts = np.bincount(systems)
    sums = np.stack([np.bincount(systems, weights=wave) for wave in outputs])[:, counts > 0]
    found = {}
    for name, values in (("outputs", outputs), ("systems", sums / counts[counts > 0])):
        r, n = pearson(values[0], values[1]) if values.shape[1] > _TWO else math.nan, values.shape[1]
        reason = f"too few {name} in both waves, or all alike" if math.isnan(r) else None
        found[f"Pearson of two waves, {name}"] = Estimate(r, n, reason=reason)
    return found


def _mean_agreement(scores: RaterScores, values: FloatArray, weights: FloatArray) -> Estimate:
    is_defined = ~np.isnan(values)
    if count := int(is_defined.sum()):
        return Estimate(float(np.average(values[is_defined], weights=weights[is_defined])), count)
    if scores.raters < 2:
        reason = _too_few_raters(scores)
    elif len(values):
        reason = "in every pair of raters, one always gave the same score"
    else:
        reason = "no two raters share three outputs"
    return Estimate(math.nan, 0, reason=reason)


def _too_few_raters(scores: RaterScores) -> str:
    return "there is only one rater" if scores.raters else "there are no ratings"


def split_half(
    scores: RaterScores,
    *,
    halvings: int = _HALVINGS,
    seed: int = SEED,
    confidence: float = CONFIDENCE,
    runtime: Runtime | None = None,
) -> tuple[Estimate, Estimate]:
    """The correlation of the mean scores of two halves of the raters, of segments and of systems.

    Corrected by Spearman-Brown: reliability = 2 r / (1 + r), averaged over random halves, or over all halves if there
    are no more than `halvings`; low and high are their percentiles. A negative r is not corrected, because the formula
    has no meaning there. Two raters can be halved in one way only, which has no range.
    """
    if scores.raters < 2:
        undefined = Estimate(math.nan, 0, reason=_too_few_raters(scores))
        return undefined, undefined
    system = scores.system
    of_segments, of_systems = [], []
    halves = (runtime or Runtime()).track(_halves(scores.raters, halvings, seed), lambda _: "halving the raters")
    for means in scores.halvings(halves):
        both = ~np.isnan(means).any(axis=0)
        of_segments.append(_stepped_up(means[:, both]))
        counts = np.bincount(system[both])
        sums = [np.bincount(system[both], weights=half[both])[counts > 0] for half in means]
        of_systems.append(_stepped_up(np.array(sums) / counts[counts > 0]))
    return _reliability_estimate(of_segments, confidence), _reliability_estimate(of_systems, confidence)


def _halves(raters: int, halvings: int, seed: int) -> Iterator[npt.NDArray[np.bool_]]:
    """By rater: whether they are in the second half. All ways to halve, or random ones if there are too many."""
    random = np.random.Generator(np.random.PCG64(seed))
    firsts: Iterable[Sequence[int]] = (random.permutation(raters)[: raters // 2].tolist() for _ in range(halvings))
    if (count := _halving_count(raters)) <= halvings:
        firsts = islice(combinations(range(raters), raters // 2), count)  # what follows mirrors these, if even
    for first in firsts:
        is_second = np.ones(raters, dtype=np.bool_)
        is_second[list(first)] = False
        yield is_second


def _halving_count(raters: int) -> int:
    """The number of ways to halve; the halves of an even number have no order."""
    return math.comb(raters, raters // 2) // (1 if raters % 2 else 2)


def _stepped_up(means: FloatArray) -> float:
    """2 r / (1 + r) of two rows of means."""
    r = pearson(means[0], means[1]) if means.shape[1] > 2 else math.nan
    return 2 * r / (1 + r) if r > 0 else r


def _reliability_estimate(values: list[float], confidence: float) -> Estimate:
    defined = [value for value in values if not math.isnan(value)]
    if not defined:
        return Estimate(math.nan, 0, reason="no two halves of the raters share three outputs with different scores")
    if len(values) == 1:
        return Estimate(defined[0], 1)
    low, high = interval(np.array(defined), confidence)
    return Estimate(float(np.mean(defined)), len(defined), float(low), float(high))


def pearson(x: FloatArray, y: FloatArray) -> float:
    """Pearson's r; NaN if a vector is constant."""
    if not len(x):
        return math.nan
    return float(correlation(x[np.newaxis], y[np.newaxis], np.ones((1, len(x)), dtype=np.bool_))[0])
