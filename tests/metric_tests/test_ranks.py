"""Ranks and winners from p-values: golden values of mt-metrics-eval's AssignRanks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assay.agreement import statistic
from assay.metric_tests.perm_segments import PermSegments
from assay.metric_tests.ranks import ranked
from assay.results.metric_differences import assign_ranks
from tests.metric_tests.twins import made_up


def p_matrix(*significant):
    p = np.ones((4, 4))
    for better, worse in significant:
        p[better - 1, worse - 1] = 0
    return p


@pytest.mark.parametrize(
    ("significant", "alpha", "ranks"),
    [
        ([], 0.5, [1, 1, 1, 1]),
        ([], 1.0, [1, 2, 3, 4]),  # p = alpha is significant
        ([(1, 3)], 0.5, [1, 1, 2, 2]),
        ([(1, 2), (3, 4)], 0.5, [1, 2, 2, 3]),
    ],
)
def test_ranks_of_mt_metrics_eval(significant, alpha, ranks):
    assert assign_ranks(p_matrix(*significant) <= alpha).tolist() == ranks


def test_winners_are_not_beaten_by_any():
    found = replace(compared(), metrics=tuple("abcd"), values=np.arange(4.0)[::-1], p_values=p_matrix((1, 3), (2, 4)))
    assert found.is_winner == (True, True, False, False)
    assert replace(found, p_values=p_matrix()).winners == ("a", "b", "c", "d")
    assert replace(found, p_values=np.full((4, 4), 0.05)).winners == ()  # p = alpha is significant
    assert replace(found, p_values=np.full((4, 4), np.nan)).winners == ("a", "b", "c", "d")


def test_no_metrics():
    assert assign_ranks(np.zeros((0, 0), dtype=bool)).tolist() == []


def compared(**options):
    return PermSegments(**options).compare(statistic.create("pearson"), made_up(2, 5, 6, 40), grouping="item")


def test_best_first():
    result = compared()
    differences = ranked(result, lp="de-en", statistic="pearson")
    order = sorted(range(5), key=lambda k: -result.values[k])
    assert differences.metrics == tuple("abcde"[k] for k in order)
    assert differences.values.tolist() == result.values[order].tolist()
    assert differences.p_value("a", "c") == result.p_values[0, 2]
    assert differences.rank_of(differences.metrics[0]) == 1
    assert differences.is_winner[0]
    assert (differences.resamples, differences.seed, differences.sides) == (1000, 12345, "one")


def test_corrections_count_all_pairs_in_each_direction():
    plain, corrected = (ranked(compared(), correction=name) for name in ("none", "bonferroni"))
    upper = np.triu_indices(5, 1)
    for p, raw in (
        (corrected.p_values[upper], plain.p_values[upper]),
        (corrected.p_values.T[upper], plain.p_values.T[upper]),
    ):
        assert p == pytest.approx(np.minimum(1, 10 * raw))
    assert np.array_equal(corrected.uncorrected, plain.p_values, equal_nan=True)


def test_a_two_sided_test_ranks_by_the_better_value():
    differences = ranked(compared(sides="two"), alpha=0.9)
    assert np.array_equal(differences.p_values, differences.p_values.T, equal_nan=True)
    assert differences.is_winner[0]


def test_metrics_without_a_value_are_left_out():
    cells = made_up(2, 3, 6, 10)
    cells.metrics[1] = 1.0
    result = PermSegments(resamples=50).compare(statistic.create("pearson"), cells)
    assert dict(result.untested) == {"the agreement of a metric is undefined": 2}
    assert set(ranked(result).metrics) == {"a", "c"}
