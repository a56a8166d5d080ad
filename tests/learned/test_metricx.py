"""Scores of MetricX are those of mT5 in transformers, with the formula of Google's program, which is no package."""

from __future__ import annotations

import json
import pickle
import sys

import numpy as np
import pytest

from assay.errors import ConfigError, InputError, MissingExtraError
from assay.learned import Segment, open_metricx
from assay.types.runtime import Runtime
from scripts.official_scores.metricx import CHECKPOINTS
from tests.learned.official import official

CPU = Runtime(device="cpu")
SCORE_TOKEN = 250_089
CASES = {
    name: {
        "release": name.split("-")[1],
        "inputs": "src" if name.endswith("-qe") else "ref" if name == "metricx-23" else "all",
    }
    for name in CHECKPOINTS
}


@pytest.fixture(autouse=True)
def tokenizer_packages():
    pytest.importorskip("sentencepiece")
    pytest.importorskip("google.protobuf")


@pytest.fixture
def copy(tmp_path):
    return official("metricx-24").copied(tmp_path)


def scaled(folder, factors):
    """Multiply weights whose names end so."""
    import torch

    weights = torch.load(folder / "pytorch_model.bin", weights_only=True)
    for ending, factor in factors.items():
        for name in weights:
            if name.endswith(ending):
                weights[name] *= factor
    torch.save(weights, folder / "pytorch_model.bin")


@pytest.mark.parametrize("batch_size", [None, 1])
@pytest.mark.parametrize("name", CASES)
def test_scores_are_those_of_transformers_with_the_official_formula(name, batch_size):
    made = official(name)
    model = open_metricx(made.model, **CASES[name])
    scores = model.score(made.segments, Runtime(device="cpu", batch_size=batch_size))
    np.testing.assert_allclose(scores, made.scores["scores"], rtol=0, atol=1e-6)
    assert np.std(scores) > 0.05


@pytest.mark.parametrize(("precision", "deviation"), [("bf16", 0.03), ("fp16", 0.005)])
@pytest.mark.parametrize("name", CASES)
def test_half_precision(name, precision, deviation):
    made = official(name)
    scores = open_metricx(made.model, precision=precision, **CASES[name]).score(made.segments, CPU)
    assert 0 < np.abs(scores - made.scores["scores"]).max() < deviation


def test_numbers_too_large_for_fp16(copy):
    """The values between the two matrices of a layer are far above 65,504, but not those after it."""
    made = official("metricx-24")
    scaled(copy, {"wi_1.weight": 1e6, "wo.weight": 1e-6})
    for precision, deviation in (("fp32", 1e-5), ("bf16", 0.03)):
        scores = open_metricx(copy, release="24", precision=precision).score(made.segments[:9], CPU)
        assert np.abs(scores - made.scores["scores"][:9]).max() < deviation
    with pytest.raises(InputError, match="returned NaN or infinity") as raised:
        open_metricx(copy, release="24", precision="fp16").score(made.segments[:9], CPU)
    assert "use bf16 or fp32" in raised.value.hint


def test_scores_are_clipped(copy):
    made = official("metricx-24")
    for factor, expected in ((1e4, 25.0), (-1.0, 0.0)):
        scaled(copy, {"lm_head.weight": factor})
        assert set(open_metricx(copy, release="24").score(made.segments[:9], CPU)) == {expected}


def test_the_release_is_in_the_name(copy, tmp_path):
    with pytest.raises(ConfigError, match="cannot tell the MetricX release from the name") as raised:
        open_metricx(copy)
    assert "release=24 (or release=23,inputs=ref; for QE inputs=src)" in raised.value.hint
    config = json.loads((copy / "config.json").read_text())
    (copy / "config.json").write_text(json.dumps(config | {"_name_or_path": "google/metricx-23-large-v2p0"}))
    assert open_metricx(copy).release == "23"
    hybrid = copy.rename(tmp_path / "metricx-24-hybrid-xl-v2p6")
    assert open_metricx(hybrid).release == "24"
    assert open_metricx(hybrid).max_tokens == 1536
    with pytest.raises(ConfigError, match="is MetricX-24, not release=23"):
        open_metricx(hybrid, release="23")


def test_what_models_read(copy, tmp_path):
    assert open_metricx(copy, release="24").needs == {"source", "reference"}
    assert open_metricx(copy, release="24", inputs="src").needs == {"source"}
    assert open_metricx(copy, release="23", inputs="ref").needs == {"reference"}
    with pytest.raises(ConfigError, match="whether it is a model for quality estimation"):
        open_metricx(copy, release="23")
    assert open_metricx(copy, release="23", inputs="src").needs == {"source"}
    for release, inputs, possible in (("24", "ref", "src+ref, src"), ("23", "src+ref", "ref, src")):
        with pytest.raises(ConfigError, match="cannot read inputs") as raised:
            open_metricx(copy, release=release, inputs=inputs)
        assert raised.value.hint == f"it can read {possible}"
    qe = copy.rename(tmp_path / "MetricX-23-QE-Large")
    assert open_metricx(qe).needs == {"source"}
    with pytest.raises(ConfigError, match="cannot read inputs=ref"):
        open_metricx(qe, inputs="ref")
    plain = qe.rename(tmp_path / "metricx-23")
    assert open_metricx(plain).needs == {"reference"}
    config = json.loads((plain / "config.json").read_text())
    (plain / "config.json").write_text(json.dumps(config | {"_name_or_path": "google/metricx-23-qe-large-v2p0"}))
    assert open_metricx(plain).needs == {"source"}


