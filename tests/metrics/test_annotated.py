"""Which texts are compared if annotations are missing, for every metric that reads them."""

from __future__ import annotations

import pytest

from assay import score
from assay.metrics import metric
from assay.types import TestSet

VALUES = {
    "tokens": "although x",
    "lemma": "although x",
    "pos": "VERB NOUN",
    "sempos": "although|v x|n",
    "dependencies": "0:root 1:dep",
    "alignment": "0-0 1-1",
}
SPECS = (
    *("hlepor:pos_weight=0.5", "nlepor:pos_weight=0.5", "hjerson:base=lemma", "act:word_alignment=yes"),
    *("sempos", "sempos-upos", "hwcm", "depref-exact", "depref-align"),
)


def annotated(spec, columns, *, lacking=None):
    """Two references and two systems, all with the same words; `columns` have the layers, all but one in one column."""
    words = ("although x",)
    names = {"A": words, "B": words}
    layers = {
        layer: {name: (value,) for name in columns if (name, layer) != lacking}
        for layer, value in VALUES.items()
        if layer in metric.create(spec).needs
    }
    return TestSet(outputs={"x": words, "y": words}, references=names, sources=words, lp="en-fr", annotations=layers)


def layers_of(spec):
    return sorted(metric.create(spec).needs - {"reference", "source"})


@pytest.mark.filterwarnings("ignore:.*(files were not found):assay.AssayWarning")
@pytest.mark.parametrize("spec", SPECS)
def test_all_are_annotated(spec):
    run = score(annotated(spec, ["A", "B", "x", "y"]), spec, resamples=0)
    assert run[spec].statistics.scored.all()
    assert "|refs:2|" in str(run[spec].signature)


@pytest.mark.warns("no segments of|lacks the annotation layer|files were not found")
@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("columns", [["x", "y"], ["A", "B"]])
def test_only_outputs_or_only_references_are_annotated(spec, columns):
    run = score(annotated(spec, columns), spec, resamples=0)
    assert not run[spec].statistics.scored.any()
    assert any("they lack the annotation layer" in note.text for note in run.notes)


@pytest.mark.warns("no segments of|files were not found")
@pytest.mark.parametrize("spec", SPECS)
def test_one_system_is_not_annotated(spec):
    run = score(annotated(spec, ["A", "B", "x"]), spec, resamples=0)
    assert run[spec].statistics.scored.tolist() == [[True], [False]]
    assert any(note.text.startswith("no segments of y were scored") for note in run.notes)


@pytest.mark.filterwarnings("ignore:.*(lacks the annotation layer|files were not found):assay.AssayWarning")
@pytest.mark.parametrize("spec", SPECS)
def test_a_reference_that_lacks_a_layer_is_not_used_nor_counted(spec):
    for layer in layers_of(spec):
        run = score(annotated(spec, ["A", "B", "x", "y"], lacking=("A", layer)), spec, resamples=0)
        assert run[spec].statistics.scored.all()
        assert "|refs:1|" in str(run[spec].signature)
        text = f"the reference 'A' lacks the annotation layer '{layer}', and is not used"
        assert text in [note.text for note in run.notes]


@pytest.mark.warns("no segments of|lacks the annotation layer")
@pytest.mark.parametrize("spec", ["hjerson:base=lemma", "sempos-upos", "hwcm", "depref-exact"])
def test_two_references_that_lack_different_layers(spec):
    """Neither can be used."""
    first, second = layers_of(spec)
    whole = annotated(spec, ["A", "B", "x", "y"])
    layers = {layer: dict(columns) for layer, columns in whole.annotations.items()}
    del layers[first]["A"], layers[second]["B"]
    partly = TestSet(outputs=whole.outputs, references=whole.references, lp="en-fr", annotations=layers)
    assert not score(partly, spec, resamples=0)[spec].statistics.scored.any()
