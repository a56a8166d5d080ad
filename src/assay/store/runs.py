"""A run as a folder: `run.json`, an `.npy` for each array, and the texts if wanted. The layout is in docs/formats.md.

Files carry a digest in their names and are never changed; `run.json`, which says which of them count, is written last
and in one step. So a folder holds the earlier run or the later one, whenever a process is killed, and never a mixture.
Every file is checked against its digest when the run is opened. Nothing is pickled.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from assay.errors import AssayError, CorruptError, StoreError
from assay.files import write_whole
from assay.results import Estimate, MetricScores, Run, Scores
from assay.types import Column, FrozenDict, Signature, Statistics, TestSet, TestSetRecord, check_names
from assay.version import __version__

__all__ = ["check_place", "open_run", "save_run"]

_KIND = "assay run"
_VERSION = 1
_INDEX = "run.json"
_OUR_FILE = re.compile(r"(\d+\.(statistics|scored|segments)\.[0-9a-f]{16}\.npy|texts\.[0-9a-f]{16}\.json)")
_SCRATCH = re.compile(r"\.assay-\w+")


def save_run(run: Run, folder: str | Path, *, texts: bool = False, command: str | None = None) -> None:
    """Keep a run in a folder, which is made; a run that was saved there before is replaced.

    `texts` keeps the texts too; without it only their digests are kept. `command` is noted as it is.
    """
    check_place(folder)
    place = Path(folder)
    arrays = {f"{k}.{name}": data for k, metric in enumerate(run.metrics.values()) for name, data in _arrays(metric)}
    files = {f"{name}.{_digest(data)}.npy": data for name, data in arrays.items()}
    if texts:
        data = _texts(run.testset)
        files[f"texts.{_digest(data)}.json"] = data
    index: dict[str, Any] = {
        "kind": _KIND,
        "version": _VERSION,
        "assay": __version__,
        "command": _plain(command if command is not None else run.command),
        "test_set": _record_tree(run.record),
        "notes": list(run.notes),
        "asked": dict(run.asked),
        "metrics": [_metric_tree(metric) for metric in run.metrics.values()],
        "files": sorted(files),
    }
    index["digest"] = _digest(_index_bytes(index))
    try:
        place.mkdir(parents=True, exist_ok=True)
        with _locked(place, exclusive=True):
            for name, data in files.items():
                write_whole(place / name, data)
            write_whole(place / _INDEX, _index_bytes(index))
            for path in place.iterdir():
                if path.name not in files and (_OUR_FILE.fullmatch(path.name) or _SCRATCH.fullmatch(path.name)):
                    path.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise StoreError(f"cannot be written: {reason}", path=str(folder)) from error


def check_place(folder: str | Path) -> None:
    """Whether a run may be saved there: a folder that is new, empty or holds a saved run and nothing else."""
    place = Path(folder)
    try:
        if not str(folder).strip():
            raise StoreError("the name of the folder is empty")
        if not place.exists():
            return
        if not place.is_dir():
            raise StoreError("is not a folder", path=str(folder))
        foreign = sorted(
            path.name
            for path in place.iterdir()
            if path.name != _INDEX and not _OUR_FILE.fullmatch(path.name) and not _SCRATCH.fullmatch(path.name)
        )
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise StoreError(f"cannot be used: {reason}", path=str(folder)) from error
    if foreign:
        hint = "name a new folder"
        raise StoreError(f"holds other files ({foreign[0]}), and is not replaced", path=str(folder), hint=hint)


def open_run(folder: str | Path) -> Run:
    """The run that was saved in a folder, with its texts if they were saved too."""
    place = Path(folder)
    try:
        with _locked(place, exclusive=False):
            index = _index(place)
            files = {name: _checked(place, name) for name in _names(index, place)}
        record = _record(index["test_set"])
        check_names("system", record.systems)
        texts = next((json.loads(data) for name, data in files.items() if name.startswith("texts.")), None)
        run = Run(
            inputs=record if texts is None else _testset(record, texts),
            metrics={tree["spec"]: _metric(k, tree, record, files) for k, tree in enumerate(index["metrics"])},
            notes=tuple(index["notes"]),
            asked=FrozenDict(index["asked"]),
            command=index["command"],
        )
        if run.record.fingerprint != index["test_set"]["fingerprint"]:
            raise CorruptError("the digests of the texts do not fit their fingerprint", path=str(place / _INDEX))
    except StoreError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError, MemoryError, AssayError) as error:
        raise CorruptError(f"not as it was written: {error}", path=str(place / _INDEX)) from error
    return run


@contextmanager
def _locked(place: Path, *, exclusive: bool) -> Iterator[None]:
    """Nobody else saves while this reads or saves; the system releases the lock even of a killed process."""
    try:
        import fcntl
    except ImportError:  # not on this platform: the last to save wins
        yield
        return
    try:
        handle = os.open(place, os.O_RDONLY)
    except OSError:  # not there, or not ours to read: what comes next will say so
        yield
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH)
        yield
    finally:
        os.close(handle)


def _index(place: Path) -> dict[str, Any]:
    try:
        index = json.loads((place / _INDEX).read_bytes())
    except OSError as error:
        hint = "a saved run is a folder with a run.json; assay score --save DIR makes one"
        raise StoreError((error.strerror or str(error)).lower(), path=str(place / _INDEX), hint=hint) from error
    except (ValueError, RecursionError) as error:
        raise CorruptError(f"not JSON: {error}", path=str(place / _INDEX)) from error
    if not isinstance(index, dict) or index.get("kind") != _KIND:
        raise CorruptError("not a saved run", path=str(place / _INDEX))
    if index.get("version") != _VERSION:
        raise StoreError(
            f"written in version {index.get('version')} of the form; this Assay reads version {_VERSION}",
            path=str(place / _INDEX),
        )
    told = index.pop("digest", None)
    if told != _digest(_index_bytes(index)):
        raise CorruptError("has changed since it was saved", path=str(place / _INDEX))
    return index


def _index_bytes(index: Mapping[str, Any]) -> bytes:
    return (json.dumps(index, indent=1, ensure_ascii=False) + "\n").encode()


def _names(index: Mapping[str, Any], place: Path) -> list[str]:
    names: list[str] = index["files"]
    for name in names:
        if _OUR_FILE.fullmatch(name) is None:
            raise CorruptError(f"names a file that is not part of a run: {name}", path=str(place / _INDEX))
    return names


def _checked(place: Path, name: str) -> bytes:
    """A file's bytes, if they are those that were written."""
    try:
        data = (place / name).read_bytes()
    except OSError as error:
        raise CorruptError((error.strerror or str(error)).lower(), path=str(place / name)) from error
    if _digest(data) != name.split(".")[-2]:
        raise CorruptError("has changed since it was saved", path=str(place / name))
    return data


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=8).hexdigest()


