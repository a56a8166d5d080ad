from __future__ import annotations

import errno
import json
import random
import shutil
from collections import namedtuple
from pathlib import Path

import pytest

import assay
from assay.cli.group import _run
from assay.data.archives import hub as hub_module
from assay.data.archives.transfer import Policy
from assay.errors import ChecksumError, ConfigError, FetchError, InputError, MissingExtraError, UnknownNameError
from assay.files.resources import find_resource
from assay.learned.comet_checkpoint import find_checkpoint
from tests.hub import COMMIT, add_repository, hub

WEIGHTS = random.Random(1).randbytes(300_000)
COMET = {
    "hparams.yaml": b"class_identifier: regression_metric\npretrained_model: xlm-roberta-large\n",
    "checkpoints/model.ckpt": WEIGHTS,
    "README.md": b"# COMET\n",
}
ENCODER = {"config.json": b'{"model_type": "xlm-roberta"}', "tokenizer.json": b"{}", "model.safetensors": b"x" * 2000}
CHECKPOINT = f"/Unbabel/wmt22-comet-da/resolve/{COMMIT}/checkpoints/model.ckpt"


@pytest.fixture
def resources(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path / "resources"))
    return tmp_path / "resources"


@pytest.fixture
def server(resources, monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setenv("HF_HOME", str(resources / "no-hub"))
    for name in ("ASSAY_OFFLINE", "HF_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    with hub() as started:
        monkeypatch.setenv("HF_ENDPOINT", started.url)
        add_repository(started, "Unbabel/wmt22-comet-da", COMET, "apache-2.0")
        add_repository(started, "Unbabel/wmt22-cometkiwi-da", COMET, "cc-by-nc-sa-4.0")
        add_repository(started, "xlm-roberta-large", ENCODER, "mit")
        yield started


@pytest.fixture
def hasty(monkeypatch):
    """One attempt for each file."""
    monkeypatch.setattr(hub_module, "Policy", lambda **_: Policy(tries=1, pause=0.01))


def names_in(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_a_checkpoint_with_what_it_needs_of_its_encoder(server, resources):
    (folder,) = assay.fetch_models("wmt22-comet-da")
    assert folder == resources / "wmt22-comet-da"
    assert names_in(resources) == [
        "wmt22-comet-da/.assay-download.json",
        "wmt22-comet-da/checkpoints/model.ckpt",
        "wmt22-comet-da/encoder/config.json",
        "wmt22-comet-da/encoder/tokenizer.json",
        "wmt22-comet-da/hparams.yaml",
    ]
    assert (folder / "checkpoints" / "model.ckpt").read_bytes() == WEIGHTS
    record = json.loads((folder / ".assay-download.json").read_text())
    assert (record["repository"], record["commit"]) == ("Unbabel/wmt22-comet-da", COMMIT)
    asked = len(server.requests)
    assert assay.fetch_models(["Unbabel/wmt22-comet-da"]) == (folder,)  # checked, and not downloaded again
    assert not [path for path, _ in server.requests[asked:] if "resolve" in path]


def test_a_file_that_changed_is_found_when_the_model_is_used(server, resources):
    (folder,) = assay.fetch_models("wmt22-comet-da")
    assert find_resource("wmt22-comet-da").digest.startswith("sha256-")
    (folder / "hparams.yaml").write_text("class_identifier: other\n")
    with pytest.raises(InputError, match=r"hparams\.yaml: has changed since it was downloaded") as caught:
        _ = find_resource("wmt22-comet-da").digest
    assert "assay models fetch wmt22-comet-da" in str(caught.value)
    with pytest.raises(InputError, match="has changed since"):
        assay.fetch_models("wmt22-comet-da")


def test_a_download_that_was_cut_off_is_resumed(server, resources, hasty):
    server.cut[CHECKPOINT] = 100_000
    with pytest.raises(FetchError, match="resume after 100 kB"):
        assay.fetch_models("wmt22-comet-da")
    assert not (resources / "wmt22-comet-da").exists()
    assert [model.name for model in assay.list_models() if model.status == "downloaded"] == []
    assay.fetch_models("wmt22-comet-da")
    assert (CHECKPOINT, "bytes=100000-") in server.requests
    assert (resources / "wmt22-comet-da" / "checkpoints" / "model.ckpt").read_bytes() == WEIGHTS
    assert [path.name for path in resources.iterdir()] == ["wmt22-comet-da"]


def test_an_interrupted_download_is_resumed(server, resources):
    def interrupt(task: str, done: int, total: int) -> None:
        if task == "downloading checkpoints/model.ckpt":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        assay.fetch_models("wmt22-comet-da", progress=interrupt)
    assert not (resources / "wmt22-comet-da").exists()
    (folder,) = assay.fetch_models("wmt22-comet-da")
    assert any(path == CHECKPOINT and wanted for path, wanted in server.requests)
    assert (folder / "checkpoints" / "model.ckpt").read_bytes() == WEIGHTS
    assert [path.name for path in resources.iterdir()] == ["wmt22-comet-da"]


def test_the_token_stays_with_the_hub(server, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "secret")
    with hub() as elsewhere:
        elsewhere.files["/model.ckpt"] = WEIGHTS
        server.redirects[CHECKPOINT] = f"{elsewhere.url}/model.ckpt"
        assay.fetch_models("wmt22-comet-da")
        assert elsewhere.requests == [("/model.ckpt", "")]
        assert elsewhere.tokens == []
    assert set(server.tokens) == {"Bearer secret"}


def test_a_download_of_another_version_starts_again(server, resources, hasty):
    server.cut[CHECKPOINT] = 100_000
    with pytest.raises(FetchError):
        assay.fetch_models("wmt22-comet-da")
    other = random.Random(2).randbytes(200_000)
    add_repository(server, "Unbabel/wmt22-comet-da", {**COMET, "checkpoints/model.ckpt": other}, "apache-2.0")
    (folder,) = assay.fetch_models("wmt22-comet-da")
    assert (folder / "checkpoints" / "model.ckpt").read_bytes() == other


@pytest.mark.parametrize("name", ["checkpoints/model.ckpt", "hparams.yaml"])
def test_another_file_than_the_hub_says_leaves_nothing(server, resources, name):
    server.files[f"/Unbabel/wmt22-comet-da/resolve/{COMMIT}/{name}"] = COMET[name][:-1] + b"?"
    with pytest.raises(ChecksumError, match="not the expected file"):
        assay.fetch_models("wmt22-comet-da")
    assert list(resources.iterdir()) == []


def test_too_little_space_is_seen_before_the_download(server, resources, monkeypatch):
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(10, 9, 1))
    with pytest.raises(FetchError, match="not enough disk space: 300 kB needed, 1 byte free"):
        assay.fetch_models("wmt22-comet-da")
    assert list(resources.iterdir()) == []
    assert not [path for path, _ in server.requests if "resolve" in path]


def test_a_disk_that_becomes_full_leaves_nothing(server, resources, monkeypatch):
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(hub_module, "transfer", full)
    with pytest.raises(FetchError, match="cannot be written: no space left on device") as caught:
        assay.fetch_models("wmt22-comet-da")
    assert "ASSAY_RESOURCES=/other/disk" in str(caught.value)
    assert list(resources.iterdir()) == []


def test_a_licence_that_restricts_use_must_be_accepted(server, resources):
    with pytest.raises(ConfigError, match=r"the licence of wmt22-cometkiwi-da may restrict .*: cc-by-nc-sa-4\.0"):
        assay.fetch_models("wmt22-cometkiwi-da")
    assert not server.requests
    assay.fetch_models("wmt22-cometkiwi-da", accept_licence=True)
    (model,) = [model for model in assay.list_models() if model.name == "wmt22-cometkiwi-da"]
    assert (model.status, model.licence) == ("downloaded", "cc-by-nc-sa-4.0")


@pytest.mark.parametrize("licence", ["cc-by-nc-4.0", None])
def test_the_licence_in_the_repository_counts(server, licence):
    add_repository(server, "me/my-comet", COMET, licence)
    with pytest.raises(ConfigError, match=f"may restrict its use: {licence or 'none stated'}"):
        assay.fetch_models("me/my-comet")
    assert not [path for path, _ in server.requests if "resolve" in path]


def test_gated_models_need_a_token(server, monkeypatch):
    server.forbidden |= {path for path in server.files if "cometkiwi" in path}
    with pytest.raises(FetchError, match=r"401 .*accept the conditions on its page, and set HF_TOKEN"):
        assay.fetch_models("wmt22-cometkiwi-da", accept_licence=True)
    monkeypatch.setenv("HF_TOKEN", "secret")
    assay.fetch_models("wmt22-cometkiwi-da", accept_licence=True)


def test_models_of_transformers(server, resources):
    weights = {
        "model.safetensors.index.json": b'{"weight_map": {"a": "model-00001-of-00001.safetensors"}}',
        "model-00001-of-00001.safetensors": WEIGHTS,
        "pytorch_model.bin": WEIGHTS,
    }
    config = b'{"architectures": ["MT5ForRegression"]}'
    add_repository(server, "google/metricx-24-hybrid-large-v2p6", {"config.json": config, **weights}, "apache-2.0")
    add_repository(server, "google/mt5-xl", {"spiece.model": b"pieces"}, "apache-2.0")
    add_repository(server, "FacebookAI/xlm-roberta-large", ENCODER, "mit")
    metricx, encoder = assay.fetch_models(["metricx-24-hybrid-large-v2p6", "xlm-roberta-large"])
    assert names_in(metricx) == [
        ".assay-download.json",
        "config.json",
        "model-00001-of-00001.safetensors",
        "model.safetensors.index.json",
        "spiece.model",
    ]
    assert names_in(encoder) == [".assay-download.json", "config.json", "model.safetensors", "tokenizer.json"]


def test_what_cannot_be_fetched(server, resources):
    with pytest.raises(UnknownNameError, match="did you mean 'wmt22-comet-da'"):
        assay.fetch_models("wmt22-comet")
    with pytest.raises(UnknownNameError, match=r"wmt22-comet-da or .* or wmt22-cometkiwi-da or .*XCOMET-XL.*\? Any"):
        assay.fetch_models("comet")
    with pytest.raises(ConfigError, match="Assay does not read xCOMET-lite"):
        assay.fetch_models("XCOMET-lite", accept_licence=True)
    add_repository(server, "me/data", {"train.txt": b"x"}, "mit")
    with pytest.raises(FetchError, match=r"has no config\.json: it is not a model that Assay can use"):
        assay.fetch_models("me/data")
    add_repository(server, "me/evil", {"hparams.yaml": b"", "../../x": b""}, "mit")
    with pytest.raises(FetchError, match="unsafe name"):
        assay.fetch_models("me/evil")
    (resources / "unite-mup").mkdir(parents=True)
    add_repository(server, "Unbabel/unite-mup", COMET, "apache-2.0")
    with pytest.raises(FetchError, match="exists already, and was not downloaded by Assay"):
        assay.fetch_models("unite-mup")


def test_without_a_network(resources, monkeypatch):
    monkeypatch.setenv("ASSAY_OFFLINE", "1")
    with pytest.raises(FetchError, match="ASSAY_OFFLINE is set") as caught:
        assay.fetch_models("wmt22-comet-da")
    assert "checkpoints/model.ckpt of https://huggingface.co/Unbabel/wmt22-comet-da" in str(caught.value)
    assert f"put them into {resources / 'wmt22-comet-da'}" in str(caught.value)


def test_a_model_that_is_missing(resources):
    with pytest.raises(MissingExtraError, match="COMET checkpoint not found") as caught:
        find_checkpoint("wmt22-comet-da", "comet")
    assert "download it: assay models fetch wmt22-comet-da (licence: apache-2.0)" in str(caught.value)


def test_the_command(server, resources, capsys):
    assert _run(["models", "fetch", "wmt22-comet-da"]) == 0
    captured = capsys.readouterr()
    assert captured.out == f"{resources / 'wmt22-comet-da'}\n"
    assert f"wmt22-comet-da: 300 kB, licence apache-2.0, {server.url}/Unbabel/wmt22-comet-da" in captured.err
    assert _run(["models", "fetch", "wmt22-cometkiwi-da"]) == 2
    assert "if you accept it: --accept-licence" in capsys.readouterr().err
    assert _run(["models", "list", "--format", "tsv"]) == 0
    rows = [line.split("\t")[:2] for line in capsys.readouterr().out.splitlines()]
    assert rows[1] == ["wmt22-comet-da", "downloaded"]
    assert ["XCOMET-lite", "not supported"] in rows
