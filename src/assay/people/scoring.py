"""From ratings to scores of segments and systems, by the rules of direct assessment."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from assay.errors import ConfigError, InputError, nearest
from assay.types import FloatArray, Ratings, ScoreTable, mean_of_given

__all__ = ["CONTROL_KINDS", "segment_scores", "standardised", "system_scores", "without_controls"]

CONTROL_KINDS = ("BAD", "REF", "CHK", "BAD_REF")
"""Quality-control items, by how their kind begins; REPEAT items are ordinary outputs judged again."""

Deviation = Literal["sample", "population"]


def without_controls(ratings: Ratings) -> Ratings:
    """Ordinary outputs only: quality-control items and scores of whole documents are left out."""
    kinds = ratings.kind or ("TGT",) * len(ratings)
    kept = np.array([not kind.startswith(CONTROL_KINDS) for kind in kinds], dtype=np.bool_)
    return ratings.where(kept & (ratings.segment >= 0))


def standardised(ratings: Ratings, deviation: Deviation = "sample") -> tuple[Ratings, tuple[str, ...]]:
    """z = (score - mean) / standard deviation, each rater's own; and what could not be standardised, in words.

    `deviation`: sample divides by n - 1 (Appraise), population by n (WMT22's Livonian scores). A rater who gave one
    score only, or always the same, has no z: NaN, counted.
    """
    if deviation not in ("sample", "population"):
        raise ConfigError(f"unknown deviation '{deviation}'", hint=nearest(deviation, ("sample", "population")))
    scores = np.full(len(ratings), np.nan)
    notes = []
    for rater, name in enumerate(ratings.raters):
        rows = np.flatnonzero((ratings.rater == rater) & ~np.isnan(ratings.score))
        given = ratings.score[rows]
        if len(given) and np.ptp(given) > 0:
            scores[rows] = (given - given.mean()) / given.std(ddof=int(deviation == "sample"))
        elif len(given):
            why = "gave one score only" if len(given) == 1 else "always gave the same score"
            notes.append(f"rater {name} {why}: {len(given)} ratings cannot be standardised")
    protocol = {"DA": "DA-z", "DA+SQM": "DA+SQM-z"}.get(ratings.protocol, ratings.protocol)
    return replace(ratings, score=scores, protocol=protocol), tuple(notes)


def segment_scores(ratings: Ratings, *, segments: int | None = None, systems: tuple[str, ...] = ()) -> ScoreTable:
    """The mean of all ratings of a system's segment; NaN where nobody rated."""
    if ratings.items:
        raise InputError(
            f"the ratings '{ratings.name}' are of named items, not of segments", path=ratings.origin or None
        )
    names = systems or ratings.systems
    place = np.array([names.index(name) if name in names else -1 for name in ratings.systems], dtype=np.int64)
    rows = (ratings.segment >= 0) & ~np.isnan(ratings.score) & (place[ratings.system] >= 0)
    count = 1 + int(ratings.segment.max(initial=0)) if segments is None else segments
    if rows.any() and int(ratings.segment[rows].max()) >= count:
        raise InputError(
            f"the ratings '{ratings.name}' are of more than {count:,} segments", path=ratings.origin or None
        )
    cells = place[ratings.system[rows]] * count + ratings.segment[rows]
    sums = np.bincount(cells, weights=ratings.score[rows], minlength=len(names) * count)
    given = np.bincount(cells, minlength=len(names) * count)
    with np.errstate(invalid="ignore"):
        values: FloatArray = (sums / given).reshape(len(names), count)
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


def system_scores(table: ScoreTable) -> ScoreTable:
    """The mean of each system's segment scores, over those there are."""
    if table.level == "system":
        return table
    means = mean_of_given(table.values, axis=1)
    return replace(table, level="system", values=means[:, np.newaxis], items=())
