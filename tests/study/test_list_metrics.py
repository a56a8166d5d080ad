from __future__ import annotations

from assay import list_metrics
from assay.metrics import metric
from assay.types import NoteKind


def test_all_metrics():
    metrics = {entry.name: entry for entry in list_metrics()}
    assert list(metrics) == metric.names()
    assert (metrics["chrf++"].spec, metrics["chrf++"].summary) == ("chrf:word_order=2", "= chrf:word_order=2")
    assert (metrics["ter"].higher_is_better, metrics["ter-moses"].higher_is_better) == (False, True)
    assert metrics["nist-mteval"].spec == "nist"
    assert metrics["bleu"].needs == ("reference",)
    assert metrics["bleu"].aggregation == "corpus"


def test_broken_plug_ins_are_noted(monkeypatch):
    failure = "the metric plug-in 'mine' (my.package:Mine) cannot be loaded: no module named my"
    monkeypatch.setattr(metric, "_failures", [failure])
    listed = list_metrics()
    assert [(note.kind, note.text) for note in listed.notes] == [(NoteKind.UNREAD, failure)]
    assert "bleu" in [entry.name for entry in listed]
