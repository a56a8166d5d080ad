from __future__ import annotations

import math

import pytest

from assay.reports.cells import Number
from assay.reports.documents import Series
from assay.reports.html.lanes import Scale, curve, interval_scale, marks


def test_a_scale_holds_all_intervals_and_zero_if_they_are_differences():
    scale = interval_scale([Number(2.0, low=1.0, high=4.0), Number(math.nan)])
    assert (scale.low, scale.high) == (1.0, 4.0)
    assert [scale(1.0), scale(4.0)] == [0, 100]
    signed = interval_scale([Number(2.0, low=1.0, high=4.0, style="signed")])
    assert signed.low == 0.0
    assert interval_scale([Number(2.0)]) is None


def test_a_value_far_from_all_others_does_not_flatten_them():
    numbers = [Number(value, 2, value - 1, value + 1) for value in (52, 47, 46, 45, 43, 41, 38, 2.06)]
    scale = interval_scale(numbers)
    assert (scale.low, scale.high) == (37, 53)
    last, far = marks(numbers[-2:], ["", "hollow"], scale)
    assert (last.beyond, far.beyond, far.value) == ("", "2.06", 0)
    differences = [Number(value, style="signed") for value in (1, 0.5, 0.2, -0.4, 47.5)]
    signed = interval_scale(differences, needs_intervals=False)
    assert (signed.low, signed.high) == (-0.4, 1)
    assert marks(differences[-1:], [""], signed)[0].beyond == "+47.50"


def test_no_value_is_left_out_of_a_few_or_where_the_others_have_room():
    for values in (
        (52, 47, 46, 2),
        (52, 47, 46, 45, 43, 41, 38, 30),
        (5, 5, 5, 5, 5, 9),
        (0.3, 0.4, 0.7, 0.8, 0.8, 0.8, -1.5, -2.7),
    ):
        scale = interval_scale(map(Number, values), needs_intervals=False)
        assert (scale.low, scale.high) == (min(values), max(values))


@pytest.mark.parametrize(
    ("low", "high", "labels"),
    [
        (0, 5, ["0", "1", "2", "3", "4", "5"]),
        (45.2, 53.6, ["46", "48", "50", "52"]),
        (-0.6, 0.3, ["−0.6", "−0.4", "−0.2", "0.0", "0.2"]),
        (0.91, 0.99, ["0.92", "0.94", "0.96", "0.98"]),
        (1000, 9000, ["2000", "4000", "6000", "8000"]),
    ],
)
def test_ticks_are_round(low, high, labels):
    assert [label for _, label in Scale(low, high).ticks] == labels


def test_a_narrow_scale_has_few_ticks():
    assert [label for _, label in Scale(0.25, 0.99, steps=3).ticks] == ["0.4", "0.6", "0.8"]
    assert [label for _, label in Scale(63.4, 65.4, steps=2).ticks] == ["64", "65"]


def test_marks_of_one_cell_stand_below_each_other():
    scale = Scale(0, 10)
    first, second = marks([Number(5, low=4, high=6), Number(3)], ["", "hollow"], scale)
    assert (first.low, first.value, first.high) == (40, 50, 60)
    assert (second.low, second.look) == (None, "hollow")
    assert first.y < second.y
    assert marks([Number(math.nan)], [""], scale) == ()


def test_curves_share_a_scale_and_end_at_the_right():
    long, short = Series("a", ("1", "2", "3"), (0.0, 0.5, 1.0)), Series("b", ("2", "3"), (1.0, math.nan))
    assert curve(long, (long, short)).path == "M6.0 20.0 L60.0 12.0 L114.0 4.0"
    assert curve(short, (long, short)).path == "M60.0 4.0"
