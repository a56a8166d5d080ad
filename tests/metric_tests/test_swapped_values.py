"""The quick ways to a statistic after swaps give what computing it anew gives."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assay.agreement import statistic
from assay.metric_tests import swapped_values
from assay.metric_tests.problem import Problem
from assay.metric_tests.swapped_values import swapped_differences, swaps_whole_groups
from tests.metric_tests.twins import made_up

QUICK = [
    ("pearson", "segment", "none"),
    ("pearson", "segment", "item"),
    ("pearson", "segment", "system"),
    ("pearson:nan_groups=zero", "segment", "item"),
    ("kendall:nan_groups=zero", "segment", "item"),
    ("kendall", "segment", "item"),
    ("kendall:variant=a", "segment", "item"),
    ("acc23", "segment", "item"),
    ("tau23", "segment", "item"),
    ("spa:resamples=50", "system", "none"),
    ("spa:resamples=50,ties=at-least", "system", "none"),
]


def problem(spec, level, grouping, *, is_weighted=False, ties=False, missing=(), seed=1):
    cells = made_up(seed, metrics=3, systems=7, segments=13, ties=ties, missing=missing)
    created = statistic.create(spec)
    return Problem.of(cells, next(cells.comparable()), (created,) * 3, level, grouping, is_weighted)


@pytest.mark.parametrize("is_weighted", [False, True], ids=["macro", "micro"])
@pytest.mark.parametrize("missing", [(), [(0, 2)], [(0, 2), (1, 2), (3, 2), (6, 5)]], ids=["all", "one", "some"])
@pytest.mark.parametrize("ties", [False, True], ids=["real", "ties"])
@pytest.mark.parametrize(("spec", "level", "grouping"), QUICK)
def test_quick_ways(spec, level, grouping, ties, missing, is_weighted):
    given = problem(spec, level, grouping, is_weighted=is_weighted, ties=ties, missing=missing)
    swaps = np.random.default_rng(2).random((6, 7, 13)) < 0.5
    quick = swapped_differences(given, swaps, "cell")
    slow = swapped_values._of_any_statistic(given, swaps)
    assert quick == pytest.approx(slow, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize(("unit", "grouping"), [("segment", "item"), ("system", "system")])
@pytest.mark.parametrize("spec", ["kendall", "pearson", "kendall-wmt13", "acc23:epsilon=0.5"])
def test_whole_groups(spec, unit, grouping):
    given = problem(spec, "segment", grouping, ties=True, is_weighted=True, missing=[(0, 2)])
    shape = (20, 1, 13) if unit == "segment" else (20, 7, 1)
    swaps = np.broadcast_to(np.random.default_rng(2).random(shape) < 0.5, (20, 7, 13))
    assert swaps_whole_groups(unit, grouping)
    unscaled = replace(given)
    object.__setattr__(unscaled, "swappable", unscaled.metrics)  # a threshold is a number on the scale of the metric
    slow = swapped_values._of_any_statistic(unscaled, swaps)
    assert swapped_differences(given, swaps, unit) == pytest.approx(slow, abs=1e-9, nan_ok=True)


def test_pairs_of_systems_that_count():
    counted = np.random.default_rng(3).random((7, 7)) < 0.6
    counted = counted | counted.T
    swaps = np.random.default_rng(2).random((6, 7, 13)) < 0.5
    for spec, level, grouping in (("kendall", "segment", "item"), ("spa:resamples=50", "system", "none")):
        given = problem(spec, level, grouping)
        object.__setattr__(given, "pairs", counted)
        assert swapped_differences(given, swaps, "cell") == pytest.approx(
            swapped_values._of_any_statistic(given, swaps), abs=1e-9
        )


def test_sums_are_exact_in_any_order():
    random = np.random.default_rng(1)
    table, swaps = random.normal(size=(500, 4)) * [1e-9, 1, 1e9, 0], random.random((30, 500)) < 0.5
    order = random.permutation(500)
    one, other = (swapped_values._SwappedSums(swaps[:, rows], table[rows]) for rows in (np.arange(500), order))
    columns = np.arange(4)
    assert np.array_equal(one.exchanged(columns, columns[::-1]), other.exchanged(columns, columns[::-1]))
    expected = np.where(swaps[:, :, np.newaxis], table[:, ::-1], table).sum(axis=1).T
    assert one.exchanged(columns, columns[::-1]) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_more_than_64_systems():
    cells = made_up(1, metrics=2, systems=70, segments=3)
    created = statistic.create("kendall")
    given = Problem.of(cells, next(cells.comparable()), (created,) * 2, "segment", "item", False)
    swaps = np.random.default_rng(2).random((5, 70, 3)) < 0.5
    assert np.isfinite(swapped_differences(given, swaps, "cell")).all()


@pytest.mark.parametrize(("spec", "level", "grouping"), [*QUICK, ("spearman", "segment", "item")])
def test_only_the_wanted_pairs(spec, level, grouping):
    given = problem(spec, level, grouping)
    swaps = np.random.default_rng(2).random((6, 7, 13)) < 0.5
    some = replace(given, first=np.array([1, 0]), second=np.array([2, 2]))
    every = swapped_differences(given, swaps, "cell")  # (0, 1), (0, 2), (1, 2)
    assert swapped_differences(some, swaps, "cell").tolist() == every[[2, 1]].tolist()
