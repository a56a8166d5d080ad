from __future__ import annotations

from assay import load, score
from assay.reports import document as make_document
from assay.reports.tsv import Tsv, _cell


def test_rows():
    run = score(load(outputs={"x": ["a b"]}, references=["a b"]), ["bleu", "chrf"], resamples=0, agg="corpus")
    header, *rows = [line.split("\t") for line in Tsv().render(make_document(run)).splitlines()]
    assert header[:5] == ["system", "metric", "aggregation", "group", "value"]
    assert [row[:6] for row in rows] == [
        ["x", "bleu", "corpus", "", "0.0", ""],
        ["x", "chrf", "corpus", "", "100.0", ""],
    ]
    assert all(len(row) == len(header) for row in rows)


def test_segments_are_rows_too():
    run = score(load(outputs={"x": ["a b", "c"]}, references=["a b", "d"]), "chrf", resamples=0, agg="corpus")
    rows = [line.split("\t") for line in Tsv().render(make_document(run, segments=True)).splitlines()[2:]]
    assert [(row[2], row[3], row[4]) for row in rows] == [("none", "segment:1", "100.0"), ("none", "segment:2", "0.0")]


def test_a_tab_cannot_break_a_row():
    assert _cell("a\tb") == "a b"
