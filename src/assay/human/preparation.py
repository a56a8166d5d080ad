"""Prepare judgements for use: drop raters and ratings that do not count, score marked errors, standardise."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

import numpy as np

from assay.human.mqm import find_weights, has_only_errors, mqm_ratings
from assay.human.options import RankingOptions, check_effect
from assay.human.quality import reliable_raters
from assay.human.scoring import standardised, without_controls
from assay.human.selection import Judged
from assay.registry import option_text
from assay.types import Note, NoteKind, Ratings
from assay.types.note import plural

__all__ = ["Prepared", "last_ratings", "prepare", "without_fillers"]

_Step: TypeAlias = Callable[[Ratings], tuple[Ratings, tuple[Note, ...]]]

_FILLERS = re.compile(r"#(dup|incomplete)\b")


@dataclass(frozen=True, slots=True)
class Prepared:
    """Judgements that count, with notes on those left out, and the settings that made them."""

    judgements: Judged
    notes: tuple[Note, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)


def prepare(judgements: Judged, options: RankingOptions, systems: tuple[str, ...] | None = None) -> Prepared:
    """The judgements that count, of these systems. An option without an effect on them raises `ConfigError`."""
    check_effect(judgements, options)
    settings = {"preset": options.preset} if options.preset else {}
    if isinstance(judgements, Ratings):
        return _prepare_ratings(judgements, options, judgements.systems if systems is None else systems, settings)
    return Prepared(judgements if systems is None else judgements.take(systems), settings=settings)


def _prepare_ratings(
    ratings: Ratings, options: RankingOptions, systems: tuple[str, ...], settings: dict[str, str]
) -> Prepared:
    """All steps use the ratings of all systems, because raters are tested and standardised on all that they rated."""
    notes: tuple[Note, ...] = ()
    steps: list[_Step] = [without_controls]
    if has_only_errors(ratings):
        weights = find_weights(options.weights, ratings, options.chosen_preset.weights)
        settings["weights"] = weights.name
        ratings = mqm_ratings(ratings, weights)
    elif options.chosen_preset.only_last:  # MQM raters do not rate again
        steps += [without_fillers, last_ratings]
    if options.quality is not None:
        settings["quality"] = option_text(options.quality)
        steps.insert(0, partial(reliable_raters, p=options.quality))  # needs the control items
    if options.standardise != "none":
        settings["standardise"] = options.standardise
        steps.append(partial(standardised, deviation=options.standardise))
    for step in steps:
        ratings, more = step(ratings)
        notes += more
    return Prepared(ratings if systems == ratings.systems else ratings.take(systems), notes, settings)


def without_fillers(ratings: Ratings) -> tuple[Ratings, tuple[Note, ...]]:
    """The ratings without documents marked `#dup` or `#incomplete`: they fill up a rater's task (WMT24)."""
    fillers = {name for name in set(ratings.document) if _FILLERS.search(name)}
    is_filler = np.fromiter((name in fillers for name in ratings.document), np.bool_)
    if not fillers:
        return ratings, ()
    count = int(is_filler.sum())
    text = f"left out: {plural(count, 'rating')} of documents marked #dup or #incomplete"
    return ratings.where(~is_filler), (Note(NoteKind.EXCLUDED, text, count=count),)


def last_ratings(ratings: Ratings) -> tuple[Ratings, tuple[Note, ...]]:
    """The last rating that each rater gave to each output, by time; without times, the last in the file."""
    time = np.zeros(len(ratings)) if ratings.time is None else np.nan_to_num(ratings.time, nan=-np.inf)
    order = np.lexsort((np.arange(len(ratings)), time, ratings.segment, ratings.system, ratings.rater))
    keys = np.stack([ratings.rater[order], ratings.system[order], ratings.segment[order]])
    is_last = np.ones(len(ratings), dtype=np.bool_)
    is_last[:-1] = (keys[:, 1:] != keys[:, :-1]).any(axis=0)
    kept = np.zeros(len(ratings), dtype=np.bool_)
    kept[order[is_last]] = True
    count = int((~kept).sum())
    if not count:
        return ratings, ()
    later = "a later one" if count == 1 else "later ones"
    text = f"left out: {plural(count, 'rating')} that raters replaced by {later}"
    return ratings.where(kept), (Note(NoteKind.EXCLUDED, text, count=count),)
