from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest

from assay import open_result, save_result
from assay.results import Estimate, PaperFigure, Published, Recommendation, ReproducedNumber, Reproduction
from tests.store.examples import example


def number(published, value, *, ours_reason=None, where="Table 1", **options):
    return ReproducedNumber(where, "BLEU", published, Estimate(value, 5, reason=ours_reason), **options)


def reproduction():
    """A made-up paper, with a value of every verdict."""
    return Reproduction(
        paper="made-up",
        citation="Nobody (2020): A paper.",
        settings={"data": "made"},
        numbers=(
            number(Published("3"), 3.0),
            number(Published(".85"), 0.8516),
            number(Published(".97", "above"), 0.96, reason="short"),
            number(Published(".97", other_data=True), 0.96, reason="other data"),
            number(Published(words="high"), 0.7, reason="in words"),
            number(Published(), 12.345, where="", reason="in words"),
            number(Published(".5"), math.nan, ours_reason="no scores"),
            number(Published(), math.nan, ours_reason="no scores", count=9),
        ),
        recommendations=(Recommendation("Do not.", "It holds here."),),
        remarks=("One more thing.",),
        results={"top": example("robustness top")},
        tables={"top": "Table 7"},
        figures={"figure-1": PaperFigure("Figure 1", "robustness", ("top",))},
    )


@pytest.mark.parametrize(
    ("published", "value", "verdict", "difference", "text"),
    [
        (Published(".85"), 0.8549, "met", 0.0049, ".85"),
        (Published(".85"), 0.8551, "differs", 0.0051, ".85"),
        (Published("-.006"), -0.0064, "met", -0.0004, "-.006"),
        (Published("12"), 12, "met", 0, "12"),
        (Published("12"), 13, "differs", 1, "12"),
        (Published(".6", "about"), 0.64, "met", 0.04, "about .6"),
        (Published("1", "about", "perfect"), 0.94, "differs", -0.06, "perfect (about 1)"),
        (Published(".97", "above"), 0.98, "met", math.nan, "> .97"),
        (Published(".5", "above", "most"), 0.5, "differs", math.nan, "most (> .5)"),
        (Published("2.5", "below"), 2.5, "differs", math.nan, "< 2.5"),
        (Published(".020", "width"), 0.0229, "width met", 0.0029, "± .020"),
        (Published(".020", "width"), 0.0231, "width differs", 0.0031, "± .020"),
        (Published(words="high"), 0.9, "no number", math.nan, "high"),
        (Published(".53", other_data=True), 0.53, "other data", 0.0, ".53"),
        (Published(".97", "above", other_data=True), 0.9, "other data", math.nan, "> .97"),
        (Published(".5"), math.nan, "needs data", math.nan, ".5"),
    ],
)  # fmt: skip
def test_verdicts(published, value, verdict, difference, text):
    found = number(published, value)
    assert found.verdict == verdict
    assert found.difference == pytest.approx(difference, nan_ok=True)
    assert published.text == text


def test_what_is_not_in_the_paper_is_ours_only():
    assert number(Published(), 0.9, where="").verdict == "ours only"
    assert number(Published(), math.nan, where="").verdict == "ours only"


def test_there_is_one_reason_and_only_where_it_is_needed():
    assert number(Published(".85"), 0.85, reason="rounding").reason == ""
    assert number(Published(".85"), 0.8, reason="other data").reason == "other data"
    assert number(Published(".85"), math.nan, ours_reason="no scores", reason="other data").reason == "no scores"


def test_counts_are_of_published_numbers():
    found = reproduction()
    assert found.counts == {
        "met": 2, "differs": 1, "width met": 0, "width differs": 0, "other data": 1, "no number": 1, "needs data": 10,
        "needs model": 0, "not computed": 0,
        "ours only": 1,
    }  # fmt: skip
    assert (found.published, len(found)) == (15, 8)
    assert repr(found) == "Reproduction(made-up: 2 of 3 published numbers met)"
    assert found.drawn("figure-1") == (found.results["top"],)


def test_widths_of_intervals_are_counted_apart():
    widths = [number(Published(".020", "width"), value, reason="draws") for value in (0.020, 0.021, 0.030)]
    found = replace(reproduction(), numbers=(number(Published(".85"), 0.85), *widths))
    assert {name: count for name, count in found.counts.items() if count} == {
        "met": 1, "width met": 2, "width differs": 1,
    }  # fmt: skip
    assert [each.reason for each in widths] == ["", "", "draws"]


def test_rows_and_tree():
    found = reproduction()
    rows = list(found.rows())
    assert rows[1]["verdict"] == "met"
    assert (rows[1]["published"], rows[1]["published_value"], rows[2]["published"]) == (".85", 0.85, "> .97")
    assert (rows[-1]["value"], rows[-1]["count"], rows[-1]["reason"]) == (None, 9, "no scores")
    assert [row["reason"] for row in rows[1:4]] == [None, "short", "other data"]
    tree = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert tree["counts"]["met"] == 2
    assert tree["names"] == ["top"]
    assert tree["figures"]["figure-1"]["chart"] == "robustness"
    assert tree["tables"] == {"top": "Table 7"}
    assert tree["recommendations"] == [{"recommended": "Do not.", "found": "It holds here."}]


def test_it_can_be_saved_and_opened(tmp_path):
    found = reproduction()
    save_result(found, tmp_path / "paper")
    opened = open_result(tmp_path / "paper")
    assert opened.to_dict() == found.to_dict()
    assert opened.results["top"].to_dict() == found.results["top"].to_dict()
