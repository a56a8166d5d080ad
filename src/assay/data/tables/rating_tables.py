"""Ratings from flat rows: tables with named columns, one of them the rater and one the score."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from assay.data.tables.collectors import CampaignCollector, RatingCollector, TextCollector
from assay.data.tables.item_kinds import item_kind
from assay.data.tables.notes import gap_notes
from assay.data.tables.numbers import parse_index
from assay.data.tables.rows import Row, ScoreKind
from assay.data.tables.skipped import SkippedRows
from assay.errors import EmptyInputError, InputError
from assay.types import Campaign, Note

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
    is_numbered: bool | None = None
    for (rater, *kinds), row in rows:
        if is_numbered is None:
            is_numbered = (row.segment or "").isdecimal()
        try:
            segment = parse_index(row.segment or "", path=path, line=row.line) if is_numbered else row.segment
            if segment is None or not (rater and row.system):
                raise InputError("a rating needs a rater, a system and a segment", path=path, line=row.line)
            kind_of_item = item_kind(kinds[0] if kinds else "", path=path, line=row.line)
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
    campaigns = [group.campaign() for group in groups.values()]
    return tuple(replace(c, notes=(*all_notes, *c.notes, *gap_notes(c.judgements[0], c.lp))) for c in campaigns)


def _add(group: CampaignCollector, rater: str, kind_of_item: str, row: Row, segment: int | str) -> None:
    system = row.system or ""
    score = next(iter(row.scores.values()), math.nan)
    number = group.ratings.add(
        rater,
        system,
        segment,
        score,
        kind=kind_of_item,
        document=row.document or "",
        domain=row.domain or "",
    )
    for kind, text in (("source", row.source), ("document", row.document), ("domain", row.domain)):
        if text is not None:
            group.texts.add(kind, number, text, line=row.line)
    for name, output in row.outputs.items():
        if output is not None:
            group.texts.add("output", number, output, line=row.line, system=name)
