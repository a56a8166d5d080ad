"""What is missing or damaged in a folder is said without torch, with the file."""

from __future__ import annotations

import json

import pytest

from assay.encoders.transformers_folder import check_folder, is_model_folder
from assay.errors import InputError, MissingExtraError
from tests.encoders import transformers_files

POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"


def test_a_whole_folder(tmp_path):
    folder = transformers_files.write(tmp_path / "model")
    assert is_model_folder(folder)
    assert not is_model_folder(tmp_path)
    check_folder(folder)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("config.json", b"{}", "has no 'model_type'"),
        ("config.json", b"[]", "has no 'model_type'"),
        ("config.json", b"\xff", "is not valid JSON"),
        ("config.json", POINTER, "a pointer of Git LFS instead of the file itself\ngit lfs pull"),
        ("tokenizer.json", b'{"model": {}}', "has no 'added_tokens'"),
        ("tokenizer.json", b'{"model": {', "is not valid JSON"),
        ("model.safetensors", b"", "is not a file of safetensors"),
        ("model.safetensors", b"x" * 100, "the file is cut off or damaged"),
        ("model.safetensors", transformers_files.safetensors()[:-2], "the file is cut off or damaged"),
        ("model.safetensors", (3).to_bytes(8, "little") + b"[1]", "is not a file of safetensors"),
        ("model.safetensors", POINTER, "a pointer of Git LFS"),
    ],
)
def test_damaged_files(tmp_path, name, content, message):
    folder = transformers_files.write(tmp_path / "model", {name: content})
    with pytest.raises(InputError, match=message) as caught:
        check_folder(folder)
    assert caught.value.path == str(folder / name)


def test_weights_in_several_files(tmp_path):
    index = json.dumps({"weight_map": {"a": "model-1.safetensors", "b": "model-2.safetensors"}}).encode()
    changed = {"model.safetensors": None, "model.safetensors.index.json": index}
    folder = transformers_files.write(tmp_path / "model", {**changed, "model-1.safetensors": b"x" * 99})
    with pytest.raises(MissingExtraError, match=r"lacks some weights\nput its model-2\.safetensors there"):
        check_folder(folder)
    (folder / "model-2.safetensors").write_bytes(transformers_files.safetensors())
    with pytest.raises(InputError, match=r"model-1\.safetensors: the file is cut off or damaged"):
        check_folder(folder)


@pytest.mark.parametrize("place", ["model.onnx", "onnx/model.onnx"])
def test_onnx_alone(tmp_path, place):
    (tmp_path / place).parent.mkdir(exist_ok=True)
    (tmp_path / place).write_bytes(b"")
    assert is_model_folder(tmp_path)
    with pytest.raises(MissingExtraError, match="has weights for ONNX alone\nexport them to safetensors"):
        check_folder(tmp_path)
