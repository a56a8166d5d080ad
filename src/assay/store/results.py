"""Save any result in a folder and open it again. docs/formats.md describes the folder."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assay import results
from assay.errors import AssayError, ConfigError, CorruptError, StoreError
from assay.results import MetricScores, Run, SystemComparison
from assay.store.encoding import classes, decode, encode
from assay.store.folder import INDEX, read_folder, read_index, write_folder
from assay.types import check_names
from assay.version import __version__

__all__ = ["open_result", "save_result", "saved_command"]

# What decoding can raise if `save_result` did not write the index.
_DECODING_ERRORS = (
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    ArithmeticError,
    StopIteration,
    RecursionError,
    MemoryError,
    AssayError,
)


def save_result(result: object, folder: str | Path, *, texts: bool = False, command: str | None = None) -> None:
    """Save a result in a folder. The folder is created if needed; a result saved there before is replaced.

    `texts` also saves the texts that a run or a comparison was computed from; otherwise only their digests are saved.
    `command` is the command line to record.
    """
    _check_folder(folder)
    if isinstance(result, Run | SystemComparison) and texts:
        result = dataclasses.replace(result, inputs=result.testset)  # raises if it has no texts
    if isinstance(result, Run) and command is not None:
        result = dataclasses.replace(result, command=command)
    try:
        tree, files = encode(result, texts=texts)
        _check(decode(tree, files))  # ensures that the saved result can be opened
    except _DECODING_ERRORS as error:
        raise StoreError(f"this {type(result).__name__} cannot be saved: {error}") from error
    write_folder(folder, {"command": command or getattr(result, "command", None), "result": tree}, files)


def open_result(folder: str | Path) -> Any:
    """Open the result that was saved in a folder. A run or a comparison has its texts if they were saved too."""
    _check_folder(folder)
    index, files = read_folder(folder)
    try:
        result = decode(index["result"], files)
        _check(result)
    except _DECODING_ERRORS as error:
        saved_by = index.get("assay")
        hint = None if saved_by == __version__ else f"it was saved by Assay {saved_by}; this is Assay {__version__}"
        raise CorruptError(f"invalid content: {error}", path=str(Path(folder) / INDEX), hint=hint) from error
    return result


def saved_command(folder: str | Path) -> str | None:
    """The command line that made the result that was saved in a folder; None: not recorded."""
    _check_folder(folder)
    command = read_index(folder).get("command")
    return command if isinstance(command, str) else None


def _check_folder(folder: object) -> None:
    if not isinstance(folder, str | Path):
        raise ConfigError(f"folder must be a string or a path, not {type(folder).__name__}")


def _check(result: object) -> None:
    """Raise a ValueError for values that no public function returns."""
    name = type(result).__name__
    if name not in results.__all__ or type(result) is not classes().get(name):
        raise ValueError(f"a value of type {name} is not a result")
    if isinstance(result, Run):
        check_names("system", result.systems)
        for metric in result.metrics.values():
            _check_metric(metric, result)


def _check_metric(metric: MetricScores, run: Run) -> None:
    if not metric.aggregations:
        raise ValueError(f"{metric.spec} has no scores")
    if any(systems != run.systems for systems in _systems(metric)):
        raise ValueError(f"{metric.spec} has scores of other systems than {', '.join(run.systems)}")
    arrays = (*metric.statistics.scored, *metric.segments.values())
    if any(array.shape != (run.segments,) for array in arrays):
        raise ValueError(f"{metric.spec} does not have one score for each of {run.segments} segments")


def _systems(metric: MetricScores) -> Iterator[tuple[str, ...]]:
    """The systems in each part of a metric's scores."""
    yield metric.statistics.systems
    yield tuple(metric.segments)
    for scores in (*metric.aggregations.values(), *metric.groups):
        yield tuple(scores.estimates)
