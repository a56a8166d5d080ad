from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from assay.agreement import statistic
from assay.metric_tests import MetricCells
from assay.metric_tests.perm_systems import PermSystems
from tests.metric_tests.coins import CoinTests
from tests.metric_tests.twins import made_up


class TestPermSystems(CoinTests):
    test_class = PermSystems
    unit = "system"


def test_system_scores_are_standardised_where_they_are_compared():
    """What is swapped has mean 0 and standard deviation 1: the vector that is correlated, as in mt-metrics-eval."""
    cells = made_up(6, systems=6, segments=1)
    shifted = MetricCells(cells.names, cells.metrics * [[[1]], [[50]]] + [[[0]], [[7]]], cells.human[0], cells.mask)
    pearson = statistic.create("pearson")
    plain, scaled = (PermSystems(resamples=99).compare(pearson, each, level="system") for each in (cells, shifted))
    assert plain.draws[:, 0, 1] == pytest.approx(scaled.draws[:, 0, 1], abs=1e-9)
    scores = cells.metrics[:, :, 0]
    one, other = (scores - scores.mean(axis=1, keepdims=True)) / scores.std(axis=1, keepdims=True)
    possible = {
        round(
            np.corrcoef(np.where(swaps, other, one), cells.human[0, :, 0])[0, 1]
            - np.corrcoef(np.where(swaps, one, other), cells.human[0, :, 0])[0, 1],
            8,
        )
        for swaps in product([False, True], repeat=6)
    }
    assert set(np.round(plain.draws[:, 0, 1], 8)) <= possible
