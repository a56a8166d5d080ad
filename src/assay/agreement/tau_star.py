"""Tau with ties and tie calibration: acc-star on the scale of a correlation."""

from __future__ import annotations

from dataclasses import dataclass

from assay.agreement import CORRELATION, Batch, Resampler, Statistic, Values, statistic
from assay.agreement.acc_star import AccStar
from assay.agreement.tau23 import Tau23, as_tau

__all__ = ["TauStar"]


@statistic("tau-star")
@dataclass(frozen=True)
class TauStar(Statistic):
    """2 acc-star - 1, at the same epsilon."""

    epsilon: float | None = None
    exact_ties: bool = False

    label = "tau*"
    agreement = CORRELATION
    excludes_self_pairs = True
    uses_pairs = True
    is_joint = True
    accuracy_scale = 2.0

    def __post_init__(self) -> None:
        _ = self._accuracy  # validates epsilon

    @property
    def _accuracy(self) -> AccStar:
        return AccStar(self.epsilon, self.exact_ties)

    @property
    def has_threshold(self) -> bool:
        return True

    def calibrated(self, batch: Batch) -> Tau23:
        return Tau23(self._accuracy.calibrated(batch).epsilon, self.exact_ties)

    def compute(self, batch: Batch) -> Values:
        return as_tau(self._accuracy.compute(batch))

    def resampler(self, batch: Batch, threads: int) -> Resampler | None:
        accuracies = self._accuracy.resampler(batch, threads)
        return None if accuracies is None else lambda draws: 2 * accuracies(draws) - 1
