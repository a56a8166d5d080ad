"""What is missing or damaged in the folder of an encoder is said without torch, with the file."""

from __future__ import annotations

import pytest

from assay.encoders.transformers_folder import check_folder, is_model_folder
from assay.errors import InputError, MissingExtraError
from tests.encoders import transformers_files


def test_a_complete_folder(tmp_path):
    folder = transformers_files.write(tmp_path / "model")
    assert is_model_folder(folder)
    assert not is_model_folder(tmp_path)
    check_folder(folder)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("config.json", b"{}", "has no 'model_type'"),
        ("config.json", b"[]", "must be a mapping"),
        ("tokenizer.json", b'{"model": {}}', "has no 'added_tokens'"),
        ("tokenizer.json", b'{"model": {', "is not valid JSON"),
        ("model.safetensors", transformers_files.safetensors()[:-2], "the file is truncated or damaged"),
        ("vocab.txt", b"version https://git-lfs.github.com/spec/v1\n", "is a Git LFS pointer"),
    ],
)
def test_damaged_files(tmp_path, name, content, message):
    folder = transformers_files.write(tmp_path / "model", {name: content})
    with pytest.raises(InputError, match=message) as caught:
        check_folder(folder)
    assert caught.value.path == str(folder / name)


@pytest.mark.parametrize("place", ["model.onnx", "onnx/model.onnx"])
def test_onnx_alone(tmp_path, place):
    (tmp_path / place).parent.mkdir(exist_ok=True)
    (tmp_path / place).write_bytes(b"")
    assert is_model_folder(tmp_path)
    with pytest.raises(MissingExtraError, match="has weights for ONNX alone\nexport them to safetensors"):
        check_folder(tmp_path)