@pytest.mark.parametrize("options", [{"release": "25"}, {"inputs": "mt"}, {"precision": "fp8"}])
def test_unknown_options(copy, options):
    with pytest.raises(ConfigError, match=next(iter(options.values()))):
        open_metricx(copy, **options)


def test_input_texts_that_are_truncated_are_counted(copy):
    """Without the end token, which the official program counts and removes."""
    model = open_metricx(copy, release="23", inputs="ref")
    labels = len(model.encode([Segment("", reference="")]).inputs[0])
    room = model.max_tokens - 1 - labels
    texts = ["</s>" * room, "</s>" * (room + 1), "</s>" * (room + 2)]
    encoded = model.encode([Segment(text, reference="") for text in texts])
    assert encoded.is_truncated[:, 0].tolist() == [False, True, True]
    assert {len(each) for each in encoded.inputs} == {1023}


def test_equal_input_texts_are_computed_once(copy):
    model = open_metricx(copy, release="24", inputs="src")
    segments = [Segment("a", "b", "c"), Segment("a", "b", "d"), Segment("a", "c", "c")]
    assert len(model.encode(segments).inputs) == 2


def test_a_network_is_sent_to_other_processes(copy):
    network = open_metricx(copy, release="24").network
    assert pickle.loads(pickle.dumps(network)) == network


def test_the_tokeniser_of_published_models_is_a_resource(copy, tmp_path, monkeypatch):
    made = official("metricx-24")
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path / "resources"))
    pieces = (copy / "spiece.model").read_bytes()
    (copy / "spiece.model").unlink()
    with pytest.raises(MissingExtraError, match="needs the tokeniser of mT5") as raised:
        open_metricx(copy, release="24")
    assert (
        f"put spiece.model (or tokenizer.json) of google/mt5-xl on the Hugging Face hub into {copy}"
        in raised.value.hint
    )
    folder = tmp_path / "resources" / "mt5-xl"
    folder.mkdir(parents=True)
    with pytest.raises(MissingExtraError, match="no tokeniser in"):
        open_metricx(copy, release="24")
    (folder / "spiece.model").write_bytes(pieces)
    model = open_metricx(copy, release="24")
    assert set(model.digests) == {"model", "tokenizer"}
    np.testing.assert_allclose(model.score(made.segments, CPU), made.scores["scores"], rtol=0, atol=1e-6)


@pytest.mark.parametrize("package", ["sentencepiece", "google.protobuf"])
def test_without_the_packages_of_the_tokeniser(copy, monkeypatch, package):
    from assay.learned import metricx

    metricx._tokenizer.cache_clear()
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match="needs sentencepiece and protobuf") as raised:
        open_metricx(copy, release="24")
    assert raised.value.hint == 'pip install ".[neural]" in the folder of Assay'


@pytest.mark.filterwarnings("ignore:The sentencepiece tokenizer")
def test_a_tokeniser_saved_by_transformers_needs_no_packages(copy, monkeypatch):
    import transformers

    made = official("metricx-24")
    tokenizer = transformers.T5TokenizerFast.from_pretrained(str(copy), extra_ids=0)
    (copy / "spiece.model").unlink()
    tokenizer.save_pretrained(copy)
    (copy / "spiece.model").unlink(missing_ok=True)
    monkeypatch.setitem(sys.modules, "google.protobuf", None)
    scores = open_metricx(copy, release="24").score(made.segments, CPU)
    np.testing.assert_allclose(scores, made.scores["scores"], rtol=0, atol=1e-6)


def test_other_models(tmp_path):
    for config, error, words in (
        ({"model_type": "bert"}, ConfigError, "has model_type 'bert'; expected 'mt5'"),
        ({"model_type": "bleurt"}, ConfigError, "contains a BLEURT model, not a MetricX model"),
        ({"model_type": "mt5", "_name_or_path": "metricx-24"}, InputError, "the configuration has no vocab_size"),
    ):
        (tmp_path / "config.json").write_text(json.dumps(config))
        (tmp_path / "spiece.model").write_bytes((official("metricx-24").model / "spiece.model").read_bytes())
        with pytest.raises(error, match=words):
            open_metricx(tmp_path)


@pytest.mark.parametrize("options", [{"feed_forward_proj": "relu"}, {"vocab_size": 32_128}])
def test_a_t5_is_not_an_mt5(copy, options):
    config = json.loads((copy / "config.json").read_text())
    (copy / "config.json").write_text(json.dumps(config | options))
    with pytest.raises(InputError, match="does not describe an mT5 model"):
        open_metricx(copy, release="24")


def test_a_name_that_says_otherwise(tmp_path):
    made = official("metricx-23")
    copy = made.copied(tmp_path)
    named = copy.rename(tmp_path / "metricx-23-xl")
    with pytest.raises(ConfigError, match="is MetricX-23, not release=24"):
        open_metricx(named, release="24")
    with pytest.raises(ConfigError, match="cannot read inputs=src") as raised:
        open_metricx(named, inputs="src")
    assert "MetricX-23-QE models are separate" in raised.value.hint
