"""What people said of the outputs of a language pair: preferences between outputs of a segment, and a value of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from assay.calibration.error_free import ErrorFreeRule
from assay.errors import AssayError
from assay.human.comparisons import comparisons_of
from assay.human.marks import usable_marks
from assay.human.options import RankingOptions
from assay.human.preparation import prepare
from assay.human.scoring import has_controls_only, segment_scores
from assay.human.selection import FoundJudgements, find_judgements
from assay.lazily import numpy as np
from assay.types import Campaign, FloatArray, IntArray, Note, Rankings, Ratings, ScoreTable
from assay.types.rater_names import language_model_in, rater_of

__all__ = ["HumanData", "LanguagePairExcluded", "find_human_data", "other_names"]

RANKED = "rankings"
_ORDER = ("MQM", "ESA", RANKED, "DA+SQM-z", "DA-z", "DA+SQM", "DA", "pSQM", "SQM")
"""What is used if a language pair has several kinds: experts before crowds, standardised scores before raw ones."""
_LEVELS = ("segment",)


class LanguagePairExcluded(Exception):  # nothing went wrong
    """Why a language pair is left out."""


@dataclass(frozen=True, slots=True, eq=False)
class HumanData:
    """Judged outputs, one a row, and the preferences between them."""

    name: str
    protocol: str
    systems: tuple[str, ...]
    judgements: int
    """Comparisons of two outputs, scores of outputs, or ratings."""
    system: IntArray
    segment: IntArray
    value: FloatArray
    """The human score, the share of comparisons won (a tie is half of one), or of ratings without errors."""
    weight: FloatArray
    """The comparisons or ratings behind the value; 1 for a score."""
    better: IntArray
    """The row of the preferred output of each preference."""
    worse: IntArray
    tied: IntArray
    """(pair, 2): the rows of two outputs that were judged alike."""
    notes: tuple[Note, ...] = ()
    """On how scores were made of judgements, and what was left out."""


def find_human_data(campaign: Campaign, gold: Sequence[str], learn: str, systems: Sequence[str]) -> HumanData:
    """Those of the first name that the campaign has, or of the most trusted protocol.

    Without any, `LanguagePairExcluded` is raised.
    """
    found = _find(campaign, gold, learn)
    notes: tuple[Note, ...] = found.notes
    try:
        if learn == "error-free":
            return _error_free(found.name, found.judgements, campaign, systems)
        prepared = prepare(found.used, RankingOptions(), tuple(found.used.systems))
    except AssayError as error:
        raise LanguagePairExcluded(error.message) from error
    used, notes = prepared.judgements, (*notes, *prepared.notes)
    if isinstance(used, Rankings):
        return replace(_ranked(used, systems), notes=notes)
    table = segment_scores(used, segments=campaign.segments) if isinstance(used, Ratings) else used
    return replace(_scored(table, campaign, systems), notes=notes)


def other_names(campaign: Campaign, used: str) -> tuple[str, ...]:
    """The names of other human judgements of segments, also of single raters, by which outputs may differ."""
    tables = [table.name for table in campaign.human if table.level in _LEVELS and not language_model_in(table.name)]
    names = dict.fromkeys((*tables, *(each.name for each in campaign.judgements)))
    return tuple(name for name in names if name != used)


def _find(campaign: Campaign, gold: Sequence[str], learn: str) -> FoundJudgements:
    prefer = "judgements" if learn == "error-free" else "scores"
    names = [*dict.fromkeys((*(each.name for each in campaign.judgements), *(t.name for t in campaign.human)))]
    candidates = []
    for name in (each for each in gold if each in names) if gold else sorted(names):
        found = find_judgements(campaign, name, prefer=prefer, levels=_LEVELS)  # type: ignore[arg-type]
        if found is None or (not gold and not _is_of_people(found)):
            continue
        if learn == "error-free" and not (isinstance(found.judgements, Ratings) and found.judgements.errors):
            continue
        candidates.append(found)
    if not candidates:
        kind = "ratings with marked errors" if learn == "error-free" else "judgements of segments"
        raise LanguagePairExcluded(f"no {kind}{' of these names' if gold else ''}")
    return candidates[0] if gold else min(candidates, key=_order)


def _is_of_people(judgements: FoundJudgements) -> bool:
    """Whether these are scores of people, of all raters, and not of quality-control items."""
    if isinstance(judgements.judgements, Ratings):
        return not has_controls_only(judgements.judgements)
    return judgements.judgements is not None or not (language_model_in(judgements.name) or rater_of(judgements.name))


def _order(judgements: FoundJudgements) -> tuple[int, int]:
    protocol = RANKED if isinstance(judgements.used, Rankings) else judgements.used.protocol
    place = _ORDER.index(protocol) if protocol in _ORDER else len(_ORDER)
    return place, -(
        int((~np.isnan(judgements.scores[0].values)).sum()) if judgements.scores else len(judgements.judgements or ())
    )


def _places(names: Sequence[str], systems: Sequence[str]) -> IntArray:
    """The numbers of named systems among those that are used; -1: not used."""
    number = {name: k for k, name in enumerate(systems)}
    return np.array([number.get(name, -1) for name in names], dtype=np.int64)


def _ranked(rankings: Rankings, systems: Sequence[str]) -> HumanData:
    kept = rankings.take([name for name in systems if name in rankings.systems])
    if not kept.systems or not len(kept):
        raise LanguagePairExcluded("no system with texts was ranked")
    comparisons = comparisons_of(kept)
    names = _places(kept.systems, systems)
    segments = rankings.segment[comparisons.ranking]
    width = len(systems)
    first, second = (segments * width + names[side] for side in (comparisons.first, comparisons.second))
    cells, index = np.unique(np.concatenate([first, second]), return_inverse=True)
    first, second = np.split(index, 2)
    won = 1 - comparisons.outcome / 2  # of the first: 1, 0.5 for a tie, 0
    count = np.bincount(first, minlength=len(cells)) + np.bincount(second, minlength=len(cells))
    wins = np.bincount(first, won, len(cells)) + np.bincount(second, 1 - won, len(cells))
    strict = won != 0.5
    return HumanData(
        rankings.name,
        RANKED,
        tuple(systems),
        len(comparisons),
        cells % width,
        cells // width,
        wins / count,
        count.astype(np.float64),
        np.where(won == 1, first, second)[strict],
        np.where(won == 1, second, first)[strict],
        np.stack([first, second], axis=1)[~strict],
    )


def _scored(table: ScoreTable, campaign: Campaign, systems: Sequence[str]) -> HumanData:
    table.refuse_penalties()
    values = table.oriented
    if values.size and np.isnan(values).all():
        raise LanguagePairExcluded(f"all {values.size:,} scores '{table.name}' are missing")
    lines = _lines(table.items, campaign)
    names = _places(table.systems, systems)
    row, column = np.nonzero(~np.isnan(values))
    segment = column if lines is None else lines[column]
    used = (names[row] >= 0) & (segment >= 0) & (segment < campaign.segments)
    row, column, segment = row[used], column[used], segment[used]
    human = values[row, column]
    return _of_values(
        table.name, table.protocol or "", systems, len(human), names[row], segment, human, np.ones(len(human))
    )


def _error_free(name: str, ratings: object, campaign: Campaign, systems: Sequence[str]) -> HumanData:
    if not isinstance(ratings, Ratings):
        raise LanguagePairExcluded("no ratings with marked errors")
    usable, notes = usable_marks(ratings, campaign.testset)
    is_free = ErrorFreeRule().labels(usable)
    lines, names = _lines(usable.items, campaign), _places(usable.systems, systems)
    segment = usable.segment if lines is None else np.where(usable.segment < 0, -1, lines[usable.segment])
    used = (names[usable.system] >= 0) & (segment >= 0) & (segment < campaign.segments)
    width = len(systems)
    cells, index = np.unique(segment[used] * width + names[usable.system][used], return_inverse=True)
    count = np.bincount(index, minlength=len(cells)).astype(np.float64)
    share = np.bincount(index, is_free[used].astype(np.float64), len(cells)) / np.maximum(count, 1)
    protocol = f"{ratings.protocol}, no errors"
    found = _of_values(name, protocol, systems, int(used.sum()), cells % width, cells // width, share, count)
    return replace(found, notes=notes)


def _lines(items: Sequence[str], campaign: Campaign) -> IntArray | None:
    """The lines of named segments; None: numbers are lines."""
    if not items:
        return None
    known = () if campaign.testset is None else campaign.testset.items
    if not known:
        raise LanguagePairExcluded("the judgements are of named items, which cannot be aligned with the texts")
    return _places(items, known)


def _of_values(
    name: str,
    protocol: str,
    systems: Sequence[str],
    judgements: int,
    system: IntArray,
    segment: IntArray,
    value: FloatArray,
    weight: FloatArray,
) -> HumanData:
    """With a preference for each two outputs of a segment that have different values."""
    order = np.lexsort((system, segment))
    system, segment, value, weight = system[order], segment[order], value[order], weight[order]
    better, worse, tied = [], [], [np.zeros((0, 2), dtype=np.int64)]
    for distance in range(1, len(systems)):  # rows of a segment stand together
        first = np.flatnonzero(segment[distance:] == segment[:-distance])
        if not len(first):
            break
        second = first + distance
        differs = value[first] != value[second]
        tied.append(np.stack([first, second], axis=1)[~differs])
        first, second = first[differs], second[differs]
        is_first = value[first] > value[second]
        better.append(np.where(is_first, first, second))
        worse.append(np.where(is_first, second, first))
    empty = np.zeros(0, dtype=np.int64)
    return HumanData(
        name,
        protocol,
        tuple(systems),
        judgements,
        system,
        segment,
        value,
        weight,
        np.concatenate(better) if better else empty,
        np.concatenate(worse) if worse else empty,
        np.concatenate(tied),
    )
