"""Which metrics can be tested together."""

from __future__ import annotations

import numpy as np

from assay.metric_tests.cells import MetricCells
from tests.metric_tests.twins import made_up


def test_metrics_with_the_same_cells_form_a_class_and_two_classes_share_their_common_cells():
    cells = made_up(1, metrics=4, systems=3, segments=5)
    mask = cells.mask.copy()
    mask[3, 0, 0] = False
    classes = list(MetricCells(cells.names, cells.metrics, cells.human[0], mask).classes())
    assert [members for members, _ in classes] == [[0, 1, 2], [0, 1, 2, 3]]
    assert [int(common.sum()) for _, common in classes] == [15, 14]


def test_metrics_beside_other_human_scores_are_in_no_class():
    cells = made_up(1, metrics=2, systems=4, segments=1)
    human = np.stack([cells.human[0], -cells.human[0]])
    assert list(MetricCells(cells.names, cells.metrics, human, cells.mask).classes()) == []
