"""Texts to tokens and vectors."""

from __future__ import annotations

import numpy as np
import pytest

from assay.errors import ConfigError, InputError
from assay.metrics.token_vectors import EmbeddedTexts, open_token_vectors
from assay.metrics.tokenized_texts import tokenize
from assay.types import as_column
from assay.types.runtime import Runtime
from tests.metrics import made_up_vectors


def columns(*texts):
    return tuple(map(as_column, texts))


def test_a_file_is_looked_up_once_for_each_distinct_word(tmp_path, monkeypatch):
    path = made_up_vectors.write(tmp_path / "small.vec", {"a": (1, 2), "b": (3, 4)})
    vectors = open_token_vectors(path, tok="none", lowercase=False)
    assert (vectors.name, vectors.layer, vectors.is_contextual) == ("small", None, False)
    opened = vectors.open()
    assert vectors.open() is opened
    embedded = vectors.embed(columns(["a x a", "b"], ["x", "B"]), Runtime(threads=1))
    assert embedded.texts.words == ["a", "x", "b", "B"]
    assert embedded.vectors.tolist() == [[1, 2], [0, 0], [3, 4], [3, 4]]
    made_up_vectors.write(tmp_path / "small.vec", {"a": (5, 6), "b": (3, 4)})
    again = open_token_vectors(path, tok="none", lowercase=False)
    assert again.embed(columns(["a"]), Runtime(threads=1)).vectors.tolist() == [[5, 6]]


def test_two_sides_can_be_joined():
    texts = tokenize(columns(["a b"]), "none", lowercase=False)
    one, other = EmbeddedTexts(texts, np.ones((2, 3))), EmbeddedTexts(texts, np.zeros((2, 3)))
    joined = one.joined(other)
    assert joined.texts.words == ["a", "b", "a", "b"]
    assert [rows.tolist() for rows in joined.texts.rows] == [[0, 1], [2, 3]]
    with pytest.raises(InputError, match="vectors of 3 and of 2 dimensions cannot be compared"):
        one.joined(EmbeddedTexts(texts, np.zeros((2, 2))))


def test_vectors_must_fit_the_words():
    texts = tokenize(columns(["a b"]), "none", lowercase=False)
    with pytest.raises(ConfigError, match="2 words have vectors of shape"):
        EmbeddedTexts(texts, np.zeros((3, 2)))


def test_kernels_refuse_what_does_not_fit():
    from assay import _core

    ones, row = np.ones(1), np.zeros(1, dtype=np.int32)
    starts, present = np.array([0, 1]), np.ones(1, dtype=bool)
    with pytest.raises(ValueError, match="do not fit together"):
        _core.TokenColumn(row, np.array([0, 2]), present, ones)
    with pytest.raises(ValueError, match="a token is negative"):
        _core.TokenColumn(row - 1, starts, present, ones)
    with pytest.raises(ValueError, match="differ in length"):
        _core.VectorTable(np.zeros((2, 3)), row)
    column, table = _core.TokenColumn(row + 1, starts, present, ones), _core.VectorTable(np.zeros((1, 3)), row)
    with pytest.raises(ValueError, match="a token has no vector"):
        _core.bertscore_statistics((column,), (column,), table, 1)
    unweighted = _core.TokenColumn(row, starts, present, None)
    with pytest.raises(ValueError, match="weights are needed"):
        _core.bertscore_statistics((unweighted,), (unweighted,), table, 1)
    with pytest.raises(ValueError, match="equal must be none, without-vector or all"):
        _core.yisi_statistics((), (column,), table, "some", 1, 1)
