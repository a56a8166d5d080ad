"""Prepare judgements for use: drop raters and ratings that do not count, score marked errors, standardise."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

from assay.errors import InputError
from assay.human.consistency import consistent_raters
from assay.human.marks import scorable_marks
from assay.human.mqm import WEIGHTS, Weights, find_weights, has_only_errors, mqm_ratings, unused_weights
from assay.human.options import RankingOptions, check_effect
from assay.human.quality import DAMAGED, reliable_raters
from assay.human.scoring import Deviation, has_controls_only, standardised, without_controls
from assay.human.selection import Judged
from assay.lazily import numpy as np
from assay.registry import option_text
from assay.types import Note, NoteKind, Ratings, TestSet
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


def prepare(
    judgements: Judged,
    options: RankingOptions,
    systems: tuple[str, ...] | None = None,
    testset: TestSet | None = None,
) -> Prepared:
    """The judgements that count, of these systems. An option without an effect on them raises `ConfigError`.

    Ratings that are scored by their errors count if these fit the texts of the test set.
    """
    check_effect(judgements, options)
    settings = {"preset": options.preset} if options.preset else {}
    if isinstance(judgements, Ratings):
        names = judgements.systems if systems is None else systems
        return _prepare_ratings(judgements, options, names, settings, testset)
    return Prepared(judgements if systems is None else judgements.take(systems), settings=settings)


def _prepare_ratings(
    ratings: Ratings,
    options: RankingOptions,
    systems: tuple[str, ...],
    settings: dict[str, str],
    testset: TestSet | None,
) -> Prepared:
    """All steps use the ratings of all systems, because raters are tested and standardised on all that they rated."""
    steps: list[_Step] = [without_controls]
    if options.quality is not None:  # raters are tested on damaged items, which need scores like all others
        settings["quality"] = option_text(options.quality)
        steps = [partial(without_controls, keep=DAMAGED), partial(reliable_raters, p=options.quality), without_controls]
    if has_only_errors(ratings) or options.weights is not None:
        weights = find_weights(options.weights, without_controls(ratings)[0], options.chosen_preset.weights)
        own = {} if ratings.protocol == "MQM" else {"protocol": ratings.protocol}
        settings = {"weights": weights.name, **own, **settings}
        scored = partial(_scored, weights=weights, is_default=options.weights is None)
        steps[1:1] = [partial(scorable_marks, texts=testset), scored]
    if options.chosen_preset.only_last and not has_only_errors(ratings):  # MQM raters do not rate again
        steps += [without_fillers, last_ratings]
    if options.chosen_preset.consistency is not None:
        steps.append(partial(consistent_raters, least=options.chosen_preset.consistency))
    if options.standardise != "none":
        settings["standardise"] = options.standardise
        steps.append(partial(_standardised, deviation=options.standardise))
    if has_controls_only(ratings):
        raise InputError(
            f"all ratings of '{ratings.name}' are of quality-control items, which rank no systems",
            path=ratings.origin or None,
        )
    notes: tuple[Note, ...] = ()
    for step in steps:
        ratings, more = step(ratings)
        notes += more
    return Prepared(ratings if systems == ratings.systems else ratings.take(systems), notes, settings)


def _scored(ratings: Ratings, weights: Weights, *, is_default: bool) -> tuple[Ratings, tuple[Note, ...]]:
    """The ratings, scored by their errors; notes say by which weights if nobody chose them, and which had no effect."""
    scored = mqm_ratings(ratings, weights)
    if not is_default or weights.table is None:
        return scored, tuple(unused_weights(ratings, weights))
    others = ", ".join(name for name in WEIGHTS if name != weights.name)
    text = f"the errors are weighted by {weights.name}, because no weights were chosen (others: {others}, or a file)"
    return scored, (Note(NoteKind.PROVENANCE, text),)


def _standardised(ratings: Ratings, deviation: Deviation) -> tuple[Ratings, tuple[Note, ...]]:
    """The ratings, standardised; an error if none of them can be."""
    z_scores, notes = standardised(ratings, deviation)
    if notes and np.isnan(z_scores.score).all():
        raise InputError(
            f"no rating of '{ratings.name}' can be standardised: every rater gave one score only, or always the same",
            path=ratings.origin or None,
            hint="rank the scores as they are, without standardise",
        )
    return z_scores, notes


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
    """The last rating that each rater gave to each output in a wave, by time; without times, the last in the file."""
    time = np.zeros(len(ratings)) if ratings.time is None else np.nan_to_num(ratings.time, nan=-np.inf)
    waves = {name: number for number, name in enumerate(dict.fromkeys(ratings.wave))}
    wave = np.fromiter((waves[name] for name in ratings.wave), np.int64) if waves else np.zeros(len(ratings), np.int64)
    columns = np.stack([ratings.segment, ratings.system, ratings.rater, wave])
    order = np.lexsort((np.arange(len(ratings)), time, *columns))
    keys = columns[:, order]
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
