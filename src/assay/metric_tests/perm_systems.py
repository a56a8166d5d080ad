"""Permutation test with a coin per system (Perm-Systems of Deutsch et al. 2021).

What a coin swaps is what the statistic reads: the system score, or all segment scores of the system.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.lazily import numpy as np
from assay.metric_tests import metric_test
from assay.metric_tests.permutation import Permutation

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["PermSystems"]


@metric_test("perm-systems")
@dataclass(frozen=True)
class PermSystems(Permutation):
    """All cells of a system share a coin, so the scores of a system may depend on each other."""

    label = "permutation of systems"
    unit = "system"
    exchangeable = (
        "for every system, the {} of the two metrics (its system score, or all its segment scores) are exchangeable as "
        "a whole"
    )

    def coins(self, systems: int, segments: int) -> int:
        return systems

    def swaps(self, coins: npt.NDArray[np.bool_], systems: int, segments: int) -> npt.NDArray[np.bool_]:
        return coins[:, :, np.newaxis]
