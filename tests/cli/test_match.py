from __future__ import annotations

import json

import pytest

from assay.cli.group import _run
from assay.sample import write


@pytest.fixture(autouse=True)
def pair(tmp_path, monkeypatch):
    monkeypatch.chdir(write(tmp_path)[0])


@pytest.mark.slow
def test_the_command_of_the_manual(capsys):
    """The sample's elm against both references: BLEU 40.06 in README.md."""
    assert _run(["match", "40.1", "--ref", "refA.de", "--ref", "refB.de", "--sys", "elm=systems/elm.de"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:2] == ["gives", "40.1"]
    assert lines[1].split()[0] == "bleu"


def test_forms_and_top(capsys):
    arguments = ["match", "0.5", "-m", "chrf", "--ref", "refA.de", "systems/elm.de", "--resamples", "0"]
    assert _run([*arguments, "--format", "json", "--top", "3"]) == 0
    tree = json.loads(capsys.readouterr().out)
    assert len(tree["candidates"]) == 3
    assert [reading["value"] for reading in tree["readings"]] == [0.5, 50]
    assert _run([*arguments, "--top", "0", "--format", "tsv"]) == 0
    assert len(capsys.readouterr().out.splitlines()) > 100


def test_an_invalid_score(capsys):
    assert _run(["match", "BLEU", "--ref", "refA.de", "systems/elm.de"]) == 2
    assert "error: 'BLEU' is not a score\nhint: write it as it was published" in capsys.readouterr().err
