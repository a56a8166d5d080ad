"""Kendall's tau against SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from assay.agreement import Batch, statistic
from assay.agreement.kendall import Kendall
from assay.errors import ConfigError
from tests.agreement.oracle import VECTORS, by_size
from tests.agreement.twins import batch_of


@pytest.mark.slow
@pytest.mark.parametrize(("variant", "batches", "at_least"), [("b", 4, 3_000), ("c", 2, 1_500)])
def test_equals_scipy(variant, batches, at_least):
    compared = 0
    for batch in VECTORS[:batches]:
        found = Kendall(variant).compute(batch).values
        for rows, metric, human in by_size(batch):
            for row, x, y in zip(rows, metric, human, strict=True):
                method = "asymptotic" if len(x) > 2 else "exact"  # of the p-value, which takes most of the time
                expected = stats.kendalltau(x, y, variant=variant, method=method).statistic
                assert abs(found[row] - expected) <= 1e-12
            compared += len(rows)
    assert compared > at_least


@pytest.mark.parametrize("variant", ["b", "c"])
@pytest.mark.parametrize("levels", [7, 10**9])
def test_long_vectors(variant, levels):
    random = np.random.default_rng(4)
    x, y = random.integers(0, levels, (2, 30_000)).astype(float)
    expected = stats.kendalltau(x, y, variant=variant).statistic
    assert Kendall(variant).compute(batch_of(x, y)).values[0] == pytest.approx(expected, abs=1e-12)


def test_known_values():
    """From mt-metrics-eval's tests."""
    human, metric = np.arange(1.0, 7).reshape(2, 3), np.array([[2.0, 1, 4], [3, 3, 7]])
    for variant, none, system in (("b", 0.552, 0.575), ("c", 0.556, 0.611)):
        assert Kendall(variant).compute(batch_of(metric.ravel(), human.ravel())).values[0] == pytest.approx(
            none, abs=5e-4
        )
        assert Kendall(variant).compute(batch_of(metric, human)).values.mean() == pytest.approx(system, abs=5e-4)
        assert Kendall(variant).compute(batch_of(metric.T, human.T)).values.tolist() == [1.0, 1.0, 1.0]
    pair = batch_of([2, 1, 1.5, 5, 3], [1, 2, 2, 3, 4])
    assert Kendall("b").compute(pair).values[0] == pytest.approx(0.316227766, abs=1e-9)
    assert Kendall("c").compute(pair).values[0] == pytest.approx(0.32, abs=1e-15)
    assert Kendall("a").compute(pair).values[0] == pytest.approx(0.3, abs=1e-15)


def test_all_tied():
    for variant, is_undefined in (("a", False), ("b", True), ("c", True)):
        values = Kendall(variant).compute(batch_of([1, 1, 1], [1, 2, 3]))
        assert np.isnan(values.values[0]) == is_undefined
    assert "all pairs are tied" in values.reason


def test_variants_are_a_b_and_c():
    with pytest.raises(ConfigError, match="a, b or c"):
        statistic.create("kendall:variant=d")


@pytest.mark.parametrize("name", ["kendall", "pearson", "spearman"])
def test_undefined_groups_may_count_as_zero(name):
    """As mt-metrics-eval with replace_nans_with_zeros: constant groups are 0, groups of one item are left out."""
    metric = np.array([[1.0, 2.0, 3.0], [1.0, 1.0, 1.0], [1.0, 0.0, 0.0]])
    human = np.tile([1.0, 2.0, 3.0], (3, 1))
    mask = np.array([[True] * 3, [True] * 3, [True, False, False]])
    skipped, as_zero = (
        statistic.create(spec).compute(Batch(metric, human, mask)) for spec in (name, f"{name}:nan_groups=zero")
    )
    assert (skipped.mean(), as_zero.mean()) == (pytest.approx(1.0), pytest.approx(0.5))
    assert dict(as_zero.details) == {"undefined_as_zero": "1"}
    assert statistic.spec(statistic.create(f"{name}:nan_groups=skip")) == name
