"""Errors that metrics mark at their places in outputs."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from assay.measurement import Measurements, naming_metric
from assay.types import Ratings
from assay.types.runtime import Runtime

__all__ = ["MARKING_METRICS", "predicted_spans"]

MARKING_METRICS = "metrics that mark errors: xcomet, and judge with protocol=esa or protocol=mqm"
"""For hints."""


def predicted_spans(measurements: Measurements, runtime: Runtime) -> Iterator[Ratings]:
    """What metrics that mark errors have marked, under their names in the run."""
    for spec, measured in measurements.metrics.items():
        if measured.metric.marks_errors:
            with naming_metric(spec, measured.metric):
                marked = measured.metric.predicted_spans(measurements.testset, runtime)
            yield dataclasses.replace(marked, name=spec)
