from __future__ import annotations

from assay.cli import _run
from assay.metrics import metric


def test_list(capsys):
    assert _run(["metrics", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == metric.names()
    assert ["chrf++", "chrf:word_order=2"] in [line.split() for line in lines]


def test_show(capsys):
    assert _run(["metrics", "show", "chrf++"]) == 0
    out = capsys.readouterr().out
    assert "  word_order=2\n" in out
    assert "higher is better; reported as corpus score" in out


def test_unknown(capsys):
    assert _run(["metrics", "show", "blue"]) == 2
    assert capsys.readouterr().err == "error: unknown metric 'blue'\nhint: did you mean 'bleu'?\n"
