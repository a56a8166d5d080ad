from __future__ import annotations

from assay import load, score
from assay.reports.flat import COLUMNS, flat_rows


def test_every_row_has_every_column():
    run = score(load(outputs={"x": ["a", None]}, references=["a", "b"]), "chrf", resamples=5)
    rows = list(flat_rows(run, segments=True, sacrebleu=False))
    assert [list(row) for row in rows] == [list(COLUMNS)] * 5
    assert [(row["group"], row["value"], row["n"]) for row in rows[3:]] == [
        ("segment:1", 100.0, 1),
        ("segment:2", None, 0),
    ]
