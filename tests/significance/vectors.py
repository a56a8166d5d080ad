"""Pairs of samples for significance tests, the same in every run: ties, constants, tiny sizes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from assay.results import Comparison
from assay.significance import Test
from assay.types import Scorable

Pair = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]


def random_pairs(count: int, *, is_paired: bool, seed: int = 1) -> Iterator[Pair]:
    """Vectors of 0 to 60 values; a few are constant, equal to the other, or a constant away from it."""
    random = np.random.Generator(np.random.PCG64(seed))
    for _ in range(count):
        size = int(random.integers(0, 6 if random.random() < 0.3 else 60))
        other = size if is_paired else int(random.integers(0, 6 if random.random() < 0.3 else 60))
        levels = random.choice([1, 2, 5, 100, 0], p=[0.05, 0.1, 0.25, 0.3, 0.3])

        def values(number: int, levels: int = levels) -> npt.NDArray[np.float64]:
            if levels:
                return random.integers(0, levels, number).astype(np.float64) * random.choice([1.0, 0.1])
            return random.normal(size=number) * 10.0 ** random.integers(-3, 4)

        first, second = values(size), values(other)
        if is_paired and random.random() < 0.3:
            second = first + random.choice([0.0, 0.1, 1.0]) * random.integers(-1, 2, size)
        if random.random() < 0.05:
            second = first + random.choice([0.0, 0.1, 1.0])
        yield first, second


def compare(test: Test, first: npt.NDArray[np.float64], second: npt.NDArray[np.float64]) -> Comparison:
    """Two one-dimensional samples, each the segment values of a system."""
    return test.compare(Scorable.of_segments(first, ("first",)), Scorable.of_segments(second, ("second",)))
