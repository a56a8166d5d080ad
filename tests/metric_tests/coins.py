"""What holds of every test that swaps scores by coins: all sets of coins of small cases give the exact p-value."""

from __future__ import annotations

from typing import ClassVar

import pytest

from assay.agreement import statistic
from assay.metric_tests.drawing import counted_p
from assay.metric_tests.permutation import Permutation
from tests.metric_tests.twins import SCHEMES, exact_p, made_up

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
    def test_all_sets_of_coins(self, spec, level, grouping, ties, missing):
        cells = made_up(7, systems=3, segments=2, ties=ties, missing=missing)
        test = self.test_class(resamples=2 ** SCHEMES[self.unit](3, 2))
        tested = test.compare(statistic.create(spec), cells, level=level, grouping=grouping)
        assert tested.is_exact[0, 1]
        expected = exact_p(spec, cells, self.unit, level, grouping)
        assert (tested.p_values[0, 1], tested.p_values[1, 0]) == pytest.approx(expected, abs=1e-12, nan_ok=True)

    def test_random_draws_come_close(self):
        """Those of which averages are made, even where p is exact."""
        cells = made_up(3, systems=4, segments=2)
        tested = self.test_class(resamples=20_000).compare(statistic.create("pearson"), cells)
        drawn = counted_p(tested.differences[:1, 1], tested.draws[:, :1, 1].T, "one", "add-one")
        assert drawn[0][0] == pytest.approx(exact_p("pearson", cells, self.unit)[0], abs=0.015)

    def test_one_set_too_many(self):
        cells = made_up(3, systems=4, segments=2)
        sets = 2 ** SCHEMES[self.unit](4, 2)
        few, enough = (
            self.test_class(resamples=each).compare(statistic.create("pearson"), cells) for each in (sets - 1, sets)
        )
        assert [bool(each.is_exact[0, 1]) for each in (few, enough)] == [False, True]
        assert few.smallest_p[0, 1] == pytest.approx(1 / sets)
        assert enough.smallest_p[0, 1] == pytest.approx(1 / sets)
        assert enough.p_values[0, 1] * sets == pytest.approx(round(enough.p_values[0, 1] * sets))
