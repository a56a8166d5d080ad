"""Errors that another program marked in the outputs, as a metric: their weighted sum, and counts as statistics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from assay.contracts import Metric
from assay.errors import AnnotationError, InputError
from assay.metrics import metric
from assay.types import Column, FloatArray, Mask, Table, TestSet
from assay.types.marked_errors import MarkedError, check_places, errors_layer, marked_errors
from assay.types.runtime import Runtime
from assay.types.severity import NO_ERRORS, SEVERITY_WEIGHTS, Severity

__all__ = ["Spans"]

_COUNTED = (Severity.CRITICAL, Severity.MAJOR, Severity.MINOR)


@metric("spans")
@dataclass(frozen=True)
class Spans(Metric):
    """The weighted sum of the errors that a program marked in an output, as in MQM; lower is better.

    score = mean over outputs of (5 * (critical + major) + minor + 0.1 * trivial)

    Needs no reference, but the layer `errors`. Options: by, the name of the program that marked them, where several did
    (the layer `errors-NAME`).
    """

    labels = ("Spans",)
    default_aggregation = "segment"
    undefined = "an error has no severity, and so no weight"

    by: str = ""

    @property
    def layer(self) -> str:
        """The annotation layer with the errors."""
        return errors_layer(self.by)

    @property
    def needs(self) -> frozenset[str]:
        return frozenset({self.layer})

    @property
    def higher_is_better(self) -> bool:
        return False

    @property
    def columns(self) -> tuple[str, ...]:
        return (*map(str, _COUNTED), "other", "unknown", "errors", "weight", "marked", "characters", "outputs")

    def layer_columns(self, testset: TestSet, layer: str) -> Iterator[Column]:
        """Those of the outputs."""
        columns = testset.annotations.get(layer, {})
        return (columns[name] for name in testset.outputs if name in columns)

    def statistics(self, testset: TestSet, runtime: Runtime) -> Table:
        table = np.zeros((len(testset.systems), len(testset), len(self.columns)))
        _, layers = testset.layer_texts(self.layer)
        is_scored = self.scorable(testset)
        for system, (name, output) in enumerate(testset.outputs.items()):
            for segment in np.flatnonzero(is_scored[system]).tolist():
                text, value = output[segment] or "", layers[system][segment] or ""
                try:
                    errors = marked_errors(value)
                    check_places(errors, text)
                except InputError as error:
                    raise AnnotationError(
                        segment, error.message, layer=self.layer, column=name, value=value, hint=error.hint
                    ) from None
                table[system, segment] = _row(errors, text)
        return table

    def defined(self, table: Table) -> Mask:
        """Without an error whose weight is not known: else the segment is left out for all systems."""
        return np.asarray(np.asarray(table)[..., self.columns.index("unknown")] == 0)

    def counted(self, table: Table) -> Mask:
        return np.ones(np.asarray(table).shape[:2], dtype=np.bool_)

    def score(self, totals: Table) -> FloatArray:
        totals = np.asarray(totals, dtype=np.float64)
        weight, unknown, outputs = (totals[..., self.columns.index(name)] for name in ("weight", "unknown", "outputs"))
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where((unknown == 0) & (outputs > 0), weight / outputs, np.nan)


def _row(errors: Iterable[MarkedError], text: str) -> list[float]:
    """The statistics of an output."""
    found = [error for error in errors if error.severity not in NO_ERRORS]
    counts = [sum(error.severity == severity for error in found) for severity in _COUNTED]
    unknown = sum(not error.severity for error in found)
    weight = sum(SEVERITY_WEIGHTS.get(error.severity, 0.0) for error in found)
    marked = {place for error in found if error.start is not None for place in range(error.start, error.end or 0)}
    other = len(found) - sum(counts) - unknown
    return [*counts, other, unknown, len(found), weight, len(marked), len(text), 1]
