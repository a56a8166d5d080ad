from __future__ import annotations

import math

import pytest

from assay.reports.cells import BLANK, Count, Flag, Interval, Number, PValue, RankRange, Text, cell_text, with_best
from assay.results.estimate import decimals_for


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (Text("new"), "new"),
        (BLANK, ""),
        (Number(12.345), "12.35"),
        (Number(0.5, 4), "0.5000"),
        (Number(math.nan, reason="no segment"), "–"),
        (Number(12.345, 1, low=math.nan), "12.3"),
        (Number(1.0, low=0.5, high=1.5), "1.00 [0.50, 1.50]"),
        (Number(1.0, spread=0.25), "1.00 ± 0.25"),
        (Number(1.0, 3, n=1234), "1.000 (1,234)"),
        (Number(0.5, 3, style="signed"), "+0.500"),
        (Number(-0.5, style="signed"), "-0.50"),
        (Number(0.00012, 1, style="scientific"), "+1.2e-04"),
        (Number(math.nan, style="scientific"), "–"),
        (Interval(0.5, 1.5, 3), "[0.500, 1.500]"),
        (Interval(math.nan, math.nan), ""),
        (Count(12345), "12,345"),
        (Count(12345, grouped=False), "12345"),
        (RankRange(2, 2), "2"),
        (RankRange(1, 3), "1-3"),
        (PValue(0.0123, 0.05), "0.012"),
        (PValue(0.00012, 0.05), "0.00012"),
        (PValue(5e-324, 0.05), "<0.0001"),
        (PValue(0.0, 0.05), "<0.0001"),
        (PValue(math.nan, 0.05), "–"),
    ],
)
def test_text(cell, text):
    assert cell_text(cell) == text


def test_small_values_have_more_decimals():
    assert decimals_for([0.52, -1.9, math.nan]) == 4
    assert decimals_for([0.52, 2.0]) == 2
    assert decimals_for([math.nan]) == 2
    assert decimals_for([0.52], "bleu|percent:yes|refs:1") == 2


@pytest.mark.parametrize(
    ("low", "high", "decimals", "text"),
    [
        (0.861, 0.9834, 2, "0.950 [0.86, 0.98]"),
        (-0.034, 0.9962, 2, "0.950 [-0.03, 0.996]"),
        (-0.99999, 1.0, 2, "0.950 [-0.99999, 1.00]"),
        (-1.0, 0.99999999, 3, "0.950 [-1.000, 1.000000]"),
        (0.1, 0.1349, 3, "0.950 [0.100, 0.135]"),
    ],
)
def test_bounds_of_an_agreement(low, high, decimals, text):
    assert cell_text(Number(0.95, 3, low=low, high=high, bound_decimals=decimals)) == text


def test_p_values_are_not_rounded_across_alpha():
    assert cell_text(PValue(0.0495, alpha=0.05)) == "0.0495"
    assert cell_text(PValue(0.0495, alpha=0.01)) == "0.050"
    assert cell_text(PValue(0.0505, alpha=0.05)) == "0.051"
    assert cell_text(PValue(1 / 1001, 0.05)) == "0.0010"
    assert cell_text(PValue(0.0009, 0.05)) == "0.00090"
    assert cell_text(PValue(0.2, 0.05, frozenset({Flag.OTHER_CELLS}))) == "0.20 §"


def test_the_highest_number_of_a_column_is_the_best():
    other = frozenset({Flag.OTHER_CELLS})
    column = [BLANK, Text("a"), Number(math.nan), Number(-2.0, flags=other), Number(-4.0), Number(-2.0)]
    assert [sorted(cell.flags) for cell in with_best(column)] == [[], [], [], ["best", "other cells"], [], ["best"]]
    assert with_best([BLANK, Number(math.nan)])[1].flags == frozenset()


def test_a_single_cell_is_no_best():
    assert with_best([Number(1.0)]) == [Number(1.0)]
    assert with_best([]) == []
