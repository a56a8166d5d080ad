"""Bootstrap weights: how often each segment is drawn in each resample."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay import _core
from assay.errors import ConfigError
from assay.runtime import Runtime

__all__ = ["MAX_RESAMPLES", "MAX_SEED", "Bootstrap", "check_integer"]

MAX_RESAMPLES = 10**7
MAX_SEED = 2**64 - 1

_BLOCK_CELLS = 1 << 17  # half a megabyte of weights at a time, so that they stay in the processor's cache


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """`resamples` resamples of `size` segments, drawn with replacement (default: all segments)."""

    resamples: int = 1000
    size: int | None = None
    seed: int = 12345

    def __post_init__(self) -> None:
        check_integer("resamples", self.resamples, 0, MAX_RESAMPLES)
        check_integer("seed", self.seed, 0, MAX_SEED)
        if self.size is not None:
            check_integer("size", self.size, 1, 2**32 - 1)

    def blocks(self, segments: int, runtime: Runtime) -> Iterator[npt.NDArray[np.uint32]]:
        """Weights (resample, segment) in blocks of resamples. A resample depends on neither blocks nor threads."""
        rows = max(1, _BLOCK_CELLS // segments)
        for first in range(0, self.resamples, rows):
            count = min(rows, self.resamples - first)
            yield _core.bootstrap_weights(first, count, segments, self.size or segments, self.seed, runtime.threads)


def check_integer(name: str, value: object, low: int, high: int) -> None:
    """Raise unless an option is an integer within bounds."""
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise ConfigError(f"{name} must be an integer between {low:,} and {high:,}, not {value}")
