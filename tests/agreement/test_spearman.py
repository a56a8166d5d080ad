"""Spearman's correlation against SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from assay.agreement.spearman import Spearman
from tests.agreement.oracle import VECTORS, by_size
from tests.agreement.twins import batch_of


@pytest.mark.slow
def test_equals_scipy():
    """spearmanr is pearsonr of rankdata, which take many vectors at once; some go to spearmanr itself."""
    compared = 0
    for batch, found in ((b, Spearman().compute(b).values) for b in VECTORS):
        for rows, metric, human in by_size(batch):
            ranks = stats.rankdata(metric, axis=1), stats.rankdata(human, axis=1)
            np.testing.assert_allclose(found[rows], stats.pearsonr(*ranks, axis=1).statistic, rtol=0, atol=1e-12)
            for row, x, y in list(zip(rows, metric, human, strict=True))[:5]:
                assert found[row] == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-12)
            compared += len(rows)
    assert compared > 15_000


def test_long_vectors():
    random = np.random.default_rng(3)
    x, y = random.integers(0, 50, (2, 20_000)).astype(float)
    assert Spearman().compute(batch_of(x, y)).values[0] == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-12)


def test_a_worked_example():
    """Ranks 1, 2.5, 2.5, 4 and 1, 2, 3, 4: 4.5 / sqrt(4.5 * 5)."""
    assert Spearman().compute(batch_of([1, 7, 7, 9], [1, 2, 3, 100])).values[0] == pytest.approx(4.5 / 22.5**0.5)
