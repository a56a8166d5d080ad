"""Pearson, Spearman and Kendall b and c against SciPy, vector by vector, with ties and with gaps on either side.

Where SciPy's rounding is the worse one (scores that share an offset), exact arithmetic takes its place.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import stats

from assay import ScoreTable, agree
from assay.agreement import statistic
from tests.agreement.twins import batch_of, exact_correlation, members

SIZES = {2: 300, 3: 500, 5: 1000, 9: 1300, 16: 1100, 40: 600, 150: 160, 700: 40}  # items: vectors; 5,000 in all
ORACLES = {
    "pearson": stats.pearsonr,
    "spearman": stats.spearmanr,
    "kendall": lambda x, y: kendall(x, y, "b"),
    "kendall:variant=c": lambda x, y: kendall(x, y, "c"),
}


def kendall(x, y, variant):
    """The way to the p-value, which does not matter here, is the quicker one."""
    return stats.kendalltau(x, y, variant=variant, method="asymptotic" if len(x) > 2 else "exact")


def scipy_value(spec, x, y):
    """NaN also for a vector that SciPy refuses."""
    if len(x) < 2:
        return np.nan
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of vectors that are constant, or nearly so
        return float(ORACLES[spec](np.array(x), np.array(y)).statistic)


def random_sides(random, rows, items):
    """Metric and people: whole numbers, tenths or reals on each side by itself, each with its own gaps."""
    sides = []
    for _ in range(2):
        levels = random.choice([2, 4, 9, 10**6], size=(rows, 1))
        side = np.floor(random.random((rows, items)) * levels) / random.choice([1, 10, 7], size=(rows, 1))
        side[random.random(side.shape) < random.choice([0.0, 0.1, 0.4], size=(rows, 1))] = np.nan
        sides.append(side)
    return sides


def compared(spec, metric, human):
    """The largest difference from SciPy, and how many vectors have a value."""
    batch = batch_of(metric, human)
    found = statistic.create(spec).compute(batch).values
    expected = np.array([scipy_value(spec, x, y) for x, y, _ in members(batch)])
    np.testing.assert_array_equal(np.isnan(found), np.isnan(expected))
    defined = ~np.isnan(expected)
    return np.abs(found - expected)[defined].max(initial=0.0), int(defined.sum())


@pytest.mark.parametrize("spec", ORACLES)
def test_vector_by_vector(spec):
    """Four times 5,000 vectors, of which more than 4,000 each have a value; the others have none in SciPy either."""
    random = np.random.default_rng(2023)
    results = [compared(spec, *random_sides(random, rows, items)) for items, rows in SIZES.items()]
    differences, counts = zip(*results, strict=True)
    assert max(differences) <= 1e-12
    assert sum(counts) > 4000


@pytest.mark.parametrize("spec", ORACLES)
def test_as_a_user_asks(spec):
    """`assay.agree` at the system level: 100 campaigns of 12 systems, some without a score on one side."""
    random = np.random.default_rng(7)
    names = tuple(f"system{k:02}" for k in range(12))
    for metric, human in zip(*random_sides(random, 100, 12), strict=True):
        tables = (
            ScoreTable("m", "system", names, metric[:, np.newaxis]),
            ScoreTable("h", "system", names, human[:, np.newaxis], protocol="DA-z"),
        )
        both = ~np.isnan(metric) & ~np.isnan(human)
        found = agree(*tables, spec, resamples=0)
        assert found.value == pytest.approx(scipy_value(spec, metric[both], human[both]), abs=1e-12, nan_ok=True)
        assert len(found.systems) == both.sum()


@pytest.mark.parametrize("offset", [1e3, 1e6, 1e9, 1e12])
def test_offsets(offset):
    """Against exact fractions an offset costs ours nothing; SciPy 1.17 is off by 4e-12 at 1e9 and by 2e-6 at 1e12."""
    random = np.random.default_rng(int(np.log10(offset)))
    for items in (3, 10, 60):
        metric, human = random_sides(random, 60, items)
        batch = batch_of(metric + offset, human)
        exact = [exact_correlation(x, y) for x, y, _ in members(batch)]
        found = statistic.create("pearson").compute(batch).values
        np.testing.assert_allclose(found, exact, rtol=0, atol=1e-15)
