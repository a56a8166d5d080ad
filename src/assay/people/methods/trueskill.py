"""TrueSkill, the official ranking of WMT14 to WMT16."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from assay import _core
from assay.errors import ConfigError
from assay.people.comparisons import Comparisons
from assay.people.methods import Method, Scored, method
from assay.types import FloatArray

__all__ = ["TrueSkill"]


@method("trueskill")
@dataclass(frozen=True)
class TrueSkill(Method):
    """Means of normal beliefs about each system's skill after as many matches as there are judgements.

    The defaults are the organisers': beliefs begin at N(0, sigma^2), beta = sigma x matches / 40, and a quarter of
    matches is expected to end in a draw. The score is the mean over runs. `resample`: each run is on judgements drawn
    anew (WMT16); without it, on all of them, and only the matches differ (WMT15).
    """

    sigma: float = 0.5
    beta_divisor: float = 40.0
    draw_rate: float = 0.25
    resample: bool = True

    def __post_init__(self) -> None:
        if not (0 < self.sigma < math.inf and 0 < self.beta_divisor < math.inf and 0 < self.draw_rate < 1):
            raise ConfigError("sigma and beta_divisor must be above 0, draw_rate between 0 and 1")

    def score(self, comparisons: Comparisons, *, draws: int, seed: int, threads: int) -> Scored:
        """Pairwise judgements are drawn one by one, as the organisers did."""
        from scipy.special import ndtri  # slow to import

        margin = float(ndtri((self.draw_rate + 1) / 2)) * math.sqrt(2)
        means = _core.trueskill(
            comparisons.outcomes(), self.sigma, self.beta_divisor, margin, self.resample, max(draws, 1), seed, threads
        )
        given = ~np.isnan(means)  # a draw may leave a system without any judgement
        with np.errstate(invalid="ignore"):
            scores: FloatArray = np.where(given, means, 0.0).sum(axis=0) / given.sum(axis=0)
        return Scored(scores, means[:draws])
