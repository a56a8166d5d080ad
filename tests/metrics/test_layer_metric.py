from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assay import Runtime, score
from assay.errors import SegmentError
from assay.metrics import metric
from assay.metrics.layer_metric import split_layers, words_and_heads
from assay.testing import check_metric
from assay.types import TestSet
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


def test_layers_that_do_not_fit_each_other():
    assert split_layers("a b", "x y") == [["a", "b"], ["x", "y"]]
    assert words_and_heads("a b", "2:x 0:root") == (["a", "b"], [1, -1])
    assert words_and_heads("", "") == ([], [])
    with pytest.raises(ValueError, match="its layers have 2 and 1 values"):
        split_layers("a b", "x")
    with pytest.raises(ValueError, match="a head has the number 3, but there are 2 words"):
        words_and_heads("a b", "3:x 0:root")
    layers = {"tokens": {"x": ("a",), "ref": ("a b",)}, "dependencies": {"x": ("0:a",), "ref": ("0:a",)}}
    faulty = TestSet(outputs={"x": ("a",)}, references={"ref": ("a b",)}, annotations=layers)
    with pytest.raises(SegmentError, match="line 1 of 'ref' has a faulty annotation: its layers have 2 and 1 values"):
        score(faulty, metrics="hwcm", resamples=0)
