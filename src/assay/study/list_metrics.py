"""`assay.list_metrics`: all metrics by name."""

from __future__ import annotations

import inspect

from assay.errors import AssayError
from assay.metrics import metric as registry
from assay.options.verb import verb
from assay.registry import option_text
from assay.results import MetricList, MetricSummary
from assay.types import Note, NoteKind

__all__ = ["list_metrics", "summarise"]


@verb
def list_metrics() -> MetricList:
    """List all metrics.

    Those of plug-ins are among them. A note names the plug-ins that cannot be used, with the reason.
    """
    metrics, failures = [], []
    for name in registry.names():
        try:
            metrics.append(summarise(name))
        except AssayError as error:
            failures.append(f"the metric '{name}' cannot be used: {error.message}")
    notes = (Note(NoteKind.UNREAD, failure) for failure in (*registry.failures, *failures))
    return MetricList(tuple(metrics), notes=tuple(notes))


def summarise(name: str) -> MetricSummary:
    """Summarise the metric registered under a name."""
    cls, preset = registry.type_of(name)
    metric = registry.create(name)
    options = ",".join(f"{option}={option_text(value)}" for option, value in preset.items())
    spec = f"{cls.name}:{options}" if options else cls.name
    first_line = str(inspect.getdoc(cls)).partition("\n")[0]
    summary = first_line if name.lower() == cls.name.lower() else f"= {spec}"
    return MetricSummary(
        name=name,
        spec=spec,
        summary=summary,
        needs=tuple(sorted(metric.needs)),
        higher_is_better=metric.higher_is_better,
        aggregation=metric.default_aggregation,
    )
