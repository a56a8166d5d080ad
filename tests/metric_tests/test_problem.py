"""Metrics on one scale, and thresholds fitted to one of them."""

from __future__ import annotations

import numpy as np
import pytest

from assay.agreement import statistic
from assay.agreement.acc23 import Acc23
from assay.agreement.tau23 import Tau23
from assay.metric_tests.problem import Problem, fitted, has_threshold
from tests.metric_tests.twins import made_up


def problem(spec="pearson", level="segment", grouping="none", **options):
    cells = made_up(1, metrics=2, systems=4, segments=6, missing=[(0, 2)])
    created = statistic.create(spec)
    return Problem.of(cells, [0, 1], (created, created), cells.mask[0], level, grouping, False, **options)


def test_each_metric_is_standardised():
    scores = problem().swappable[:, problem().mask]
    assert scores.mean(axis=1) == pytest.approx([0, 0])
    assert scores.std(axis=1) == pytest.approx([1, 1])


def test_constant_metrics_become_zero():
    constant = problem()
    constant.metrics[0] = 2.0
    assert (constant.swappable[0] == 0).all()


def test_n_counts_cells_or_systems():
    assert problem().n == 23
    assert problem(level="system").n == 4


@pytest.mark.parametrize(("spec", "kind"), [("acc-star", Acc23), ("tau-star", Tau23)])
def test_thresholds_are_fitted(spec, kind):
    both = problem(spec, grouping="item")
    one = Problem(both.metrics[:1], both.human, both.mask, both.statistics[:1], "segment", "item", False)
    chosen = fitted(one)
    assert isinstance(chosen, kind)
    assert np.isclose(chosen.compute(one.batch(one.metrics[0])).mean(), one.values[0])


def test_other_statistics_stay_as_they_are():
    one = Problem(
        problem().metrics[:1], problem().human, problem().mask, (statistic.create("kendall"),), "segment", "item", False
    )
    assert fitted(one) is one.statistics[0]
    assert not has_threshold(statistic.create("acc23"))
    assert has_threshold(statistic.create("acc23:epsilon=0.5"))
