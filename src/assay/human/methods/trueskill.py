"""TrueSkill, the official ranking of WMT14 to WMT16."""

from __future__ import annotations

import math
from dataclasses import dataclass

from assay import _core
from assay.errors import ConfigError
from assay.human.comparisons import Comparisons
from assay.human.methods import Method, Scored, method
from assay.types import mean_of_defined
from assay.types.runtime import Runtime

__all__ = ["TrueSkill"]


@method("trueskill")
@dataclass(frozen=True)
class TrueSkill(Method):
    """The mean of the normal belief about each system's skill, after as many matches as there are judgements.

    The defaults are those of WMT: beliefs start at N(0, sigma^2), beta = sigma x matches / 40, and a quarter of the
    matches is expected to be a draw. The score is the mean over runs. With `resample`, each run uses a new resample of
    the judgements (WMT16); without it, each run uses all of them, and only the matches differ (WMT15).
    """

    sigma: float = 0.5
    beta_divisor: float = 40.0
    draw_rate: float = 0.25
    resample: bool = True

    def __post_init__(self) -> None:
        if not (0 < self.sigma < math.inf and 0 < self.beta_divisor < math.inf and 0 < self.draw_rate < 1):
            raise ConfigError("sigma and beta_divisor must be above 0, draw_rate between 0 and 1")

    def score(self, comparisons: Comparisons, *, resamples: int, seed: int, runtime: Runtime) -> Scored:
        """Resamples draw individual pairwise judgements, as the organisers of WMT did."""
        from scipy.special import ndtri  # slow to import

        margin = float(ndtri((self.draw_rate + 1) / 2)) * math.sqrt(2)
        means = _core.trueskill(
            comparisons.outcomes(),
            self.sigma,
            self.beta_divisor,
            margin,
            self.resample,
            max(resamples, 1),
            seed,
            runtime.threads,
        )
        scores = mean_of_defined(means, axis=0)  # a resample may leave a system without any judgement
        return Scored(scores, means[:resamples].T)
