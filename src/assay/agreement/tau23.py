"""Tau with ties (Deutsch et al. 2023): pairwise accuracy on the scale of a correlation."""

from __future__ import annotations

from dataclasses import dataclass, replace

from assay.agreement import CORRELATION, Batch, Values, statistic
from assay.agreement.acc23 import Acc23

__all__ = ["Tau23", "as_tau"]


@statistic("tau23")
@dataclass(frozen=True)
class Tau23(Acc23):
    """(right - wrong) / all pairs = 2 acc23 - 1."""

    label = "tau23"
    agreement = CORRELATION
    low = -1.0
    accuracy_scale = 2.0

    def compute(self, batch: Batch) -> Values:
        return as_tau(super().compute(batch))


def as_tau(accuracy: Values) -> Values:
    """An accuracy rescaled to -1 to 1. It is no longer a share of pairs, so it has no hits."""
    return replace(accuracy, values=2 * accuracy.values - 1, hits=None)
