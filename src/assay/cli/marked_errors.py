"""A file with the errors that metrics marked in the outputs, for `assay meta --level span` and `assay compare`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from assay.contracts import Metric
from assay.errors import ConfigError
from assay.files import check_replaceable
from assay.measurement.marked_errors import MARKING_METRICS
from assay.metrics import metric

if TYPE_CHECKING:
    from assay.results import Run
    from assay.types import ScoreTable

__all__ = ["check_spans_file", "write_spans"]

_OF_ONE, _OF_ALL = (".csv", ".tsv"), (".jsonl",)


def check_spans_file(
    path: Path, metrics: Iterable[str | Metric | ScoreTable], inputs: Iterable[str | Path], *, force: bool
) -> None:
    """Raise before anything is computed if the file could not be written, or would have no errors."""
    if path.suffix.lower() not in (*_OF_ONE, *_OF_ALL):
        message = f"--spans writes {', '.join((*_OF_ONE, *_OF_ALL))}, not '{path.suffix}'"
        raise ConfigError(message, hint="e.g. --spans xcomet.csv")
    specs = [spec for spec in metrics if isinstance(spec, str)]
    marking = [spec for spec in specs if metric.create(spec).marks_errors]
    if not marking:
        raise ConfigError("--spans has no effect: no metric marks errors", hint=MARKING_METRICS)
    if len(marking) > 1 and path.suffix.lower() in _OF_ONE:
        message = f"--spans: {path.suffix} holds the errors of one metric, not of {' and '.join(marking)}"
        raise ConfigError(message, hint=f"--spans {path.with_suffix(_OF_ALL[0])}")
    check_replaceable(path, inputs=inputs, force=force, is_result=_is_written)


def write_spans(run: Run, path: Path) -> None:
    """Write the errors that the metrics of a run marked."""
    from assay.data.formats import data_format
    from assay.types import Campaign

    if not run.predictions:
        raise ConfigError("--spans: the metrics marked no errors")
    writer = data_format.create("spans" if path.suffix.lower() in _OF_ONE else "judgements")
    inputs = run.inputs
    campaign = Campaign(
        inputs.name or "", inputs.lp or "", run.segments, run.systems, (), None, predictions=run.predictions
    )
    writer.write([campaign], path)


def _is_written(content: bytes) -> bool:
    """Whether a file has what is written here, so that it can be written again."""
    first = content.partition(b"\n")[0].rstrip(b"\r").replace(b"\t", b",")
    return first == b"system,segment,start,end,severity,category" or b'"is_human": false' in first
