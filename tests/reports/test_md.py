from __future__ import annotations

from assay import load, score
from assay.reports.md import Markdown
from assay.reports.run import RunDocument


def test_pipe_table():
    run = score(
        load(outputs={"a|b": ["x y", "z"], "<i>": ["x", "y"]}, references=["x y", "z z z"]),
        "chrf",
        resamples=0,
        agg="corpus,segment",
    )
    lines = Markdown().render(RunDocument(run)).splitlines()
    assert lines[:3] == ["| chrf (n=2) | corpus | segment |", "| --- | --: | --: |", "| a\\|b | 52.24 | 69.23 |"]
    assert lines[3].startswith("| \\<i\\> | ")
    assert "corpus and segment differ by up to 16.99 (a\\|b)" in lines[5]
    assert lines[-1].startswith("`chrf|char_order:6|")
