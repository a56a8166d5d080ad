"""Pairwise accuracy with tie calibration (Deutsch et al. 2023): acc23 at the threshold that suits the metric best."""

from __future__ import annotations

from dataclasses import dataclass, replace

from assay.agreement import Batch, Resampler, Statistic, Values, statistic
from assay.agreement.acc23 import Acc23
from assay.agreement.tie_calibration import best_epsilon, resampled_accuracies
from assay.registry import option_text
from assay.results.agreement import EPSILON

__all__ = ["AccStar"]


@statistic("acc-star")
@dataclass(frozen=True)
class AccStar(Statistic):
    """acc23 with one epsilon for all groups: the smallest of those with the highest mean over groups.

    `epsilon`: one that was found elsewhere, such as on another test set; the value is then acc23's.
    """

    epsilon: float | None = None
    exact_ties: bool = False

    label = "acc*"
    low = 0.0
    excludes_self_pairs = True
    uses_pairs = True
    is_joint = True
    accuracy_scale = 1.0

    def __post_init__(self) -> None:
        Acc23(self.epsilon or 0.0)  # validates epsilon

    @property
    def has_threshold(self) -> bool:
        return True

    def calibrated(self, batch: Batch) -> Acc23:
        epsilon = best_epsilon(batch, exact_ties=self.exact_ties) if self.epsilon is None else self.epsilon
        return Acc23(epsilon, self.exact_ties)

    def compute(self, batch: Batch) -> Values:
        calibrated = self.calibrated(batch)
        return replace(calibrated.compute(batch), details=((EPSILON, option_text(calibrated.epsilon)),))

    def resampler(self, batch: Batch, threads: int) -> Resampler | None:
        return resampled_accuracies(batch, threads, exact_ties=self.exact_ties) if self.epsilon is None else None
