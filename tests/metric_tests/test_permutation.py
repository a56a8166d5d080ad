"""What all permutation tests have in common."""

from __future__ import annotations

import numpy as np
import pytest

from assay.agreement import statistic
from assay.errors import ConfigError, spelling_options
from assay.metric_tests import MetricCells, metric_test, permutation
from assay.metric_tests.perm_cells import PermCells
from assay.metric_tests.perm_segments import PermSegments
from assay.metric_tests.perm_systems import PermSystems
from assay.metric_tests.permutation import toss
from tests.metric_tests.twins import exact_p, made_up

PEARSON = statistic.create("pearson")
PERMUTATIONS = ("perm-cells", "perm-segments", "perm-systems", "perm-both")


@pytest.mark.parametrize("spec", PERMUTATIONS)
def test_a_metric_and_its_copy_do_not_differ(spec):
    cells = made_up(1, systems=4, segments=6)
    same = MetricCells(("a", "b"), cells.metrics[[0, 0]], cells.human[0], cells.mask)
    for name, level, grouping in (
        ("pearson", "segment", "none"),
        ("kendall", "segment", "item"),
        ("spa", "system", "none"),
    ):
        tested = metric_test.create(f"{spec}:resamples=50").compare(
            statistic.create(name), same, level=level, grouping=grouping
        )
        assert tested.p_values[0, 1] == tested.p_values[1, 0] == 1


@pytest.mark.parametrize("spec", PERMUTATIONS)
def test_p_values_of_add_one_and_share(spec):
    cells = made_up(2, systems=8, segments=8)
    add_one, share = (
        metric_test.create(f"{spec}:resamples=99{p}").compare(PEARSON, cells) for p in ("", ",p_rule=share")
    )
    assert add_one.p_values[0, 1] == pytest.approx((1 + 99 * share.p_values[0, 1]) / 100)
    draws = add_one.draws[:, 0, 1]
    assert share.p_values[0, 1] == (draws >= add_one.differences[0, 1] - 1e-10).mean()


def test_two_sided():
    tested = PermCells(sides="two").compare(PEARSON, made_up(2, systems=5, segments=8))
    extreme = (np.abs(tested.draws[:, 0, 1]) >= abs(tested.differences[0, 1]) - 1e-10).sum()
    assert tested.p_values[0, 1] == tested.p_values[1, 0] == (1 + extreme) / 1001


@pytest.mark.parametrize("spec", PERMUTATIONS)
def test_a_pair_does_not_depend_on_the_other_metrics(spec):
    """Also not on the cells that other metrics lack, nor on the number of threads."""
    cells = made_up(3, metrics=4, systems=5, segments=8)
    mask = cells.mask.copy()
    mask[3, 0, 0] = False
    whole = MetricCells(cells.names, cells.metrics, cells.human[0], mask)
    alone = MetricCells(("a", "c"), cells.metrics[[0, 2]], cells.human[0], mask[[0, 2]])
    test = metric_test.create(f"{spec}:resamples=200")
    for name, level, grouping in (
        ("pearson", "segment", "none"),
        ("kendall", "segment", "item"),
        ("spa", "system", "none"),
    ):
        options = {"level": level, "grouping": grouping}
        tested = test.compare(statistic.create(name), whole, threads=3, **options)
        expected = test.compare(statistic.create(name), alone, **options)
        assert tested.draws[:, 0, 2].tolist() == expected.draws[:, 0, 1].tolist()
        assert tested.n[0, 2], tested.n[0, 3] == (40, 39)


def test_blocks_of_coins_do_not_change_anything(monkeypatch):
    cells = made_up(3, systems=5, segments=8)
    whole = PermCells(resamples=50).compare(PEARSON, cells)
    monkeypatch.setattr(permutation, "_MAX_CELLS", 7 * 40)
    assert np.array_equal(PermCells(resamples=50).compare(PEARSON, cells).draws, whole.draws, equal_nan=True)


def test_coins_are_fair_and_fixed():
    drawn = toss(np.random.PCG64(1), 1000, 70)
    assert drawn.shape == (1000, 70)
    assert abs(drawn.mean() - 0.5) < 0.01
    assert np.packbits(drawn[0]).tobytes().hex() == "ff27449ecfbd60c164"


