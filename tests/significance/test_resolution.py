from __future__ import annotations

import pytest

from assay.significance.resolution import MOST_RESAMPLES, out_of_reach, resample_limit


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


def test_resamples_are_raised_only_where_nothing_could_be_significant():
    assert resample_limit(10_000, 1, "holm", 0.05) == 10_000
    assert resample_limit(10_000, 500, "holm", 0.05) == 10_000  # 500 / 10,001 < 0.05
    assert resample_limit(10_000, 780, "holm", 0.05) == 80_000
    assert resample_limit(10_000, 780, "none", 0.05) == 10_000
    assert resample_limit(10_000, 780, "benjamini-hochberg", 0.05) == 10_000
    assert resample_limit(10_000, 19_900, "bonferroni", 0.05) == MOST_RESAMPLES
    assert resample_limit(10_000, 60_000, "holm", 0.05) == 10_000  # too many for the limit, too


@pytest.mark.parametrize("pairs", [501, 780, 5000, 40_000])
def test_the_limit_is_enough(pairs):
    limit = resample_limit(10_000, pairs, "holm", 0.05)
    assert out_of_reach(1 / (1 + limit), pairs, "holm", 0.05) is None
