"""Permutation test with a coin per system, then one per segment (Perm-Both of Deutsch et al. 2021)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.lazily import numpy as np
from assay.metric_tests import metric_test
from assay.metric_tests.permutation import Permutation

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["PermBoth"]


@metric_test("perm-both")
@dataclass(frozen=True)
class PermBoth(Permutation):
    """A cell is swapped if exactly one of the coins of its system and its segment says so."""

    label = "permutation of systems and segments"
    needs_segments = True
    unit = "both"
    exchangeable = "the {} of the two metrics are exchangeable for every system as a whole and every segment as a whole"

    def coins(self, systems: int, segments: int) -> int:
        return systems + segments

    def swaps(self, coins: npt.NDArray[np.bool_], systems: int, segments: int) -> npt.NDArray[np.bool_]:
        return coins[:, :systems, np.newaxis] ^ coins[:, np.newaxis, systems:]
