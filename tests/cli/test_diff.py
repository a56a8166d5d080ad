from __future__ import annotations

import json

import pytest

from assay.cli.group import _run


@pytest.fixture
def runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ref").write_text("ab cd ef gh\nij kl mn op\n", encoding="utf-8")
    (tmp_path / "out").write_text("ab cd ef gh\nij kl mn\n", encoding="utf-8")
    for name, options in (("one", []), ("two", []), ("three", ["-m", "bleu:tok=char"])):
        aggregations = ["--agg", "corpus,segment,bootstrap"]
        assert _run(["score", "--ref", "ref", "out", "--save", name, "--resamples", "10", *aggregations, *options]) == 0
    capsys.readouterr()


def test_the_same(runs, capsys):
    assert _run(["diff", "one", "two", "--fail-if", "different"]) == 0
    assert capsys.readouterr().out == "one and two are the same: inputs, settings and all 6 scores\n"


def test_different(runs, capsys):
    assert _run(["diff", "one", "three", "--format", "json"]) == 0
    tree = json.loads(capsys.readouterr().out)
    assert tree["different"]
    assert {"kind": "signature", "name": "bleu / bleu:tok=char tok", "first": "13a", "second": "char"}.items() <= (
        tree["rows"][1].items()
    )


@pytest.mark.parametrize(
    ("condition", "message"),
    [("different", "the runs differ"), ("moved", "1 of 3 scores changed, and 2 of their intervals")],
)
def test_a_gate(runs, capsys, condition, message):
    assert _run(["diff", "one", "three", "--fail-if", condition]) == 5
    captured = capsys.readouterr()
    assert captured.err == f"note: {message}\n"
    assert "tok" in captured.out


def test_the_gate_is_shut_when_nothing_can_be_compared(runs, capsys):
    assert _run(["score", "--ref", "ref", "out", "--save", "chrf", "--resamples", "10", "-m", "chrf++"]) == 0
    assert _run(["diff", "three", "chrf", "--fail-if", "moved"]) == 5
    assert "the runs have no score in common: nothing was compared" in capsys.readouterr().err


def test_no_such_run(runs, capsys):
    assert _run(["diff", "one", "four"]) == 3
    assert (
        "error: four/result.json: no such file or directory\nhint: a saved result is a folder"
        in capsys.readouterr().err
    )
