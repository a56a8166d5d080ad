"""Permutation test with a coin per segment, for all its systems (Perm-Inputs of Deutsch et al. 2021)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.lazily import numpy as np
from assay.metric_tests import metric_test
from assay.metric_tests.permutation import Permutation

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["PermSegments"]


@metric_test("perm-segments")
@dataclass(frozen=True)
class PermSegments(Permutation):
    """All cells of a segment share a coin, so the scores of a segment may depend on each other."""

    label = "permutation of segments"
    needs_segments = True
    unit = "segment"
    exchangeable = "in every segment, the {} that the two metrics give to all systems are exchangeable as a whole"

    def coins(self, systems: int, segments: int) -> int:
        return segments

    def swaps(self, coins: npt.NDArray[np.bool_], systems: int, segments: int) -> npt.NDArray[np.bool_]:
        return coins[:, np.newaxis, :]
