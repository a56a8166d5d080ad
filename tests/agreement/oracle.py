"""The same random vectors for every comparison with SciPy: 20 batches of 900 groups, with ties and gaps."""

from __future__ import annotations

import numpy as np

from tests.agreement.twins import random_batch

__all__ = ["VECTORS", "by_size"]

_RANDOM = np.random.default_rng(2023)
VECTORS = [random_batch(_RANDOM, groups=900, items=int(_RANDOM.integers(5, 14))) for _ in range(20)]


def by_size(batch):
    """(rows, metric, human) of groups with equally many items whose scores vary on both sides, gaps closed."""
    for size in range(2, batch.mask.shape[1] + 1):
        rows = np.flatnonzero(batch.sizes == size)
        metric, human = (side[rows][batch.mask[rows]].reshape(-1, size) for side in (batch.metric, batch.human))
        varies = (np.ptp(metric, axis=1) > 0) & (np.ptp(human, axis=1) > 0)
        if varies.any():
            yield rows[varies], metric[varies], human[varies]
