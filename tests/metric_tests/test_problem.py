"""Metrics on one scale, and thresholds fitted to one of them."""

from __future__ import annotations

import numpy as np
import pytest

from assay.agreement import statistic
from assay.agreement.acc23 import Acc23
from assay.agreement.tau23 import Tau23
from assay.metric_tests.problem import Problem
from tests.metric_tests.twins import made_up


def problem(spec="pearson", level="segment", grouping="none"):
    cells = made_up(1, metrics=2, systems=4, segments=6, missing=[(0, 2)])
    created = statistic.create(spec)
    return Problem.of(cells, [0, 1], (created, created), cells.mask[0], level, grouping, False)


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
def test_thresholds_are_calibrated(spec, kind):
    both = problem(spec, grouping="item")
    batch = both.batch(both.metrics[0])
    calibrated = both.statistics[0].calibrated(batch)
    assert isinstance(calibrated, kind)
    assert np.isclose(calibrated.compute(batch).mean(), both.values[0])
    given = statistic.create(f"{spec}:epsilon=0.25")
    assert given.calibrated(batch) == kind(0.25)


def test_other_statistics_stay_as_they_are():
    kendall = statistic.create("kendall")
    assert kendall.calibrated(problem("kendall").batch(problem().metrics[0])) is kendall
    assert not statistic.create("acc23").has_threshold
    assert statistic.create("acc23:epsilon=0.5").has_threshold
