from __future__ import annotations

import math

from assay.results.order import best_first, best_value


def test_undefined_values_come_last_whichever_direction():
    values = {"a": 1.0, "b": math.nan, "c": 2.0, "d": 1.0}
    assert best_first(values) == ["c", "a", "d", "b"]
    assert best_first(values, higher_is_better=False) == ["a", "d", "c", "b"]


def test_the_best_of_the_defined_values():
    assert best_value([1.0, math.nan, 2.0]) == 2.0
    assert best_value([math.nan, 1.0, 2.0], higher_is_better=False) == 1.0
    assert math.isnan(best_value([math.nan]))
    assert math.isnan(best_value([]))
