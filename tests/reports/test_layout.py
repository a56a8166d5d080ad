from __future__ import annotations

import math

from assay.reports.cells import Count, Number, Text
from assay.reports.documents import Caption, Grid, Series, columns
from assay.reports.layout import BLOCKS, TextGrid, caption_text, sparkline, text_grid

GRID = Grid(
    columns(("a", "b", "n"), labels=2),
    ((Text("x"), Text("y"), Count(1)), (Text("z"), Text("w"), Count(2))),
    (Caption("so"),),
    (Series("x", ("1", "2", "3"), (0.0, math.nan, 1.0)), Series("z", ("2", "3"), (0.0004, 0.5))),
)


def test_charts_are_a_column_after_the_labels():
    assert text_grid(GRID, charts=True) == TextGrid(
        ("a", "b", "▁ 0.00 █ 1.00", "n"), (("x", "y", "▁·█", "1"), ("z", "w", " ▁▅", "2")), 3, ("so",)
    )
    assert text_grid(GRID, charts=False).header == ("a", "b", "n")


def test_captions():
    assert caption_text(Caption("up to {} ({})", (Number(1.25), Text("{a}")))) == "up to 1.25 ({a})"
    assert caption_text(Caption("as {it} is")) == "as {it} is"


def test_equal_steps_from_low_to_high():
    assert sparkline([k / 8 for k in range(8)], 0.0, 1.0) == BLOCKS
    assert sparkline([-1.0, 0.0, 1.0], -1.0, 1.0) == "▁▅█"


def test_undefined_outside_and_flat():
    assert sparkline([math.nan, 2.0, -2.0], 0.0, 1.0) == "·█▁"
    assert sparkline([0.5, 0.5], 0.5, 0.5) == "██"
    assert sparkline([math.nan], math.nan, math.nan) == "·"
    assert sparkline([], 0.0, 1.0) == ""
