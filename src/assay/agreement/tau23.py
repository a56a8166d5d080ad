"""Tau with ties (Deutsch et al. 2023): pairwise accuracy on the scale of a correlation."""

from __future__ import annotations

from dataclasses import dataclass, replace

from assay.agreement import Batch, Statistic, SwapForm, Values, statistic
from assay.agreement.acc23 import Acc23

__all__ = ["Tau23", "as_tau"]


@statistic("tau23")
@dataclass(frozen=True)
class Tau23(Statistic):
    """(right - wrong) / all pairs = 2 acc23 - 1."""

    epsilon: float = 0.0

    excludes_self_pairs = True
    uses_pairs = True
    accuracy_scale = 2.0

    def __post_init__(self) -> None:
        Acc23(self.epsilon)  # validates epsilon

    @property
    def has_threshold(self) -> bool:
        return self.epsilon > 0

    @property
    def swap_form(self) -> SwapForm | None:
        return None if self.has_threshold else "accuracy"

    def compute(self, batch: Batch) -> Values:
        return as_tau(Acc23(self.epsilon).compute(batch))


def as_tau(accuracy: Values) -> Values:
    """An accuracy rescaled to -1 to 1. It is no longer a share of pairs, so it has no hits."""
    return replace(accuracy, values=2 * accuracy.values - 1, hits=None)
