"""The option `exact_ties`, against slow programs that follow the definitions in exact arithmetic."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from assay.agreement import Batch, statistic
from assay.agreement.tie_classes import TOLERANCE

NEAR = 1 + TOLERANCE / 8  # scores that differ by this factor differ by rounding only


def groups(seed, rows=12, items=7):
    """Scores with ties and with near-ties, some cells missing."""
    random = np.random.Generator(np.random.PCG64(seed))
    metric = random.integers(1, 5, size=(rows, items)) * np.where(random.random((rows, items)) < 0.4, NEAR, 1.0)
    human = random.integers(1, 4, size=(rows, items)) * np.where(random.random((rows, items)) < 0.2, NEAR, 1.0)
    return metric, human, random.random((rows, items)) < 0.9


def pairs(metric, human, mask):
    for x, y, has in zip(metric.tolist(), human.tolist(), mask.tolist(), strict=True):
        cells = [(a, b) for a, b, given in zip(x, y, has, strict=True) if given]
        if len(cells) > 1:
            yield [(one[0] - two[0], one[1] - two[1]) for one, two in combinations(cells, 2)]


def accuracy(found, epsilon):
    """The mean over groups of the share of pairs that the metric orders, or ties within epsilon, as people do."""
    shares = []
    for group in found:
        order = [(0 if abs(x) <= epsilon else 1 if x > 0 else -1, (y > 0) - (y < 0)) for x, y in group]
        shares.append(Fraction(sum(x == y for x, y in order), len(order)))
    return sum(shares) / len(shares)


def best(found):
    """The highest accuracy, and the smallest epsilon that has it: 0, or a difference of two scores of a group."""
    candidates = {0.0, *(abs(x) for group in found for x, _ in group)}
    value = max(accuracy(found, epsilon) for epsilon in candidates)
    return value, min(epsilon for epsilon in candidates if accuracy(found, epsilon) == value)


@pytest.mark.parametrize("seed", range(40))
def test_acc_star_with_exact_ties_is_the_best_of_all_thresholds(seed):
    metric, human, mask = groups(seed)
    value, epsilon = best(list(pairs(metric, human, mask)))
    found = statistic.create("acc-star:exact_ties=yes").compute(Batch(metric, human, mask))
    assert found.mean() == pytest.approx(float(value), abs=1e-12)
    assert float(dict(found.details)["epsilon"]) == epsilon
    tau = statistic.create("tau-star:exact_ties=yes").compute(Batch(metric, human, mask))
    assert tau.mean() == pytest.approx(2 * float(value) - 1, abs=1e-12)


def test_rounding_decides_only_with_exact_ties():
    """A difference in the twelfth digit: a tie of both sides by default, and an order with exact ties."""
    metric, human, mask = np.array([[1.0, NEAR, 2.0]]), np.array([[NEAR, 1.0, 2.0]]), np.ones((1, 3), dtype=bool)
    batch = Batch(metric, human, mask)
    expected = {
        "acc23": (1.0, 2 / 3),
        "tau23": (1.0, 1 / 3),
        "acc-star": (1.0, 2 / 3),
        "kendall:variant=a": (2 / 3, 1 / 3),
        "kendall": (1.0, 1 / 3),
        "kendall:variant=c": (8 / 9, 1 / 3),
        "kendall-wmt13": (1.0, 1 / 3),
        "spearman": (1.0, 0.5),
        "pairwise-accuracy": (1.0, 2 / 3),
        "kendall-like:threshold=0,tolerance=0": (1.0, 1 / 3),
    }
    for spec, values in expected.items():
        exact = f"{spec}{',' if ':' in spec else ':'}exact_ties=yes"
        found = tuple(statistic.create(each).compute(batch).mean() for each in (spec, exact))
        assert found == pytest.approx(values), spec


@pytest.mark.parametrize("seed", range(5))
def test_exact_ties_change_nothing_where_no_scores_are_near_each_other(seed):
    random = np.random.Generator(np.random.PCG64(seed))
    metric, human = random.integers(0, 6, size=(2, 9, 8)).astype(float)
    batch = Batch(metric, human, np.ones((9, 8), dtype=bool))
    for spec in ("acc23", "acc-star", "tau-star", "kendall", "spearman", "kendall-wmt14", "pairwise-accuracy"):
        plain, exact = (statistic.create(each).compute(batch) for each in (spec, f"{spec}:exact_ties=yes"))
        np.testing.assert_array_equal(plain.values, exact.values)
        assert plain.details == exact.details


def test_intervals_follow_the_rule():
    metric, human, mask = groups(3)
    draws = np.ones((2, len(mask)), dtype=np.uint32)
    star = statistic.create("acc-star:exact_ties=yes")
    batch = Batch(metric, human, mask)
    resampled = star.resampler(batch, 1)(draws)
    np.testing.assert_allclose(resampled, np.broadcast_to(star.compute(batch).values, resampled.shape))
