from __future__ import annotations

from dataclasses import replace

from assay.reports.html.verdict import verdict
from tests.results.test_reproduction import reproduction


def test_numbers_that_are_met_are_counted():
    made = reproduction()
    found = verdict([made])
    assert found.text == "3 of 16 published numbers could be compared; 2 of them are met."
    assert found.lede[0] == made.citation
    others = [f"{count} {name}" for name, count in made.counts.items() if count and name not in ("met", "differs")]
    assert others
    assert found.lede[1] == f"The others could not be compared: {', '.join(others)}."


def test_without_any_comparison():
    made = reproduction()
    without = [each for each in made.numbers if each.verdict not in ("met", "differs")]
    assert verdict([replace(made, numbers=tuple(without))]).text == "No published number could be compared."
