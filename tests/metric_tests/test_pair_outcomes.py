"""The sign test of pairs of outputs: exact binomials, and the share of all coins."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

from assay.agreement import statistic
from assay.errors import ConfigError
from assay.metric_tests import SMALLEST_P
from assay.metric_tests.pair_outcomes import PairOutcomes, outcome_p
from tests.agreement.twins import acc23
from tests.metric_tests.twins import made_up


def brute_force(cells, epsilons=(0.0, 0.0)):
    """All coins for all pairs of outputs, as mt-metrics-eval swaps their outcomes."""
    _, systems, segments = cells.metrics.shape
    outcomes = []  # (weight, first is right, second is right)
    for s in range(segments):
        judged = [i for i in range(systems) if cells.mask[0, i, s]]
        pairs = list(combinations(judged, 2))
        for pair in pairs:
            right = [
                acc23(cells.metrics[k][pair, s].tolist(), cells.human[0][pair, s].tolist(), [0, 1], epsilon=epsilons[k])
                for k in (0, 1)
            ]
            outcomes.append((1 / len(pairs), *right))
    differing = [(weight, first - second) for weight, first, second in outcomes if first != second]
    observed = sum(weight * sign for weight, sign in differing)
    sums = [
        sum(weight * sign for (weight, _), sign in zip(differing, signs, strict=True))
        for signs in product([1, -1], repeat=len(differing))
    ]
    return np.mean([total >= observed - 1e-12 for total in sums])


@pytest.mark.parametrize("spec", ["acc23", "tau23"])
def test_all_coins(spec):
    cells = made_up(5, systems=4, segments=2)
    tested = PairOutcomes().compare(statistic.create(spec), cells, grouping="item")
    assert tested.p_values[0, 1] == pytest.approx(brute_force(cells), abs=1e-12)


def test_groups_of_different_sizes_are_drawn():
    cells = made_up(6, systems=4, segments=3, missing=[(0, 1)])
    tested = PairOutcomes(resamples=20_000, p_rule="share").compare(statistic.create("acc23"), cells, grouping="item")
    assert tested.p_values[0, 1] == pytest.approx(brute_force(cells), abs=0.015)


def test_thresholds_are_calibrated_once_per_metric():
    cells = made_up(8, metrics=3, systems=4, segments=12)
    star = statistic.create("acc-star")
    tested = PairOutcomes().compare(star, cells, grouping="item")
    epsilons = [float(dict(star.compute(made_batch(cells, k)).details)["epsilon"]) for k in range(3)]
    assert tested.values == pytest.approx(
        [
            statistic.create(f"acc23:epsilon={e!r}").compute(made_batch(cells, k)).values.mean()
            for k, e in enumerate(epsilons)
        ]
    )
    alone = PairOutcomes().compare(
        star, type(cells)(("a", "c"), cells.metrics[[0, 2]], cells.human[0], cells.mask[[0, 2]]), grouping="item"
    )
    assert alone.p_values[0, 1] == tested.p_values[0, 2]


def made_batch(cells, metric):
    from assay.agreement import Batch

    return Batch(cells.metrics[metric].T, cells.human[metric].T, cells.mask[metric].T)


def test_draws_have_the_variance_of_the_binomial():
    cells = made_up(9, systems=6, segments=40)
    tested = PairOutcomes(resamples=20_000).compare(statistic.create("acc23"), cells, grouping="item")
    exact = tested.p_values[0, 1]
    drawn = (tested.draws[:, 0, 1] >= tested.differences[0, 1] - 1e-12).mean()
    assert drawn == pytest.approx(exact, abs=0.015)


def test_binomial_tails():
    assert outcome_p(np.array([0, 0, 3, 5]), np.array([0, 4, 0, 5])).tolist() == pytest.approx(
        [1, 1, 1 / 8, 638 / 1024]
    )


def test_equal_metrics_do_not_differ():
    cells = made_up(1, systems=3, segments=4)
    same = type(cells)(("a", "b"), cells.metrics[[0, 0]], cells.human[0], cells.mask)
    tested = PairOutcomes().compare(statistic.create("acc-star"), same, grouping="item")
    assert tested.p_values[0, 1] == tested.p_values[1, 0] == 1


def test_two_sided():
    cells = made_up(5, systems=4, segments=2)
    one, two = (
        PairOutcomes(sides=sides).compare(statistic.create("acc23"), cells, grouping="item") for sides in ("one", "two")
    )
    assert (
        two.p_values[0, 1]
        == two.p_values[1, 0]
        == pytest.approx(min(1, 2 * min(one.p_values[0, 1], one.p_values[1, 0])))
    )


def test_other_statistics_are_refused():
    with pytest.raises(ConfigError, match="acc23, tau23, acc-star or tau-star, not pearson"):
        PairOutcomes().check(statistic.create("pearson"), "segment", "item")


def test_p_values_too_small_for_a_float_are_not_0():
    assert outcome_p(np.array([90_000]), np.array([10_000]))[0] == SMALLEST_P > 0
