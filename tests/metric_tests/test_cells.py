"""Which metrics can be tested together."""

from __future__ import annotations

import numpy as np

from assay.metric_tests.cells import MetricCells
from tests.metric_tests.twins import made_up


def test_pairs_are_compared_on_the_cells_that_both_metrics_have():
    cells = made_up(1, metrics=4, systems=3, segments=5)
    mask = cells.mask.copy()
    mask[3, 0, 0] = False
    groups = list(MetricCells(cells.names, cells.metrics, cells.human[0], mask).comparable())
    assert [group.members for group in groups] == [(0, 1, 2), (0, 1, 2, 3)]
    assert [int(group.mask.sum()) for group in groups] == [15, 14]
    pairs = [list(zip(group.first.tolist(), group.second.tolist(), strict=True)) for group in groups]
    assert pairs == [[(0, 1), (0, 2), (1, 2)], [(0, 3), (1, 3), (2, 3)]]  # every pair once


def test_metrics_beside_other_human_scores_are_not_compared():
    cells = made_up(1, metrics=2, systems=4, segments=1)
    human = np.stack([cells.human[0], -cells.human[0]])
    assert list(MetricCells(cells.names, cells.metrics, human, cells.mask).comparable()) == []
