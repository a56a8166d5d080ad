"""Metrics on one scale, and thresholds fitted to one of them."""

from __future__ import annotations

from dataclasses import replace

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
    return Problem.of(cells, next(cells.comparable()), (created, created), level, grouping, False)


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


def test_systems_and_columns_without_a_cell_are_trimmed():
    cells = made_up(
        1, metrics=2, systems=4, segments=6, missing=[(0, k) for k in range(6)] + [(k, 2) for k in range(4)]
    )
    given = Problem.of(cells, next(cells.comparable()), (statistic.create("pearson"),) * 2, "segment", "item", False)
    given = replace(given, pairs=np.ones((4, 4), dtype=bool), segment=np.array([4, 4, 5, 6, 6, 6]))
    trimmed = given.trimmed()
    assert trimmed.mask.shape == (3, 5)
    assert trimmed.pairs.shape == (3, 3)
    assert trimmed.segment_of_column.tolist() == [0, 0, 1, 1, 1]
    assert (trimmed.systems, trimmed.segments, trimmed.n) == (3, 2, 15)
    assert replace(trimmed, pairs=None).values.tolist() == replace(given, pairs=None).values.tolist()
