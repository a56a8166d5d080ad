"""Agreement between raters and of raters with themselves.

A metric cannot be expected to agree with human raters better than they agree with each other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

import numpy as np

from assay.agreement.pearson import correlation
from assay.errors import ConfigError, nearest
from assay.human.scoring import segment_scores, without_controls
from assay.human.selection import Judged
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
    mean_of_given,
    rater_of,
)

__all__ = ["Kappa", "kappa", "pearson", "rater_agreement", "rater_tables", "reliability_of", "spearman", "split_half"]

JudgePairs = Literal["between", "within", "all"]
"""Pairs of judgements to compare: by different judges, by the same judge, or all."""

_JUDGE_PAIRS: tuple[Literal["between", "within"], ...] = ("between", "within")
_NOT_STORED = "the scores of individual raters are not stored"


def reliability_of(judgements: Judged, others: Sequence[ScoreTable] = ()) -> Reliability:
    """Agreement between raters and of raters with themselves, by the measures that the judgements allow.

    Rankings: kappa between judges and within a judge. Ratings: the mean correlation of two raters, and split-half
    reliability. Scores: the same, over the scores of individual raters (`mqm-col1`, …) among `others`.
    """
    if isinstance(judgements, Rankings):
        kappas = {f"kappa {pairs} judges": kappa(judgements, pairs) for pairs in _JUDGE_PAIRS}
        estimates = {measure: Estimate(k.value, k.comparable, reason=k.reason) for measure, k in kappas.items()}
        return Reliability(judgements.name, estimates)
    if isinstance(judgements, Ratings):
        tables = rater_tables(without_controls(judgements))
    else:
        tables = [table.take(judgements.systems) for table in _raters(judgements, others)]
    estimates = {
        "Pearson of two raters": rater_agreement(tables, "pearson"),
        "Spearman of two raters": rater_agreement(tables, "spearman"),
        "split-half reliability of segments": split_half(tables, level="segment"),
        "split-half reliability of systems": split_half(tables, level="system"),
    }
    if not tables and not isinstance(judgements, Ratings):
        estimates = dict.fromkeys(estimates, Estimate(math.nan, 0, reason=_NOT_STORED))
    return Reliability(judgements.name, estimates)


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


def rater_tables(ratings: Ratings) -> list[ScoreTable]:
    """One table of segment scores per rater."""
    count = 1 + int(ratings.segment.max(initial=0))
    tables = []
    for number, rater in enumerate(ratings.raters):
        rater_ratings = ratings.where(ratings.rater == number)
        if len(rater_ratings):
            table = segment_scores(rater_ratings, segments=count, systems=ratings.systems)
            tables.append(replace(table, name=rater, rater=rater))
    return tables


def rater_agreement(tables: list[ScoreTable], statistic: Literal["pearson", "spearman"] = "pearson") -> Estimate:
    """The mean correlation of two raters over the outputs that both judged; n is the number of pairs of raters."""
    compute = {"pearson": pearson, "spearman": spearman}[statistic]
    values = []
    for one, other in combinations(tables, 2):
        second = other.take(one.systems).values
        both = ~np.isnan(one.values) & ~np.isnan(second) if one.values.shape == second.shape else None
        if both is not None and both.sum() > 2:
            values.append(compute(one.values[both], second[both]))
    defined = [value for value in values if not math.isnan(value)]
    if not defined:
        return Estimate(math.nan, 0, reason=_no_agreement_reason(tables, values))
    return Estimate(float(np.mean(defined)), len(defined))


def _no_agreement_reason(tables: list[ScoreTable], values: list[float]) -> str:
    if len(tables) < 2:
        return _too_few_raters(tables)
    return "in every pair of raters, one always gave the same score" if values else "no two raters share three outputs"


def _too_few_raters(tables: list[ScoreTable]) -> str:
    return "there is only one rater" if tables else "there are no ratings"


def split_half(
    tables: list[ScoreTable],
    *,
    level: Literal["segment", "system"] = "segment",
    resamples: int = 100,
    seed: int = 12345,
) -> Estimate:
    """The correlation of the mean scores of two random halves of the raters, corrected by Spearman-Brown.

    reliability = 2 r / (1 + r), averaged over random halves; low and high are the 2.5th and 97.5th percentile. A
    negative r is not corrected, because the formula has no meaning there.
    """
    if len(tables) < 2:
        return Estimate(math.nan, 0, reason=_too_few_raters(tables))
    stack = np.stack([table.take(tables[0].systems).values for table in tables])
    random = np.random.Generator(np.random.PCG64(seed))
    values = []
    for _ in range(resamples):
        order = random.permutation(len(tables))
        halves = [mean_of_given(stack[half], axis=0) for half in np.split(order, [len(order) // 2])]
        both = ~np.isnan(halves[0]) & ~np.isnan(halves[1])
        if level == "system":
            halves = [mean_of_given(np.where(both, half, np.nan), axis=1) for half in halves]
            both = ~np.isnan(halves[0])
        r = pearson(halves[0][both], halves[1][both]) if both.sum() > 2 else math.nan
        if not math.isnan(r):
            values.append(2 * r / (1 + r) if r > 0 else r)
    if not values:
        return Estimate(math.nan, 0, reason="no two halves of the raters share three outputs with different scores")
    low, high = np.quantile(values, [0.025, 0.975])
    return Estimate(float(np.mean(values)), len(values), float(low), float(high))


def pearson(x: FloatArray, y: FloatArray) -> float:
    """Pearson's r; NaN if a vector is constant."""
    if not len(x):
        return math.nan
    return float(correlation(x[np.newaxis], y[np.newaxis], np.ones((1, len(x)), dtype=np.bool_))[0])


def spearman(x: FloatArray, y: FloatArray) -> float:
    """Spearman's rho: Pearson's r of average ranks."""
    return pearson(average_ranks(x), average_ranks(y))