def _plain(command: str | None) -> str | None:
    """Without the stray bytes that a file's name may have on the command line."""
    return None if command is None else command.encode(errors="backslashreplace").decode()


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


def _arrays(metric: MetricScores) -> Iterator[tuple[str, bytes]]:
    arrays = {
        "statistics": metric.statistics.table,
        "scored": metric.statistics.scored,
        "segments": np.stack(list(metric.segments.values())),
    }
    for name, array in arrays.items():
        buffer = io.BytesIO()
        np.save(buffer, array, allow_pickle=False)
        yield name, buffer.getvalue()


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
    def array(name: str, dimensions: int) -> Any:
        by_name = {file.rsplit(".", 2)[0]: data for file, data in files.items()}
        found = np.load(io.BytesIO(by_name[f"{k}.{name}"]), allow_pickle=False)
        if found.nbytes > len(by_name[f"{k}.{name}"]):
            raise ValueError(f"the {name} of {tree['spec']} claim to be larger than their file")
        if found.shape[:2] != (len(record.systems), record.segments) or found.ndim != dimensions:
            raise ValueError(f"the {name} of {tree['spec']} have shape {found.shape}")
        found.flags.writeable = False
        return found

    scores = [_scores(scores, record) for scores in tree["scores"]]
    return MetricScores(
        spec=tree["spec"],
        statistics=Statistics(
            systems=record.systems,
            columns=tuple(tree["columns"]),
            table=array("statistics", 3),
            scored=array("scored", 2),
            signature=Signature.parse(tree["signature"]),
        ),
        segments=dict(zip(record.systems, array("segments", 2), strict=True)),
        aggregations={found.aggregation: found for found in scores},
        segment_signature=Signature.parse(tree["segment_signature"]),
        default_aggregation=tree["default_aggregation"],
        higher_is_better=tree["higher_is_better"],
        groups=tuple(_scores(scores, record) for scores in tree["groups"]),
        sacrebleu_signature=tree["sacrebleu_signature"],
    )


def _scores(tree: Mapping[str, Any], record: TestSetRecord) -> Scores:
    if tuple(tree["estimates"]) != record.systems:
        raise ValueError(f"the scores are not of the systems {', '.join(record.systems)}")
    estimates = {name: Estimate.from_dict(estimate) for name, estimate in tree["estimates"].items()}
    return Scores(tree["aggregation"], Signature.parse(tree["signature"]), estimates, tree["group"])
