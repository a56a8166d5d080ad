"""Which segments are drawn how often. Weights only: what they are applied to is not known here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay import _core
from assay.errors import ConfigError

__all__ = ["Bootstrap"]

_BLOCK_CELLS = 1 << 17  # half a megabyte of weights at a time: they stay in cache until they are used


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """`resamples` draws of `size` segments with replacement (default: as many as there are)."""

    resamples: int = 1000
    size: int | None = None
    seed: int = 12345

    def __post_init__(self) -> None:
        if self.resamples < 0:
            raise ConfigError(f"resamples must not be negative, not {self.resamples}")
        if self.size is not None and self.size < 1:
            raise ConfigError(f"size must be at least 1, not {self.size}")
        if not 0 <= self.seed < 2**64:
            raise ConfigError(f"seed must be between 0 and 2^64 - 1, not {self.seed}")

    def blocks(self, segments: int, *, threads: int) -> Iterator[npt.NDArray[np.uint32]]:
        """Weights (resample, segment) in blocks of resamples. Resample b is the same whatever the blocks or threads."""
        rows = max(1, _BLOCK_CELLS // segments)
        for first in range(0, self.resamples, rows):
            count = min(rows, self.resamples - first)
            yield _core.bootstrap_weights(first, count, segments, self.size or segments, self.seed, threads)
