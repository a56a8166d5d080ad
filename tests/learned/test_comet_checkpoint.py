"""The files of a COMET checkpoint: what is read, what is missing, and what is refused."""

from __future__ import annotations

import json
import shutil

import pytest

from assay.errors import ConfigError, InputError, MissingExtraError
from assay.learned import open_comet
from assay.learned.comet_checkpoint import QE, REGRESSION, UNIFIED, Hyperparameters, find_checkpoint
from tests.learned.official import official


@pytest.fixture
def copy(tmp_path):
    return official("comet").copied(tmp_path)


def change(folder, **hyperparameters):
    """Change hyperparameters in the file of weights."""
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
    assert not unified.errors()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("encoder_model", "ELMo"),
        ("layer", "last"),
        ("layer_transformation", "entmax"),
        ("pool", "min"),
        ("hidden_sizes", []),
        ("input_segments", ["src", "mt"]),
    ],
)
def test_unknown_hyperparameters_are_refused(copy, name, value):
    change(copy, **{name: value})
    with pytest.raises(InputError, match=f"not supported: {name}: "):
        find_checkpoint(copy, "comet")


def test_a_layer_that_the_encoder_does_not_have(copy):
    change(copy, layer=9)
    with pytest.raises(InputError, match="there is no layer 9: the encoder has 3"):
        open_comet(copy)


def test_bert_has_no_pooled_state():
    assert Hyperparameters.of(REGRESSION, {"pool": "default", "encoder_model": "BERT"}).errors() == ["pool: default"]


@pytest.mark.parametrize("missing", ["hparams.yaml", "checkpoints/model.ckpt"])
def test_missing_files_are_named(copy, missing):
    (copy / missing).unlink()
    with pytest.raises(MissingExtraError, match=f"{missing} is missing"):
        find_checkpoint(copy, "comet")


@pytest.mark.parametrize("content", ["[", "- a\n", "!!python/object:os.system {}\n"])
def test_a_damaged_yaml_is_an_error(copy, content):
    (copy / "hparams.yaml").write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=r"hparams\.yaml"):
        find_checkpoint(copy, "comet")


@pytest.mark.parametrize("kind", ["xcomet_metric", "ranking_metric"])
def test_other_kinds_are_not_supported(copy, kind):
    (copy / "hparams.yaml").write_text(f"class_identifier: {kind}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=f"'{kind}', which is not supported") as raised:
        find_checkpoint(copy, "comet")
    assert "--scores" in raised.value.hint


def test_a_checkpoint_of_another_metric():
    with pytest.raises(ConfigError, match="not for the metric unite") as raised:
        find_checkpoint(official("comet").model, "unite")
    assert "use comet:model=" in raised.value.hint


def test_the_encoder_may_be_a_resource(copy, tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path / "resources"))
    change(copy, pretrained_model="microsoft/infoxlm-large")
    inside = find_checkpoint(copy, "comet")
    expected = inside.tokenizer(["the dog"])
    shutil.move(copy / "encoder", tmp_path / "moved")
    with pytest.raises(MissingExtraError, match="encoder microsoft/infoxlm-large") as raised:
        find_checkpoint(copy, "comet")
    assert f"put config.json and tokenizer.json of microsoft/infoxlm-large into {copy / 'encoder'}" in raised.value.hint
    assert str(tmp_path / "resources" / "infoxlm-large") in raised.value.hint
    shutil.move(tmp_path / "moved", tmp_path / "resources" / "infoxlm-large")
    found = find_checkpoint(copy, "comet")
    assert inside.encoder_digest is None
    assert found.encoder_digest is not None
    assert found.tokenizer(["the dog"]) == expected


@pytest.mark.parametrize("missing", ["config.json", "tokenizer.json"])
def test_missing_files_of_the_encoder_are_named(copy, missing):
    (copy / "encoder" / missing).unlink()
    with pytest.raises(MissingExtraError, match=f"has no {missing}"):
        find_checkpoint(copy, "comet")


def test_a_tokeniser_of_another_encoder_is_refused(copy, tmp_path):
    path = copy / "encoder" / "tokenizer.json"
    path.write_text(path.read_text(encoding="utf-8").replace("<pad>", "<no>"), encoding="utf-8")
    with pytest.raises(InputError, match="has no token <pad>"):
        find_checkpoint(copy, "comet").tokenizer  # noqa: B018
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="the tokeniser cannot be opened"):
        find_checkpoint(copy, "comet").tokenizer  # noqa: B018


def test_a_damaged_configuration_is_an_error(copy):
    (copy / "encoder" / "config.json").write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match="the encoder cannot be opened"):
        find_checkpoint(copy, "comet").config  # noqa: B018


def test_the_patch_of_sparsemax_is_heeded():
    found = find_checkpoint(official("cometkiwi").model, "unite")
    assert found.options.layer_transformation == "softmax"


def test_texts_are_cut_as_the_official_package_does():
    """At two tokens less than the encoder could read; the count is exact with the real tokeniser."""
    tokenizer = find_checkpoint(official("comet-xlm-r-tokenizer").model, "comet").tokenizer
    assert (tokenizer.max_tokens, tokenizer.max_tokens_of_text) == (512, 510)
    longest = " ".join(["the"] * 508)  # one token each, and two marks
    ids, is_cut = tokenizer([longest, f"{longest} the", "", "Ein Haus."])
    assert is_cut == [False, True, False, False]
    assert [len(each) for each in ids] == [510, 510, 2, 5]
    assert ids[2] == (0, 2)


def test_marks_between_texts_and_padding_in_a_text():
    xlmr = find_checkpoint(official("unite-xlm-r-tokenizer").model, "unite").tokenizer
    ids, _ = xlmr(["a <pad> b", "c"])
    texts = [xlmr.content(each) for each in ids]
    assert xlmr.padding in ids[0]
    assert xlmr.padding not in texts[0]
    assert xlmr.joined(texts) == (0, *texts[0], 2, 2, *texts[1], 2)
    bert = find_checkpoint(official("unite-bert").model, "unite").tokenizer
    (first, second), _ = bert(["a", "the dog"])
    assert bert.joined([first[1:-1], second[1:-1]]) == (*first, *second[1:])


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
