from __future__ import annotations

import pytest

from assay.cli import _run
from assay.metrics import metric


def test_list(capsys):
    assert _run(["metrics", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == metric.names()
    assert ["chrf++", "=", "chrf:word_order=2"] in [line.split() for line in lines]
    assert "ter-moses         = ter:flavour=moses; higher is better" in lines
    assert "nist-mteval       = nist" in lines


def test_show(capsys):
    assert _run(["metrics", "show", "chrf++"]) == 0
    out = capsys.readouterr().out
    assert "  word_order=2\n" in out
    assert out.startswith("= chrf:word_order=2\n\nF-score")
    assert "higher is better; reported as corpus score" in out


@pytest.mark.parametrize(("name", "direction"), [("ter", "lower"), ("TER-MOSES", "higher"), ("wer", "lower")])
def test_direction(capsys, name, direction):
    assert _run(["metrics", "show", name]) == 0
    assert f"{direction} is better; reported as corpus score" in capsys.readouterr().out


def test_unknown(capsys):
    assert _run(["metrics", "show", "blue"]) == 2
    assert capsys.readouterr().err == "error: unknown metric 'blue'\nhint: did you mean 'bleu'?\n"
