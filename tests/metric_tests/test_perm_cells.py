"""All sets of coins of small cases give the exact p-value, for every kind of statistic."""

from __future__ import annotations

import pytest

from assay.agreement import statistic
from assay.metric_tests.perm_cells import PermCells
from tests.metric_tests.twins import SCHEMES, enumerate_coins, exact_p, made_up

CASES = [
    ("pearson", "segment", "none"),
    ("pearson", "segment", "item"),
    ("pearson", "segment", "system"),
    ("pearson", "system", "none"),
    ("kendall", "segment", "item"),
    ("kendall:variant=a", "segment", "item"),
    ("kendall:variant=c", "segment", "item"),
    ("kendall", "segment", "none"),
    ("kendall", "system", "none"),
    ("acc23", "segment", "item"),
    ("tau23", "segment", "item"),
    ("spearman", "segment", "item"),
    ("pairwise-difference-pearson", "segment", "item"),
    ("pairwise-accuracy", "system", "none"),
    ("spa:resamples=20", "system", "none"),
]


@pytest.mark.parametrize("missing", [(), [(0, 1)]], ids=["complete", "missing"])
@pytest.mark.parametrize("ties", [False, True], ids=["real", "ties"])
@pytest.mark.parametrize(("spec", "level", "grouping"), CASES)
def test_all_sets_of_coins(monkeypatch, spec, level, grouping, ties, missing):
    cells = made_up(7, systems=3, segments=2, ties=ties, missing=missing)
    enumerate_coins(monkeypatch, PermCells)
    test = PermCells(resamples=2 ** SCHEMES["cell"](3, 2), p="share")
    tested = test.compare(statistic.create(spec), cells, level=level, grouping=grouping)
    expected = exact_p(spec, cells, "cell", level, grouping)
    assert (tested.p[0, 1], tested.p[1, 0]) == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_random_coins_come_close(monkeypatch):
    cells = made_up(3, systems=4, segments=2)
    tested = PermCells(resamples=20_000).compare(statistic.create("pearson"), cells)
    assert tested.p[0, 1] == pytest.approx(exact_p("pearson", cells, "cell")[0], abs=0.015)
