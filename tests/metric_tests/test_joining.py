"""Tests on common cells, put together for all metrics."""

from __future__ import annotations

import numpy as np

from assay.agreement import statistic
from assay.metric_tests import MetricCells
from assay.metric_tests.joining import joined
from assay.metric_tests.perm_segments import PermSegments
from tests.metric_tests.twins import made_up

PEARSON, TEST = statistic.create("pearson"), PermSegments(resamples=20)


def test_the_first_part_that_has_a_pair_counts():
    cells = made_up(1, metrics=3, systems=4, segments=8)
    whole = TEST.compare(PEARSON, cells)
    nothing = TEST.compare(PEARSON, MetricCells(cells.names, cells.metrics, cells.human[0], np.zeros_like(cells.mask)))
    pair = TEST.compare(
        PEARSON, MetricCells(("c", "a"), cells.metrics[[2, 0]], cells.human[0], cells.mask[[2, 0]]), stream="other"
    )
    together = joined(nothing, [pair, whole])
    assert together.p_values[2, 0] == pair.p_values[0, 1]
    assert together.draws[:, 0, 2].tolist() == pair.draws[:, 1, 0].tolist()
    assert together.p_values[0, 1] == whole.p_values[0, 1]


def test_pairs_of_no_part_have_a_reason():
    cells = made_up(1, metrics=2, systems=4, segments=8)
    human = np.stack([cells.human[0], -cells.human[0]])
    tested = TEST.compare(PEARSON, MetricCells(cells.names, cells.metrics, human, cells.mask))
    ((first, second, reason),) = tested.reasons
    assert (first, second) == ("a", "b")
    assert reason.startswith("the human scores beside the two metrics differ")
