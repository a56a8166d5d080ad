from __future__ import annotations

import importlib.util

import assay
from assay.metrics import metric
from assay.types import Note, NoteKind


def test_doctor():
    installation = assay.doctor()
    assert installation["assay"] == assay.__version__
    assert installation["metrics"] == ", ".join(metric.names())
    assert installation["unicode tables"].startswith("regex ")


def test_what_is_missing(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(metric, "_failures", ["the metric plug-in 'x' (y:Z) cannot be loaded: no"])
    installation = assay.doctor()
    assert installation["extra spm"] == 'not installed: pip install "assay[spm]"'
    assert installation.notes == (Note(NoteKind.MISSING, "the metric plug-in 'x' (y:Z) cannot be loaded: no"),)
