"""Candidates for a published number, as a document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.reports.cells import Count
from assay.reports.documents import Caption, Document, Section
from assay.reports.record_grid import TABLES, Look, record_grid
from assay.results import Candidate, Match

__all__ = ["document"]

_MIN_DECIMALS = 3


def document(match: Match) -> Document:
    """The candidates that round to the published number, then the nearest others."""
    return Document.of(match, lambda: _sections(match), lists=TABLES)


def _sections(match: Match) -> Iterator[Section]:
    matches = match.matches
    others = [candidate for candidate in match.candidates if not candidate.is_match]
    if matches:
        yield _section(match, f"gives {match.published}", matches, hidden=match.matched - len(matches))
    else:
        yield Section(title=f"none of {match.tried:,} settings gives {match.published}")
    if others:
        yield _section(match, "nearest others" if matches else "nearest", others)


def _section(match: Match, title: str, candidates: Sequence[Candidate], hidden: int = 0) -> Section:
    """System and reference have no column if they are the same for all candidates of the match.

    Scores have a digit more than the published number, to show how far they are off.
    """
    decimals = max(_MIN_DECIMALS, 1 + len(match.published.partition(".")[2]))
    same = {
        name
        for name, values in (
            ("system", {each.system for each in match.candidates}),
            ("references", {each.references for each in match.candidates}),
        )
        if len(values) == 1
    }
    shown = (column for column in match.columns if column.name not in same)
    captions = (Caption("and {} more", (Count(hidden),)),) if hidden else ()
    return Section((record_grid(shown, candidates, Look(decimals, words={"title": title}), captions),))
