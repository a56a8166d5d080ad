"""The files of a COMET checkpoint: what is read, what is missing, and what is refused."""

from __future__ import annotations

import json
import shutil

import pytest

from assay.errors import ConfigError, InputError, MissingExtraError
from assay.learned import open_comet
from assay.learned.comet_checkpoint import QE, REGRESSION, UNIFIED, Hyperparameters, find_checkpoint
from assay.learned.comet_tokenizer import open_tokenizer
from tests.learned.official import official


@pytest.fixture
def copy(tmp_path):
    return official("comet").copied(tmp_path)


def change(folder, **hyperparameters):
    """Change hyperparameters in the weights file."""
    torch = pytest.importorskip("torch")
    path = folder / "checkpoints" / "model.ckpt"
    content = torch.load(path, weights_only=True)
    content["hyper_parameters"] |= hyperparameters
    torch.save(content, path)


def test_defaults_are_those_of_the_official_package():
    assert Hyperparameters.of(REGRESSION, {}).hidden_sizes == (3072, 1024)
    assert Hyperparameters.of(QE, {}).hidden_sizes == (2048, 1024)
    unified = Hyperparameters.of(UNIFIED, {"layer": 3, "dropout": 0.1})
    assert (unified.layer, unified.layer_transformation) == ("mix", "sparsemax")
    assert Hyperparameters.of(UNIFIED, {"sent_layer": 2}).layer == 2
    assert not unified.unsupported()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("encoder_model", "ELMo"),
        ("layer", "last"),
        ("layer_transformation", "entmax"),
        ("pool", "min"),
        ("hidden_sizes", []),
        ("input_segments", ["src", "mt"]),
        ("hidden_sizes", 4),
        ("input_segments", None),
        ("encoder_model", ["BERT"]),
        ("layer", True),
        ("pretrained_model", None),
    ],
)
def test_unknown_hyperparameters_are_refused(copy, name, value):
    change(copy, **{name: value})
    with pytest.raises(InputError, match=f"unsupported hyperparameters: {name}: "):
        find_checkpoint(copy, "comet")


def test_a_layer_that_the_encoder_does_not_have(copy):
    change(copy, layer=9)
    with pytest.raises(InputError, match="there is no layer 9: the encoder has 3"):
        open_comet(copy)


def test_bert_has_no_pooled_state():
    assert Hyperparameters.of(REGRESSION, {"pool": "default", "encoder_model": "BERT"}).unsupported() == [
        "pool: default"
    ]


@pytest.mark.parametrize("missing", ["hparams.yaml", "checkpoints/model.ckpt"])
def test_missing_files_are_named(copy, missing):
    (copy / missing).unlink()
    with pytest.raises(MissingExtraError, match=f"{missing} not found"):
        find_checkpoint(copy, "comet")


@pytest.mark.parametrize("content", ["[", "- a\n", "!!python/object:os.system {}\n"])
def test_a_damaged_yaml_is_an_error(copy, content):
    (copy / "hparams.yaml").write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=r"hparams\.yaml"):
        find_checkpoint(copy, "comet")


@pytest.mark.parametrize("kind", ["multitask_metric", "ranking_metric"])
def test_other_kinds_are_not_supported(copy, kind):
    (copy / "hparams.yaml").write_text(f"class_identifier: {kind}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=f"has the unsupported model class '{kind}'") as raised:
        find_checkpoint(copy, "comet")
    assert "--scores" in raised.value.hint


def test_a_checkpoint_of_another_metric():
    with pytest.raises(ConfigError, match="is a regression_metric; the metric unite cannot use it") as raised:
        find_checkpoint(official("comet").model, "unite")
    assert "use comet:model=" in raised.value.hint


def test_the_encoder_may_be_a_resource(copy, tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path / "resources"))
    change(copy, pretrained_model="microsoft/infoxlm-large")
    inside = find_checkpoint(copy, "comet")
    expected = open_tokenizer(inside)(["the dog"])
    shutil.move(copy / "encoder", tmp_path / "moved")
    with pytest.raises(MissingExtraError, match="encoder microsoft/infoxlm-large") as raised:
        find_checkpoint(copy, "comet")
    assert f"put config.json and tokenizer.json of microsoft/infoxlm-large into {copy / 'encoder'}" in raised.value.hint
    assert str(tmp_path / "resources" / "infoxlm-large") in raised.value.hint
    shutil.move(tmp_path / "moved", tmp_path / "resources" / "infoxlm-large")
    found = find_checkpoint(copy, "comet")
    assert found.digests == inside.digests
    assert set(found.digests) == {"model", "encoder"}
    assert open_tokenizer(found)(["the dog"]) == expected


