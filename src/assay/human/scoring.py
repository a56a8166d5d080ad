"""Segment scores from individual ratings, by the rules of direct assessment."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from assay.errors import ConfigError, InputError
from assay.types import FloatArray, Note, NoteKind, Ratings, ScoreTable

__all__ = ["CONTROL_KINDS", "segment_scores", "standardised", "without_controls"]

CONTROL_KINDS = ("BAD", "REF", "CHK")
"""Prefixes of the kinds of quality-control items. REPEAT items are ordinary outputs that were judged again."""

Deviation = Literal["sample", "population"]


def without_controls(ratings: Ratings) -> Ratings:
    """The ratings of ordinary outputs, without quality-control items and document scores."""
    kinds = ratings.kind or ("TGT",) * len(ratings)
    kept = np.array([not kind.startswith(CONTROL_KINDS) for kind in kinds], dtype=np.bool_)
    return ratings.where(kept & (ratings.segment >= 0))


def standardised(ratings: Ratings, deviation: Deviation = "sample") -> tuple[Ratings, tuple[Note, ...]]:
    """Standardise the ratings of each rater, z = (score - mean) / standard deviation; and notes.

    `deviation`: sample divides by n - 1 (Appraise), population by n (WMT22's Livonian scores). The ratings of a rater
    with one score, or with the same score everywhere, cannot be standardised: they become NaN, and a note says so.
    """
    if deviation not in ("sample", "population"):
        raise ConfigError(f"standardise takes sample or population, not '{deviation}'")
    z_scores = np.full(len(ratings), np.nan)
    notes = []
    for rater, name in enumerate(ratings.raters):
        rows = np.flatnonzero((ratings.rater == rater) & ~np.isnan(ratings.score))
        scores = ratings.score[rows]
        if len(scores) and np.ptp(scores) > 0:
            z_scores[rows] = (scores - scores.mean()) / scores.std(ddof=int(deviation == "sample"))
        elif len(scores):
            notes.append(_not_standardised(name, len(scores)))
    protocol = {"DA": "DA-z", "DA+SQM": "DA+SQM-z"}.get(ratings.protocol, ratings.protocol)
    return replace(ratings, score=z_scores, protocol=protocol), tuple(notes)


def _not_standardised(rater: str, count: int) -> Note:
    if count == 1:
        text = "gave only one score, which cannot be standardised"
    else:
        text = f"always gave the same score: {count:,} ratings cannot be standardised"
    return Note(NoteKind.EXCLUDED, f"rater {rater} {text}", count=count)


def segment_scores(ratings: Ratings, *, segments: int | None = None, systems: tuple[str, ...] = ()) -> ScoreTable:
    """The mean rating of each segment of each system; NaN where nobody rated it."""
    if ratings.items:
        raise InputError(
            f"the ratings '{ratings.name}' are for named items, not for segments", path=ratings.origin or None
        )
    names = systems or ratings.systems
    new_index = np.array([names.index(name) if name in names else -1 for name in ratings.systems], dtype=np.int64)
    rows = (ratings.segment >= 0) & ~np.isnan(ratings.score) & (new_index[ratings.system] >= 0)
    count = 1 + int(ratings.segment.max(initial=0)) if segments is None else segments
    if rows.any() and int(ratings.segment[rows].max()) >= count:
        raise InputError(
            f"the ratings '{ratings.name}' cover more than {count:,} segments", path=ratings.origin or None
        )
    cells = new_index[ratings.system[rows]] * count + ratings.segment[rows]
    sums = np.bincount(cells, weights=ratings.score[rows], minlength=len(names) * count)
    counts = np.bincount(cells, minlength=len(names) * count)
    with np.errstate(invalid="ignore"):
        values: FloatArray = (sums / counts).reshape(len(names), count)
    return ScoreTable(
        name=ratings.name,
        level="segment",
        systems=names,
        values=values,
        origin=ratings.origin,
        digest=ratings.digest,
        protocol=ratings.protocol,
        higher_is_better=ratings.higher_is_better,
    )
