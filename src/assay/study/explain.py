"""`assay.explain`: what a difference of metric scores means to people."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from assay.arguments import checked_arguments
from assay.calibration.explanation import CAVEAT, Question, answer
from assay.calibration.files import BUNDLED, PUBLISHED, open_calibration
from assay.calibration.options import AGGREGATIONS, STORED
from assay.errors import ConfigError, nearest
from assay.metrics import metric as metric_registry
from assay.results import ALL, Calibration, Explanation
from assay.types import Note, NoteKind

__all__ = ["explain"]


@checked_arguments
def explain(
    metric: str,
    difference: float,
    *,
    lp: str | None = None,
    aggregation: str = "corpus",
    domain: str = ALL,
    protocol: str = "DA/SQM",
    calibration: Calibration | str | Path = BUNDLED,
) -> Explanation:
    """The probability that people would find a difference of metric scores significant, and what it rests on.

    `calibration` is a result of `assay.calibrate` or its file, `wmt` (fitted on WMT data, comes with Assay), or
    `lo2023` (the cut-offs of Lo et al. 2023). It answers only for the metric with the same options and the same
    `aggregation` (corpus, segment, bootstrap; stored for scores from files); the language pair `lp` selects the
    group of target languages. Outside of what was observed, there is no calibration.
    """
    if not abs(difference) < float("inf"):
        raise ConfigError(f"difference must be a finite number, not {difference:g}")
    if aggregation not in (known := (*AGGREGATIONS, STORED)):
        raise ConfigError(f"unknown aggregation '{aggregation}'", hint=nearest(aggregation, known))
    if (
        calibration != PUBLISHED
        and aggregation != STORED
        and (metric.lower() in metric_registry.names() or ":" in metric)
    ):
        metric = metric_registry.spec(metric_registry.create(metric))
    question = Question(metric, aggregation, abs(difference), lp, domain, protocol)
    return replace(answer(question, *open_calibration(calibration)), notes=(Note(NoteKind.ADVICE, CAVEAT),))
