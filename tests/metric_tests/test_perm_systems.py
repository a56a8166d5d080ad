from __future__ import annotations

from assay.metric_tests.perm_systems import PermSystems
from tests.metric_tests.coins import CoinTests


class TestPermSystems(CoinTests):
    test_class = PermSystems
    unit = "system"
