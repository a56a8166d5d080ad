"""Outputs that were chosen by a metric, which it cannot judge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assay.contracts import Metric
from assay.errors import AssayError
from assay.metrics import metric as metric_registry
from assay.metrics.external import ExternalScores
from assay.registry import split_spec
from assay.types import ChosenBy, Note, NoteKind, TestSet

__all__ = ["chosen_notes", "name_of"]

_HINT = "judge it by metrics of another kind, or by people"


def chosen_notes(testset: TestSet, metrics: Iterable[tuple[str, Metric]]) -> Iterator[Note]:
    """A warning for each metric that is to judge an output whose texts it chose, or a close relative of it chose."""
    for spec, metric in metrics:
        for system, chosen in testset.chosen_by.items():
            if system in testset.outputs and (relation := _relation(metric, chosen)):
                text = (
                    f"the texts of {system} were chosen by {chosen.metric}, {relation}: the score of {system} is too "
                    "good for its quality"
                )
                yield Note(NoteKind.ADVICE, text, where=spec, severity="warning", hint=_HINT)


def name_of(metric: Metric) -> str:
    """The name of a metric without options; of external scores, that of the table."""
    return metric.table.name if isinstance(metric, ExternalScores) else metric.name


def _relation(metric: Metric, chosen: ChosenBy) -> str:
    """How close a metric is to the one that chose; empty if it is another kind."""
    name = name_of(metric)
    if name == chosen.metric:
        return "the same metric"
    cls = _class_of(name if isinstance(metric, ExternalScores) else "", type(metric))
    other = _class_of(chosen.metric, None)
    if cls is not None and other is not None and (issubclass(cls, other) or issubclass(other, cls)):
        return "a variant of this metric"
    family = metric.family or (cls.family if cls is not None else "")
    return f"which also rewards {family}" if family and family == chosen.family else ""


def _class_of(name: str, default: type[Metric] | None) -> type[Metric] | None:
    if not name:
        return default
    try:
        return type(metric_registry.create(split_spec(name)[0]))
    except AssayError:
        return None
