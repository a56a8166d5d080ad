from __future__ import annotations

from assay.metric_tests.perm_both import PermBoth
from tests.metric_tests.coins import CoinTests


class TestPermBoth(CoinTests):
    test_class = PermBoth
    unit = "both"
