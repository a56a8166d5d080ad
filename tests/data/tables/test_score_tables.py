from __future__ import annotations

from dataclasses import replace
from unittest.mock import ANY

import numpy as np

from assay.data.tables.score_tables import joined_tables
from assay.types import ScoreTable


def table(system, *values, items=(), domains=()):
    return ScoreTable("m", "segment", (system,), [values], digest=system, items=items, domains=domains)


def test_tables_of_different_systems_become_one():
    ((joined,),) = joined_tables([table("a", 1, 2), table("b", 3, 4)])
    assert (joined.systems, joined.values.tolist()) == (("a", "b"), [[1, 2], [3, 4]])
    assert joined.digest not in ("", "a", "b")


def test_named_segments_are_matched():
    first = table("a", 1, 2, items=("x", "y"), domains=("n", "m"))
    ((joined,),) = joined_tables([first, table("b", 3, items=("z",), domains=("o",))])
    assert (joined.items, joined.domains) == (("x", "y", "z"), ("n", "m", "o"))
    np.testing.assert_array_equal(joined.values, [[1, 2, np.nan], [np.nan, np.nan, 3]])
    np.testing.assert_array_equal(first.take_segments(("y", "w", "x")).values, [[2, np.nan, 1]])


def test_what_cannot_be_joined():
    first = table("a", 1, 2)
    for other in (table("b", 1, 2, 3), table("a", 2, 1), table("b", 1, items=("x",))):
        assert list(joined_tables([first, replace(other, digest="other")])) == [[first, ANY]]
    lower = replace(table("b", 1, 2), higher_is_better=False)
    assert list(joined_tables([first, lower])) == [[first, lower]]


def test_equal_scores_of_two_systems():
    first = table("a", 1, 2)
    ((both,),) = joined_tables([first, replace(first, systems=("b",))])
    assert both.systems == ("a", "b")