def test_rankings_share_the_coin_of_their_segment():
    cells = made_up(4, systems=3, segments=6)
    ranked = MetricCells(cells.names, cells.metrics, cells.human[0], cells.mask, segment=np.array([5, 5, 2, 2, 7, 7]))
    test = PermSegments(resamples=64)
    tested = test.compare(statistic.create("kendall"), ranked, grouping="ranking")
    assert len(np.unique(np.round(tested.draws[:, 0, 1], 9))) <= 2**3
    with pytest.raises(ConfigError, match="does not apply to rankings"):
        PermCells().check(PEARSON, "segment", "ranking")


@pytest.mark.parametrize("name", ["acc-star", "tau-star", "acc23:epsilon=1"])
def test_thresholds_need_whole_groups(name):
    created = statistic.create(name)
    PermSegments().check(created, "segment", "item")
    for test, grouping in ((PermCells(), "item"), (PermSegments(), "none")):
        with pytest.raises(ConfigError, match="within a threshold"):
            test.check(created, "segment", grouping)


def test_scores_on_one_scale_need_no_standardising():
    """Then the draws of all sets of coins are those of the scores themselves."""
    cells = made_up(5, systems=4, segments=5)
    shifted = MetricCells(cells.names, 10 * cells.metrics + 3, cells.human[0], cells.mask)
    plain, scaled = (PermCells(standardise=False).compare(PEARSON, each) for each in (cells, shifted))
    assert plain.draws[:, 0, 1] == pytest.approx(scaled.draws[:, 0, 1], abs=1e-9)
    assert not np.allclose(plain.draws[:, 0, 1], PermCells().compare(PEARSON, cells).draws[:, 0, 1])


@pytest.mark.parametrize("spec", ["perm-cells:resamples=0", "perm-cells:seed=-1"])
def test_options_are_checked(spec):
    with pytest.raises(ConfigError, match="must be an integer"):
        metric_test.create(spec)


def test_a_given_threshold_is_not_calibrated_again():
    cells = made_up(5, systems=5, segments=9)
    test, options = PermSegments(resamples=50), {"grouping": "item"}
    star, fixed = (statistic.create(f"{name}:epsilon=0.7") for name in ("acc-star", "acc23"))
    tested, expected = (test.compare(each, cells, **options) for each in (star, fixed))
    assert tested.differences[0, 1] == expected.differences[0, 1]
    assert tested.draws[:, 0, 1].tolist() == expected.draws[:, 0, 1].tolist()


def test_options_of_a_spec_are_not_those_of_the_command():
    with (
        spelling_options(lambda name, _: f"--{name}"),
        pytest.raises(ConfigError, match=r"^resamples must be an integer"),
    ):
        metric_test.create("perm-cells:resamples=0")


@pytest.mark.parametrize("spec", PERMUTATIONS)
def test_the_null_hypothesis_says_whether_scores_are_standardised(spec):
    standardised, plain = (metric_test.create(f"{spec}:standardise={each}").null for each in ("yes", "no"))
    assert standardised.replace("standardised scores", "scores") == plain
    assert standardised != plain


def test_exact_p_values_do_not_depend_on_systems_without_scores():
    """Coins of systems that no metric has are not counted: 2^3 sets, not 2^5."""
    cells = made_up(3, systems=5, segments=1, missing=[(0, 0), (4, 0)])
    tested = PermSystems(resamples=8).compare(PEARSON, cells, level="system")
    assert tested.is_exact[0, 1]
    assert tested.smallest_p[0, 1] == 1 / 8
    alone = MetricCells(cells.names, cells.metrics[:, 1:4], cells.human[0, 1:4], cells.mask[:, 1:4])
    expected = exact_p("pearson", alone, "system", "system")
    assert (tested.p_values[0, 1], tested.p_values[1, 0]) == pytest.approx(expected)


def test_exact_two_sided_p_values():
    cells = made_up(2, systems=4, segments=1)
    tested = PermSystems(resamples=16, sides="two").compare(PEARSON, cells, level="system")
    one_sided = exact_p("pearson", cells, "system", "system")
    assert tested.p_values[0, 1] == pytest.approx(2 * min(one_sided))  # the differences are symmetric
    assert tested.smallest_p[0, 1] == 2 / 16
