from __future__ import annotations

from assay.metric_tests.perm_cells import PermCells
from tests.metric_tests.coins import CoinTests


class TestPermCells(CoinTests):
    test_class = PermCells
    unit = "cell"
