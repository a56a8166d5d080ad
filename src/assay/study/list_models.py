"""`assay.list_models`: models of learned metrics and encoders that are known or in the resource folder."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from assay.encoders.formats import recognise_encoder
from assay.errors import InputError
from assay.files.known_models import KnownModel, known_models
from assay.files.resources import DOWNLOAD_RECORD, Resource, list_hub_models, list_resources
from assay.learned.model_kinds import recognise_model
from assay.options.verb import verb
from assay.results import Model, ModelList

__all__ = ["list_models"]


@verb
def list_models() -> ModelList:
    """List models: those in the resource folder first, then those that `assay.fetch_models` can download by name."""
    resources = (*list_hub_models(), *list_resources())  # the last one of a name counts
    here = {resource.name: resource for resource in resources if _is_model(resource)}
    known = known_models()
    present = [_present(resource, known.get(name)) for name, resource in here.items()]
    return ModelList((*present, *(_absent(model) for name, model in known.items() if name not in here)))


def _is_model(resource: Resource) -> bool:
    if not resource.path.is_dir():
        return False
    return recognise_model(resource.path) is not None or recognise_encoder(resource.path) is not None


def _present(resource: Resource, model: KnownModel | None) -> Model:
    record = _record(resource)
    metric = (model.metric if model else "") or f"bertscore:vectors={resource.name}"
    kind = recognise_model(resource.path)
    if model is None and kind is not None:
        metric = next(_metrics(kind, resource.name))
    return Model(
        name=resource.name,
        status="downloaded" if record else "present",
        bytes=resource.size,
        licence=str(record.get("licence") or (model.licence if model else "")),
        metric=metric,
        repository=str(record.get("repository") or (model.repository if model else "")),
        gated=model.gated if model else False,
        path=str(resource.path),
    )


def _metrics(kind: str, name: str) -> Iterator[str]:
    """Metrics for a model of this kind: `COMET checkpoint`, `BLEURT model`, `MetricX model`."""
    yield f"{kind.split()[0].lower()}:{name}"


def _record(resource: Resource) -> Mapping[str, Any]:
    """What the download noted; empty if there was none."""
    try:
        found: Mapping[str, Any] = json.loads((resource.path / DOWNLOAD_RECORD).read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        path = str(resource.path / DOWNLOAD_RECORD)
        raise InputError("not a record of a download", path=path, hint="remove the file") from error
    return found


def _absent(model: KnownModel) -> Model:
    return Model(
        name=model.name,
        status="not supported" if model.none else "not here",
        bytes=None,
        licence=model.licence,
        metric=model.metric,
        repository=model.repository,
        gated=model.gated,
        path="",
    )
