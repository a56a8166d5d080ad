"""Permutation test with a coin per cell (one system's output of one segment), as mt-metrics-eval's PERM-BOTH."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.lazily import numpy as np
from assay.metric_tests import metric_test
from assay.metric_tests.permutation import Permutation

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["PermCells"]


@metric_test("perm-cells")
@dataclass(frozen=True)
class PermCells(Permutation):
    """Every cell has its own coin. Not exact if the scores of a system or of a segment depend on each other."""

    label = "permutation of cells"
    needs_segments = True
    unit = "cell"
    exchangeable = "in every cell (one system and one segment), the {} of the two metrics are exchangeable"

    def coins(self, systems: int, segments: int) -> int:
        return systems * segments

    def swaps(self, coins: npt.NDArray[np.bool_], systems: int, segments: int) -> npt.NDArray[np.bool_]:
        return coins.reshape(-1, systems, segments)
