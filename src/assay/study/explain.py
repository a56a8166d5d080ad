"""`assay.explain`: what a difference of metric scores means to people."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from assay.arguments import checked_arguments
from assay.calibration.explanation import CAVEAT, Question, answer
from assay.calibration.files import BUNDLED, PUBLISHED, open_calibration, published
from assay.calibration.options import AGGREGATIONS, STORED, STORED_SEGMENT
from assay.calibration.published import Published
from assay.checks import check_choice
from assay.errors import ConfigError, nearest, option
from assay.metrics import metric as metric_registry
from assay.results import ALL, Calibration, Explanation
from assay.types import Note, NoteKind

__all__ = ["explain"]

_PROTOCOLS = ("DA/SQM", "MQM", "ESA")


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
    `aggregation` (corpus, segment, bootstrap; for scores from files stored, or stored-segment for their means over
    segments); the language pair `lp` selects the group of target languages. Outside of what was observed, there is no
    calibration.
    """
    if not abs(difference) < float("inf"):
        raise ConfigError(f"difference must be a finite number, not {difference:g}")
    check_choice("aggregation", aggregation, (*AGGREGATIONS, STORED, STORED_SEGMENT))
    opened, source = open_calibration(calibration)
    question = Question(_known_metric(metric, aggregation, opened), aggregation, abs(difference), lp, domain, protocol)
    check_choice("domain", domain, _known("domain", opened, ALL))
    check_choice("protocol", protocol, _known("protocol", opened, *_PROTOCOLS))
    explanation = answer(question, opened, source)
    notes = [Note(NoteKind.ADVICE, CAVEAT)]
    if explanation.population is None and source != PUBLISHED and _has(published(), metric):
        text = f"{PUBLISHED} has cut-offs of {metric}: {option('calibration', PUBLISHED)}"
        notes.append(Note(NoteKind.ADVICE, text))
    return replace(explanation, notes=tuple(notes))


def _known_metric(metric: str, aggregation: str, calibration: Calibration | Published) -> str:
    """The name of a metric in a calibration. One that is neither there nor computed by Assay is a misspelling."""
    is_own = metric.lower() in metric_registry.names() or ":" in metric
    if is_own and aggregation in AGGREGATIONS and isinstance(calibration, Calibration):
        return metric_registry.spec(metric_registry.create(metric))
    if not (is_own or not metric.strip() or _has(calibration, metric) or _has(published(), metric)):
        own = metric_registry.names()
        others = {name for name in (*calibration.metrics, *published().metrics) if name.lower() not in own}
        raise ConfigError(f"unknown metric '{metric}'", hint=nearest(metric, {*own, *others}))
    return metric


def _has(calibration: Calibration | Published, metric: str) -> bool:
    return metric.lower() in {name.lower() for name in calibration.metrics}


def _known(name: str, calibration: Calibration | Published, *usual: str) -> tuple[str, ...]:
    """The domains or protocols that a calibration may be asked for."""
    if isinstance(calibration, Published):
        return tuple(dict.fromkeys((*usual, *(getattr(cutoff, name) for cutoff in calibration.cutoffs))))
    return tuple(dict.fromkeys((*usual, *(getattr(curve.population, name) for curve in calibration))))
