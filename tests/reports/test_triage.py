from __future__ import annotations

from dataclasses import replace

import pytest

import assay
from assay.reports.triage import document
from assay.results import Estimate, HeldOut, Triage
from tests.study.test_triage import campaign


@pytest.fixture(scope="module")
def triage() -> Triage:
    return assay.triage(campaign(), error_rate=0.2)


def rows(triage: Triage) -> list[list[str]]:
    """The cells of what was held out, below their titles."""
    (grid,) = document(triage).sections[-1].grids
    cells = [[getattr(cell, "text", getattr(cell, "value", "")) for cell in row] for row in grid.rows]
    return [[column.title for column in grid.columns], *([str(cell) for cell in row] for row in cells)]


def test_what_intervals_show_of_each_part(triage: Triage) -> None:
    kept, broken = Estimate(0.1, 50, 0.05, 0.15), Estimate(0.4, 50, 0.3, 0.5)
    parts = (
        HeldOut("a", 100, 0.5, 50, kept),
        HeldOut("b", 100, 0.6, 50, broken),
        HeldOut("c", 90, float("nan"), 0, Estimate(float("nan"), 0)),
    )
    titles, *found = rows(replace(triage, held_out=parts))
    assert titles == ["held out", "promise", "judgements", "threshold of the others", "released", "with errors, %"]
    assert [row[:3] for row in found] == [
        ["a", "shown to be kept", "100"],
        ["b", "shown to be broken", "100"],
        ["c", "", "90"],
    ]


def test_a_threshold_above_all_that_was_held_out_is_shown(triage: Triage) -> None:
    parts = (HeldOut("a", 100, 0.5, 0, Estimate(float("nan"), 0)),)
    titles, *_ = rows(replace(triage, held_out=parts))
    assert titles == ["held out", "judgements", "threshold of the others", "released"]


def test_systems_have_a_table_of_their_own(triage: Triage) -> None:
    first, _ = document(triage).sections
    assert first.title.startswith("By system (threshold 0.27")
    assert len(document(replace(triage, systems=())).sections) == 1
