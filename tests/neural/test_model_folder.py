"""Which files of a folder are read, and what is wrong with them, without torch."""

from __future__ import annotations

import json

import pytest

from assay.errors import InputError, MissingExtraError
from assay.neural.model_folder import check_complete, read_json, weights_files
from tests.encoders import transformers_files

POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("config.json", POINTER, "is a Git LFS pointer instead of the file itself\ngit lfs pull"),
        ("pytorch_model.bin", POINTER, "is a Git LFS pointer"),
        ("model.safetensors", POINTER, "is a Git LFS pointer"),
        ("model.safetensors", b"", "is not a safetensors file"),
        ("model.safetensors", (3).to_bytes(8, "little") + b"[1]", "is not a safetensors file"),
        ("model.safetensors", b"x" * 100, "the file is truncated or damaged"),
        ("model.safetensors", transformers_files.safetensors()[:-2], "the file is truncated or damaged"),
    ],
)
def test_incomplete_files(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=message) as raised:
        check_complete(tmp_path / name)
    assert raised.value.path == str(tmp_path / name)


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"{", "is not valid JSON"), (b"\xff", "is not valid JSON"), (b"[]", r"must be a mapping \(JSON object\)")],
)
def test_json_files(tmp_path, content, message):
    path = tmp_path / "config.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=rf"config\.json: {message}"):
        read_json(path)
    path.write_bytes(b'{"a": 1}')
    assert read_json(path) == {"a": 1}


def test_the_first_weights_file_is_read(tmp_path):
    with pytest.raises(MissingExtraError, match=r"the model in .* has no weights") as raised:
        weights_files(tmp_path, "model")
    assert raised.value.hint == "put its model.safetensors or pytorch_model.bin there"
    for name in ("pytorch_model.bin", "model.safetensors"):
        (tmp_path / name).write_bytes(transformers_files.safetensors())
        assert weights_files(tmp_path, "model") == [tmp_path / name]


def test_an_index_names_several_files(tmp_path):
    index = {"weight_map": {"a": "model-1.safetensors", "b": "model-2.safetensors", "c": "model-1.safetensors"}}
    (tmp_path / "model.safetensors.index.json").write_text(json.dumps(index))
    (tmp_path / "model-1.safetensors").write_bytes(transformers_files.safetensors())
    with pytest.raises(MissingExtraError, match=r"lacks some weights\nput its model-2\.safetensors there"):
        weights_files(tmp_path, "model")
    (tmp_path / "model-2.safetensors").write_bytes(transformers_files.safetensors())
    assert [path.name for path in weights_files(tmp_path, "model")] == ["model-1.safetensors", "model-2.safetensors"]
    (tmp_path / "model-2.safetensors").write_bytes(transformers_files.safetensors()[:-1])
    with pytest.raises(InputError, match=r"model-2\.safetensors: the file is truncated"):
        weights_files(tmp_path, "model")


@pytest.mark.parametrize(
    ("index", "message"),
    [("[]", "must be a mapping"), ('{"weight_map": 3}', "the index has no weight_map"), ("{}", "has no weight_map")],
)
def test_an_index_without_files(tmp_path, index, message):
    (tmp_path / "pytorch_model.bin.index.json").write_text(index)
    with pytest.raises(InputError, match=message):
        weights_files(tmp_path, "model")


def test_an_index_cannot_name_files_elsewhere(tmp_path):
    folder = tmp_path / "model"
    folder.mkdir()
    (tmp_path / "model.safetensors").write_bytes(transformers_files.safetensors())
    index = {"weight_map": {"a": "../model.safetensors", "b": str(tmp_path / "model.safetensors")}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    with pytest.raises(InputError, match=r"the index names a file in another folder: '\.\./model\.safetensors'"):
        weights_files(folder, "model")


def test_a_part_of_the_weights_without_the_index(tmp_path):
    (tmp_path / "pytorch_model-00001-of-00002.bin").touch()
    with pytest.raises(MissingExtraError, match=r"put its pytorch_model\.bin\.index\.json there"):
        weights_files(tmp_path, "model")
