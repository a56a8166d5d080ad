"""Scores of BLEURT are those of bleurt-pytorch, for models of both kinds."""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path

import numpy as np
import pytest

from assay.errors import ConfigError, InputError, MissingExtraError
from assay.learned import Segment, open_bleurt
from assay.learned.bleurt import _truncate
from assay.types.runtime import Runtime
from scripts.official_scores.bleurt import CHECKPOINTS
from tests import tokenizer_model
from tests.learned.official import official

CPU = Runtime(device="cpu")


def pairs(*texts):
    return [Segment(output=output, reference=reference) for reference, output in texts]


def change(folder, name, **options):
    """Change options in a file."""
    path = folder / name
    path.write_text(json.dumps(json.loads(path.read_text()) | options))


@pytest.mark.parametrize("batch_size", [None, 1])
@pytest.mark.parametrize("kind", CHECKPOINTS)
def test_scores_are_those_of_the_official_package(kind, batch_size):
    made = official(kind)
    scores = open_bleurt(made.model).score(made.segments, Runtime(device="cpu", batch_size=batch_size))
    np.testing.assert_allclose(scores, made.scores["scores"], rtol=0, atol=1e-6)
    assert np.std(scores) > 0.1


@pytest.mark.parametrize(("precision", "deviation"), [("bf16", 0.03), ("fp16", 0.005)])
@pytest.mark.parametrize("kind", CHECKPOINTS)
def test_half_precision(kind, precision, deviation):
    made = official(kind)
    scores = open_bleurt(made.model, precision=precision).score(made.segments, CPU)
    assert 0 < np.abs(scores - made.scores["scores"]).max() < deviation


def test_inputs_that_differ_in_one_token_or_in_the_place_of_the_separator():
    model = open_bleurt(official("bleurt").model)
    segments = pairs(
        ("the dog", "house"), ("the dog", "word"), ("the", "dog house"), ("dog", "the dog"), ("the dog", "house")
    )
    assert len(model.encode(segments).inputs) == 4
    scores = model.score(segments, CPU)
    assert len(set(scores)) == 4
    assert scores[0] == scores[4]
    spelled = model.encode(pairs(("the [SEP] dog", "house"), ("the", "dog [SEP] house")))
    first, second = ([id_ if id_ >= 0 else ~id_ for id_ in ids] for ids in spelled.inputs)
    assert first == second
    assert spelled.inputs[0] != spelled.inputs[1]


@pytest.mark.parametrize(
    ("lengths", "expected"),
    [((3, 4), (3, 4)), ((9, 2), (5, 2)), ((2, 9), (2, 5)), ((9, 9), (4, 3)), ((8, 9), (4, 3)), ((0, 9), (0, 7))],
)
def test_the_longer_text_is_truncated(lengths, expected):
    first, second = _truncate(tuple(range(lengths[0])), tuple(range(lengths[1])), room=7)
    assert (first, second) == (tuple(range(expected[0])), tuple(range(expected[1])))


@pytest.mark.parametrize("kind", CHECKPOINTS)
def test_pairs_that_are_truncated_are_counted(kind):
    model = open_bleurt(official(kind).model)
    word = "the" if kind == "bleurt" else "[MASK]"  # one token
    fits, too_long = f"{word} " * 60, f"{word} " * 61
    encoded = model.encode(pairs((word, fits), (fits, word), (word, too_long), (too_long, word), (fits, fits)))
    assert encoded.is_truncated[:, 0].tolist() == [False, False, True, True, True]
    assert {len(each) for each in encoded.inputs} == {model.max_tokens} == {64}


def test_the_tokeniser_may_allow_less_than_the_positions(tmp_path):
    folder = official("bleurt").copied(tmp_path)
    change(folder, "tokenizer_config.json", model_max_length=20)
    assert open_bleurt(folder).max_tokens == 20
    (folder / "tokenizer_config.json").unlink()
    assert open_bleurt(folder).max_tokens == 64


