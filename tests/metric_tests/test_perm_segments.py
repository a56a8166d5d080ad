from __future__ import annotations

from assay.metric_tests.perm_segments import PermSegments
from tests.metric_tests.coins import CoinTests


class TestPermSegments(CoinTests):
    test_class = PermSegments
    unit = "segment"
