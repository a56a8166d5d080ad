"""Folders as transformers saves them: configuration, and weights in one file or in several."""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass

import pytest

from assay.errors import InputError, MissingExtraError
from assay.learned.model_folder import check_vocabulary, read_config, read_sizes, read_weights

SHAPES = {"a": (2,), "b": (1, 3)}


@pytest.fixture
def torch():
    pytest.importorskip("transformers")
    return pytest.importorskip("torch")


def weights(torch):
    return {"a": torch.tensor([1.0, 2.0]), "b": torch.ones(1, 3), "c": torch.zeros(5)}


def read(folder, shapes=SHAPES, digest="0"):
    return {name: tensor.tolist() for name, tensor in read_weights(folder, digest, shapes).items()}


def save(torch, folder, form):
    """Write all weights in one of the forms."""
    if form == "pytorch_model.bin":
        torch.save(weights(torch), folder / form)
        return
    from safetensors.torch import save_file

    if form == "model.safetensors":
        save_file(weights(torch), folder / form)
        return
    names = {name: f"part-{name}.{'bin' if 'bin' in form else 'safetensors'}" for name in "abc"}
    for name, file in names.items():
        content = {name: weights(torch)[name]}
        torch.save(content, folder / file) if "bin" in form else save_file(content, folder / file)
    (folder / form).write_text(json.dumps({"weight_map": names}))


@pytest.mark.parametrize(
    "form",
    ["model.safetensors", "model.safetensors.index.json", "pytorch_model.bin", "pytorch_model.bin.index.json"],
)
def test_all_forms_of_weights(torch, tmp_path, form):
    save(torch, tmp_path, form)
    assert read(tmp_path) == {"a": [1.0, 2.0], "b": [[1.0, 1.0, 1.0]]}


def test_missing_weights(torch, tmp_path):
    with pytest.raises(MissingExtraError, match="has no weights") as raised:
        read(tmp_path)
    assert "model.safetensors or pytorch_model.bin" in raised.value.hint
    save(torch, tmp_path, "model.safetensors.index.json")
    (tmp_path / "part-b.safetensors").unlink()
    with pytest.raises(MissingExtraError, match="lacks some weights") as raised:
        read(tmp_path)
    assert "part-b.safetensors" in raised.value.hint
    save(torch, tmp_path, "model.safetensors")
    with pytest.raises(InputError, match="the weights d are missing"):
        read(tmp_path, {**SHAPES, "d": (1,)})
    with pytest.raises(InputError, match=r"the weights a have the shape \(2,\) instead of \(3,\)"):
        read(tmp_path, {"a": (3,)})


@pytest.mark.parametrize("index", ["[]", '{"weight_map": 3}'])
def test_an_index_without_files(torch, tmp_path, index):
    (tmp_path / "pytorch_model.bin.index.json").write_text(index)
    with pytest.raises(InputError):
        read(tmp_path)


def test_an_index_cannot_name_files_elsewhere(torch, tmp_path):
    folder = tmp_path / "model"
    folder.mkdir()
    save(torch, tmp_path, "model.safetensors")
    index = {"weight_map": {"a": "../model.safetensors", "b": str(tmp_path / "model.safetensors")}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    with pytest.raises(MissingExtraError):
        read(folder)


@pytest.mark.parametrize("name", ["model.safetensors", "pytorch_model.bin"])
def test_a_file_that_is_damaged(torch, tmp_path, name):
    (tmp_path / name).write_text("version https://git-lfs.github.com/spec/v1")
    with pytest.raises(InputError, match="cannot be opened") as raised:
        read(tmp_path)
    assert "Git LFS" in raised.value.hint


def test_pickled_objects_are_refused(torch, tmp_path):
    torch.save({"a": argparse.Namespace()}, tmp_path / "pytorch_model.bin")
    with pytest.raises(InputError, match="objects other than tensors"):
        read(tmp_path)


def test_configurations(tmp_path):
    with pytest.raises(MissingExtraError, match=r"config\.json is missing"):
        read_config(tmp_path)
    for content, words in (("{", "cannot be read"), ("[]", "names with values"), ("\xff", "cannot be read")):
        (tmp_path / "config.json").write_bytes(content.encode("latin-1"))
        with pytest.raises(InputError, match=words):
            read_config(tmp_path)


def test_sizes(tmp_path):
    @dataclass(frozen=True)
    class Sizes:
        width: int
        depth: int = 3

    (tmp_path / "config.json").write_text('{"width": 8, "other": 1}')
    assert read_sizes(tmp_path, Sizes) == Sizes(8, 3)
    (tmp_path / "config.json").write_text('{"depth": 8}')
    with pytest.raises(InputError, match="the configuration has no width"):
        read_sizes(tmp_path, Sizes)


def test_a_vocabulary_larger_than_that_of_the_model(tmp_path):
    check_vocabulary(tmp_path, 7, 8)
    with pytest.raises(InputError, match="the tokeniser has 9 pieces, the model has 8"):
        check_vocabulary(tmp_path, 9, 8)
