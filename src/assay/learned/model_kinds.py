"""Which kind of model is in a folder, so that an error can name the right metric for it."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from pathlib import Path

from assay.errors import ConfigError, InputError
from assay.files.resources import Resource, find_folder
from assay.neural.libraries import COMPLETE
from assay.neural.model_folder import CONFIG, READ_FILES, check_complete, weights_files

__all__ = ["BLEURT", "COMET", "COMET_FILES", "METRICX", "READS", "check_model", "find_model", "recognise_model"]

COMET_FILES = ("hparams.yaml", "checkpoints/model.ckpt")
"""The files of a checkpoint of unbabel-comet."""
COMET, BLEURT, METRICX = "COMET checkpoint", "BLEURT model", "MetricX model"
"""Kinds of models."""
READS = {COMET: COMET_FILES, BLEURT: READ_FILES, METRICX: READ_FILES}
"""Patterns of the files of each kind that are read. Other files, such as a README, do not belong to the model."""
_KINDS = {"bleurt": BLEURT, "MT5ForRegression": METRICX}
"""By the type or architecture in a model's configuration."""
_METRICS = {
    COMET: "comet:model={0}, unite:model={0} or xcomet:model={0}",
    BLEURT: "bleurt:model={0}",
    METRICX: "metricx:model={0}",
}
"""The metrics of each kind."""


def find_model(source: str | Path, kind: str) -> Resource:
    """The folder of a model, unless it contains a model of another kind."""
    resource = find_folder(source, kind)
    if (snapshots := resource.path / "snapshots").is_dir():  # of the hub, with several versions
        versions = " or ".join(str(folder) for folder in sorted(snapshots.iterdir()))
        message = f"{resource.path} has several versions of the model" if versions else f"{resource.path} has no model"
        raise ConfigError(message, hint=f"give the folder of a version: {versions}" if versions else None)
    actual = recognise_model(resource.path)
    if actual not in (None, kind):
        message = f"{resource.path} contains a {actual}, not a {kind}"
        raise ConfigError(message, hint=f"use {_METRICS[actual].format(source)}")
    return replace(resource, reads=READS[kind])


def check_model(folder: Path) -> str | None:
    """The kind of model in a folder, if its files are complete: an error names the first one that is not."""
    kind = recognise_model(folder)
    if kind == COMET:
        for name in COMET_FILES:
            check_complete(folder / name)
        if not zipfile.is_zipfile(folder / COMET_FILES[1]):
            raise InputError("is not a checkpoint", path=str(folder / COMET_FILES[1]), hint=COMPLETE)
    elif kind is not None:
        weights_files(folder, kind)
    return kind


def recognise_model(folder: Path) -> str | None:
    """The kind of model of a learned metric that is in a folder, without opening it; None if there is none."""
    if all((folder / name).is_file() for name in COMET_FILES):
        return COMET
    try:
        config = json.loads((folder / CONFIG).read_bytes())
        types = {config.get("model_type"), *(config.get("architectures") or ())}
    except (OSError, ValueError, AttributeError, TypeError):
        return None
    return next((kind for type_, kind in _KINDS.items() if type_ in types), None)
