"""Methods that score systems by pairwise judgements, one per file."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from assay.aggregate.resample import Bootstrap
from assay.human.comparisons import Comparisons
from assay.lazily import numpy as np
from assay.registry import Registry
from assay.types import FloatArray
from assay.types.runtime import Runtime

__all__ = ["CountingMethod", "Method", "Scored", "method"]


@dataclass(frozen=True, slots=True)
class Scored:
    """Scores of systems; NaN for a system that was never compared."""

    scores: FloatArray
    replicates: FloatArray
    """(system, resample): the scores in each resample of the judgements."""


class Method(ABC):
    """Scores systems by pairwise judgements; higher is better."""

    name: ClassVar[str]

    @abstractmethod
    def score(self, comparisons: Comparisons, *, resamples: int, seed: int, runtime: Runtime) -> Scored:
        """The scores, and their replicates in `resamples` resamples of the judgements."""


class CountingMethod(Method):
    """A method whose scores depend only on how often each system beat or tied with each other system."""

    @abstractmethod
    def from_counts(self, wins: FloatArray, ties: FloatArray) -> FloatArray:
        """The score of each system, from counts (system, system) of wins of the row over the column, and of ties."""

    def score(self, comparisons: Comparisons, *, resamples: int, seed: int, runtime: Runtime) -> Scored:
        """Resamples draw whole rankings, because the comparisons within a ranking are not independent."""
        scores = self.from_counts(*comparisons.wins())
        replicates = [
            self.from_counts(*comparisons.wins(weights))
            for block in Bootstrap(resamples, None, seed).blocks(comparisons.rankings, runtime)
            for weights in block
        ]
        return Scored(scores, np.array(replicates).reshape(len(replicates), len(scores)).T)


method: Registry[Method] = Registry("method", __name__, entry_point_group="assay.rankers")
