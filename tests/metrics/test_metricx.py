"""MetricX through the public verbs."""

from __future__ import annotations

import json

import numpy as np
import pytest

from assay import AssayWarning, load, score
from assay.errors import ConfigError
from assay.metrics import metric
from assay.metrics.metricx import Metricx
from assay.testing import check_metric
from assay.types.runtime import Runtime
from tests.learned.official import LONG_LINE, official

pytestmark = LONG_LINE
CPU = Runtime(device="cpu")


def made(name):
    pytest.importorskip("sentencepiece")
    pytest.importorskip("google.protobuf")
    return official(name)


def test_options_without_a_model():
    assert not Metricx().higher_is_better
    assert metric.create("metricx").needs == {"source", "reference"}
    assert metric.create("metricx:inputs=src").needs == {"source"}
    for option, value in (("release", "22"), ("inputs", "mt")):
        with pytest.raises(ConfigError, match=f"{option}.*{value}"):
            metric.create(f"metricx:{option}={value}")
    with pytest.raises(ConfigError, match="the metric metricx needs a model") as raised:
        score(load(outputs={"x": ["a"]}, references=["a"], sources=["b"]), "metricx")
    assert "google/metricx-24" in raised.value.hint


def test_the_scores_of_a_run():
    expected = made("metricx-24")
    spec = f"metricx:{expected.model},release=24"
    run = score(expected.testset, spec, resamples=0, runtime=CPU)[spec]
    np.testing.assert_allclose(run.segments["x"], expected.scores["scores"], atol=1e-6)
    assert not run.higher_is_better
    assert "inputs:src+ref" in str(run.signature)
    assert "release:24" in str(run.signature)


def test_without_references():
    expected = made("metricx-24-qe")
    outputs, sources, _ = zip(*expected.segments, strict=True)
    spec = f"metricx:{expected.model},release=24,inputs=src"
    run = score(load(outputs={"x": outputs}, sources=sources), spec, resamples=0, runtime=CPU)[spec]
    np.testing.assert_allclose(run.segments["x"], expected.scores["scores"], atol=1e-6)


def test_the_lowest_score_of_several_references_counts():
    model = made("metricx-23").model
    references = {"A": ["the dog", "a house"], "B": ["hello", "the sentence"]}
    spec = f"metricx:{model},release=23,inputs=ref"
    scores = [
        score(load(outputs={"x": ["a dog", "house"]}, references=each), spec, resamples=0, runtime=CPU)[spec].segments[
            "x"
        ]
        for each in (references, references["A"], references["B"])
    ]
    np.testing.assert_allclose(scores[0], np.minimum(scores[1], scores[2]), atol=1e-6)


def test_a_plain_mt5_is_questioned(tmp_path):
    expected = made("metricx-24")
    folder = expected.copied(tmp_path)
    spec = f"metricx:{folder},release=24"
    assert not [note for note in score(expected.testset, spec, resamples=0, runtime=CPU).notes if "mT5" in note.text]
    config = json.loads((folder / "config.json").read_bytes()) | {"architectures": ["MT5ForConditionalGeneration"]}
    (folder / "config.json").write_text(json.dumps(config))
    with pytest.warns(AssayWarning, match="looks like a plain mT5"):
        notes = score(expected.testset, spec, resamples=0, runtime=CPU).notes
    (note,) = [note for note in notes if "mT5" in note.text]
    assert note.severity == "warning"


def test_the_contract():
    check_metric(
        metric.create(f"metricx:{made('metricx-23').model},release=23,inputs=ref"), skip=["direction"]
    )  # random weights do not know it
