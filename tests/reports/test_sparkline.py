from __future__ import annotations

import math

from assay.reports.sparkline import BLOCKS, sparkline


def test_equal_steps_from_low_to_high():
    assert sparkline([k / 8 for k in range(8)], 0.0, 1.0) == BLOCKS
    assert sparkline([-1.0, 0.0, 1.0], -1.0, 1.0) == "▁▅█"


def test_undefined_outside_and_flat():
    assert sparkline([math.nan, 2.0, -2.0], 0.0, 1.0) == "·█▁"
    assert sparkline([0.5, 0.5], 0.5, 0.5) == "██"
    assert sparkline([math.nan], math.nan, math.nan) == "·"
    assert sparkline([], 0.0, 1.0) == ""
