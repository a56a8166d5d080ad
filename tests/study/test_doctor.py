from __future__ import annotations

import gzip
import zipfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

import assay
from assay.data.archives.folder import data_folder
from assay.errors import InputError
from assay.metrics import metric
from assay.neural.libraries import describe_gpus
from assay.types import Note, NoteKind
from tests.encoders import transformers_files
from tests.vectors import written


def test_doctor():
    installation = assay.doctor()
    assert installation["assay"] == assay.__version__
    assert installation["metrics"] == ", ".join(metric.names())
    assert installation["unicode tables"].startswith("regex ")
    assert installation["gpu"] == describe_gpus()
    assert installation["extra xlsx"] == f"XlsxWriter {version('XlsxWriter')}, openpyxl {version('openpyxl')}"


def test_where_the_key_of_a_judge_comes_from(monkeypatch):
    for variable in ("ASSAY_JUDGE_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    assert assay.doctor()["judge key"] == "not set; servers that need one take it from ASSAY_JUDGE_KEY"
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    assert assay.doctor()["judge key"] == "from OPENAI_API_KEY"
    monkeypatch.setenv("ASSAY_JUDGE_KEY", "sk-secret")
    installation = assay.doctor()
    assert installation["judge key"] == "from ASSAY_JUDGE_KEY"
    assert "sk-secret" not in str(installation.facts)


def test_what_is_missing(monkeypatch):
    def missing(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", missing)
    monkeypatch.setattr(metric, "_failures", ["the metric plug-in 'x' (y:Z) cannot be loaded: no"])
    installation = assay.doctor()
    assert installation["extra spm"] == 'sentencepiece not installed: pip install ".[spm]" in the folder of Assay'
    assert installation["extra ja"] == 'mecab-python3, ipadic not installed: pip install ".[ja]" in the folder of Assay'
    assert "extra all" not in installation.facts
    assert installation.notes == (Note(NoteKind.MISSING, "the metric plug-in 'x' (y:Z) cannot be loaded: no"),)


def test_resources(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path / "resources"))
    assert assay.doctor()["resources"] == f"{tmp_path / 'resources'} (does not exist yet)"
    (tmp_path / "resources").mkdir()
    transformers_files.write(tmp_path / "resources" / "minilm")
    (tmp_path / "resources" / "tiny.vec").write_bytes(b"1 2\na 1 2\n")
    (tmp_path / "resources" / "list.txt").write_bytes(b"x" * 2500)
    (tmp_path / "resources" / "broken").symlink_to("nowhere")
    installation = assay.doctor()
    assert installation["resources"] == str(tmp_path / "resources")
    assert installation["resource minilm"].startswith("encoder (transformers), 128 bytes, sha256-")
    assert installation["resource tiny.vec"].startswith(
        "word vectors (word2vec text or fastText .vec), 10 bytes, sha256-"
    )
    assert installation["resource list.txt"].startswith("file, 2.5 kB, sha256-")
    broken = tmp_path / "resources" / "broken"
    assert installation["resource broken"] == f"cannot be used: {broken}: cannot be read: no such file or directory"


def test_models_that_cannot_be_used(tmp_path, monkeypatch):
    """What is listed as word vectors can be read."""
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path))
    (tmp_path / "small.ftz").write_bytes(written.fasttext(quantised=True))
    (tmp_path / "packed.bin.gz").write_bytes(gzip.compress(written.fasttext()))
    (tmp_path / "good.bin").write_bytes(written.fasttext())
    found = assay.doctor()
    assert found["resource small.ftz"] == (
        f"cannot be used: {tmp_path / 'small.ftz'}: quantised models (.ftz) cannot be read "
        "(use the .bin that it was made from)"
    )
    assert "fastText .bin in gzip cannot be read" in found["resource packed.bin.gz"]
    assert found["resource good.bin"].startswith("word vectors (fastText .bin), ")


def test_encoders_that_cannot_be_used(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path))
    for name, files in {
        "no-weights": {"model.safetensors": None},
        "no-tokeniser": {"tokenizer.json": None},
        "other": {"config.json": b"{}"},
        "broken": {"config.json": b"{"},
        "cut": {"model.safetensors": transformers_files.safetensors()[:-1]},
    }.items():
        transformers_files.write(tmp_path / name, files)
    found = assay.doctor()
    hint = "put its model.safetensors or pytorch_model.bin there"
    assert found["resource no-weights"].startswith(
        f"folder (the encoder in {tmp_path}/no-weights has no weights: {hint}"
    )
    assert "has no tokeniser: put one of tokenizer.json" in found["resource no-tokeniser"]
    config = tmp_path / "other" / "config.json"
    assert found["resource other"].startswith(f"cannot be used: {config}: has no 'model_type' (")
    assert "is not valid JSON: " in found["resource broken"]
    assert f"{tmp_path}/cut/model.safetensors: the file is truncated or damaged" in found["resource cut"]


def test_models_of_learned_metrics(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path))
    (tmp_path / "comet" / "checkpoints").mkdir(parents=True)
    (tmp_path / "comet" / "hparams.yaml").write_bytes(b"")
    zipfile.ZipFile(tmp_path / "comet" / "checkpoints" / "model.ckpt", "w").close()
    transformers_files.write(tmp_path / "bleurt", {"config.json": b'{"model_type": "bleurt"}'})
    metricx = b'{"model_type": "mt5", "architectures": ["MT5ForRegression"]}'
    transformers_files.write(tmp_path / "metricx", {"config.json": metricx, "tokenizer.json": None})
    found = assay.doctor()
    assert found["resource comet"].startswith("COMET checkpoint, 22 bytes")
    assert found["resource bleurt"].startswith("BLEURT model, ")
    assert found["resource metricx"].startswith("MetricX model, ")


def test_folders(tmp_path, monkeypatch):
    for name in ("RESOURCES", "CACHE"):
        monkeypatch.setenv(f"ASSAY_{name}", str(tmp_path / name))
    assert assay.doctor()["cache"] == f"{tmp_path / 'CACHE'} (does not exist yet)"
    (tmp_path / "CACHE").mkdir()
    (tmp_path / "RESOURCES").write_bytes(b"")
    real = Path.stat

    def refusing(self, **options):
        if self == data_folder():
            raise PermissionError(13, "Permission denied", str(self))
        return real(self, **options)

    monkeypatch.setattr(Path, "stat", refusing)
    found = assay.doctor()
    assert found["cache"] == str(tmp_path / "CACHE")
    assert found["resources"] == f"{tmp_path / 'RESOURCES'} (is not a folder)"
    assert found["data"] == f"{data_folder()} (cannot be read: permission denied)"
    with pytest.raises(InputError, match="is not a folder\nASSAY_RESOURCES must name a folder"):
        assay.vectors.open_vectors("wink-en")


def test_resources_that_are_not_found(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path))
    assert assay.doctor()["resource wink-en"].startswith("not found; it is the .json file in the npm package wink")
    (tmp_path / "wink-en.vec").write_bytes(b"1 2\na 1 2\n")
    found = assay.doctor().facts
    assert found["resource wink-en.vec"].startswith("word vectors")
    assert "resource wink-en" not in found
    assert found["resource minilm-en"].startswith("not found; it is the folder ")
