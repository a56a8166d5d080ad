"""Encoders are folders, recognised by their files; what is missing is named."""

from __future__ import annotations

import subprocess
import sys

import pytest

from assay.encoders import find_encoder, open_encoder
from assay.errors import ConfigError, InputError, MissingExtraError
from tests.encoders import transformers_files


def test_a_name_that_is_nowhere(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path))
    with pytest.raises(MissingExtraError, match="encoder not found: 'xlm-r'") as caught:
        open_encoder("xlm-r")
    assert str(tmp_path) in str(caught.value)


def test_a_file_is_no_encoder(tmp_path):
    (tmp_path / "model.onnx").write_text("")
    with pytest.raises(InputError, match="is not a folder"):
        find_encoder(tmp_path / "model.onnx")


def test_a_folder_without_an_encoder(tmp_path):
    with pytest.raises(MissingExtraError, match="there is no encoder in") as caught:
        open_encoder(tmp_path)
    assert "config.json, the tokeniser (tokenizer.json), the weights (model.safetensors)" in caught.value.hint


@pytest.mark.parametrize(
    ("missing", "message", "hint"),
    [
        ("config.json", "has no configuration", "put config.json of the model into this folder"),
        ("tokenizer.json", "has no tokeniser", "put one of tokenizer.json, vocab.txt"),
        ("model.safetensors", "has no weights", "put its model.safetensors or pytorch_model.bin there"),
    ],
)
def test_a_file_of_the_model_is_missing(tmp_path, missing, message, hint):
    path = transformers_files.write(tmp_path / "model", {missing: None})
    with pytest.raises(MissingExtraError, match=message) as caught:
        open_encoder(path)
    assert caught.value.hint.startswith(hint)


@pytest.mark.parametrize("library", ["torch", "transformers"])
def test_a_library_is_missing(tmp_path, monkeypatch, library):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtraError, match="needs torch and transformers") as caught:
        open_encoder(transformers_files.write(tmp_path / "model"))
    assert 'pip install ".[neural]" in the folder of Assay' in caught.value.hint


def test_an_unknown_precision(tmp_path):
    with pytest.raises(ConfigError, match="precision"):
        open_encoder(tmp_path, precision="int8")


def test_nothing_is_imported_before_an_encoder_is_opened():
    code = "import assay, sys; assay.metrics.metric.create('bertscore:vectors=x'); print(*sys.modules)"
    modules = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"torch", "transformers", "sentencepiece"} & set(modules)
