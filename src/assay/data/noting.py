"""What a file has that nobody reads, and what single judgements lack, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from assay.errors import printable
from assay.types import UNRANKED, Judgements, Rankings

__all__ = ["gap_notes", "unread_note"]

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
    if count := int(unranked.sum()):
        yield f"{judgements.origin}: {count:,} of {int(shown.sum()):,} outputs that judges saw have no rank"
    if skipped := int((unranked == shown).all(axis=1).sum()):
        yield f"{judgements.origin}: {skipped:,} of {len(judgements):,} rankings rank nothing"
