from __future__ import annotations

from assay.significance.alternative import ALTERNATIVES


def test_names_are_those_of_the_command_line():
    assert ALTERNATIVES == ("two-sided", "better", "worse")
