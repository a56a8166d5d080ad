"""Metrics as detectors of segments without errors, as a document."""

from __future__ import annotations

from collections.abc import Iterator

from assay.reports.cells import Text
from assay.reports.documents import Caption, Document, Section
from assay.reports.labelled import reason_captions
from assay.reports.record_grid import TABLES, Look, record_grid
from assay.results import ErrorFreeEvaluation, ErrorFreeMetric

__all__ = ["document"]

_NAME = "Segments without errors"


def document(evaluation: ErrorFreeEvaluation) -> Document:
    """The means over language pairs, if there are several, then each language pair."""
    return Document.of(evaluation, lambda: _sections(evaluation), lists=TABLES, sheet="metric", name=_NAME)


def _sections(evaluation: ErrorFreeEvaluation) -> Iterator[Section]:
    pairs = list(dict.fromkeys(each.lp for each in evaluation))
    for number, lp in enumerate(pairs):
        rows = [each for each in evaluation if each.lp == lp]
        captions = _captions(evaluation) if number == len(pairs) - 1 else ()
        grid = record_grid(evaluation.columns, rows, Look(decimals=3), tuple(captions))
        title = f"{_NAME}: {lp or 'mean over language pairs'}"
        signatures = (evaluation.signature,) if number == len(pairs) - 1 else ()
        yield Section((grid,), title, signatures)


def _captions(evaluation: ErrorFreeEvaluation) -> Iterator[Caption]:
    fitted: list[ErrorFreeMetric] = [each for each in evaluation if each.threshold == each.threshold]
    if fitted:
        yield Caption(
            "threshold: that with the highest F on the other language pairs; Brier: of probabilities fitted there, "
            "lower is better"
        )
    yield from reason_captions(_missing(evaluation))
    if any(each.f.value == each.f.value for each in evaluation):
        yield Caption("F is high for whoever calls much error-free: compare it with 'everything is error-free'")
    if any(each.roc_area.low == each.roc_area.low for each in evaluation):
        yield Caption("intervals: bootstrap over documents", role="intervals")
        if len({each.lp for each in evaluation}) > 1:
            yield Caption("intervals of means: means of the bounds, as if all language pairs had the same documents")


def _missing(evaluation: ErrorFreeEvaluation) -> Iterator[tuple[Text, str | None]]:
    """Why values are missing: of areas, or of what needs a threshold that was fitted on other language pairs."""
    for each in evaluation:
        if (reason := each.roc_area.reason) and each.roc_area.value != each.roc_area.value:
            yield Text(each.lp or each.metric), f"no areas: {reason}"
        elif each.f.value != each.f.value and each.f.reason:
            yield Text(each.metric), each.f.reason
