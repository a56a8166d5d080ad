"""What metrics need, and how missing inputs are named."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assay import load
from assay.errors import InputError
from assay.measurement import measure
from assay.types import ScoreTable
from assay.types.runtime import Runtime

TESTSET = load(
    outputs={"x": ["a b c d", "e f g h"], "y": ["a b c d", None], "ref": ["a b c d", "e f g i"]},
    references={"ref": ["a b c d", "e f g i"]},
)


def test_missing_layers_are_named():
    testset = load(outputs={"x": ["a"], "y": ["b"]}, references={"ref": ["a"]})
    layers = {"x": ("a|n",), "ref": ("a|n",)}
    notes = measure(replace(testset, annotations={"sempos": layers}), ["sempos"], Runtime()).notes
    text = "no segments of y were scored: they lack the annotation layer 'sempos' of the output or of a reference"
    assert [note.severity for note in notes if note.text == text] == ["warning"]
    with pytest.raises(InputError, match="needs the annotation layer 'sempos'") as raised:
        measure(testset, ["sempos"], Runtime())
    assert "put it into FILE.sempos beside each text" in raised.value.hint


def test_missing_files_are_named(tmp_path):
    for name in ("x", "y", "ref"):
        (tmp_path / f"{name}.de").write_text("a\n", encoding="utf-8")
    for name in ("x", "ref"):
        (tmp_path / f"{name}.de.sempos").write_text("a|n\n", encoding="utf-8")
    outputs = {"x": tmp_path / "x.de", "other": tmp_path / "y.de"}
    testset = load(outputs=outputs, references=tmp_path / "ref.de", annotations=True)
    (note,) = [note for note in measure(testset, ["sempos"], Runtime()).notes if "no segments" in note.text]
    assert note.text.endswith(f"; there is no file {tmp_path}/y.de.sempos")


def test_how_to_add_a_layer_in_python():
    testset = load(outputs={"x": ["a"]}, references={"ref": ["a"]}, lp="en-de")
    with pytest.raises(InputError, match="needs the annotation layer 'dependencies'") as raised:
        measure(testset, ["hwcm"], Runtime())
    expected = 'assay annotate adds it, with language="de" and annotator="spacy:model=de_core_news_sm"'
    assert raised.value.hint == expected


def test_what_is_lacking_is_named():
    testset = load(outputs={"x": ["a b", "c"], "y": ["a b", "c"]}, references=["a", None])
    table = ScoreTable("COMET", "segment", ("x", "y"), [[1, 2], [1, np.nan]])
    texts = [note.text for note in measure(testset, ["bleu", table], Runtime(threads=1)).notes]
    assert "excluded 1 of 2 segments, which lack a reference for x, y" in texts
    assert "excluded 1 of 2 segments, which lack a score for y" in texts
