"""Soft pairwise accuracy against all sign vectors, its invariances, and gaps."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from assay import _core
from assay.agreement import Batch
from assay.agreement.soft_pairwise_accuracy import SoftPairwiseAccuracy
from assay.errors import ConfigError

HUMAN, METRIC = np.array([[1.0, 2, 3], [2, 3, 4]]), np.array([[2.0, 2, 4], [1, 3, 5]])


def spa(metric, human, pairs=None, **options):
    """Value, number of pairs and reason; scores (system, segment), NaN: none."""
    metric, human = np.asarray(metric).T, np.asarray(human).T
    batch = Batch(metric, human, ~np.isnan(metric + human), pairs)
    found = SoftPairwiseAccuracy(**options).compute(batch)
    return found.values[0], found.weights[0], found.reason


def p_better(scores, **options):
    statistic = SoftPairwiseAccuracy(**options)
    mask = ~np.isnan(scores)
    coins = _core.swap_weights(0, statistic.resamples, scores.shape[1], statistic.seed, 1)
    return statistic.p_better(np.where(mask, scores, 0.0), mask, coins)


def slow(metric, human, resamples, seed, equal=0.5):
    """Draw by draw, pair by pair, with the core's coins."""
    coins = _core.swap_weights(0, resamples, metric.shape[1], seed, 1)
    gaps = []
    for i, j in combinations(range(len(metric)), 2):
        both = ~np.isnan(metric[i] + metric[j] + human[i] + human[j])
        if not both.any():
            continue
        p = []
        for side in (metric, human):
            difference = (side[i] - side[j])[both]
            nulls = [((1 - 2.0 * coin[both]) * difference).sum() for coin in coins]
            above = [n > difference.sum() + 1e-9 for n in nulls]
            same = [abs(n - difference.sum()) <= 1e-9 for n in nulls]
            p.append((sum(above) + equal * sum(same)) / resamples)
        gaps.append(abs(p[0] - p[1]))
    return (1 - np.mean(gaps) if gaps else np.nan), len(gaps)


def scores(random, systems=5, segments=30, gaps=0.0):
    human = np.round(random.normal(size=(systems, segments)), 1)
    metric = human + random.normal(size=human.shape)
    metric[random.random(human.shape) < gaps] = np.nan
    human[random.random(human.shape) < gaps] = np.nan
    return metric, human


@pytest.mark.parametrize("gaps", [0.0, 0.3, 0.9])
def test_equals_its_slow_twin(gaps):
    random = np.random.default_rng(5)
    for seed in range(4):
        metric, human = scores(random, gaps=gaps)
        for ties, equal in (("half", 0.5), ("at-least", 1.0)):
            value, pairs, _ = spa(metric, human, resamples=60, seed=seed, ties=ties)
            expected, count = slow(metric, human, 60, seed, equal)
            assert value == pytest.approx(expected, abs=1e-12, nan_ok=True)
            assert pairs == count


def test_known_value():
    """mt-metrics-eval gives .872 with 1000 of its resamples; all eight sign vectors, with ties in full, give .875."""
    assert spa(METRIC, HUMAN, resamples=100_000, ties="at-least")[0] == pytest.approx(0.875, abs=0.005)
    assert spa(METRIC, HUMAN, resamples=100_000)[0] == pytest.approx(0.75, abs=0.005)


def test_a_worked_example():
    """a beats b by .6 on each of five segments: of 32 sign vectors one reaches the sum, and is equal to it."""
    scores = np.array([[0.8, 0.9, 0.7, 1, 0.6], [0.2, 0.3, 0.1, 0.4, 0]])
    assert p_better(scores, resamples=100_000, ties="at-least")[0, 1] == pytest.approx(1 / 32, abs=0.003)
    assert spa(scores, scores)[0] == 1.0


def test_the_order_of_systems_does_not_matter():
    metric, human = scores(np.random.default_rng(6), gaps=0.1)
    order = [3, 1, 4, 0, 2]
    assert spa(metric, human)[0] == pytest.approx(spa(metric[order], human[order])[0], abs=1e-15)
    above = np.triu_indices(5, 1)
    p = p_better(metric)
    np.testing.assert_allclose((p + p.T)[above], 1.0)
    np.testing.assert_array_equal(p[np.ix_(order, order)], p_better(metric[order]))


def test_a_metric_that_is_people_and_one_that_is_their_opposite():
    human = np.cumsum(np.ones((4, 40)), axis=0)
    assert spa(human, human)[0] == 1.0
    assert spa(-human, human)[0] == pytest.approx(0.0, abs=1e-3)


