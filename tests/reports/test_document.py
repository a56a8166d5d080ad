from __future__ import annotations

import math

from assay.reports.document import Grid, decimals_for, number


def test_number():
    assert (number(math.nan), number(12.345), number(-0.5)) == ("–", "12.35", "-0.50")


def test_small_values_have_more_decimals():
    assert decimals_for([0.52, -1.9, math.nan]) == 4
    assert decimals_for([0.52, 2.0]) == 2
    assert decimals_for([math.nan]) == 2
    assert number(0.5, 4) == "0.5000"


def test_charts_are_a_column_after_the_labels():
    grid = Grid(("a", "b", "n"), (("x", "y", "1"), ("z", "w", "2")), labels=2, remarks=("so",), charts=("c", "▁", "█"))
    assert grid.with_charts() == Grid(
        ("a", "b", "c", "n"), (("x", "y", "▁", "1"), ("z", "w", "█", "2")), labels=3, remarks=("so",)
    )
    assert Grid(("a",), ()).with_charts() == Grid(("a",), ())
