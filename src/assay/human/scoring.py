"""Segment scores from individual ratings, by the rules of direct assessment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from assay.errors import ConfigError, InputError
from assay.lazily import numpy as np
from assay.types import FloatArray, Note, NoteKind, Ratings, ScoreTable
from assay.types.note import plural

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = [
    "CONTROL_KINDS",
    "DEVIATIONS",
    "Deviation",
    "has_controls_only",
    "rows_by_rater",
    "segment_ratings",
    "segment_scores",
    "standardised",
    "without_controls",
]

CONTROL_KINDS = ("BAD", "REF", "CHK", "HOTW", "TUTORIAL")
"""Prefixes of the kinds of quality-control items. REPEAT items are ordinary outputs that were judged again."""

Deviation = Literal["sample", "population"]

_STANDARDISED = {"DA": "DA-z", "DA+SQM": "DA+SQM-z", "ESA": "ESA-z"}  # protocols

DEVIATIONS: tuple[Deviation, ...] = ("sample", "population")


def without_controls(ratings: Ratings, *, keep: str | None = None) -> tuple[Ratings, tuple[Note, ...]]:
    """The ratings of ordinary outputs, without quality-control items and document scores; and notes on those.

    Items of kinds that start with `keep` stay.
    """
    kinds_left_out = tuple(kind for kind in CONTROL_KINDS if kind != keep)
    controls = {kind: n for kind, n in Counter(ratings.kind).items() if kind.startswith(kinds_left_out)}
    is_left_out = ratings.segment < 0
    notes = []
    if documents := int(is_left_out.sum()):
        notes.append(Note(NoteKind.EXCLUDED, f"left out: {plural(documents, 'document score')}", count=documents))
    if controls:
        is_left_out = is_left_out | np.fromiter((kind in controls for kind in ratings.kind), np.bool_, len(ratings))
        count = sum(controls.values())
        kinds = ", ".join(f"{n:,} {kind}" for kind, n in sorted(controls.items()))
        text = f"left out: {plural(count, 'rating')} of quality-control items ({kinds})"
        notes.append(Note(NoteKind.EXCLUDED, text, count=count))
    return ratings.where(~is_left_out) if notes else ratings, tuple(notes)


def has_controls_only(ratings: Ratings) -> bool:
    """Whether all ratings are of quality-control items."""
    return bool(ratings.kind) and all(kind.startswith(CONTROL_KINDS) for kind in set(ratings.kind))


def standardised(ratings: Ratings, deviation: Deviation = "sample") -> tuple[Ratings, tuple[Note, ...]]:
    """Standardise the ratings of each rater, z = (score - mean) / standard deviation; and notes.

    `deviation`: sample divides by n - 1 (Appraise), population by n (WMT22's Livonian scores). The ratings of a rater
    with one score, or with the same score everywhere, cannot be standardised: they become NaN, and a note says so.
    """
    if ratings.protocol in _STANDARDISED.values():
        raise ConfigError(f"the ratings '{ratings.name}' ({ratings.protocol}) are already standardised")
    z_scores = np.full(len(ratings), np.nan)
    notes = []
    for name, rows in rows_by_rater(ratings):
        scores = ratings.score[rows]
        if np.ptp(scores) > 0:
            z_scores[rows] = (scores - scores.mean()) / scores.std(ddof=int(deviation == "sample"))
        else:
            notes.append(_not_standardised(name, len(scores)))
    protocol = _STANDARDISED.get(ratings.protocol, ratings.protocol)
    return replace(ratings, score=z_scores, protocol=protocol), tuple(notes)


def rows_by_rater(ratings: Ratings) -> Iterator[tuple[str, npt.NDArray[np.intp]]]:
    """The raters who gave scores, and the rows of these scores."""
    rows = np.flatnonzero(~np.isnan(ratings.score))
    rows = rows[np.argsort(ratings.rater[rows], kind="stable")]
    starts = np.flatnonzero(np.diff(ratings.rater[rows], prepend=-1))
    for own in np.split(rows, starts[1:]) if len(rows) else ():
        yield ratings.raters[ratings.rater[own[0]]], own


def _not_standardised(rater: str, count: int) -> Note:
    if count == 1:
        text = "gave only one score, which cannot be standardised"
    else:
        text = f"always gave the same score: {plural(count, 'rating')} cannot be standardised"
    return Note(NoteKind.EXCLUDED, f"rater {rater} {text}", count=count)


def segment_scores(ratings: Ratings, *, segments: int | None = None, systems: tuple[str, ...] = ()) -> ScoreTable:
    """The mean rating of each segment of each system; NaN where nobody rated it. Named items keep their names."""
    names = systems or ratings.systems
    new_index = np.array([names.index(name) if name in names else -1 for name in ratings.systems], dtype=np.int64)
    rows = (ratings.segment >= 0) & ~np.isnan(ratings.score) & (new_index[ratings.system] >= 0)
    if ratings.items:
        count = len(ratings.items)
    else:
        count = 1 + int(ratings.segment.max(initial=0)) if segments is None else segments
    if rows.any() and int(ratings.segment[rows].max()) >= count:
        raise InputError(
            f"the ratings '{ratings.name}' cover more than {plural(count, 'segment')}", path=ratings.origin or None
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
        items=ratings.items,
        domains=_domains(ratings, count),
    )


def segment_ratings(ratings: Ratings, table: ScoreTable) -> FloatArray:
    """The single ratings behind `segment_scores`, as (rating, system, segment); NaN is no rating.

    The ratings of an output are in the order of the rows.
    """
    places = {name: place for place, name in enumerate(table.systems)}
    system = np.array([places.get(name, -1) for name in ratings.systems], dtype=np.int64)[ratings.system]
    rows = np.flatnonzero((ratings.segment >= 0) & ~np.isnan(ratings.score) & (system >= 0))
    cells = system[rows] * table.values.shape[1] + ratings.segment[rows]
    order = np.argsort(cells, kind="stable")
    starts = np.flatnonzero(np.diff(cells[order], prepend=-1))
    place = np.arange(len(order)) - np.repeat(starts, np.diff(starts, append=len(order)))
    values = np.full((1 + int(place.max(initial=-1)), table.values.size), np.nan)
    values[place, cells[order]] = ratings.score[rows][order]
    return values.reshape(-1, *table.values.shape)


def _domains(ratings: Ratings, count: int) -> tuple[str, ...]:
    """The domain of each segment, empty where nobody rated it; no domains at all if the ratings have none."""
    if not any(ratings.domain):
        return ()
    names = tuple(dict.fromkeys((*ratings.domain, "")))
    number = {name: i for i, name in enumerate(names)}
    codes = np.fromiter((number[name] for name in ratings.domain), np.int64, len(ratings))
    rows = np.flatnonzero((ratings.segment >= 0) & (codes != number[""]))
    domains = np.full(count, number[""])
    domains[ratings.segment[rows]] = codes[rows]
    conflicts = np.flatnonzero(domains[ratings.segment[rows]] != codes[rows])
    if len(conflicts):
        segment = int(ratings.segment[rows[conflicts[0]]])
        label = f"'{ratings.items[segment]}'" if ratings.items else f"{segment + 1:,}"
        raise InputError(f"the ratings '{ratings.name}': segment {label} has two domains", path=ratings.origin or None)
    return tuple(names[i] for i in domains.tolist())
