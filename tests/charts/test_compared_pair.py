from __future__ import annotations

from dataclasses import replace

import pytest

from assay.charts.compared_pair import leader, select_pair
from assay.errors import ConfigError, UnknownNameError
from assay.results import Outcome
from tests.charts.examples import compared
from tests.store.examples import example


def test_the_first_pair_unless_it_is_named():
    comparison = compared()
    pair = select_pair([comparison], "", "")
    assert (pair.first, pair.second) == (comparison.pairs[0].first, comparison.pairs[0].second)
    assert len(pair.differences) == 4
    assert select_pair([example("score")], "", "") is None


def test_the_other_way_round():
    pair = select_pair([compared()], "", "")
    swapped = select_pair([compared()], pair.second, pair.first)
    (_, one), (_, other) = pair.differences[0], swapped.differences[0]
    assert other.difference.value == -one.difference.value
    assert (other.difference.low, other.difference.high) == (-one.difference.high, -one.difference.low)
    assert (other.wins, other.losses, other.first) == (one.losses, one.wins, one.second)


def test_the_better_system():
    pair = select_pair([compared()], "", "")
    for _, difference in pair.differences:
        better = replace(difference, outcome=Outcome.BETTER)
        assert (leader(better), leader(better.reversed())) == ("first", "second")
        assert leader(replace(difference, outcome=Outcome.NOT_SHOWN)) is None


def test_unknown_systems():
    with pytest.raises(UnknownNameError, match="no system is called 'x'"):
        select_pair([compared()], "x", "")
    first = compared().pairs[0].first
    with pytest.raises(ConfigError, match="first and second are the same system"):
        select_pair([compared()], first, first)
