"""Kinds of models are recognised by their files."""

from __future__ import annotations

import zipfile

import pytest

from assay.errors import ConfigError, InputError
from assay.files.resources import check_unchanged
from assay.learned.model_kinds import BLEURT, COMET, METRICX, check_model, find_model


def test_a_model_of_another_kind(tmp_path):
    kinds = {COMET: "comet", BLEURT: "bleurt", METRICX: "metricx"}
    for name in kinds.values():
        (tmp_path / name).mkdir()
    (tmp_path / "comet" / "checkpoints").mkdir()
    (tmp_path / "comet" / "checkpoints" / "model.ckpt").touch()
    (tmp_path / "comet" / "hparams.yaml").touch()
    (tmp_path / "bleurt" / "config.json").write_text('{"model_type": "bleurt"}')
    (tmp_path / "metricx" / "config.json").write_text('{"architectures": ["MT5ForRegression"]}')
    for kind, name in kinds.items():
        assert find_model(tmp_path / name, kind).path == tmp_path / name
        for other in kinds.keys() - {kind}:
            with pytest.raises(ConfigError, match=f"contains a {kind}, not a {other}") as raised:
                find_model(tmp_path / name, other)
            assert f"{name}:model={tmp_path / name}" in raised.value.hint
    assert find_model(tmp_path, BLEURT).path == tmp_path  # nothing is known about it


def test_a_folder_of_the_hub(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path))
    folder = tmp_path / "models--Unbabel--wmt22-comet-da"
    version = folder / "snapshots" / "0a1b"
    version.mkdir(parents=True)
    for source in ("wmt22-comet-da", "Unbabel/wmt22-comet-da", folder.name, folder):
        found = find_model(source, COMET)
        assert (found.name, found.path) == ("wmt22-comet-da", version)
    (folder / "snapshots" / "2c3d").mkdir()
    with pytest.raises(ConfigError, match="has several versions of the model") as raised:
        find_model(folder, COMET)
    assert raised.value.hint.endswith("snapshots/0a1b or " + str(folder / "snapshots" / "2c3d"))


def test_a_file_in_the_working_directory_does_not_hide_a_model(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path / "resources"))
    (tmp_path / "resources" / "model").mkdir(parents=True)
    (tmp_path / "model").touch()
    monkeypatch.chdir(tmp_path)
    assert find_model("model", COMET).path == tmp_path / "resources" / "model"
    (tmp_path / "other").touch()
    with pytest.raises(InputError, match="other: is not a folder") as raised:
        find_model("other", COMET)
    assert raised.value.hint == f"give the folder of the COMET checkpoint: {tmp_path}"


def test_models_with_damaged_files(tmp_path):
    (tmp_path / "checkpoints").mkdir()
    (tmp_path / "hparams.yaml").touch()
    weights = tmp_path / "checkpoints" / "model.ckpt"
    weights.write_text("version https://git-lfs.github.com/spec/v1")
    with pytest.raises(InputError, match="is a Git LFS pointer"):
        check_model(tmp_path)
    weights.write_text("<html>")
    with pytest.raises(InputError, match="is not a checkpoint"):
        check_model(tmp_path)
    with zipfile.ZipFile(weights, "w"):
        pass
    assert check_model(tmp_path) == COMET


def test_only_what_is_read_is_in_the_digest(tmp_path):
    """A checkpoint and its encoder are two resources, wherever the folder of the encoder is."""
    read = ["hparams.yaml", "checkpoints/model.ckpt"]
    other = ["README.md", "LICENSE", "run.log", "encoder/config.json", "checkpoints/notes.txt"]
    (tmp_path / "checkpoints").mkdir()
    (tmp_path / "encoder").mkdir()
    for name in read:
        (tmp_path / name).write_text(name)
    before = find_model(tmp_path, COMET)
    digest = before.digest
    for name in other:
        (tmp_path / name).write_text("a note")
        assert find_model(tmp_path, COMET).digest == digest
    check_unchanged(before, digest)
    for name in read:
        (tmp_path / name).write_text("changed")
        assert find_model(tmp_path, COMET).digest != digest
        (tmp_path / name).write_text(name)
        assert find_model(tmp_path, COMET).digest == digest
