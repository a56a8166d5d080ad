from __future__ import annotations

from assay import load, match
from assay.reports import document as make_document
from assay.reports.table import Table

TESTSET = load(outputs={"x": ["The cat sat on a mat.", "Good evening!"]}, references=["the cat sat on a mat", "Hello!"])


def test_matches_come_before_the_others():
    found = match(TESTSET, "100", "chrf:lowercase=yes", resamples=0)
    text = Table().render(make_document(found))
    assert text.startswith(f"none of {found.tried} settings gives 100\n\nnearest  ")
    value = found.candidates[0].value
    text = Table().render(make_document(match(TESTSET, f"{value:.2f}", "chrf:lowercase=yes", resamples=0)))
    assert text.startswith(f"gives {value:.2f}  ")
    assert "system" not in text  # there is only one
    assert "nearest others" in text


def test_for_programs():
    document = make_document(match(TESTSET, "50", resamples=0, top=3))
    rows = list(document.rows)
    assert len(rows) == 3
    assert all(list(row) == list(document.columns) for row in rows)
    assert document.tree["published"] == "50"


def test_matches_that_are_not_shown_are_counted():
    found = match(TESTSET, "50", "chrf", resamples=0)
    everything = match(TESTSET, f"{found.candidates[0].value:.0f}", "chrf", resamples=0)
    assert everything.matched > 2
    shown = match(TESTSET, everything.published, "chrf", resamples=0, top=2)
    assert f"and {everything.matched - 2} more" in Table().render(make_document(shown))
