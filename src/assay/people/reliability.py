"""How far people agree: with each other, and with themselves. The ceiling for any metric that imitates them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

import numpy as np

from assay.agreement.pearson import correlation
from assay.errors import ConfigError, nearest
from assay.results import Estimate
from assay.significance.ranks import average_ranks
from assay.types import UNRANKED, FloatArray, Rankings, Ratings, ScoreTable, mean_of_given

__all__ = ["Kappa", "kappa", "pearson", "rater_agreement", "rater_tables", "spearman", "split_half"]

Who = Literal["between", "within", "all"]


@dataclass(frozen=True, slots=True)
class Kappa:
    """Agreement on pairwise judgements, and what it would be by chance given how often people tie."""

    agreed: int
    comparable: int
    ties: int
    judgements: int

    @property
    def observed(self) -> float:
        """P(A): the share of comparable pairs of judgements that are the same."""
        return self.agreed / self.comparable if self.comparable else math.nan

    @property
    def by_chance(self) -> float:
        """P(E) = t^2 + 2 ((1 - t) / 2)^2, with t the share of ties."""
        if not self.judgements:
            return math.nan
        tie = self.ties / self.judgements
        return tie**2 + (1 - tie) ** 2 / 2

    @property
    def value(self) -> float:
        """(P(A) - P(E)) / (1 - P(E)); NaN if nothing can be compared or everything is a tie."""
        return (self.observed - self.by_chance) / (1 - self.by_chance) if self.by_chance != 1 else math.nan

    @property
    def reason(self) -> str | None:
        """Why there is no value."""
        if not self.comparable:
            return "no two judgements are of the same two outputs"
        return "every judgement is a tie" if self.by_chance == 1 else None


def kappa(rankings: Rankings, who: Who = "between", *, as_shown: bool = False) -> Kappa:
    """Of judgements of the same two outputs of a segment, by different judges, by the same judge, or by any two.

    Systems with the same output were judged once and count once. The scripts of WMT15 and WMT16 count `all`, call it
    inter-annotator agreement, and compare only judgements where the two outputs were shown in the same order:
    `as_shown` does so too.
    """
    if who not in ("between", "within", "all"):
        raise ConfigError(f"unknown kind of agreement '{who}'", hint=nearest(who, ("between", "within", "all")))
    seen: dict[tuple[object, ...], list[tuple[int, int]]] = {}
    ties = judgements = 0
    for row in range(len(rankings)):
        outputs = list(_outputs(rankings, row).items())
        for (one, rank), (other, second) in combinations(outputs if as_shown else sorted(outputs), 2):
            outcome = (rank > second) - (rank < second)
            seen.setdefault((int(rankings.segment[row]), one, other), []).append((int(rankings.judge[row]), outcome))
            ties += outcome == 0
            judgements += 1
    agreed = comparable = 0
    for given in seen.values():
        for (judge, outcome), (second_judge, second_outcome) in combinations(given, 2):
            if who == "all" or (judge != second_judge) == (who == "between"):
                comparable += 1
                agreed += outcome == second_outcome
    return Kappa(agreed, comparable, ties, judgements)


def _outputs(rankings: Rankings, row: int) -> dict[tuple[int, ...], int]:
    """The outputs that were ranked, as shown, each named by the systems that share it, and their ranks."""
    found: dict[int, list[int]] = {}
    for system in np.flatnonzero(rankings.ranks[row] != UNRANKED).tolist():
        number = system if rankings.output is None else int(rankings.output[row, system])
        found.setdefault(number, []).append(system)
    return {tuple(systems): int(rankings.ranks[row, systems[0]]) for _, systems in sorted(found.items())}


def rater_tables(ratings: Ratings) -> list[ScoreTable]:
    """The scores of each rater as a table of its own."""
    from assay.people.scoring import segment_scores

    count = 1 + int(ratings.segment.max(initial=0))
    found = []
    for number, rater in enumerate(ratings.raters):
        own = ratings.where(ratings.rater == number)
        if len(own):
            table = segment_scores(own, segments=count, systems=ratings.systems)
            found.append(replace(table, name=rater, rater=rater))
    return found


def rater_agreement(tables: list[ScoreTable], statistic: Literal["pearson", "spearman"] = "pearson") -> Estimate:
    """The mean correlation of two raters over the cells both judged; n counts the pairs of raters it is over."""
    compute = {"pearson": pearson, "spearman": spearman}[statistic]
    values = []
    for one, other in combinations(tables, 2):
        second = other.take(one.systems).values
        both = ~np.isnan(one.values) & ~np.isnan(second) if one.values.shape == second.shape else None
        if both is not None and both.sum() > 2:
            values.append(compute(one.values[both], second[both]))
    defined = [value for value in values if not math.isnan(value)]
    if not defined:
        reason = "of any two raters one always gave the same" if values else "no two raters judged enough of the same"
        return Estimate(math.nan, 0, reason=reason if len(tables) > 1 else "there is one rater only")
    return Estimate(float(np.mean(defined)), len(defined))


def split_half(
    tables: list[ScoreTable], *, level: Literal["segment", "system"] = "segment", draws: int = 100, seed: int = 12345
) -> Estimate:
    """The correlation of the means of two random halves of the raters, stepped up to all of them (Spearman-Brown).

    reliability = 2 r / (1 + r), averaged over draws; low and high are the 2.5 and 97.5 per cent of the draws. Where r
    is below 0 the formula has no meaning (at -1 it is infinite), and r stays as it is.
    """
    if len(tables) < 2:
        return Estimate(math.nan, 0, reason="there is one rater only")
    stack = np.stack([table.take(tables[0].systems).values for table in tables])
    random = np.random.Generator(np.random.PCG64(seed))
    found = []
    for _ in range(draws):
        order = random.permutation(len(tables))
        halves = [mean_of_given(stack[half], axis=0) for half in np.split(order, [len(order) // 2])]
        both = ~np.isnan(halves[0]) & ~np.isnan(halves[1])
        if level == "system":
            halves = [mean_of_given(np.where(both, half, np.nan), axis=1) for half in halves]
            both = ~np.isnan(halves[0])
        r = pearson(halves[0][both], halves[1][both]) if both.sum() > 2 else math.nan
        if not math.isnan(r):
            found.append(2 * r / (1 + r) if r > 0 else r)
    if not found:
        return Estimate(math.nan, 0, reason="no two halves of the raters share enough scores that vary")
    low, high = np.quantile(found, [0.025, 0.975])
    return Estimate(float(np.mean(found)), len(found), float(low), float(high))


def pearson(x: FloatArray, y: FloatArray) -> float:
    """Pearson's r; NaN for a constant vector."""
    if not len(x):
        return math.nan
    return float(correlation(x[np.newaxis], y[np.newaxis], np.ones((1, len(x)), dtype=np.bool_))[0])


def spearman(x: FloatArray, y: FloatArray) -> float:
    """Spearman's rho: Pearson's r of average ranks."""
    return pearson(average_ranks(x), average_ranks(y))
