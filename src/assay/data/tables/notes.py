"""Notes on what a file contains and was not read, and on missing scores, ratings and ranks.

No note names the language pair: whoever shows those of several pairs adds it (`notes_of_pairs`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from assay.data.tables.roles import SPAN_COLUMNS
from assay.errors import printable
from assay.lazily import numpy as np
from assay.types import UNRANKED, Judgements, Note, NoteKind, Rankings, ScoreTable
from assay.types.metric_names import spell_out
from assay.types.note import listed, plural

__all__ = ["gap_notes", "missing_score_notes", "table_gap_notes", "unread_notes"]

_MAX_SHOWN = 50


def unread_notes(path: str, names: Iterable[str], noun: str = "column") -> tuple[Note, ...]:
    """A note that these columns or fields were not read; none if there are no names."""
    unread = list(names)
    if not unread:
        return ()
    shown = listed((printable(name.strip()) or "(unnamed)" for name in unread), _MAX_SHOWN)
    text = f"unused {noun}s: {shown}"
    if len(absent := SPAN_COLUMNS.difference(name.strip().lower() for name in unread)) == 1:
        text += f" (if these are places of marked errors, the {noun} '{min(absent)}' is missing)"
    return (Note(NoteKind.UNREAD, text, path, len(unread)),)


def gap_notes(judgements: Judgements) -> Iterator[Note]:
    """How many ratings have no score, or how many outputs shown to a judge have no rank."""
    where = judgements.origin
    if not isinstance(judgements, Rankings):
        if unscored := int(np.isnan(judgements.score).sum()):
            yield _missing(f"{unscored:,} of {plural(len(judgements), 'rating')} without a score", where, unscored)
        return
    if judgements.output is None:
        return
    shown = judgements.output > 0
    unranked = shown & (judgements.ranks == UNRANKED)
    if count := int(unranked.sum()):
        yield _missing(f"{count:,} of {plural(int(shown.sum()), 'judged output')} without a rank", where, count)
    if skipped := int((unranked == shown).all(axis=1).sum()):
        yield _missing(f"{skipped:,} of {plural(len(judgements), 'ranking')} without any rank", where, skipped)


def _missing(text: str, where: str, count: int) -> Note:
    return Note(NoteKind.MISSING, text, where, count)


def table_gap_notes(tables: Iterable[ScoreTable]) -> Iterator[Note]:
    """How many cells of a table have no score."""
    for table in tables:
        if table.gaps:
            text = f"{table.name} by {table.level}: {table.gaps:,} of {plural(table.values.size, 'score')} missing"
            yield _missing(text, Path(table.origin).name, table.gaps)


def missing_score_notes(
    scores: Iterable[ScoreTable], systems: Sequence[str], references: Iterable[str]
) -> Iterator[Note]:
    """Systems that some metrics did not score, one note for all metrics that lack the same systems.

    A metric never scores the reference it uses; other references among the systems have a note of their own.
    """
    lacking: dict[tuple[str, ...], list[str]] = {}
    unscored: dict[str, int] = {}
    known = tuple(references)
    metrics = [table for table in scores if not table.is_human]
    for table in metrics:
        used = spell_out(table.references, known)
        absent = [name for name in systems if name not in table.systems and name not in used]
        if machines := tuple(name for name in absent if name not in known):
            lacking.setdefault(machines, []).append(Path(table.origin).name)
        for name in set(known).intersection(absent):
            unscored[name] = unscored.get(name, 0) + 1
    for machines, files in lacking.items():
        others = f" and {plural(len(files) - 1, 'other metric file')}" if len(files) > 1 else ""
        text = f"no scores for {', '.join(machines)} in {files[0]}{others}"
        yield Note(NoteKind.MISSING, text, count=len(machines))
    if unscored:
        counts = ", ".join(f"{name} in {unscored[name]}" for name in sorted(unscored))
        text = f"references without scores: {counts} of {plural(len(metrics), 'metric file')}"
        yield Note(NoteKind.MISSING, text, count=len(unscored))
    yield from table_gap_notes(metrics)
