"""SentencePiece models."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from assay.errors import InputError, MissingExtraError
from assay.neural.model_folder import open_sentencepiece
from tests import tokenizer_model


def test_a_model_is_opened(tmp_path):
    assert open_sentencepiece(Path(tokenizer_model.train(tmp_path)), "spm").encode("the cat", out_type=str)


@pytest.mark.parametrize("content", [b"", b"no model"])
def test_a_damaged_model(tmp_path, content):
    pytest.importorskip("sentencepiece")
    (tmp_path / "sp.model").write_bytes(content)
    with pytest.raises(InputError, match=r"sp\.model: is not a SentencePiece model"):
        open_sentencepiece(tmp_path / "sp.model", "spm")


def test_without_the_package(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    with pytest.raises(MissingExtraError, match=r"sp\.model needs sentencepiece") as raised:
        open_sentencepiece(tmp_path / "sp.model", "spm")
    assert raised.value.hint == 'pip install ".[spm]" in the folder of Assay'
