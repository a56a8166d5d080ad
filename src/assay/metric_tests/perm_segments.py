"""Permutation test with a coin per segment, for all its systems (Perm-Inputs of Deutsch et al. 2021)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.metric_tests import metric_test
from assay.metric_tests.permutation import Permutation, coins

__all__ = ["PermSegments"]


@metric_test("perm-segments")
@dataclass(frozen=True)
class PermSegments(Permutation):
    """All cells of a segment share a coin, so the scores of a segment may depend on each other."""

    needs_segments = True
    unit = "segment"
    null = "in every segment, the scores that the two metrics give to all systems are exchangeable as a whole"

    def swaps(self, random: np.random.PCG64, count: int, systems: int, segments: int) -> npt.NDArray[np.bool_]:
        return coins(random, count, segments)[:, np.newaxis, :]
