"""The multilingual Universal Sentence Encoder, with small weights that are made up."""

from __future__ import annotations

import numpy as np
import pytest

from assay.encoders import LayerStates, open_encoder
from assay.errors import ConfigError, InputError
from assay.neural import compute
from assay.types.runtime import Runtime
from tests.encoders import tiny_use
from tests.encoders.tiny_use import BLOCKS, INNER, weights


@pytest.fixture
def folder(tmp_path):
    return tiny_use.write(tmp_path / "use")


def expected(ids):
    """The states of one text, one token after another."""
    w = weights()
    embedded = [w[f"q{i % BLOCKS + 1}"][i // BLOCKS] * w["scale"][i % BLOCKS] + w["lo"][i % BLOCKS] for i in ids]

    def normalised(x, gain, bias):
        return (x - x.mean()) / np.sqrt(x.var() + w["eps"]) * gain + bias

    def convolved(rows, n, left, kernel, bias):
        zero = np.zeros(INNER)
        found = []
        for t in range(len(rows)):
            seen = [rows[i] if 0 <= i < len(rows) else zero for i in range(t - left, t - left + n)]
            found.append(np.maximum(np.concatenate(seen) @ kernel + bias, 0) + rows[t])
        return found

    gain, bias = (np.concatenate([w[f"{name}{n}"] for n in (2, 3, 5)]) for name in ("ln_g", "ln_b"))
    projected = [np.concatenate([e @ w[f"proj{n}"] + w[f"proj_b{n}"] for n in (2, 3, 5)]) for e in embedded]
    inputs = [np.split(normalised(row, gain, bias), 3) for row in projected]
    parts = [embedded]
    for i, (n, left) in enumerate(((2, 0), (3, 1), (5, 2))):
        rows = [row[i] for row in inputs]
        for k in (1, 2):
            rows = convolved(rows, n, left, w[f"w{k}_{n}"], w[f"b{k}_{n}"])
        parts.append(rows)
    joined = [normalised(np.concatenate(row), w["ln_g"], w["ln_b"]) for row in zip(*parts, strict=True)]
    return np.array(embedded), np.array([row @ w["cnn_W"] + w["cnn_b"] for row in joined])


def test_tokens_have_special_tokens_and_words(folder):
    encoder = open_encoder(folder)
    tokens, empty = encoder.tokenize(["the cat ran", ""])
    assert (tokens.forms[0], tokens.forms[-1]) == ("<s>", "</s>")
    assert "".join(tokens.forms[1:-1]) == "▁the▁cat▁ran"
    assert (tokens.words[0], tokens.words[-1], max(tokens.words[1:-1])) == (None, None, 3)
    assert empty.forms == ("<s>", "</s>")
    assert encoder.max_tokens is None


def test_states_are_those_of_each_text_alone(folder):
    encoder = open_encoder(folder)
    texts = [text.ids for text in encoder.tokenize(["the cat ran over the hill", "dogs", "", "the mat"])]
    for layer in (0, 1):
        together = compute(LayerStates.of(str(folder), layer=layer), texts, Runtime())
        for ids, states in zip(texts, together, strict=True):
            np.testing.assert_allclose(states, expected(ids)[layer], rtol=1e-4, atol=1e-4)


def test_only_fp32(folder):
    with pytest.raises(ConfigError, match="computes in fp32, not in fp16"):
        open_encoder(folder, precision="fp16")


@pytest.mark.parametrize("damage", ["cut", "other", "incomplete", "small"])
def test_damaged_weights(folder, damage):
    file = folder / "weights.npz"
    if damage == "cut":
        file.write_bytes(file.read_bytes()[:-400])
    elif damage == "other":
        np.savez(file, words=np.zeros(3))
    elif damage == "incomplete":
        np.savez(file, **{name: array for name, array in weights().items() if name != "b2_3"})
    else:  # the model has more pieces
        np.savez(file, **{name: array[:2] if name[0] == "q" else array for name, array in weights().items()})
    with pytest.raises(InputError, match=r"weights\.npz: "):
        open_encoder(folder)


@pytest.mark.parametrize("content", [b"", b"no model"])
def test_damaged_pieces(folder, content):
    (folder / "sp.model").write_bytes(content)
    with pytest.raises(InputError, match=r"sp\.model: is not a SentencePiece model"):
        open_encoder(folder)