def test_identical_systems_are_even():
    assert (p_better(np.ones((2, 3)))[[0, 1], [1, 0]] == 0.5).all()


def test_chosen_pairs():
    metric, human = scores(np.random.default_rng(7), systems=3)
    chosen = np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0]], dtype=bool)
    value, pairs, _ = spa(metric, human, pairs=chosen)
    assert pairs == 1
    assert value == spa(metric[:2], human[:2])[0]


def test_undefined_and_refused():
    value, pairs, reason = spa([[1.0, np.nan], [np.nan, 1.0]], HUMAN[:, :2])
    assert np.isnan(value)
    assert (pairs, reason) == (0, "no two systems that count have a segment in common")
    assert np.isnan(spa(METRIC[:1], HUMAN[:1])[0])
    with pytest.raises(ConfigError, match="resamples"):
        SoftPairwiseAccuracy(resamples=0)


@pytest.mark.parametrize("gaps", [0.0, 0.2])
@pytest.mark.parametrize(("offset", "unit"), [(1e8, 1.0), (1e12, 1.0), (0.0, 1e-12), (1e8, 1e-12), (-1e12, 1e3)])
def test_neither_large_nor_small_scores_look_equal(offset, unit, gaps):
    metric, human = scores(np.random.default_rng(8), segments=200, gaps=gaps)
    human += np.random.default_rng(9).normal(size=human.shape)
    plain = spa(metric, human)[0]
    assert 0.5 < plain < 0.95
    moved = [(offset + side) * unit for side in (metric, human)]
    assert spa(*moved)[0] == pytest.approx(plain, abs=0.002)


def test_with_and_without_gaps_is_one_computation():
    """A segment that one system lacks makes every pair of the others be computed another way: the same p."""
    random = np.random.default_rng(10)
    for kind in range(40):
        values = random.integers(0, 4, size=(4, 12)) / (10.0, 3.0, 1.0, 1e9)[kind % 4] + (0.0, 1e6)[kind % 2]
        gappy = np.vstack([values, np.where(np.arange(12) < 6, values[0], np.nan)])
        np.testing.assert_array_equal(p_better(values, resamples=300), p_better(gappy, resamples=300)[:4, :4])


@pytest.mark.parametrize("gaps", [0.0, 0.3])
def test_the_monte_carlo_error_is_the_spread_over_seeds(gaps):
    random = np.random.Generator(np.random.PCG64(8))
    quality = 0.1 * random.normal(size=8)
    metric, human = (quality + random.normal(size=(120, 8)) for _ in range(2))
    batch = Batch(metric.round(1), human.round(1), random.random((120, 8)) >= gaps)
    found = [SoftPairwiseAccuracy(seed=seed).compute(batch) for seed in range(60)]
    errors = [float(dict(values.details)["monte_carlo_error"]) for values in found]
    spread = np.std([values.values[0] for values in found], ddof=1)
    assert np.mean(errors) == pytest.approx(spread, rel=0.3)
    more = SoftPairwiseAccuracy(resamples=4000).compute(batch)
    assert float(dict(more.details)["monte_carlo_error"]) == pytest.approx(np.mean(errors) / 2, rel=0.2)
    assert SoftPairwiseAccuracy(resamples=1).compute(batch).details == ()


def test_the_signs_of_mt_metrics_eval():
    """Its signs come from 32-bit random numbers of numpy's default generator, seed 4, over the segments with scores."""
    random = np.random.Generator(np.random.PCG64(2))
    metric, human = random.normal(size=(2, 30, 4))
    mask = np.ones((30, 4), dtype=bool)
    mask[7] = mask[20] = False
    options = {"signs": "mtme", "seed": 4, "ties": "at-least", "resamples": 50}
    found = SoftPairwiseAccuracy(**options).compute(Batch(metric, human, mask))
    kept = mask[:, 0]
    is_plus = np.random.default_rng(4).random((50, int(kept.sum())), dtype=np.float32) > 0.5

    def p_values(scores):
        gaps = [scores[kept, i] - scores[kept, j] for i, j in combinations(range(4), 2)]
        return np.array([np.mean([np.where(row, gap, -gap).sum() >= gap.sum() for row in is_plus]) for gap in gaps])

    assert found.mean() == pytest.approx(1 - np.abs(p_values(metric) - p_values(human)).mean(), abs=1e-12)
