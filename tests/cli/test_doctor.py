from __future__ import annotations

import importlib.util

import assay
from assay.cli import _run
from assay.metrics import metric


def test_doctor(capsys):
    assert _run(["doctor"]) == 0
    lines = dict(line.split("  ", 1) for line in capsys.readouterr().out.splitlines())
    assert lines["assay"].strip() == assay.__version__
    assert lines["metrics"].strip() == ", ".join(metric.names())
    assert lines["unicode tables"].strip().startswith("regex ")


def test_what_is_missing_comes_with_the_line_that_installs_it(capsys, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(metric, "_failures", ["the metric plug-in 'x' (y:Z) cannot be loaded: no"])
    assert _run(["doctor"]) == 0
    captured = capsys.readouterr()
    assert 'not installed: pip install "assay[spm]"' in captured.out
    assert captured.err == "warning: the metric plug-in 'x' (y:Z) cannot be loaded: no\n"
