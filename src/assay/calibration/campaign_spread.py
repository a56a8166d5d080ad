"""How much campaigns differ in what as many judged segments show: the variation that an interval for another one has.

On the scale of log-odds, each campaign deviates from the curve of all campaigns of its protocol by a random amount. A
protocol has two or three campaigns, too few to estimate the variance of these amounts, so that it is taken to be the
same for all protocols. Samples of different sizes are of the same judgements: a campaign has one deviation, the mean
over sizes. Samples are as they were drawn, also of campaigns that have too few segments to answer.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from assay.calibration.isotonic import Points
from assay.calibration.judged_pairs import system_pairs_of
from assay.calibration.options import Key
from assay.calibration.outcomes import observe
from assay.lazily import numpy as np
from assay.logistic import log_odds, sigmoid
from assay.results import JudgedPairs
from assay.results.calibration import SIGNIFICANT
from assay.types import FloatArray

__all__ = ["CampaignSpread", "campaign_spread", "widest"]

_KEPT = 64


@dataclass(frozen=True, slots=True)
class CampaignSpread:
    """The standard deviation of campaigns, as differences of log-odds, and its degrees of freedom."""

    deviation: float
    degrees: int

    def bounds(self, shares: FloatArray, campaigns: int, tail: float) -> tuple[FloatArray, FloatArray]:
        """Where the shares of another campaign lie, if those of some campaigns are known; the shares if nothing is."""
        if not self.degrees:
            return shares, shares
        width, odds = self.width(campaigns, tail), log_odds(shares)
        return sigmoid(odds - width), sigmoid(odds + width)

    def width(self, campaigns: int, tail: float) -> float:
        """Half the width of an interval of log-odds for another campaign; 0 if nothing is known."""
        if not self.degrees:
            return 0.0
        from scipy.special import stdtrit  # slow to import

        return float(stdtrit(self.degrees, 1 - tail)) * self.deviation * math.sqrt(1 + 1 / campaigns)


def widest(
    pairs: tuple[JudgedPairs, ...], keys: Iterable[Key], orientation: str, alpha: float, campaigns: int, tail: float
) -> CampaignSpread:
    """The spread of that of several scores whose interval for another campaign is the widest.

    Campaigns differ because of how people judge, which several scores know no better than one.
    """
    found = [campaign_spread(pairs, key, orientation, alpha) for key in keys]
    return max(found, key=lambda each: each.width(campaigns, tail))


@lru_cache(maxsize=_KEPT)
def campaign_spread(pairs: tuple[JudgedPairs, ...], key: Key, orientation: str, alpha: float) -> CampaignSpread:
    """How much campaigns deviate, in the mean over the sizes of samples that several campaigns of a protocol have."""
    squares: float = 0.0
    degrees = 0
    for protocol in dict.fromkeys(each.protocol for each in pairs):
        found = _deviations([each for each in pairs if each.protocol == protocol], key, orientation, alpha)
        squares += sum((math.fsum(each) / len(each)) ** 2 for each in found.values())
        degrees += max(len(found) - 1, 0)
    return CampaignSpread(math.sqrt(squares / degrees) if degrees else math.nan, degrees)


def _deviations(pairs: Sequence[JudgedPairs], key: Key, orientation: str, alpha: float) -> dict[str, list[float]]:
    """By campaign, the log-odds of a preference less those of a curve in which all campaigns count the same."""
    found: dict[str, list[float]] = {}
    members = [system_pairs_of(each, [key]) for each in pairs]
    for size in sorted({size for each in pairs for size in each.sampled}):
        observed = observe(members, key, SIGNIFICANT, orientation, alpha, judged_segments=size)
        names, place, counts = np.unique(observed.campaign, return_inverse=True, return_counts=True)
        if len(names) < 2:
            continue
        predicted = Points.of(observed.x).fit(observed.y, 1 / counts[place])(observed.x)
        for number, name in enumerate(names.tolist()):
            own = place == number
            said, expected = (
                _smoothed_odds(float(each[own].mean()), int(own.sum())) for each in (observed.y, predicted)
            )
            found.setdefault(name, []).append(said - expected)
    return found


def _smoothed_odds(share: float, pairs: int) -> float:
    """Of a share of pairs, with half a pair more on both sides: none of them is certain."""
    return math.log((share * pairs + 0.5) / ((1 - share) * pairs + 0.5))
