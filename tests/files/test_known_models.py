from __future__ import annotations

import pytest

from assay.errors import MissingExtraError
from assay.files.known_models import is_free, known_model, known_models
from assay.files.resources import find_resource
from assay.metrics import metric


@pytest.mark.parametrize("model", known_models().values(), ids=lambda each: each.name)
def test_every_entry_is_complete(model):
    organisation, _, name = model.repository.partition("/")
    assert organisation
    assert name == model.name
    assert model.licence
    assert bool(model.metric) != bool(model.none)
    if model.metric:
        assert model.name in model.metric
        known = ("bertscore", "bleurt", "comet", "cometkiwi", "metricx", "unite", "xcomet")
        assert metric.create(model.metric).name in known


def test_names_and_repositories():
    assert known_model("wmt22-comet-da") is known_model("Unbabel/wmt22-comet-da")
    assert known_model("comet") is None


@pytest.mark.parametrize(
    ("licence", "free"),
    [("apache-2.0", True), ("MIT", True), ("cc-by-nc-sa-4.0", False), ("other", False), ("", False)],
)
def test_licences(licence, free):
    assert is_free(licence) is free


def test_what_a_missing_model_says(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path))
    with pytest.raises(MissingExtraError, match=r"assay models fetch unite-mup \(licence: apache-2\.0\); or put its"):
        find_resource("Unbabel/unite-mup", "COMET checkpoint")
    with pytest.raises(MissingExtraError, match="Assay does not read xCOMET-lite"):
        find_resource("XCOMET-lite")
