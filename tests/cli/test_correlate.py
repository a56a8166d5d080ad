from __future__ import annotations

import json

import pytest

from assay.cli.group import _run
from assay.data.formats.mtme import Mtme
from tests.study.test_correlate import campaign


@pytest.fixture
def place(tmp_path, monkeypatch):
    Mtme().write([campaign(1), campaign(2, lp="en-de")], tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path))
    return tmp_path


def call(capsys, *arguments):
    code = _run(["correlate", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_a_table_of_all_scores_and_one_of_samples(place, capsys):
    code, out, err = call(capsys, "made", "-m", "bleu", "--agg", "corpus,segment", "--sample-sizes", "2,4")
    assert code == 0
    lines = out.splitlines()
    assert lines[0].split() == ["pearson", "pooled", "n", "mean", "language", "pairs", "lowest"]
    assert lines[1].split()[:2] == ["bleu", "m-bleu"]
    assert "no interval: 2 language pairs, fewer than 5" in out
    assert any(line.split() == ["on", "100", "samples", "of", "2", "4"] for line in lines)
    assert "bleu: computed as bleu|" in err


def test_json(place, capsys):
    code, out, _ = call(capsys, "made", "--lp", "de-en", "--size", "5", "--format", "json")
    assert code == 0
    tree = json.loads(out)
    assert [len(tree["correlations"]), len(tree["systems"])] == [15, 5]
    assert tree["signature"].startswith("data:made|lps:de-en|statistic:pearson|")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--small-sets", "drop"), "unknown --small-sets 'drop'"),
        (("--small-sets", "whole"), "--small-sets has no effect"),
        (("--sample-sizes", "ten"), "--sample-sizes must be integers, not 'ten'"),
        (("--sample-sizes", "-5"), "--sample-sizes must be an integer between 1"),
    ],
)
def test_messages_name_the_option(place, capsys, options, message):
    code, _, err = call(capsys, "made", *options)
    assert code == 2
    assert message in err


def test_one_score_is_an_error(place, capsys):
    code, _, err = call(capsys, "made", "-m", "bleu", "--agg", "corpus")
    assert code == 2
    assert "there are no two scores of the same systems" in err
    assert "--agg corpus,segment" in err