def test_a_vocabulary_is_enough_for_a_tokeniser(tmp_path):
    made = official("bleurt")
    folder = made.copied(tmp_path)
    (folder / "tokenizer.json").unlink()
    np.testing.assert_allclose(open_bleurt(folder).score(made.segments, CPU), made.scores["scores"], rtol=0, atol=1e-6)


def test_a_network_is_sent_to_other_processes():
    network = open_bleurt(official("bleurt").model).network
    assert pickle.loads(pickle.dumps(network)) == network


def test_a_model_for_tensorflow_is_not_read(tmp_path):
    (tmp_path / "saved_model.pb").touch()
    with pytest.raises(InputError, match="a TensorFlow model") as raised:
        open_bleurt(tmp_path)
    assert "lucadiliello/BLEURT-20" in raised.value.hint


def test_other_models(tmp_path):
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    with pytest.raises(ConfigError, match="has model_type 'bert'; expected 'bleurt'"):
        open_bleurt(tmp_path)
    with pytest.raises(MissingExtraError, match="no-such-model"):
        open_bleurt("no-such-model")
    with pytest.raises(InputError, match="is not a folder"):
        open_bleurt(tmp_path / "config.json")


def test_a_missing_tokeniser(tmp_path):
    folder = official("bleurt-20").copied(tmp_path)
    (folder / "spm.model").unlink()
    with pytest.raises(MissingExtraError, match="has no tokeniser") as raised:
        open_bleurt(folder)
    assert "put its spm.model" in raised.value.hint


def test_without_sentencepiece(tmp_path, monkeypatch):
    folder = official("bleurt-20").copied(tmp_path)
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    with pytest.raises(MissingExtraError, match="needs sentencepiece") as raised:
        open_bleurt(folder)
    assert raised.value.hint == 'pip install ".[neural]" in the folder of Assay'


@pytest.mark.parametrize(
    ("kind", "name", "message"),
    [
        ("bleurt-20", "spm.model", "is a Git LFS pointer"),
        ("bleurt", "tokenizer.json", "tokeniser cannot be opened"),
    ],
)
def test_a_damaged_tokeniser(tmp_path, kind, name, message):
    folder = official(kind).copied(tmp_path)
    (folder / name).write_text("version https://git-lfs.github.com/spec/v1")
    with pytest.raises(InputError, match=message):
        open_bleurt(folder)


@pytest.mark.parametrize("limit", ["many", 2, -1, [64]])
def test_a_limit_that_is_none(tmp_path, limit):
    folder = official("bleurt").copied(tmp_path)
    change(folder, "tokenizer_config.json", model_max_length=limit)
    with pytest.raises(InputError, match=r"tokenizer_config\.json: model_max_length cannot be"):
        open_bleurt(folder)


def test_a_tokeniser_of_another_model(tmp_path):
    folder = official("bleurt-20").copied(tmp_path)
    change(folder, "config.json", vocab_size=7)
    with pytest.raises(InputError, match="but the vocabulary of the model has 7"):
        open_bleurt(folder)


def test_a_tokeniser_without_special_tokens(tmp_path):
    folder = official("bleurt-20").copied(tmp_path)
    Path(tokenizer_model.train(tmp_path)).replace(folder / "spm.model")
    with pytest.raises(InputError, match=r"has no \[CLS\] and \[SEP\]"):
        open_bleurt(folder)


def test_an_activation_that_is_not_known(tmp_path):
    folder = official("bleurt").copied(tmp_path)
    change(folder, "config.json", hidden_act="relu")
    with pytest.raises(InputError, match="unsupported activation 'relu'"):
        open_bleurt(folder)


def test_weights_of_another_shape(tmp_path):
    folder = official("bleurt").copied(tmp_path)
    change(folder, "config.json", intermediate_size=41)
    with pytest.raises(InputError, match=r"intermediate.dense.weight have the shape \(40, 24\) instead of \(41, 24\)"):
        open_bleurt(folder).score(pairs(("a", "b")), CPU)
