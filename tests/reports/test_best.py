from __future__ import annotations

import math

from assay.reports.best import with_best
from assay.reports.cells import BLANK, Flag, Number, Text


def test_the_highest_number_of_each_column_is_the_best():
    rows = [
        (Text("a"), Number(1.0), Number(math.nan), BLANK),
        (Text("b"), Number(3.0), Number(-2.0, flags=frozenset({Flag.OTHER_CELLS})), BLANK),
        (Text("c"), Number(3.0), Number(-4.0), BLANK),
    ]
    flags = [[sorted(cell.flags) for cell in row] for row in with_best(rows)]
    assert flags == [[[], [], [], []], [[], ["best"], ["best", "other cells"], []], [[], ["best"], [], []]]


def test_a_single_row_is_no_best():
    rows = [(Text("a"), Number(1.0))]
    assert with_best(rows) == rows
    assert with_best([]) == []
