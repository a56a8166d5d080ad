"""What a metric that knows nothing reaches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from assay.agreement import Batch, Statistic, Values
from assay.agreement.acc23 import Acc23
from assay.agreement.acc_star import AccStar
from assay.agreement.chance import _random_scores, chance_level, random_bound
from assay.agreement.pearson import Pearson
from assay.errors import ConfigError
from tests.agreement.twins import batch_of, random_batch


def test_correlations_have_none():
    batch = random_batch(np.random.default_rng(1), groups=300, items=8, kind="real")
    chance = chance_level(Pearson(), batch, 50)
    assert chance.mean == pytest.approx(0.0, abs=0.02)
    assert 0 < chance.standard_deviation < 0.1
    assert chance.metrics == 50


def test_people_who_tie_often_are_easily_guessed():
    """Three of four pairs are tied by people: calling every pair a tie is right about them."""
    human = np.tile([0, 0, 0, 0, 0, 0, 0, 1.0], (200, 1))
    metric = np.random.default_rng(2).normal(size=human.shape)
    batch = Batch(metric, human, np.ones(human.shape, dtype=bool))
    assert chance_level(AccStar(), batch, 5).mean == pytest.approx(0.75, abs=0.01)
    assert chance_level(Acc23(), batch, 5).mean == pytest.approx(0.125, abs=0.02)


def test_shuffles_within_groups_and_around_gaps():
    batch = random_batch(np.random.default_rng(3), groups=50, items=9, kind="real")
    shuffled = _random_scores(batch, None, np.random.default_rng(0))
    for mask, before, after in zip(batch.mask, batch.metric, shuffled, strict=True):
        assert sorted(before[mask]) == sorted(after[mask])
    assert not np.array_equal(shuffled, batch.metric)


def test_same_seed_same_level():
    batch = random_batch(np.random.default_rng(4), items=6)
    first, second, other = (chance_level(AccStar(), batch, 3, seed) for seed in (1, 1, 2))
    assert first == second != other


def test_undefined():
    chance = chance_level(Pearson(), batch_of([1, 2, 3], [1, 1, 1]), 3)
    assert np.isnan(chance.mean)
    assert chance.reason == "the metric or the human scores are constant"
    with pytest.raises(ConfigError, match="random metrics"):
        chance_level(Pearson(), batch_of([1, 2], [1, 2]), 0)


def test_one_draw_has_no_deviation():
    assert np.isnan(chance_level(Pearson(), batch_of([1, 2, 3], [1, 3, 2]), 1).standard_deviation)


def test_an_output_has_one_score_in_all_its_groups():
    """The same two outputs judged alike a hundred times: all right, or all wrong."""
    human = np.tile([1.0, 2.0], (100, 1))
    batch = Batch(np.zeros(human.shape), human, np.ones(human.shape, dtype=bool))
    same = np.tile([0, 1], (100, 1))
    assert chance_level(Acc23(), batch, 200, outputs=same).standard_deviation == pytest.approx(0.5, abs=0.01)
    own = np.arange(200).reshape(100, 2)
    assert chance_level(Acc23(), batch, 200, outputs=own).standard_deviation == pytest.approx(0.05, abs=0.01)


def test_a_pooled_statistic_is_joint():
    @dataclass(frozen=True)
    class Pooled(Statistic):
        is_pooled = True

        def compute(self, batch):
            return Values(np.array([batch.metric.mean()]), np.ones(1), "undefined")

    assert Pooled.is_joint
    batch = random_batch(np.random.default_rng(1), groups=7, items=5, kind="real")
    assert chance_level(Pooled(), batch, 3).metrics == 3


@pytest.mark.parametrize(("systems", "bound"), [(4, 0.950), (7, 0.754), (14, 0.532)])
def test_critical_values_of_pearson(systems, bound):
    """Two-sided, 5 %: as in any table of critical values."""
    assert random_bound(systems) == pytest.approx(bound, abs=0.0005)


def test_random_metrics_fall_between_the_bounds():
    draws = np.random.default_rng(1).normal(size=(2, 4000, 7))
    centred = draws - draws.mean(axis=2, keepdims=True)
    r = (centred[0] * centred[1]).sum(axis=1) / np.sqrt((centred**2).sum(axis=2).prod(axis=0))
    assert np.mean(np.abs(r) <= random_bound(7)) == pytest.approx(0.95, abs=0.01)
