"""Metrics on a challenge set, as a document."""

from __future__ import annotations

from collections.abc import Iterator

from assay.metaeval.challenge_sets import ACES_WEIGHTS
from assay.reports.documents import Caption, Document, Section
from assay.reports.record_grid import TABLES, Look, record_grid
from assay.results import ChallengeEvaluation

__all__ = ["document"]

_NAME = "Pairs of a challenge set"


def document(evaluation: ChallengeEvaluation) -> Document:
    """All pairs, then each phenomenon."""
    return Document.of(evaluation, lambda: _sections(evaluation), lists=TABLES, sheet="metric", name=_NAME)


def _sections(evaluation: ChallengeEvaluation) -> Iterator[Section]:
    overall = [each for each in evaluation if not each.phenomenon]
    parts = [each for each in evaluation if each.phenomenon]
    yield Section((record_grid(evaluation.columns, overall, Look(decimals=3)),), f"{_NAME}: all")
    captions = tuple(_captions(evaluation))
    grid = record_grid(evaluation.columns, parts, Look(decimals=3), captions)
    yield Section((grid,), f"{_NAME}: by phenomenon", (evaluation.signature,))


def _captions(evaluation: ChallengeEvaluation) -> Iterator[Caption]:
    yield Caption("accuracy: the share of pairs in which the good translation has the better score; ties are not right")
    yield Caption("intervals: from those of Clopper and Pearson, with the pairs as independent", role="intervals")
    if any(each.aces_score is not None for each in evaluation):
        highest = sum(ACES_WEIGHTS.values())
        yield Caption(
            f"ACES score: the weighted sum of tau over its {len(ACES_WEIGHTS)} categories, at most {highest:g}"
        )
