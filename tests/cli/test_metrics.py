from __future__ import annotations

import json

import pytest

from assay.cli.group import _run
from assay.metrics import metric


def test_list(capsys):
    assert _run(["metrics", "list"]) == 0
    _, *lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == metric.names()
    assert ["chrf++", "=", "chrf:word_order=2", "higher"] in [line.split() for line in lines]
    assert ["ter-moses", "=", "ter:flavour=moses", "higher"] in [line.split() for line in lines]


@pytest.mark.parametrize("form", ["json", "tsv", "latex", "md", "csv", "jsonl"])
@pytest.mark.parametrize("arguments", [["list"], ["show", "chrf++"]])
def test_every_form(capsys, arguments, form):
    assert _run(["metrics", *arguments, "--format", form]) == 0
    out = capsys.readouterr().out
    assert "chrf" in out
    if form == "json":
        assert json.loads(out)["version"]


def test_show(capsys):
    assert _run(["metrics", "show", "chrf++"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("chrf++ = chrf:word_order=2\n")
    assert ["word_order", "2"] in [line.split() for line in out.splitlines()]
    assert "F-score" in out


@pytest.mark.parametrize(("name", "direction"), [("ter", "Lower"), ("TER-MOSES", "Higher"), ("wer", "Lower")])
def test_direction(capsys, name, direction):
    assert _run(["metrics", "show", name]) == 0
    assert f"{direction} is better. Usual aggregation: corpus." in capsys.readouterr().out


def test_unknown(capsys):
    assert _run(["metrics", "show", "blue"]) == 2
    assert capsys.readouterr().err == "error: unknown metric 'blue'\nhint: did you mean 'bleu'?\n"
