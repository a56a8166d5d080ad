"""What holds of every test that swaps scores by coins: all sets of coins of small cases give the exact p-value."""

from __future__ import annotations

from typing import ClassVar

import pytest

from assay.agreement import statistic
from assay.metric_tests.permutation import Permutation
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


class CoinTests:
    """The tests of one such test, for every kind of statistic."""

    test_class: ClassVar[type[Permutation]]
    unit: ClassVar[str]
    """What has a coin of its own."""

    @pytest.mark.parametrize("missing", [(), [(0, 1)]], ids=["complete", "missing"])
    @pytest.mark.parametrize("ties", [False, True], ids=["real", "ties"])
    @pytest.mark.parametrize(("spec", "level", "grouping"), CASES)
    def test_all_sets_of_coins(self, monkeypatch, spec, level, grouping, ties, missing):
        cells = made_up(7, systems=3, segments=2, ties=ties, missing=missing)
        enumerate_coins(monkeypatch, self.test_class)
        test = self.test_class(resamples=2 ** SCHEMES[self.unit](3, 2), p="share")
        tested = test.compare(statistic.create(spec), cells, level=level, grouping=grouping)
        expected = exact_p(spec, cells, self.unit, level, grouping)
        assert (tested.p_values[0, 1], tested.p_values[1, 0]) == pytest.approx(expected, abs=1e-12, nan_ok=True)

    def test_random_coins_come_close(self):
        cells = made_up(3, systems=4, segments=2)
        tested = self.test_class(resamples=20_000).compare(statistic.create("pearson"), cells)
        assert tested.p_values[0, 1] == pytest.approx(exact_p("pearson", cells, self.unit)[0], abs=0.015)
