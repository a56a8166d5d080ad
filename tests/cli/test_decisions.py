from __future__ import annotations

import json

from assay.cli.group import _run
from tests.cli.test_calibrate import campaign  # noqa: F401 (a fixture)


def test_tables_and_json(campaign, capsys):  # noqa: F811
    assert _run(["decisions", "wmt99", "-m", "bleu,chrf", "--bins", "2,4", "--min-segments", "20"]) == 0
    out = capsys.readouterr().out
    assert "Type I: " in out
    assert "at least 4" in out
    assert _run(["decisions", "wmt99", "--preset", "mathur2020", "--format", "json"]) == 0
    tree = json.loads(capsys.readouterr().out)
    assert tree["settings"]["test"] == "rank-sum"
    assert tree["metrics"][0]["pairs"] == 3
