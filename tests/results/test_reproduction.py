from __future__ import annotations

import json
import math

import pytest

from assay import open_result, save_result
from assay.results import Estimate, PaperFigure, Recommendation, Reproduced, Reproduction
from tests.store.examples import example


def number(published, value, **options):
    return Reproduced("Table 1", "BLEU", published, Estimate(value, 5, reason=options.pop("reason", None)), **options)


def reproduction():
    """A made-up paper, with a number of every verdict."""
    return Reproduction(
        "made-up",
        "Nobody (2020): A paper.",
        {"data": "made"},
        (
            number("3", 3.0),
            number(".85", 0.8516),
            number("> .97", 0.96, why="other data"),
            number("high", 0.7, why="in words"),
            number("", 12.345, why="in words"),
            number(".5", math.nan, reason="no scores"),
        ),
        (Recommendation("Do not.", "It holds here."),),
        ("One more thing.",),
        {"top": example("robustness top")},
        {"figure-1": PaperFigure("Figure 1", "robustness", ("top",))},
    )


@pytest.mark.parametrize(
    ("published", "value", "within", "verdict", "difference"),
    [
        (".85", 0.8549, None, "met", 0.0049),
        (".85", 0.8551, None, "differs", 0.0051),
        ("-.006", -0.0064, None, "met", -0.0004),
        ("12", 12, None, "met", 0),
        ("12", 13, None, "differs", 1),
        ("1", 0.997, 0.005, "met", -0.003),
        ("1", 0.6, 0.005, "differs", -0.4),
        ("about .6", 0.64, 0.05, "met", 0.04),
        ("> .97", 0.98, None, "met", math.nan),
        ("< 2.5", 2.5, None, "differs", math.nan),
        ("high", 0.9, None, "not comparable", math.nan),
        (".53 (WMT23)", 0.9, None, "not comparable", math.nan),
        ("", 0.9, None, "not published", math.nan),
        (".5", math.nan, None, "no data", math.nan),
    ],
)
def test_verdicts(published, value, within, verdict, difference):
    found = number(published, value, within=within)
    assert found.verdict == verdict
    assert found.difference == pytest.approx(difference, nan_ok=True)


def test_a_reason_is_given_only_where_it_is_needed():
    assert number(".85", 0.85, why="rounding").reason == ""
    assert number(".85", 0.8, why="other data").reason == "other data"
    assert number(".85", math.nan, reason="no scores", why="other data").reason == "no scores"


def test_counts():
    found = reproduction()
    assert found.counts == {"met": 2, "differs": 1, "not comparable": 1, "not published": 1, "no data": 1}
    assert (found.met, found.compared, len(found)) == (2, 3, 6)
    assert repr(found) == "Reproduction(made-up: 2 of 3 published numbers met)"


def test_rows_and_tree():
    found = reproduction()
    rows = list(found.rows())
    assert rows[1]["verdict"] == "met"
    assert rows[-1]["value"] is None
    assert rows[-1]["reason"] == "no scores"
    tree = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert tree["counts"]["met"] == 2
    assert tree["results"] == ["top"]
    assert tree["figures"]["figure-1"]["chart"] == "robustness"


def test_it_can_be_saved_and_opened(tmp_path):
    found = reproduction()
    save_result(found, tmp_path / "paper")
    opened = open_result(tmp_path / "paper")
    assert opened.to_dict() == found.to_dict()
    assert opened.results["top"].to_dict() == found.results["top"].to_dict()
