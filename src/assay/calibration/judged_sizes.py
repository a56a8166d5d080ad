"""Curves for a number of judged segments: fitted when they are asked for, to samples of the judgements of campaigns.

All numbers of segments are answered from the same pairs of systems, and no pair is found significant less often if more
segments are judged. An isotonic regression keeps such an order, so an answer never falls with the number of segments.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from assay.calibration.campaign_spread import CampaignSpread, campaign_spread
from assay.calibration.curves import fit_curve
from assay.calibration.isotonic import fit_isotonic
from assay.calibration.judged_pairs import system_pairs_of
from assay.calibration.judgement_samples import largest_sample, outside_samples
from assay.calibration.options import Key
from assay.calibration.outcomes import Observations, observe
from assay.calibration.populations import MIN_LANGUAGE_PAIRS, fitted_population, populations
from assay.calibration.system_pairs import SystemPairs
from assay.calibration.validation import Drawing
from assay.lazily import numpy as np
from assay.results import ALL, Calibration, CalibrationCurve, JudgedPairs, Population
from assay.results.calibration import FEW_PAIRS, SIGNIFICANT
from assay.results.judged_pairs import SAMPLES
from assay.significance import ALPHA
from assay.types import FloatArray

__all__ = ["largest_answered", "resized", "same_pairs"]

_KEPT = 64
_SHARE = 0.5
"""The largest number of judged segments that is answered is one that this share of the pairs of systems has."""


@dataclass(frozen=True, slots=True)
class _Sampled:
    """What curves are fitted to."""

    pairs: tuple[JudgedPairs, ...]
    key: Key
    judged: int
    group: str
    orientation: str
    alpha: float
    drawing: Drawing

    def observed(self, members: list[SystemPairs], kinds: str, judged: int | None = None) -> Observations:
        """The pairs of some members, with the shares of samples as outcomes."""
        size = self.judged if judged is None else judged
        return observe(members, self.key, SIGNIFICANT, self.orientation, self.alpha, kinds=kinds, judged_segments=size)

    @property
    def sizes(self) -> list[int]:
        """The numbers of segments that were sampled."""
        return sorted({size for each in self.pairs for size in each.sampled})


def resized(
    calibration: Calibration, metric: str, aggregation: str, group: str, judged: int, source: str
) -> Calibration | str:
    """The curves of a metric for a number of judged segments of each system, or why there are none.

    They are those of all pairs, of kinds of systems and of one group of target languages, for every protocol. The pairs
    of the result are those that the curves are fitted to.
    """
    if not calibration.pairs:
        return f"'{source}' has no pairs of systems; assay calibrate fits a calibration that has them"
    if reason := outside_samples(calibration.pairs, judged, source):
        return reason
    alpha, drawing = float(calibration.settings.get("alpha", ALPHA)), Drawing.of(calibration.settings)
    key = (metric, aggregation)
    pairs = same_pairs(calibration.pairs, (key,))
    asked = _Sampled(pairs, key, judged, group, calibration.orientation, alpha, drawing)
    spread = campaign_spread(calibration.pairs, key, calibration.orientation, alpha)
    curves = (_widened(each, spread, drawing) for each in _curves(asked))
    return Calibration(calibration.settings, tuple(curves), pairs)


def largest_answered(pairs: Sequence[JudgedPairs], metric: str, aggregation: str, protocol: str) -> str:
    """The largest number of segments that is answered, in words; empty if there is none."""
    largest = largest_sample(same_pairs(tuple(pairs), ((metric, aggregation),)), metric, aggregation, protocol)
    if not largest:
        return ""
    return f"answers by {protocol} are for up to {largest:,}, which at least half of the pairs of systems have"


@lru_cache(maxsize=_KEPT)
def same_pairs(pairs: tuple[JudgedPairs, ...], keys: tuple[Key, ...]) -> tuple[JudgedPairs, ...]:
    """The pairs with the same samples for every size, whose shares never fall with it.

    By each protocol, these are the pairs with as many segments as half of those have that the scores compare. Samples
    of a pair that people judge alike may be significant less often if they are larger, by chance; the shares are then
    the closest ones that do not fall.
    """
    largest = {
        name: _common_size([each for each in pairs if each.protocol == name], keys) for name in _protocols(pairs)
    }
    return tuple(replace(each, sampled=_ordered(each, largest[each.protocol])) for each in pairs)


def _protocols(pairs: Iterable[JudgedPairs]) -> list[str]:
    return list(dict.fromkeys(each.protocol for each in pairs))


def _common_size(pairs: Sequence[JudgedPairs], keys: tuple[Key, ...]) -> int:
    """The largest number of segments that enough of the pairs have; 0: they have no samples."""
    counts: dict[int, int] = {}
    for each in pairs:
        scored = system_pairs_of(each, keys).differences
        if len(scored) == len(keys):
            are_scored = ~np.isnan(np.stack([*scored.values()])).any(axis=0)
            for size, shares in each.sampled.items():
                counts[size] = counts.get(size, 0) + int((are_scored & ~np.isnan(shares).any(axis=1)).sum())
    most = max(counts.values(), default=0)
    return max((size for size, count in counts.items() if count >= _SHARE * most > 0), default=0)


def _ordered(pairs: JudgedPairs, largest: int) -> dict[int, FloatArray]:
    """Counts of samples up to the largest size, of the pairs that have it, which never fall with the size."""
    if largest not in pairs.sampled:
        return {}
    sizes = sorted(size for size in pairs.sampled if size <= largest)
    counts = np.stack([pairs.sampled[size] for size in sizes]).astype(np.float64)
    counts[:, np.isnan(counts).any(axis=(0, 2))] = math.nan
    ordered = _non_decreasing(counts)
    # At different sizes, either system may be better in many samples; together they are in no more than all of them.
    excess = ordered.sum(axis=2).max(axis=0, initial=0.0, where=~np.isnan(ordered).any(axis=2)) / SAMPLES
    return dict(zip(sizes, ordered / np.maximum(excess, 1.0)[:, np.newaxis], strict=True))


def _non_decreasing(rows: FloatArray) -> FloatArray:
    """The closest rows that never fall from one to the next: an isotonic regression along the first axis."""
    sums = np.concatenate([np.zeros((1, *rows.shape[1:])), rows.cumsum(axis=0)])
    found = np.empty_like(rows)
    for place in range(len(rows)):
        means = [
            np.minimum.reduce([(sums[end] - sums[start]) / (end - start) for end in range(place + 1, len(rows) + 1)])
            for start in range(place + 1)
        ]
        found[place] = np.maximum.reduce(means)
    return found


@lru_cache(maxsize=_KEPT)
def _curves(asked: _Sampled) -> tuple[CalibrationCurve, ...]:
    return tuple(_fitted(asked))


def _fitted(asked: _Sampled) -> Iterator[CalibrationCurve]:
    found = list(populations([system_pairs_of(each, [asked.key]) for each in asked.pairs]))
    whole = {each.protocol: members for each, members in found if each == Population(each.protocol)}
    for population, members in found:
        observed = asked.observed(members, population.kinds)
        pairs = sum(map(len, observed.lps.values()))
        is_few = population.kinds != ALL and len(observed) < FEW_PAIRS
        if population.group not in (ALL, asked.group) or pairs < MIN_LANGUAGE_PAIRS or is_few:
            continue
        is_part = population.group != ALL or population.kinds != ALL
        sampled = [asked.observed(members, population.kinds, size) for size in asked.sizes]
        shares = np.mean([each.y for each in sampled if len(each) == len(observed)], axis=0)
        yield fit_curve(
            asked.key,
            SIGNIFICANT,
            fitted_population(population, observed, asked.judged),
            observed,
            pooled=asked.observed(whole[population.protocol], ALL) if is_part else None,
            steps=fit_isotonic(observed.x, shares),
            at=(),
            drawing=asked.drawing,
        )


def _widened(curve: CalibrationCurve, spread: CampaignSpread, drawing: Drawing) -> CalibrationCurve:
    """The curve with bounds for a campaign that it was not fitted to."""
    least = 1 / (curve.independent + 2)
    low, high = spread.bounds(np.clip(curve.y, least, 1 - least), len(curve.population.campaigns), drawing.tail)
    low, high = np.minimum(curve.low, low), np.maximum(curve.high, high)
    return replace(curve, low=np.maximum.accumulate(low), high=np.minimum.accumulate(high[::-1])[::-1])
