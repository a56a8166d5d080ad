from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import assay
from assay.errors import InputError
from assay.metrics import metric
from assay.metrics.feature_values import FeatureSet
from assay.testing import check_metric
from assay.types import TestSet
from assay.types.runtime import Runtime

TEXTS = TestSet(
    outputs={"x": ("the cat sat", "a dog", "z", "none"), "y": ("the", "b", "q", None)},
    annotations={
        "errors": {
            "x": ("0-3:major 1-5:minor -:trivial", "", "0-1:_", None),
            "y": ("1-1:undecided", "0-1:critical", "", ""),
        }
    },
    annotators={"errors": "xcomet"},
)


def column(name: str) -> list[list[float]]:
    made = metric.create("spans")
    values: list[list[float]] = made.statistics(TEXTS, Runtime())[..., made.columns.index(name)].tolist()
    return values


def test_the_score_is_the_weighted_sum() -> None:
    run = assay.score(TEXTS, "spans", agg=("corpus", "segment"), resamples=0)
    assert run["spans"].segments["x"].tolist() == pytest.approx([6.1, 0, np.nan, np.nan], nan_ok=True)
    assert run["spans"].segments["y"].tolist() == pytest.approx([0, 5, 0, np.nan], nan_ok=True)
    (note,) = (note for note in run.notes if note.kind == "excluded")
    assert "or a defined value (an error has no severity, and so no weight)" in note.text
    for name in ("corpus", "segment"):  # over the same segments of both systems
        assert run["spans"].aggregations[name].estimates["x"].n == 2
    assert "xcomet" in str(run["spans"].aggregations["segment"].signature)


def test_counts_and_the_share_that_is_marked() -> None:
    assert column("major") == [[1, 0, 0, 0], [0, 0, 0, 0]]
    assert column("critical") == [[0, 0, 0, 0], [0, 1, 0, 0]]
    assert column("other") == [[1, 0, 0, 0], [1, 0, 0, 0]]
    assert column("unknown") == [[0, 0, 1, 0], [0, 0, 0, 0]]
    assert column("errors") == [[3, 0, 1, 0], [1, 1, 0, 0]]
    found = FeatureSet.of(["spans#marked/characters", "spans#minor", "spans"]).values(TEXTS, Runtime())
    assert found[0, :, 0].tolist() == pytest.approx([5 / 11, 0, 1, np.nan], nan_ok=True)  # overlaps count once
    assert found[0, :, 1].tolist() == pytest.approx([1, 0, 0, np.nan], nan_ok=True)
    assert found[0, :, 2].tolist() == pytest.approx([-6.1, 0, np.nan, np.nan], nan_ok=True)


def test_it_keeps_the_contract() -> None:
    check_metric(metric.create("spans"), TEXTS)


def test_without_the_layer() -> None:
    with pytest.raises(InputError, match="spans needs the annotation layer 'errors', which the test set does not have"):
        assay.score(replace(TEXTS, annotations={}), "spans")


def test_of_several_programs_one_is_chosen() -> None:
    columns = TEXTS.annotations["errors"]
    texts = replace(TEXTS, annotations={"errors-a": columns, "errors-b": columns}, annotators={})
    with pytest.raises(InputError, match="needs the annotation layer 'errors'") as raised:
        assay.score(texts, "spans")
    assert raised.value.hint == "several programs marked errors: a, b; choose one: spans:by=a"
    run = assay.score(texts, "spans:by=b", resamples=0)
    assert run["spans:by=b"].segments["y"].tolist()[:3] == [0, 5, 0]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("0-9:minor", "an error ends at character 9, but the output has 3"),
        ("2-1:minor", "ends before it starts"),
        ("0-1:minro", "unknown severity 'minro'"),
        ("0-1", "is not an error with a severity"),
    ],
)
def test_faulty_errors(value: str, message: str) -> None:
    texts = TestSet(outputs={"x": ("abc",)}, annotations={"errors": {"x": (value,)}})
    with pytest.raises(InputError, match=message):
        assay.score(texts, "spans")
