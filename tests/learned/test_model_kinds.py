"""Kinds of models are recognised by their files."""

from __future__ import annotations

import pytest

from assay.errors import ConfigError
from assay.learned.model_kinds import BLEURT, COMET, METRICX, find_model


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


def test_a_folder_in_the_cache_of_the_hub(tmp_path):
    (tmp_path / "models--Unbabel--wmt22-comet-da" / "snapshots" / "0a1b").mkdir(parents=True)
    with pytest.raises(ConfigError, match="is not the model itself") as raised:
        find_model(tmp_path / "models--Unbabel--wmt22-comet-da", COMET)
    assert raised.value.hint.endswith("snapshots/0a1b")