@pytest.mark.parametrize("missing", ["config.json", "tokenizer.json"])
def test_missing_files_of_the_encoder_are_named(copy, missing):
    (copy / "encoder" / missing).unlink()
    with pytest.raises(MissingExtraError, match=f"{missing} not found in"):
        find_checkpoint(copy, "comet")


def test_a_damaged_configuration_is_an_error(copy):
    (copy / "encoder" / "config.json").write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match=r"config\.json: is not valid JSON"):
        find_checkpoint(copy, "comet").config  # noqa: B018


def test_the_patch_of_sparsemax_is_applied():
    found = find_checkpoint(official("cometkiwi").model, "unite")
    assert found.options.layer_transformation == "softmax"


def test_no_hyperparameters_in_the_weights(copy):
    torch = pytest.importorskip("torch")
    path = copy / "checkpoints" / "model.ckpt"
    torch.save({"state_dict": {}}, path)
    with pytest.raises(InputError, match="has no hyper_parameters"):
        find_checkpoint(copy, "comet")


def test_made_up_files_are_as_the_official_package_leaves_them():
    """The checkpoint of the tests is one that Lightning saved."""
    folder = official("comet").model
    content = pytest.importorskip("torch").load(folder / "checkpoints" / "model.ckpt", weights_only=True)
    assert {"state_dict", "hyper_parameters", "pytorch-lightning_version"} <= content.keys()
    assert json.loads((folder / "encoder" / "config.json").read_text(encoding="utf-8"))["model_type"] == "xlm-roberta"


def test_a_folder_in_the_working_directory_is_not_the_encoder(copy, tmp_path, monkeypatch):
    change(copy, pretrained_model="microsoft/infoxlm-large")
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path / "resources"))
    monkeypatch.chdir(tmp_path)
    shutil.move(copy / "encoder", tmp_path / "infoxlm-large")
    with pytest.raises(MissingExtraError, match="encoder microsoft/infoxlm-large"):
        find_checkpoint(copy, "comet")


def test_a_version_in_a_folder_of_the_hub_finds_its_encoder_there(tmp_path):
    torch = pytest.importorskip("torch", reason="torch is not installed (make test-neural)")
    names = ("models--Unbabel--wmt22-comet-da", "models--FacebookAI--xlm-roberta-large")
    version, encoder = (tmp_path / name / "snapshots" / "0a1b" for name in names)
    (version / "checkpoints").mkdir(parents=True)
    (version / "hparams.yaml").write_text("class_identifier: regression_metric\n", encoding="utf-8")
    content = {"state_dict": {}, "hyper_parameters": {"pretrained_model": "xlm-roberta-large"}}
    torch.save(content, version / "checkpoints" / "model.ckpt")
    encoder.mkdir(parents=True)
    for name in ("config.json", "tokenizer.json"):
        (encoder / name).write_text("{}", encoding="utf-8")
    found = find_checkpoint(version, "comet")
    assert (found.model.name, found.encoder.path) == ("wmt22-comet-da", encoder)
    before = found.digests
    for place in (version, encoder, encoder.parent):
        (place / "README.md").write_text("a note", encoding="utf-8")
    found.check()
    assert find_checkpoint(version, "comet").digests == before
    (encoder / "config.json").write_text("[]", encoding="utf-8")
    assert find_checkpoint(version, "comet").digests != before
