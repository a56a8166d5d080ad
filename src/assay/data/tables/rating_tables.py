"""Ratings from flat rows: tables with named columns, one of them the rater and one the score."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from assay.data.tables.collectors import CampaignCollector, RatingCollector, TextCollector
from assay.data.tables.notes import gap_notes
from assay.data.tables.numbers import parse_index
from assay.data.tables.rating_records import item_kind
from assay.data.tables.repeated_ratings import without_copies
from assay.data.tables.rows import Row, ScoreKind
from assay.data.tables.skipped import SkippedRows
from assay.errors import EmptyInputError, InputError
from assay.types import Campaign, Note, Ratings

__all__ = ["campaigns_of_ratings"]


def campaigns_of_ratings(
    rows: Iterable[tuple[Sequence[str], Row]],
    kind: ScoreKind,
    *,
    path: str,
    digest: str,
    skipped: SkippedRows,
    notes: Iterable[Note],
) -> tuple[Campaign, ...]:
    """A campaign for each test set and language pair. `kind` describes the score.

    A row comes with its rater and, if the table says it, the kind of the item. The first row decides whether segments
    are numbered from 1 or have names.
    """
    groups: dict[tuple[str, str], CampaignCollector] = {}
    numbers: dict[str, int] = {}  # millions of ratings name a few segments
    is_numbered: bool | None = None
    for (rater, *kinds), row in rows:
        if is_numbered is None:
            is_numbered = (row.segment or "").isdecimal()
        try:
            segment = _number(row, numbers, path) if is_numbered else row.segment
            if segment is None or not (rater and row.system):
                raise InputError("a rating needs a rater, a system and a segment", path=path, line=row.line)
            kind_of_item = item_kind(kinds[0], path=path, line=row.line) if kinds else "TGT"
        except InputError as error:
            skipped.add_error(error, row.line)
            continue
        key = row.dataset, row.lp or ""
        if key not in groups:
            ratings = RatingCollector(kind.name, kind.protocol or "other", path, digest, kind.higher_is_better)
            groups[key] = CampaignCollector(*key, ratings, TextCollector(path))
        _add(groups[key], rater, kind_of_item, row, segment)
    if not groups:
        raise EmptyInputError("no ratings", path=path)
    all_notes = tuple(notes)  # after the rows: some notes are about them
    return tuple(_with_notes(group.campaign(), all_notes) for group in groups.values())


def _with_notes(campaign: Campaign, notes: tuple[Note, ...]) -> Campaign:
    """The campaign with each of its ratings once, and all notes."""
    (ratings,) = campaign.judgements
    if not isinstance(ratings, Ratings):
        return campaign
    kept, repeats = without_copies(ratings)
    all_notes = (*notes, *campaign.notes, *repeats, *gap_notes(kept))
    return replace(campaign, judgements=(kept,), notes=all_notes)


def _number(row: Row, numbers: dict[str, int], path: str) -> int:
    """The index of the row's segment, from its number in the file; `numbers` remembers those that were read."""
    text = row.segment or ""
    number = numbers.get(text)
    if number is None:
        number = numbers[text] = parse_index(text, path=path, line=row.line)
    return number


def _add(group: CampaignCollector, rater: str, kind_of_item: str, row: Row, segment: int | str) -> None:
    score = next(iter(row.scores.values()), math.nan)
    document, domain = row.document or "", row.domain or ""
    number = group.ratings.add(
        rater, row.system or "", segment, score, kind=kind_of_item, document=document, domain=domain
    )
    if row.source is not None:
        group.texts.add("source", number, row.source, line=row.line)
    if row.document is not None:
        group.texts.add("document", number, row.document, line=row.line)
    if row.domain is not None:
        group.texts.add("domain", number, row.domain, line=row.line)
    for name, output in row.outputs.items():
        if output is not None:
            group.texts.add("output", number, output, line=row.line, system=name)
