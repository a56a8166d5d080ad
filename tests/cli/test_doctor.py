from __future__ import annotations

import json

import pytest

import assay
from assay.cli.group import _run
from assay.metrics import metric


def test_doctor(capsys):
    assert _run(["doctor"]) == 0
    lines = dict(line.split("  ", 1) for line in capsys.readouterr().out.splitlines())
    assert lines["assay"].strip() == assay.__version__
    assert lines["unicode tables"].strip().startswith("regex ")


@pytest.mark.parametrize("form", ["json", "tsv", "latex", "md", "csv", "jsonl"])
def test_every_form(capsys, form):
    assert _run(["doctor", "--format", form]) == 0
    out = capsys.readouterr().out
    assert assay.__version__ in out
    if form == "json":
        assert json.loads(out)["installation"]["assay"] == assay.__version__


def test_plug_ins_that_fail(capsys, monkeypatch):
    monkeypatch.setattr(metric, "_failures", ["the metric plug-in 'x' (y:Z) cannot be loaded: no"])
    assert _run(["doctor"]) == 0
    assert capsys.readouterr().err == "note: the metric plug-in 'x' (y:Z) cannot be loaded: no\n"
