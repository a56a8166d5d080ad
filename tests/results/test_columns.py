"""Columns read their values from records."""

from __future__ import annotations

import math
from typing import NamedTuple

import pytest

from assay import results
from assay.cli.front_page import COMMANDS
from assay.results import Estimate, Result
from assay.results.columns import ResultColumn, Unit, estimate_columns, look_up
from assay.results.outcome import Outcome


class Scored(NamedTuple):
    system: str
    score: Estimate | None
    settings: dict[str, str]


RECORD = Scored("x", Estimate(1.5, 3, 1.0, 2.0), {"test": "paired-t"})
RESULTS = [kind for kind in map(results.__getattr__, results.__all__) if isinstance(kind, type)]


def test_values_by_path_and_by_function():
    assert ResultColumn("system").cell(RECORD) == "x"
    assert ResultColumn("test", read="settings.test").cell(RECORD) == "paired-t"
    assert ResultColumn("twice", float, lambda record: 2 * record.score.value).cell(RECORD) == 3.0
    assert look_up(RECORD._replace(score=None), "score.basis.method") is None


@pytest.mark.parametrize(
    ("value", "expected"),
    [(math.nan, None), ("", None), (("a", "b"), "a b"), (Outcome.BETTER, "better"), (0, 0), (False, False)],
)
def test_cells_of_files(value, expected):
    assert ResultColumn("value").cell({"value": value}) == expected


def test_an_estimate_is_its_value_in_files():
    column = ResultColumn("score", float, "score")
    assert (column.cell(RECORD), column.value(RECORD)) == (1.5, RECORD.score)
    assert [column.cell(RECORD) for column in estimate_columns("score", names=("low", "n"))] == [1.0, 3]
    (low,) = estimate_columns("score", names=("low",), prefix="score_")
    assert (low.name, low.written_as) == ("score_low", Unit.SCORE)


@pytest.mark.parametrize("kind", [kind for kind in RESULTS if issubclass(kind, Result) and hasattr(kind, "columns")])
def test_names_are_unique_and_types_are_those_of_files(kind):
    names = [column.name for column in kind.columns]
    assert len(names) == len(set(names))
    assert {column.type for column in kind.columns} <= {str, int, float, bool}


def test_every_result_names_the_command_that_makes_it():
    parts = {results.Agreement, results.Curve, results.Subsamples, Result}
    made = {kind.__name__: kind.made_by for kind in RESULTS if issubclass(kind, Result) and kind not in parts}
    assert {name for name, command in made.items() if command.partition(" ")[0] not in COMMANDS} == set()
