from __future__ import annotations

import pytest

from assay import diff, load, score
from assay.reports.difference import DifferenceDocument
from assay.reports.table import Table


def make(output, **options):
    return score(load(outputs={"x": output}, references=["a b c d", "e f g h"]), "chrf", resamples=5, **options)


@pytest.fixture(scope="module")
def document():
    return DifferenceDocument(diff(make(["a b c d", "e"]), make(["a b c d", "e f g"])), "monday", "tuesday")


def test_for_people(document):
    text = Table().render(document)
    assert text.startswith("made from              monday        tuesday\ninput      output 'x'  ")
    assert "scores that moved" in text
    assert "chrf               corpus       x" in text
    assert "chrf x (1 of 2)                 2" in text


def test_the_same_is_said_in_one_line():
    same = DifferenceDocument(diff(make(["a b", "c"]), make(["a b", "c"])), "a", "b")
    assert Table().render(same) == "a and b are the same: inputs, settings and all 3 scores\n"
    assert list(same.rows()) == []


def test_for_programs(document):
    rows = list(document.rows())
    assert all(list(row) == list(document.columns) for row in rows)
    assert [row["kind"] for row in rows] == ["input", "score", "score", "score", "segment"]
    tree = document.tree()
    assert (tree["first"], tree["second"], tree["different"], tree["moved"]) == ("monday", "tuesday", True, True)
