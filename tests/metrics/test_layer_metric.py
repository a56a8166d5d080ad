from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from assay import Runtime, score
from assay.errors import SegmentError
from assay.metrics import metric
from assay.metrics.layer_metric import LayerTexts
from assay.testing import check_metric
from assay.types import NoteKind, TestSet, as_column
from tests.metrics.annotated import annotated_testset

SPECS = (
    *("hwcm", "hwcm:max_order=2,lowercase=yes"),
    *("depref-exact", "depref-exact:structures=chains,alpha=0.9", "depref-exact:structures=subtrees,max_order=2"),
    *("sempos", "sempos:overlap=cap-macro", "sempos-upos", "sempos-upos:overlap=cap-macro"),
)


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS)
def test_metrics_on_annotations_keep_the_contract(spec):
    check_metric(metric.create(spec), annotated_testset())


@pytest.mark.parametrize("spec", SPECS)
def test_the_best_reference_counts(spec):
    both = annotated_testset()
    chosen = metric.create(spec).prepare(both)
    tables = [chosen.statistics(both.with_references([name]), Runtime()) for name in both.references]
    preference = np.nan_to_num(np.stack([chosen.preference(table) for table in tables]), nan=-1.0)
    expected = np.where((preference[0] >= preference[1])[..., np.newaxis], *tables)
    assert np.array_equal(chosen.statistics(both, Runtime())[:, :5], expected[:, :5])


@pytest.mark.parametrize("spec", SPECS)
def test_an_output_without_annotation_is_not_scored(spec):
    testset = annotated_testset()
    layers = {
        layer: {name: column for name, column in columns.items() if name != "poor"}
        for layer, columns in testset.annotations.items()
    }
    chosen = metric.create(spec).prepare(testset)
    partly = replace(testset, annotations=layers)
    assert not chosen.scorable(partly)[1].any()
    assert chosen.scorable(partly)[0, 0]
    only_references = {
        layer: {name: column for name, column in columns.items() if name.startswith("ref")}
        for layer, columns in testset.annotations.items()
    }
    assert not chosen.scorable(replace(testset, annotations=only_references)).any()


def test_only_the_layers_that_a_metric_reads_must_be_there():
    """DEPREF needs the dependencies of references; those of an output, and of the source, make no difference."""
    layers = {
        "tokens": {"x": ["a"], "y": ["a"], "ref": ["a"]},
        "dependencies": {"x": ["0:root"], "source": [None], "ref": ["0:root"]},
    }
    texts = TestSet(outputs={"x": ["a"], "y": ["a"]}, references={"ref": ["a"]}, sources=["s"], annotations=layers)
    depref, hwcm = metric.create("depref-exact"), metric.create("hwcm")
    assert depref.scorable(texts).tolist() == [[True], [True]]
    assert depref.score(depref.statistics(texts, Runtime())).tolist() == [[1.0], [1.0]]
    assert hwcm.scorable(texts).tolist() == [[True], [False]]


def test_words_of_layers():
    texts = LayerTexts(("ref",), ("x",), {"tokens": (as_column(["A\u00a0b  a", None]), as_column([" b", "A"]))})
    (tokens,) = texts.split("tokens", lowercase=True)
    assert [[tokens.words[row] for row in rows] for rows in tokens.rows] == [["a", "b", "a"], ["b", "a"]]


def test_layers_of_different_lengths():
    layers = {
        "tokens": {"x": ["a"] * 3, "ref": ["a", None, "a b"]},
        "dependencies": dict.fromkeys(("x", "ref"), ["0:a"] * 3),
    }
    faulty = TestSet(outputs={"x": ["a"] * 3}, references={"ref": ["a b"] * 3}, annotations=layers)
    message = r"line 3 of 'ref' has a faulty annotation: tokens and dependencies have different lengths \(2 and 1\)"
    with pytest.raises(SegmentError, match=message):
        score(faulty, metrics="hwcm", resamples=0)


def test_segments_that_are_not_compared_may_be_faulty():
    layers = {
        "tokens": {"x": ["a", "a"], "ref": ["a", "a"]},
        "dependencies": {"x": ["0:a", "junk"], "ref": ["0:a", None]},
    }
    texts = TestSet(outputs={"x": ["a", "a"]}, references={"ref": ["a", "a"]}, annotations=layers)
    assert metric.create("hwcm").statistics(texts, Runtime())[0, :, 0].tolist() == [1, 0]


def without(testset, layer, reference):
    """The test set without a layer of one reference."""
    kept = {name: column for name, column in testset.annotations[layer].items() if name != reference}
    return replace(testset, annotations={**testset.annotations, layer: kept})


@pytest.mark.warns("lacks the annotation layer")
@pytest.mark.parametrize(
    ("spec", "layer"),
    [("hwcm", "dependencies"), ("depref-exact", "tokens"), ("sempos", "sempos"), ("sempos-upos", "pos")],
)
def test_a_reference_without_a_layer_is_not_used(spec, layer):
    one = without(annotated_testset(), layer, "refB")
    run = score(one, metrics=spec, resamples=0)
    (note,) = [note for note in run.notes if note.kind is NoteKind.EXCLUDED and "refB" in note.text]
    assert note.text == f"the reference 'refB' lacks the annotation layer '{layer}', and is not used"
    assert (note.where, note.severity) == (spec, "warning")
    assert "|refs:1|" in str(run[spec].signature)
    alone = score(one.with_references(["refA"]), metrics=spec, resamples=0)
    assert run[spec].aggregations["corpus"]["good"] == alone[spec].aggregations["corpus"]["good"]
    assert "|refs:1|" in str(alone[spec].signature)


@pytest.mark.warns("lacks the annotation layer")
def test_a_reference_without_a_layer_in_some_segments():
    both = annotated_testset()
    trees = both.annotations["dependencies"]
    fewer = {**trees, "refB": (None, *trees["refB"][1:])}
    run = score(replace(both, annotations={**both.annotations, "dependencies": fewer}), metrics="hwcm", resamples=0)
    texts = [note.text for note in run.notes if "refB" in note.text]
    assert texts == [
        "the reference 'refB' lacks the annotation layer 'dependencies' in 1 of 6 segments, and is not used there"
    ]
    assert "|refs:var|" in str(run["hwcm"].signature)


def test_annotations_without_a_program_are_told_apart_in_signatures():
    testset = annotated_testset()
    trees = testset.annotations["dependencies"]

    def signature(spec, **changes):
        layers = {**testset.annotations, "dependencies": {**trees, **changes}}
        return str(score(replace(testset, annotations=layers), metrics=spec, resamples=0)[spec].signature)

    changed = (*trees["good"][:-1], "0:root 1:dep 1:dep")
    assert signature("hwcm") == signature("hwcm")
    assert re.search(r"\|dependencies\.annotator:unnamed-[0-9a-f]{8}\|tokens\.annotator:unnamed-", signature("hwcm"))
    assert signature("hwcm", good=changed) != signature("hwcm")
    assert signature("depref-exact", good=changed) == signature("depref-exact")  # which reads those of references
    assert signature("depref-exact", refA=changed) != signature("depref-exact")
