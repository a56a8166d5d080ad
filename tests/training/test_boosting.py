from __future__ import annotations

import numpy as np

from assay.training.boosting import STAGES, boosted_trees


def preferences(value, x, *, pairs=3000, seed=1):
    random = np.random.default_rng(seed)
    first, second = random.integers(len(x), size=(2, pairs))
    first, second = first[value[first] != value[second]], second[value[first] != value[second]]
    is_first = value[first] > value[second]
    return np.where(is_first, first, second), np.where(is_first, second, first)


def score(trees, x):
    return sum(tree(x) for tree in trees)


def test_trees_find_what_no_weighted_sum_can():
    """The best output is the one whose second number is near zero."""
    x = np.random.default_rng(2).normal(size=(500, 2))
    value = -np.abs(x[:, 1])
    better, worse = preferences(value, x)
    trees = boosted_trees(x, better, worse, (0, 0))
    assert len(trees) <= STAGES[-1]
    scores = score(trees, x)
    assert (scores[better] > scores[worse]).mean() > 0.97


def test_a_feature_with_a_direction_never_lowers_the_score():
    """Although people prefer low values of the first feature between -1 and 0."""
    random = np.random.default_rng(4)
    x = random.normal(size=(800, 2))
    value = np.where((x[:, 0] > -1) & (x[:, 0] < 0), -x[:, 0], x[:, 0]) + 0.5 * x[:, 1]
    better, worse = preferences(value, x)
    grid = np.linspace(-3, 3, 200)
    for other in (-1.0, 0.0, 1.0):
        rows = np.stack([grid, np.full(200, other)], axis=1)
        rising = score(boosted_trees(x, better, worse, (1, 0)), rows)
        assert (np.diff(rising) >= 0).all()
    free = score(boosted_trees(x, better, worse, (0, 0)), rows)
    assert (np.diff(free) < 0).any()


def test_without_anything_to_split_there_are_no_trees():
    x = np.ones((50, 2))
    better, worse = np.arange(25), np.arange(25, 50)
    assert boosted_trees(x, better, worse, (1, 1)) == []


def test_equal_features_are_split_at_the_first():
    x = np.repeat(np.random.default_rng(5).normal(size=(300, 1)), 2, axis=1)
    better, worse = preferences(x[:, 0], x)
    trees = boosted_trees(x, better, worse, (1, 1))
    assert {number for tree in trees for number in tree.feature} == {-1, 0}
