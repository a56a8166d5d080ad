"""Errors that metrics mark in the outputs that people rated, computed from the texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import NamedTuple

from assay.contracts import Metric
from assay.errors import ConfigError, InputError, UnknownNameError, nearest
from assay.measurement import naming_metric, signature_of
from assay.measurement.marked_errors import MARKING_METRICS
from assay.measurement.needs import check_needs
from assay.metrics import metric as metric_registry
from assay.types import Campaign, Note, NoteKind, Ratings, TestSet, as_column
from assay.types.runtime import Runtime

__all__ = ["SpanMetrics", "computed_spans"]


class SpanMetrics(NamedTuple):
    """Metrics that mark errors: patterns of those whose errors are in files, and specs of those to compute."""

    stored: tuple[str, ...]
    computed: tuple[str, ...]

    @classmethod
    def from_names(cls, names: Sequence[str], known: Iterable[str]) -> SpanMetrics:
        """A name that matches a metric with stored errors means these; others are computed if Assay has the metric.

        If all are computed, all stored ones are kept.
        """
        available = sorted(known)
        stored = tuple(name for name in names if any(fnmatchcase(each, name) for each in available))
        computed = tuple(name for name in names if name not in stored)
        for name in computed:
            if ":" not in name and not metric_registry.has(name):
                raise UnknownNameError(f"no metric that marked errors matches '{name}'", hint=nearest(name, available))
            _check_marks(name, metric_registry.create(name))
        return cls(stored or ("*",), computed)

    def has(self, name: str) -> bool:
        """Whether the stored errors of this metric are wanted."""
        return any(fnmatchcase(name, pattern) for pattern in self.stored)


def computed_spans(
    specs: Iterable[str], campaign: Campaign, ratings: Ratings, systems: Sequence[str], runtime: Runtime
) -> tuple[list[Ratings], tuple[Note, ...]]:
    """What each metric marks in the rated outputs of these systems, and notes with signatures."""
    chosen = list(dict.fromkeys(specs))
    if not chosen:
        return [], ()
    testset = _rated_texts(campaign, ratings, systems)
    found: list[Ratings] = []
    notes: list[Note] = []
    for spec in runtime.track(chosen, lambda spec: f"marking errors by {spec}"):
        metric = metric_registry.create(spec)
        with naming_metric(spec, metric):
            metric.check_resources()
            check_needs(testset, spec, metric.needs)
            prepared = metric.prepare(testset)
            found.append(replace(prepared.predicted_spans(testset, runtime), name=spec))
            notes += prepared.advice(testset)
        signature = signature_of(prepared, prepared.reference_count(testset), "none", ())
        notes.append(Note(NoteKind.PROVENANCE, f"computed as {signature}", where=spec))
    return found, tuple(notes)


def _rated_texts(campaign: Campaign, ratings: Ratings, systems: Sequence[str]) -> TestSet:
    """The texts, without outputs that nobody rated: a judge need not be paid for them."""
    if campaign.testset is None or ratings.items:
        raise InputError(f"{campaign.label} has no texts in which a metric could mark errors")
    rated = {(ratings.systems[s], n) for s, n in zip(ratings.system.tolist(), ratings.segment.tolist(), strict=True)}
    outputs = {
        name: as_column(text if (name, number) in rated else None for number, text in enumerate(column))
        for name, column in campaign.testset.outputs.items()
        if name in systems
    }
    if not outputs:
        raise InputError(f"{campaign.label} has no outputs of the systems that people rated")
    return replace(campaign.testset.with_systems(list(outputs)), outputs=outputs)


def _check_marks(spec: str, metric: Metric) -> None:
    if not metric.marks_errors:
        hint = f"{MARKING_METRICS}; or give a file of errors with the data"
        raise ConfigError(f"{spec} marks no errors in the text", hint=hint)
