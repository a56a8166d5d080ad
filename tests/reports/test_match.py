from __future__ import annotations

from assay import load, match
from assay.reports.match import MatchDocument
from assay.reports.table import Table

TESTSET = load(outputs={"x": ["The cat sat on a mat.", "Good evening!"]}, references=["the cat sat on a mat", "Hello!"])


def test_matches_come_before_the_others():
    found = match(TESTSET, "100", "chrf:lowercase=yes", resamples=0)
    text = Table().render(MatchDocument(found))
    assert text.startswith(f"none of {found.tried} settings gives 100\n\nnearest  ")
    value = found.candidates[0].value
    text = Table().render(MatchDocument(match(TESTSET, f"{value:.2f}", "chrf:lowercase=yes", resamples=0)))
    assert text.startswith(f"{value:.2f} is  ")
    assert "nearest others" in text


def test_for_programs():
    document = MatchDocument(match(TESTSET, "50", resamples=0, top=3))
    rows = list(document.rows())
    assert len(rows) == 3
    assert all(list(row) == list(document.columns) for row in rows)
    assert document.tree()["published"] == "50"
