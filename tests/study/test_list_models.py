from __future__ import annotations

import json

import pytest

import assay
from assay.errors import InputError


@pytest.fixture
def resources(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path))
    return tmp_path


def checkpoint(folder):
    (folder / "checkpoints").mkdir(parents=True)
    (folder / "hparams.yaml").write_text("class_identifier: regression_metric\n")
    (folder / "checkpoints" / "model.ckpt").write_bytes(b"x" * 3_000_000)


def test_what_is_there_comes_first(resources):
    (resources / "words.vec").write_text("1 1\na 1\n")  # no model
    checkpoint(resources / "my-model")
    checkpoint(resources / "unite-mup")
    record = {"repository": "Unbabel/unite-mup", "commit": "0", "licence": "mit", "files": {}}
    (resources / "unite-mup" / ".assay-download.json").write_text(json.dumps(record))
    mine, unite, *others = assay.list_models()
    assert (mine.name, mine.status, mine.metric, mine.licence) == ("my-model", "present", "comet:my-model", "")
    assert (unite.name, unite.status, unite.metric, unite.licence) == (
        *("unite-mup", "downloaded"),
        *("unite:unite-mup", "mit"),
    )
    assert (unite.size, unite.path) == ("3 MB", str(resources / "unite-mup"))
    assert {model.status for model in others} == {"not here", "not supported"}
    assert all(model.bytes is None and model.licence for model in others)


def test_a_damaged_record(resources):
    checkpoint(resources / "my-model")
    (resources / "my-model" / ".assay-download.json").write_text("{")
    with pytest.raises(InputError, match="not a record of a download"):
        assay.list_models()
