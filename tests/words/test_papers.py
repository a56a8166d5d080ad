from __future__ import annotations

from dataclasses import replace

from assay.results import Published
from assay.words import verdict
from tests.results.test_reproduction import number, reproduction


def test_numbers_that_are_met_are_counted():
    made = reproduction()
    found = verdict([made])
    assert found.text == "3 of 15 published numbers could be compared; 2 of them are met."
    assert found.lede[0] == made.citation
    assert found.lede[1] == "The others could not be compared: 1 other data, 1 no number, 10 need data."


def test_widths_of_intervals_are_counted_apart():
    made = reproduction()
    widths = [number(Published(".020", "width"), value) for value in (0.020, 0.021, 0.030)]
    found = verdict([replace(made, numbers=(*made.numbers, *widths))])
    assert found.text == (
        "6 of 18 published numbers could be compared; 2 of 3 values are met, and 2 of 3 widths of intervals."
    )


def test_without_any_comparison():
    made = reproduction()
    without = [each for each in made.numbers if each.verdict not in ("met", "differs")]
    assert verdict([replace(made, numbers=tuple(without))]).text == "No published number could be compared."
