"""Ways to rank systems by what people said, one file each."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from assay.people.comparisons import Comparisons
from assay.registry import Registry
from assay.types import FloatArray

__all__ = ["Method", "Scored", "method"]


@dataclass(frozen=True, slots=True)
class Scored:
    """A score for each system, and the same from judgements drawn anew: (draw, system). NaN: never compared."""

    scores: FloatArray
    drawn: FloatArray


class Method(ABC):
    """Scores systems by pairwise judgements; higher is better."""

    name: ClassVar[str]

    @abstractmethod
    def score(self, comparisons: Comparisons, *, draws: int, seed: int, threads: int) -> Scored:
        """Scores, and scores of `draws` resamples of the judgements."""


class CountingMethod(Method):
    """Scores that follow from how often each system beat or tied with each other."""

    @abstractmethod
    def from_counts(self, wins: FloatArray, ties: FloatArray) -> FloatArray:
        """Of each system, by (system, system) counts of wins of the row over the column, and of ties."""

    def score(self, comparisons: Comparisons, *, draws: int, seed: int, threads: int) -> Scored:
        """Whole rankings are drawn, so that judgements that belong together stay together."""
        from assay.resample import Bootstrap

        scores = self.from_counts(*comparisons.wins())
        drawn = [
            self.from_counts(*comparisons.wins(weights))
            for block in Bootstrap(draws, None, seed).blocks(comparisons.rankings, threads=threads)
            for weights in block
        ]
        return Scored(scores, np.array(drawn).reshape(len(drawn), len(scores)))


method: Registry[Method] = Registry("method", __name__, entry_point_group="assay.rankers")
