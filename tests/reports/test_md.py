from __future__ import annotations

from assay import load, score
from assay.reports.md import Markdown
from assay.reports.run import RunDocument


def test_pipe_table():
    run = score(
        load(outputs={"a|b": ["x y"], "<i>": ["x"]}, references=["x y"]), "chrf", resamples=0, agg="corpus,segment"
    )
    lines = Markdown().render(RunDocument(run)).splitlines()
    assert lines[:3] == ["| chrf (n=1) | corpus | segment |", "| --- | --: | --: |", "| a\\|b | 100.00 | 100.00 |"]
    assert lines[3].startswith("| \\<i\\> | ")
    assert "corpus and segment differ by up to 0.00 (a\\|b)" in lines[5]
    assert lines[-1].startswith("`chrf|char_order:6|")
