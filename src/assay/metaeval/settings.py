"""The choices that reproduce a result, as settings of its signature. Defaults are left out."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

from assay.errors import AssayError
from assay.human.selection import SystemOptions
from assay.lazily import numpy as np
from assay.metaeval.metric_tables import MetricOptions
from assay.metric_tests import MetricTest, metric_test
from assay.metrics import metric
from assay.registry import name_list, option_text
from assay.types import Campaign, ScoreTable

__all__ = ["data_settings", "merged", "selection_settings", "test_settings"]

_DIGITS = 8


def selection_settings(systems: SystemOptions | None = None, metrics: MetricOptions | None = None) -> dict[str, str]:
    """Which systems and metrics were compared. Metrics that need files have a digest of them."""
    systems, metrics = systems or SystemOptions(), metrics or MetricOptions()
    tables = [table for by_pair in metrics.external.values() for table in by_pair]
    lists = {
        "systems": () if systems.systems == ("*",) else systems.systems,
        "exclude": systems.exclude,
        "references": metrics.references,
        "metrics": map(_with_digest, metrics.names),
        "scores": sorted({f"{table.name}@{_digest(table)}" for table in tables}),
        "lower_is_better": sorted({table.name for table in tables if not table.higher_is_better}),
    }
    settings = {name: name_list(values) for name, values in lists.items()} | metrics.aggregations.settings
    settings["keep_references"] = "yes" if systems.keep_references else ""
    return {name: text for name, text in settings.items() if text}


def data_settings(campaigns: Iterable[Campaign]) -> dict[str, str]:
    """The test sets and their language pairs."""
    all_campaigns = list(campaigns)
    lists = {"data": (c.name for c in all_campaigns), "lp": (c.lp for c in all_campaigns)}
    settings = {name: name_list(dict.fromkeys(filter(None, values))) for name, values in lists.items()}
    return {name: text for name, text in settings.items() if text}


def test_settings(tests: Iterable[MetricTest], *, alpha: float, correction: str) -> dict[str, str]:
    """The tests between metrics; how often they draw and their seed, which need not be those of the intervals."""
    distinct = dict.fromkeys(tests)
    lists = {
        "sig": (metric_test.spec(test) for test in distinct),
        "alpha": (option_text(alpha),),
        "correction": () if correction == "none" else (correction,),
        "sig_resamples": (str(test.resamples) for test in distinct if test.resamples),
        "sig_seed": (str(test.seed) for test in distinct if test.seed is not None),
    }
    settings = {name: "+".join(dict.fromkeys(values)) for name, values in lists.items()}
    return {name: text for name, text in settings.items() if text}


def _with_digest(spec: str) -> str:
    """A metric with a digest of the files that it needs; a pattern of stored metrics as it is."""
    try:
        resources = metric.create(spec).resources
    except AssayError:  # a pattern, or the name of a stored metric
        return spec
    text = "\n".join(f"{name}:{digest}" for name, digest in sorted(resources.items()))
    return f"{spec}@{hashlib.blake2b(text.encode()).hexdigest()[:_DIGITS]}" if resources else spec


def _digest(table: ScoreTable) -> str:
    """Of the file that the scores come from or, if there is none, of the scores themselves."""
    if table.digest:
        return table.digest[:_DIGITS]
    content = "\n".join(table.systems).encode() + np.ascontiguousarray(table.values, dtype="<f8").tobytes()
    return hashlib.blake2b(content).hexdigest()[:_DIGITS]


def merged(settings: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """The settings of several language pairs: one value where they agree, else all of them."""
    values: dict[str, dict[str, None]] = {}
    for pair in settings:
        for name, value in pair.items():
            values.setdefault(name, {})[value] = None
    return {name: "+".join(different) for name, different in values.items()}
