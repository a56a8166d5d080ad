"""What people preferred in single language pairs: an answer that pools several may say the opposite of one of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from assay.calibration.effective_sample import independent_pairs
from assay.calibration.judged_pairs import system_pairs_of
from assay.calibration.options import Key
from assay.calibration.outcomes import Observations, observe
from assay.calibration.populations import data_lps
from assay.calibration.system_kinds import MT, kind_of
from assay.calibration.validation import Drawing, clustered_mean
from assay.lazily import numpy as np
from assay.results import ALL, Estimate, JudgedPairs, LanguagePairShares, MTSystem, OwnLanguage, Population
from assay.results.calibration import FEW_PAIRS, SIGNIFICANT, Step
from assay.significance import ALPHA
from assay.significance.proportions import exact_bounds
from assay.types import FloatArray, IntArray
from assay.types.language_codes import languages_of

__all__ = [
    "MIN_PAIRS",
    "JudgedMembers",
    "mt_systems",
    "near",
    "own_language",
    "shares_by_language",
    "shares_of_all",
]

MIN_PAIRS = 5
"""A language pair with fewer pairs of systems has no shares of its own."""
_NEAR = 2.0
"""Without enough pairs on the same step, those that differ by half as much to twice as much count."""
_KEPT = 256


@dataclass(frozen=True, slots=True)
class JudgedMembers:
    """Which pairs of systems are meant. It is hashed, so that pairs that were collected can be found again."""

    pairs: tuple[JudgedPairs, ...]
    key: Key
    protocol: str
    kinds: str = ALL
    judged: int | None = None

    def observed(self) -> Observations:
        """Their differences, and whom people prefer."""
        return _observed(self)


@lru_cache(maxsize=_KEPT)
def _observed(members: JudgedMembers) -> Observations:
    found = [system_pairs_of(each, [members.key]) for each in members.pairs if each.protocol == members.protocol]
    return observe(
        found, members.key, SIGNIFICANT, "by-metric", ALPHA, kinds=members.kinds, judged_segments=members.judged
    )


def near(observed: Observations, step: Step, largest: float) -> IntArray:
    """The places of the pairs on a step of a curve, whose largest difference is known."""
    below = observed.x <= step.end if step.end >= largest else observed.x < step.end
    return np.flatnonzero((observed.x >= step.start) & below)


def shares_by_language(observed: Observations, places: IntArray) -> tuple[LanguagePairShares, ...]:
    """How often people prefer which system of some pairs, in each language pair with enough of them.

    The language pairs in which people prefer the worse-scored system least often come first.
    """
    found = []
    for number, (campaign, lp) in enumerate(observed.clusters):
        own = places[observed.cluster[places] == number]
        if len(own) >= MIN_PAIRS:
            better, worse = float(observed.y[own].mean()), float(observed.opposite[own].mean())
            found.append(LanguagePairShares(campaign, lp, len(own), better, worse))
    return tuple(sorted(found, key=lambda each: (each.opposite, -each.share)))


def own_language(
    members: JudgedMembers, lp: str, difference: float, step: Step, largest: float, tail: float
) -> OwnLanguage | None:
    """What people preferred in the language pair itself, or else in others with its target language.

    The pairs are those on the step of the curve that answers, or else those with about this difference, if they are
    enough.
    """
    observed = members.observed()
    languages = [languages_of(name) for _, name in observed.clusters]
    source, target = languages_of(lp)
    same_pair = [each == (source, target) for each in languages]
    same_target = [each[1] == target and source != target for each in languages]
    for is_pair, matching in ((True, same_pair), (False, same_target)):
        of_language = np.array(matching, dtype=np.bool_)[observed.cluster]
        is_about = (observed.x >= difference / _NEAR) & (observed.x <= difference * _NEAR)
        for places in (near(observed, step, largest), np.flatnonzero(is_about)):
            own = places[of_language[places]]
            if len(own) >= FEW_PAIRS:
                return _own(members, observed.take(own), tail, is_pair=is_pair)
    return None


def _own(members: JudgedMembers, observed: Observations, tail: float, *, is_pair: bool) -> OwnLanguage:
    better, worse = _bounded(np.array([observed.y.mean(), observed.opposite.mean()]), observed, tail)
    lps = data_lps(observed.lps)
    population = Population(members.protocol, campaigns=tuple(observed.lps), kinds=members.kinds)
    return OwnLanguage(
        lps, is_pair, population, float(observed.x.min()), float(observed.x.max()), len(observed), better, worse
    )


def _bounded(shares: FloatArray, observed: Observations, tail: float) -> list[Estimate]:
    """Shares of pairs with exact bounds, as if only those without a system in common had been seen."""
    count = independent_pairs(observed.systems)
    low, high = exact_bounds(shares, np.full(len(shares), count), tail)
    return [
        Estimate(share, len(observed), bottom, top)
        for share, bottom, top in zip(shares.tolist(), low.tolist(), high.tolist(), strict=True)
    ]


def shares_of_all(observed: Observations, drawing: Drawing) -> tuple[Estimate, Estimate]:
    """How often people prefer the better-scored and the worse-scored system, whatever the difference.

    The interval is the wider of that over resampled language pairs and the exact one, as that of a curve.
    """
    outcomes = (observed.y, observed.opposite)
    exact = _bounded(np.array([each.mean() for each in outcomes]), observed, drawing.tail)
    drawn = [clustered_mean(each, observed.cluster, drawing) for each in outcomes]
    first, second = (
        each if np.isnan(other.low) else replace(each, low=min(each.low, other.low), high=max(each.high, other.high))
        for each, other in zip(exact, drawn, strict=True)
    )
    return first, second


def mt_systems(members: JudgedMembers) -> tuple[MTSystem, ...]:
    """The MT systems in pairs with an LLM, those in the most pairs first."""
    counts: dict[tuple[str, str], int] = {}
    for judged in members.pairs:
        if judged.protocol != members.protocol:
            continue
        each = system_pairs_of(judged, [members.key])
        difference = each.differences.get(members.key)
        if difference is None:
            continue
        is_meant = ~np.isnan(difference) & (difference != 0) & each.are_of_kinds(members.kinds, difference)
        for place in np.flatnonzero(is_meant).tolist():
            kinds = [kind_of(name, each.campaign) for name in each.systems[place]]
            if kinds.count(MT) == 1:
                key = each.systems[place][kinds.index(MT)], each.lp
                counts[key] = counts.get(key, 0) + 1
    return tuple(MTSystem(*key, count) for key, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])))
