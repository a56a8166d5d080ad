"""Networks of COMET: what their results depend on, and weights that are missing."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from assay.errors import InputError
from assay.learned import open_comet
from assay.learned.comet_checkpoint import find_checkpoint
from assay.learned.comet_networks import InputScores, TextVectors, _sparsemax
from assay.learned.comet_tokenizer import open_tokenizer
from assay.neural import compute
from assay.types.runtime import Runtime
from tests.learned.official import official

CPU = Runtime(device="cpu")


@pytest.fixture
def vectors():
    checkpoint = find_checkpoint(official("comet").model, "comet")
    return TextVectors(checkpoint, "fp32")


def test_the_vector_of_a_text_does_not_depend_on_its_batch(vectors):
    texts = ["the dog", "a very long sentence", "house", "", "the the the the"]
    inputs = [text.ids for text in open_tokenizer(vectors.checkpoint)(texts)]
    together = compute(vectors, inputs, CPU)
    for ids, vector in zip(inputs, together, strict=True):
        np.testing.assert_allclose(compute(vectors, [ids], CPU)[0], vector, atol=1e-6)


def test_batches_that_differ_in_one_token_differ(vectors, tmp_path):
    """unbabel-comet's cache, called with positional arguments, returned the results of the first batch for both."""
    runtime = Runtime(device="cpu", cache=tmp_path)
    one, other = [(0, 5, 6, 2), (0, 7, 2)], [(0, 5, 8, 2), (0, 7, 2)]
    first, second = compute(vectors, one, runtime), compute(vectors, other, runtime)
    assert np.abs(first[0] - second[0]).max() > 1e-3
    np.testing.assert_array_equal(first[1], second[1])
    np.testing.assert_allclose(second[0], compute(vectors, other, CPU)[0], atol=1e-6)


def test_a_network_can_be_sent_to_another_process(vectors):
    other = pickle.loads(pickle.dumps(vectors))
    assert other == vectors
    np.testing.assert_array_equal(compute(other, [(0, 5, 2)], CPU), compute(vectors, [(0, 5, 2)], CPU))


def test_what_is_computed_is_part_of_the_identity(vectors):
    names = {vectors.identity, TextVectors(vectors.checkpoint, "bf16").identity}
    names |= {InputScores(vectors.checkpoint, "fp32").identity}
    assert len(names) == 3


@pytest.mark.parametrize("precision", ["bf16", "fp16"])
def test_half_precision_is_near(vectors, precision):
    ids = [text.ids for text in open_tokenizer(vectors.checkpoint)(["the dog", "a very long sentence"])]
    half = TextVectors(vectors.checkpoint, precision)
    expected = np.stack(compute(vectors, ids, CPU))
    found = np.stack(compute(half, ids, CPU))
    assert found.dtype == np.float32
    assert 0 < np.abs(found - expected).max() < 0.1 * np.abs(expected).max()


@pytest.mark.parametrize(
    "name",
    ["encoder.model.embeddings.LayerNorm.bias", "layerwise_attention.gamma", "estimator.ff.3.weight"],
)
def test_missing_weights_are_named(tmp_path, name):
    made = official("comet")
    torch = pytest.importorskip("torch")
    copy = made.copied(tmp_path)
    content = torch.load(copy / "checkpoints" / "model.ckpt", weights_only=True)
    del content["state_dict"][name]
    torch.save(content, copy / "checkpoints" / "model.ckpt")
    with pytest.raises(InputError, match=f"the weights {name} are missing"):
        open_comet(copy).score(made.segments, CPU)


def test_weights_of_another_size_are_refused(tmp_path):
    made = official("comet")
    copy = made.copied(tmp_path)
    config = copy / "encoder" / "config.json"
    config.write_text(config.read_text().replace('"intermediate_size": 16', '"intermediate_size": 32'))
    with pytest.raises(InputError, match=r"intermediate\.dense\.weight have the shape \(16, 8\) instead of \(32, 8\)"):
        open_comet(copy).score(made.segments, CPU)


def test_unknown_functions_are_refused(tmp_path):
    made = official("comet")
    torch = pytest.importorskip("torch")
    copy = made.copied(tmp_path)
    content = torch.load(copy / "checkpoints" / "model.ckpt", weights_only=True)
    content["hyper_parameters"]["activations"] = "Swoosh"
    torch.save(content, copy / "checkpoints" / "model.ckpt")
    with pytest.raises(InputError, match=r"model\.ckpt: torch has no activation function 'Swoosh'"):
        open_comet(copy).score(made.segments, CPU)


def test_sparsemax():
    torch = pytest.importorskip("torch", reason="torch is not installed (make test-neural)")
    for values, expected in (
        ([1.0, 0.0, -1.0], [1, 0, 0]),
        ([0.5, 0.0, -1.0], [0.75, 0.25, 0]),
        ([2.0, 2.0], [0.5, 0.5]),
    ):
        np.testing.assert_allclose(_sparsemax(torch.tensor(values)), expected)
