"""Tests on common cells, put together for all metrics."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from assay.agreement import statistic
from assay.metric_tests import MetricCells
from assay.metric_tests.cells import ComparableMetrics
from assay.metric_tests.joining import joined
from assay.metric_tests.perm_segments import PermSegments
from tests.metric_tests.twins import made_up

PEARSON, TEST = statistic.create("pearson"), PermSegments(resamples=20)


def test_pairs_of_the_parts():
    cells = made_up(1, metrics=3, systems=4, segments=8)
    whole = TEST.compare(PEARSON, cells)
    nothing = replace(whole, p_values=np.full((3, 3), np.nan), draws=None, n=np.zeros((3, 3), dtype=int))
    pair = TEST.compare(PEARSON, MetricCells(("c", "a"), cells.metrics[[2, 0]], cells.human[0], cells.mask[[2, 0]]))
    group = ComparableMetrics((2, 0), cells.mask[0], np.array([0]), np.array([1]))
    together = joined(nothing, [(group, pair)])
    assert together.p_values[2, 0] == whole.p_values[2, 0]
    assert together.draws[:, 0, 2].tolist() == whole.draws[:, 0, 2].tolist()
    assert np.isnan(together.p_values[0, 1])
    assert together.n.tolist() == [[0, 0, 32], [0, 0, 0], [32, 0, 0]]


def test_pairs_of_no_part_have_a_reason():
    cells = made_up(1, metrics=2, systems=4, segments=8)
    human = np.stack([cells.human[0], -cells.human[0]])
    tested = TEST.compare(PEARSON, MetricCells(cells.names, cells.metrics, human, cells.mask))
    ((first, second, reason),) = tested.reasons
    assert (first, second) == ("a", "b")
    assert reason.startswith("the human scores beside the two metrics differ")
