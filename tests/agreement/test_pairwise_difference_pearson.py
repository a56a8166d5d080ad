"""The correlation of differences."""

from __future__ import annotations

import numpy as np
import pytest

from assay.agreement.pairwise_difference_pearson import PairwiseDifferencePearson
from assay.agreement.pearson import Pearson
from tests.agreement.twins import batch_of, random_batch


def test_known_values():
    """From mt-metrics-eval's tests: by item .926, none .776, by system .766."""
    human, metric = np.arange(1.0, 7).reshape(2, 3), np.array([[2.0, 1, 4], [3, 3, 7]])
    for sides, value in (
        ((metric.T, human.T), 0.926),
        ((metric.ravel(), human.ravel()), 0.776),
        ((metric, human), 0.766),
    ):
        found = PairwiseDifferencePearson().compute(batch_of(*sides))
        assert found.values == pytest.approx([value], abs=5e-4)


def test_of_one_group_it_is_pearson():
    batch = random_batch(np.random.default_rng(2), groups=1, items=30, kind="real")
    pooled, plain = (s.compute(batch).values[0] for s in (PairwiseDifferencePearson(), Pearson()))
    assert pooled == pytest.approx(plain, abs=1e-14)


@pytest.mark.parametrize("scale", [1e-150, 1e150, 1e307])
def test_scales(scale):
    batch = batch_of(scale * np.array([[1, 2, 3], [1, 1, 0.5]]), [[1, 2, 4], [0, 0, 1]])
    plain = batch_of([[1, 2, 3], [1, 1, 0.5]], [[1, 2, 4], [0, 0, 1]])
    found, expected = (PairwiseDifferencePearson().compute(b).values for b in (batch, plain))
    assert found == pytest.approx(expected, rel=1e-13)


def test_weighs_its_pairs():
    assert PairwiseDifferencePearson().compute(batch_of([[1, 2, 3], [1, 2, np.nan]], np.eye(3)[:2])).weights == [4]
