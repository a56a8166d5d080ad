"""Ranks and winners from p-values: golden values of mt-metrics-eval's AssignRanks."""

from __future__ import annotations

import numpy as np
import pytest

from assay.agreement import statistic
from assay.metric_tests.perm_segments import PermSegments
from assay.metric_tests.ranks import ranked
from assay.results.metric_differences import assign_ranks
from tests.metric_tests.twins import made_up
from tests.results.test_metric_differences import made


def p_matrix(*significant):
    p = np.ones((4, 4))
    for better, worse in significant:
        p[better - 1, worse - 1] = 0
    return p


@pytest.mark.parametrize(
    ("significant", "alpha", "ranks"),
    [
        ([], 0.5, [1, 1, 1, 1]),
        ([], 1.0, [1, 2, 3, 4]),  # mt-metrics-eval counts p = alpha
        ([(1, 3)], 0.5, [1, 1, 2, 2]),
        ([(1, 2), (3, 4)], 0.5, [1, 2, 2, 3]),
    ],
)
def test_ranks_of_mt_metrics_eval(significant, alpha, ranks):
    assert assign_ranks(p_matrix(*significant) <= alpha).tolist() == ranks


def four(**changes):
    return made(
        metrics=tuple("abcd"),
        values=np.arange(4.0)[::-1],
        **{"systems": np.full(4, 9), "p_values": p_matrix((1, 3), (2, 4)), **changes},
    )


def test_winners_are_not_beaten_by_any():
    assert four().winners == ("a", "b")
    assert four(p_values=p_matrix()).winners == ("a", "b", "c", "d")
    assert four(p_values=np.full((4, 4), 0.05)).winners == ("a", "b", "c", "d")  # p = alpha is not significant
    assert four(p_values=np.full((4, 4), 0.049)).winners == ()
    assert four(p_values=np.full((4, 4), np.nan)).winners == ()  # nothing was tested


def test_metrics_that_lack_systems_have_no_rank_and_change_no_other():
    assert four().ranks == {"a": 1, "b": 1, "c": 2, "d": 2}
    lacking = four(systems=np.array([9, 5, 9, 9]))
    assert lacking.ranks == {"a": 1, "c": 2, "d": 2}
    assert lacking.winners == ("a", "d")  # only b is better than d, on fewer systems
    tree = lacking.to_dict()
    assert ("b" in tree["ranks"], "b" in tree["winners"], tree["systems"][1]) == (False, False, 5)


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
    assert differences.ranks[differences.metrics[0]] == 1
    assert differences.winners[0] == differences.metrics[0]
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
    assert differences.winners[0] == differences.metrics[0]


def test_metrics_without_a_value_are_left_out():
    cells = made_up(2, 3, 6, 10)
    cells.metrics[1] = 1.0
    result = PermSegments(resamples=50).compare(statistic.create("pearson"), cells)
    assert dict(result.untested) == {"the agreement of a metric is undefined": 2}
    assert set(ranked(result).metrics) == {"a", "c"}
