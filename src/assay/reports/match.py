"""Candidates for a published number, as a document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.reports.cells import Cell, Count, Number, Text
from assay.reports.documents import Caption, Document, Grid, Section, columns
from assay.results import Candidate, Match

__all__ = ["document"]

_MIN_DECIMALS = 3
_NUMBERS = 2
"""Columns with numbers, at the end."""


def document(match: Match) -> Document:
    """The candidates that round to the published number, then the nearest others."""
    return Document.of(match, lambda: _sections(match))


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
    cells: dict[str, list[Cell]] = {
        title: [Text(c.spec) for c in candidates],
        "system": [Text(c.system) for c in candidates],
        "reference": [Text("+".join(c.references)) for c in candidates],
        "aggregation": [Text(c.aggregation) for c in candidates],
        "same score with": [Text(c.alternatives_text) for c in candidates],
        "score": [Number(c.value, decimals) for c in candidates],
        "off by": [Number(c.difference, decimals, style="signed") for c in candidates],
    }
    if len({c.system for c in match.candidates}) == 1:
        del cells["system"]
    if len({c.references for c in match.candidates}) == 1:
        del cells["reference"]
    captions = (Caption("and {} more", (Count(hidden),)),) if hidden else ()
    titles = columns(cells, labels=len(cells) - _NUMBERS)
    return Section((Grid(titles, tuple(zip(*cells.values(), strict=True)), captions),))
