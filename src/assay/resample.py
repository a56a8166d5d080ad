"""Which segments are drawn how often. Weights only: what they are applied to is not known here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay import _core
from assay.errors import ConfigError

__all__ = ["MOST_RESAMPLES", "MOST_SEED", "Bootstrap", "check_whole"]

MOST_RESAMPLES = 10**7
MOST_SEED = 2**64 - 1

_BLOCK_CELLS = 1 << 17  # half a megabyte of weights at a time: they stay in cache until they are used


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """`resamples` draws of `size` segments with replacement (default: as many as there are)."""

    resamples: int = 1000
    size: int | None = None
    seed: int = 12345

    def __post_init__(self) -> None:
        check_whole("resamples", self.resamples, 0, MOST_RESAMPLES)
        check_whole("seed", self.seed, 0, MOST_SEED)
        if self.size is not None:
            check_whole("size", self.size, 1, 2**32 - 1)

    def blocks(self, segments: int, *, threads: int) -> Iterator[npt.NDArray[np.uint32]]:
        """Weights (resample, segment) in blocks of resamples. Resample b is the same whatever the blocks or threads."""
        rows = max(1, _BLOCK_CELLS // segments)
        for first in range(0, self.resamples, rows):
            count = min(rows, self.resamples - first)
            yield _core.bootstrap_weights(first, count, segments, self.size or segments, self.seed, threads)


def check_whole(name: str, value: object, low: int, high: int) -> None:
    """That an option is a whole number within bounds."""
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise ConfigError(f"{name} must be a whole number between {low:,} and {high:,}, not {value}")
