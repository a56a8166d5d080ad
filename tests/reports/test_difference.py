from __future__ import annotations

from dataclasses import replace

import pytest

from assay import diff, load, score
from assay.reports import document as make_document
from assay.reports.table import Table
from assay.types import ScoreTable


def make(output, **options):
    return score(load(outputs={"x": output}, references=["a b c d", "e f g h"]), "chrf", resamples=5, **options)


@pytest.fixture(scope="module")
def document():
    found = diff(make(["a b c d", "e"]), make(["a b c d", "e f g"]))
    return make_document(replace(found, first="monday", second="tuesday"))


def test_for_people(document):
    text = Table().render(document)
    assert text.startswith("inputs and settings              monday        tuesday\ninput                output 'x'  ")
    assert "scores that changed" in text
    assert "chrf                 corpus     x" in text
    assert "chrf x (1 of 2)                   2" in text


def test_the_same_is_said_in_one_line():
    same = make_document(replace(diff(make(["a b", "c"]), make(["a b", "c"])), first="a", second="b"))
    assert Table().render(same) == "a and b are the same: inputs, settings and both scores\n"
    assert list(same.rows) == []


def test_for_programs(document):
    rows = list(document.rows)
    assert all(list(row) == list(document.columns) for row in rows)
    assert [row["kind"] for row in rows] == ["input", "score", "score", "segment"]
    tree = document.tree
    assert (tree["first"], tree["second"], tree["different"], tree["moved"]) == ("monday", "tuesday", True, True)


def test_scores_have_the_decimals_of_their_metric():
    """A metric on a scale of 1 has four decimals, as in the table of its scores."""
    testset = load(outputs={"x": ["a", "b"]}, references=["a", "b"])

    def run(*values):
        return score(testset, ScoreTable("m", "segment", ("x",), [values]), resamples=0, agg="segment")

    text = Table().render(make_document(diff(run(-0.64, -0.64), run(-0.65, -0.6456))))
    (line,) = (line for line in text.splitlines() if line.startswith("m ") and " segment " in line)
    assert line.split()[-3:] == ["-0.6400", "-0.6478", "-0.0078"]
    text = Table().render(make_document(diff(run(-0.64, -0.64), run(-0.64, -0.64002))))
    assert "-0.640000" in text
    assert "-1.0e-05" in text
