from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.errors import AssayWarning, ConfigError, InputError
from assay.metrics import metric
from assay.metrics.feature_values import FeatureSet
from assay.testing import check_metric
from assay.types import TestSet
from assay.types.runtime import Runtime
from tests.metrics.annotated import annotated_testset


def texts(layer: str, output: str, *references: str) -> TestSet:
    names = [f"r{number}" for number in range(len(references))]
    columns = {"x": (output,)} | {name: (value,) for name, value in zip(names, references, strict=True)}
    return TestSet(
        outputs={"x": ("…",)}, references=dict.fromkeys(names, ("…",)), lp="de-en", annotations={layer: columns}
    )


def counts(spec: str, testset: TestSet) -> list[int]:
    values: list[int] = metric.create(spec).statistics(testset, Runtime())[0, 0].tolist()
    return values


def test_words_of_a_class() -> None:
    testset = texts("pos", "DET NOUN VERB", "NOUN NOUN VERB NOUN")
    assert counts("label-counts:label=NOUN", testset) == [1, 3, 3, 4, 2]
    run = assay.score(testset, "label-counts:label=NOUN", resamples=0)
    assert run["label-counts:label=NOUN"].corpus["x"] == 50
    found = FeatureSet.of(["label-counts:label=NOUN#output/output_labels"]).values(testset, Runtime())
    assert found.tolist() == [[[pytest.approx(1 / 3)]]]


@pytest.mark.parametrize(
    ("layer", "label", "output", "expected"),
    [
        ("pos", "*", "DET NOUN", 2),
        ("xpos", "V*", "VBD NN VB", 2),
        ("dependencies", "nsubj*", "2:nsubj:pass 0:root 2:obj", 1),
        ("sempos", "v", r"cat|n.denot sit|v", 1),
        ("roles", "ARG0", "1:ARG0 2:V | 1-2:ARG0 3:V 4:ARG1", 2),
        ("tokens", "not", "this is not it", 1),
        ("pos", "noun", "NOUN", 0),
    ],
)
def test_labels_of_layers(layer: str, label: str, output: str, expected: int) -> None:
    assert counts(f"label-counts:layer={layer},label={label}", texts(layer, output, output))[0] == expected


def test_a_label_that_occurs_nowhere() -> None:
    with pytest.warns(AssayWarning, match="no word of outputs or references has the label 'noun'") as caught:
        run = assay.score(texts("pos", "NOUN DET", "VERB"), "label-counts:label=noun", resamples=0)
    assert any("labels of the layer 'pos': DET, NOUN, VERB" in str(each.message) for each in caught)
    assert run["label-counts:label=noun"].corpus["x"] == 0
    assert not list(metric.create("label-counts:label=DET").advice(texts("pos", "NOUN DET", "VERB")))


def test_the_closest_reference_counts() -> None:
    testset = texts("pos", "NOUN VERB", "NOUN NOUN NOUN", "NOUN", "")
    assert counts("label-counts:label=NOUN", testset)[2:] == [1, 1, 0]


@pytest.mark.warns("nothing was scored: label-counts: the references have no labels")
def test_a_reference_without_words() -> None:
    run = assay.score(texts("pos", "NOUN", ""), "label-counts", resamples=0)
    assert np.isnan(run["label-counts"].segments["x"]).all()


@pytest.mark.parametrize("layer", ["pos", "dependencies", "sempos"])
def test_it_keeps_the_contract(layer: str) -> None:
    check_metric(metric.create(f"label-counts:layer={layer},label=*e*"), annotated_testset())


def test_refusals() -> None:
    with pytest.raises(ConfigError, match="a layer and a label are needed"):
        metric.create("label-counts:layer=")
    with pytest.raises(InputError, match="needs the annotation layer 'xpos'") as raised:
        assay.score(texts("pos", "NOUN", "NOUN"), "label-counts:layer=xpos")
    assert str(raised.value.hint).startswith("the test set has pos, but no xpos; ")  # no annotator is known
    with pytest.raises(InputError, match="no predicate"):
        assay.score(texts("roles", "1:ARG0", "1:V"), "label-counts:layer=roles")
