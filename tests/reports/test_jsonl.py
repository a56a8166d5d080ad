from __future__ import annotations

import json

import pytest

from assay import load, score
from assay.reports import document as make_document
from assay.reports.jsonl import JsonLines


@pytest.mark.warns("no segments of")
def test_one_object_a_line():
    run = score(load(outputs={"ü": ["a"], "y": [None]}, references=["a"]), ["bleu", "chrf"], resamples=5)
    rows = [json.loads(line) for line in JsonLines().render(make_document(run)).splitlines()]
    assert len(rows) == 2 * 2 * 2
    assert {row["system"] for row in rows} == {"ü", "y"}
    row = next(row for row in rows if row["system"] == "y")
    assert row["value"] is None
    assert row["reason"] == "no segment was scored"
