"""What a file has that nobody reads, and what scores and single judgements lack, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from assay.errors import printable
from assay.types import UNRANKED, Judgements, Rankings, ScoreTable

__all__ = ["gap_notes", "score_notes", "unread_note"]

_MANY = 50


def unread_note(path: str, names: Iterable[str], what: str = "columns") -> tuple[str, ...]:
    """That these columns or fields were not read; nothing if there are none."""
    given = list(names)
    if not given:
        return ()
    shown = ", ".join(printable(name.strip()) or "one without name" for name in given[:_MANY])
    more = f" and {len(given) - _MANY:,} more" if len(given) > _MANY else ""
    return (f"{path}: {what} that were not read: {shown}{more}",)


def gap_notes(judgements: Judgements) -> Iterator[str]:
    """How many ratings have no score, or how many outputs that a judge saw have no rank."""
    if not isinstance(judgements, Rankings):
        if unscored := int(np.isnan(judgements.score).sum()):
            yield f"{judgements.origin}: {unscored:,} of {len(judgements):,} ratings have no score"
        return
    if judgements.output is None:
        return
    shown = judgements.output > 0
    unranked = shown & (judgements.ranks == UNRANKED)
    told = []
    if count := int(unranked.sum()):
        told.append(f"{count:,} of {int(shown.sum()):,} outputs that judges saw have no rank")
    if skipped := int((unranked == shown).all(axis=1).sum()):
        told.append(f"{skipped:,} of {len(judgements):,} rankings rank nothing")
    if told:
        yield f"{judgements.origin}: {', and '.join(told)}"


def score_notes(scores: Iterable[ScoreTable], systems: tuple[str, ...], references: set[str]) -> Iterator[str]:
    """Which systems have no score from some metrics, told once for all metrics that lack the same.

    That a metric does not score the reference it was given needs no telling, and other references are told apart.
    """
    lacking: dict[tuple[str, ...], list[str]] = {}
    human: dict[str, int] = {}
    metrics = [table for table in scores if not table.is_human]
    for table in metrics:
        given = references if table.references == ("all",) else set(table.references)
        absent = [name for name in systems if name not in table.systems and name not in given]
        if machines := tuple(name for name in absent if name not in references):
            lacking.setdefault(machines, []).append(Path(table.origin).name)
        for name in references.intersection(absent):
            human[name] = human.get(name, 0) + 1
    for machines, files in lacking.items():
        more = f" and {len(files) - 1} more" if len(files) > 1 else ""
        yield f"no scores for {', '.join(machines)} in {files[0]}{more}"
    if human:
        counts = ", ".join(f"{name} by {human[name]}" for name in sorted(human))
        yield f"references that are among the outputs, and are not scored: {counts} of {len(metrics)} metric files"
    for table in metrics:
        if table.gaps:
            yield f"{Path(table.origin).name}: {table.gaps:,} gaps"
