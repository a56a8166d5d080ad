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


def test_resources(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path / "resources"))
    assert assay.doctor()["resources"] == f"{tmp_path / 'resources'} (does not exist yet)"
    (tmp_path / "resources" / "minilm").mkdir(parents=True)
    (tmp_path / "resources" / "minilm" / "config.json").write_bytes(b"{}")
    (tmp_path / "resources" / "tiny.vec").write_bytes(b"1 2\na 1 2\n")
    (tmp_path / "resources" / "list.txt").write_bytes(b"x" * 2500)
    (tmp_path / "resources" / "broken").symlink_to("nowhere")
    installation = assay.doctor()
    assert installation["resources"] == str(tmp_path / "resources")
    assert installation["resource minilm"].startswith("encoder (transformers), 2 bytes, sha256-")
    assert installation["resource tiny.vec"].startswith(
        "word vectors (word2vec text or fastText .vec), 10 bytes, sha256-"
    )
    assert installation["resource list.txt"].startswith("file, 2.5 kB, sha256-")
    assert installation["resource broken"].startswith("cannot be read: ")


def test_resources_that_are_not_found(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path))
    assert assay.doctor()["resource wink-en"].startswith("not found; it is the .json file in the npm package wink")
    (tmp_path / "wink-en.vec").write_bytes(b"1 2\na 1 2\n")
    found = assay.doctor().facts
    assert found["resource wink-en.vec"].startswith("word vectors")
    assert "resource wink-en" not in found
    assert found["resource minilm-en"].startswith("not found; it is the folder ")
