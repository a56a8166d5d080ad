"""A run as a folder: `run.json`, an `.npy` for each array, and the texts if wanted. The layout is in docs/formats.md.

Every file's digest stands in run.json and is checked when the run is opened. Nothing is pickled.
"""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from assay.errors import AssayError, CorruptError, StoreError
from assay.results import Estimate, MetricScores, Run, Scores
from assay.types import Column, FrozenDict, Signature, Statistics, TestSet, TestSetRecord
from assay.version import __version__

__all__ = ["open_run", "save_run"]

_KIND = "assay run"
_VERSION = 1
_INDEX = "run.json"
_TEXTS = "texts.json"


def save_run(run: Run, folder: str | Path, *, texts: bool = False, command: str | None = None) -> None:
    """Keep a run in a folder, which is made; a run that was saved there before is replaced.

    `texts` keeps the texts too; without it only their digests are kept. `command` is noted as it is.
    """
    place = Path(folder).resolve()
    files = _arrays(run) | ({_TEXTS: _texts(run.testset)} if texts else {})
    index = {
        "kind": _KIND,
        "version": _VERSION,
        "assay": __version__,
        "command": command,
        "test_set": _record_tree(run.record),
        "notes": list(run.notes),
        "asked": dict(run.asked),
        "metrics": [_metric_tree(metric) for metric in run.metrics.values()],
        "files": {name: _digest(data) for name, data in files.items()},
    }
    files[_INDEX] = (json.dumps(index, indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode()
    _refuse_foreign(place)
    try:
        _replace_folder(place, files)
    except OSError as error:
        raise StoreError(f"cannot be written: {(error.strerror or str(error)).lower()}", path=str(folder)) from error


def open_run(folder: str | Path) -> Run:
    """The run that was saved in a folder, with its texts if they were saved too."""
    place = Path(folder)
    index = _index(place)
    try:
        files = {name: _checked(place, name, digest) for name, digest in index["files"].items()}
        record = _record(index["test_set"])
        return Run(
            inputs=_testset(record, json.loads(files[_TEXTS])) if _TEXTS in files else record,
            metrics={tree["spec"]: _metric(k, tree, record, files) for k, tree in enumerate(index["metrics"])},
            notes=tuple(index["notes"]),
            asked=FrozenDict(index["asked"]),
        )
    except CorruptError:
        raise
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, AssayError) as error:
        raise CorruptError(f"not as it was written: {error}", path=str(place / _INDEX)) from error


def _index(place: Path) -> dict[str, Any]:
    try:
        index = json.loads((place / _INDEX).read_bytes())
    except OSError as error:
        hint = "a saved run is a folder with a run.json; assay score --save DIR makes one"
        raise StoreError((error.strerror or str(error)).lower(), path=str(place / _INDEX), hint=hint) from error
    except ValueError as error:
        raise CorruptError(f"not JSON: {error}", path=str(place / _INDEX)) from error
    if not isinstance(index, dict) or index.get("kind") != _KIND:
        raise CorruptError("not a saved run", path=str(place / _INDEX))
    if index.get("version") != _VERSION:
        raise StoreError(
            f"written in version {index.get('version')} of the form; this Assay reads version {_VERSION}",
            path=str(place / _INDEX),
        )
    return index


def _checked(place: Path, name: str, digest: str) -> bytes:
    """A file's bytes, if they are those that were written."""
    if Path(name).name != name:
        raise CorruptError(f"names a file outside its folder: {name}", path=str(place / _INDEX))
    path = place / name
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CorruptError((error.strerror or str(error)).lower(), path=str(path)) from error
    if _digest(data) != digest:
        raise CorruptError("has changed since it was saved", path=str(path))
    return data


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _refuse_foreign(place: Path) -> None:
    """Only what a saved run is made of may be replaced."""
    if not place.exists():
        return
    if not place.is_dir():
        raise StoreError("is not a folder", path=str(place))
    present = {path.name for path in place.iterdir()}
    known = {_INDEX, *_index(place)["files"]} if _INDEX in present else set()
    if foreign := sorted(present - known):
        raise StoreError(
            f"holds other files ({foreign[0]}), and is not replaced", path=str(place), hint="name a new folder"
        )


def _replace_folder(place: Path, files: Mapping[str, bytes]) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{place.name}-", dir=place.parent) as scratch:
        fresh = Path(scratch) / "new"
        fresh.mkdir()
        for name, data in files.items():
            (fresh / name).write_bytes(data)
        if place.exists():
            place.rename(Path(scratch) / "old")
        try:
            fresh.rename(place)
        except OSError:
            if (Path(scratch) / "old").exists():
                shutil.move(Path(scratch) / "old", place)
            raise


def _record_tree(record: TestSetRecord) -> dict[str, Any]:
    return {
        "segments": record.segments,
        "systems": list(record.systems),
        "references": list(record.references),
        "name": record.name,
        "lp": record.lp,
        "fingerprint": record.fingerprint,
        "digests": dict(record.digests),
        "documents": record.documents,
        "domains": record.domains,
    }


def _record(tree: Mapping[str, Any]) -> TestSetRecord:
    return TestSetRecord(
        segments=tree["segments"],
        systems=tuple(tree["systems"]),
        references=tuple(tree["references"]),
        digests=tree["digests"],
        lp=tree["lp"],
        name=tree["name"],
        documents=_column(tree["documents"]),
        domains=_column(tree["domains"]),
    )


def _column(texts: list[str | None] | None) -> Column | None:
    return None if texts is None else tuple(texts)


def _texts(testset: TestSet) -> bytes:
    columns = {
        "outputs": dict(testset.outputs),
        "references": dict(testset.references),
        "sources": testset.sources,
        "notes": testset.notes,
    }
    return json.dumps(columns, indent=1, ensure_ascii=False).encode()


def _testset(record: TestSetRecord, texts: Mapping[str, Any]) -> TestSet:
    return TestSet(
        outputs=texts["outputs"],
        references=texts["references"],
        sources=_column(texts["sources"]),
        documents=record.documents,
        domains=record.domains,
        lp=record.lp,
        name=record.name,
        notes=tuple(texts["notes"]),
    )


def _arrays(run: Run) -> dict[str, bytes]:
    found = {}
    for k, metric in enumerate(run.metrics.values()):
        arrays = {
            "statistics": metric.statistics.table,
            "scored": metric.statistics.scored,
            "segments": np.stack(list(metric.segments.values())),
        }
        for name, array in arrays.items():
            buffer = io.BytesIO()
            np.save(buffer, array, allow_pickle=False)
            found[f"{k}.{name}.npy"] = buffer.getvalue()
    return found


def _metric_tree(metric: MetricScores) -> dict[str, Any]:
    return {
        "spec": metric.spec,
        "signature": str(metric.statistics.signature),
        "segment_signature": str(metric.segment_signature),
        "sacrebleu_signature": metric.sacrebleu_signature,
        "columns": list(metric.statistics.columns),
        "default_aggregation": metric.default_aggregation,
        "higher_is_better": metric.higher_is_better,
        "scores": [scores.to_dict() for scores in metric.aggregations.values()],
        "groups": [scores.to_dict() for scores in metric.groups],
    }


def _metric(k: int, tree: Mapping[str, Any], record: TestSetRecord, files: Mapping[str, bytes]) -> MetricScores:
    statistics, scored, segments = (
        np.load(io.BytesIO(files[f"{k}.{name}.npy"]), allow_pickle=False)
        for name in ("statistics", "scored", "segments")
    )
    segments.flags.writeable = False
    scores = [_scores(scores) for scores in tree["scores"]]
    return MetricScores(
        spec=tree["spec"],
        statistics=Statistics(
            record.systems, tuple(tree["columns"]), statistics, scored, Signature.parse(tree["signature"])
        ),
        segments=dict(zip(record.systems, segments, strict=True)),
        aggregations={found.aggregation: found for found in scores},
        segment_signature=Signature.parse(tree["segment_signature"]),
        default_aggregation=tree["default_aggregation"],
        higher_is_better=tree["higher_is_better"],
        groups=tuple(_scores(scores) for scores in tree["groups"]),
        sacrebleu_signature=tree["sacrebleu_signature"],
    )


def _scores(tree: Mapping[str, Any]) -> Scores:
    estimates = {name: Estimate.from_dict(estimate) for name, estimate in tree["estimates"].items()}
    return Scores(tree["aggregation"], Signature.parse(tree["signature"]), estimates, tree["group"])
