from __future__ import annotations

import pytest

from assay.significance.resolution import out_of_reach


def test_a_p_value_below_alpha_is_within_reach():
    assert out_of_reach(1 / 20, 1, "none", 0.05) is not None  # not below
    assert out_of_reach(1 / 21, 1, "none", 0.05) is None
    assert out_of_reach(0.0, 10, "holm", 0.05) is None
    assert out_of_reach(1.0, 0, "holm", 0.05) is None


@pytest.mark.parametrize(("correction", "factor"), [("none", 1), ("holm", 10), ("benjamini-hochberg", 1)])
def test_the_resamples_named_are_just_enough(correction, factor):
    found = out_of_reach(1 / 11, 10, correction, 0.01)
    assert found.factor == pytest.approx(factor)
    assert found.p == pytest.approx(min(1.0, factor / 11))
    assert found.resamples == 100 * factor
    assert out_of_reach(1 / (1 + found.resamples), 10, correction, 0.01) is None
    assert out_of_reach(1 / found.resamples, 10, correction, 0.01) is not None
