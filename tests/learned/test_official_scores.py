"""Official scores are made again when what makes them has changed."""

from __future__ import annotations

import json

import pytest

from scripts.official_scores import __main__ as official_scores


@pytest.fixture
def made(monkeypatch):
    """The checkpoints that were made; the versions of the programs are made up."""
    names = []

    def make(folder, _resources):
        folder.mkdir()
        names.append(folder.parent.name)
        return {"scores": [0.5]}

    monkeypatch.setattr(official_scores, "CHECKPOINTS", {"one": make, "two": make})
    monkeypatch.setattr(official_scores.metadata, "version", lambda name: "1.0")
    return names


def test_folders_of_other_versions_are_made_again(made, tmp_path, monkeypatch):
    official_scores.main(tmp_path)
    official_scores.main(tmp_path)
    assert made == ["one", "two"]
    assert json.loads((tmp_path / "one" / "scores.json").read_text()) == {"scores": [0.5]}
    monkeypatch.setattr(official_scores.metadata, "version", lambda name: "1.1")
    official_scores.main(tmp_path)
    assert made == ["one", "two"] * 2


def test_folders_of_other_scripts_and_incomplete_ones_are_made_again(made, tmp_path):
    official_scores.main(tmp_path)
    makers = json.loads((tmp_path / "one" / "made_by.json").read_text())
    (tmp_path / "one" / "made_by.json").write_text(json.dumps(makers | {"scripts": "0"}))
    (tmp_path / "two" / "made_by.json").unlink()
    official_scores.main(tmp_path)
    assert made == ["one", "two"] * 2
