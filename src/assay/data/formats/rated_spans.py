"""Errors that raters marked, as a table: one error a row, with the rater and perhaps the score of the rating.

    rater,system,segment,score,start,end,severity,category
    r1,A,7,83,3,9,minor,
    r1,A,7,83,14,20,major,
    r1,B,7,95,,,no-error,

The rows of one rater, system, segment and score are one rating; with another score, or another `wave` if there is such
a column, the rater rated the output again. A row with the severity `no-error`, or without severity and place, is an
output in which the rater found no error. `start` and `end` count characters from 0, and `end` is exclusive. Segments
are numbered from 1, or have names. A row that occurs twice counts once, unless it is an error without a place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from assay.data import CERTAIN, NO
from assay.data.formats import Format, data_format, has_suffix
from assay.data.tables.collectors import CampaignCollector, RatingCollector, TextCollector
from assay.data.tables.misspelt import check_spelling
from assay.data.tables.notes import gap_notes, unread_notes
from assay.data.tables.numbers import check_scale, parse_index, parse_score
from assay.data.tables.repeated_ratings import without_copies
from assay.data.tables.roles import SPAN_COLUMNS
from assay.data.tables.skipped import SkippedRows
from assay.data.tables.span_rows import (
    check_agreement,
    errors_of_row,
    is_span_table,
    raters_in,
    span_names,
    span_rows,
    without_repeats,
)
from assay.data.text_files import digest_of, read_lines, shown_path
from assay.errors import EmptyInputError, InputError
from assay.types import Campaign, ErrorSpan, Note, NoteKind
from assay.types.language_codes import is_language_pair, not_a_language_pair
from assay.types.note import plural

__all__ = ["RatedSpans"]

_SCORES = ("score", "human:esa", "esa")
_PLACE = ("system", "segment")
_OTHERS = ("lp", "document", "domain", "wave", "source", "output")
_KNOWN = (*SPAN_COLUMNS, *_PLACE, *_OTHERS, *_SCORES, "category", "text")
_NEEDED = "each row needs a rater, a system and a segment"


@data_format("rated-spans")
@dataclass(frozen=True)
class RatedSpans(Format):
    """Errors that raters marked, one a row."""

    protocol: Literal["auto", "ESA", "MQM", "other"] = "auto"
    """auto: ESA if there are scores, else MQM."""

    suffixes = (".csv", ".tsv")
    written_suffixes = ()

    def recognises(self, path: Path, head: str) -> int:
        header = head.removeprefix("\ufeff").partition("\n")[0].rstrip("\r")
        if not has_suffix(path, self.suffixes) or not is_span_table(header, path):
            return NO
        return CERTAIN if raters_in(span_names(header, path)) else NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        shown = shown_path(path)
        lines, notes = read_lines(path)
        if len(lines) < 2:
            raise EmptyInputError("no ratings", path=shown)
        names = span_names(lines[0], path)
        raters = raters_in(names)
        unread = [name for name in names if name not in _KNOWN and name not in raters[:1]]
        check_spelling(unread, sorted({*_KNOWN} - {*names}), path=shown, line=1)
        if missing := [name for name in _PLACE if name not in names]:
            raise InputError(f"no column '{missing[0]}'", path=shown, line=1, hint=_NEEDED)
        score = next((name for name in _SCORES if name in names), None)
        protocol = self.protocol if self.protocol != "auto" else "MQM" if score is None else "ESA"
        skipped = SkippedRows(shown, rows=len(lines) - 1)
        rows, repeats = without_repeats(span_rows(lines, path, shown), shown)
        collected = _Collected(shown, protocol, raters[0], score, all(row["segment"].isdecimal() for _, row in rows))
        for line, row in rows:
            try:
                collected.add(row, line)
            except InputError as error:
                skipped.add_error(error, line)
        notes += (*unread_notes(shown, unread), *skipped.notes(), *repeats)
        return tuple(collected.campaigns(digest_of(path), notes))


@dataclass
class _Rating:
    """A rating whose rows have been read so far."""

    row: Mapping[str, str]
    line: int
    score: float
    errors: list[ErrorSpan] = field(default_factory=list)


@dataclass
class _Collected:
    """The ratings of a table. If one of its rows is faulty, a rating is left out: its other errors are not all."""

    path: str
    protocol: str
    rater: str
    """The column with the rater."""
    score: str | None
    """The column with the score."""
    is_numbered: bool
    ratings: dict[tuple[str, ...], _Rating] = field(default_factory=dict)
    faulty: set[tuple[str, ...]] = field(default_factory=set)

    def add(self, row: dict[str, str], line: int) -> None:
        """Add a row to its rating."""
        score = "" if self.score is None else row[self.score].strip()
        key = row.get("lp", ""), row.get("wave", ""), row[self.rater], row["system"], row["segment"], score
        try:
            self._add(key, row, line)
        except InputError:
            self.faulty.add(key)
            raise

    def _add(self, key: tuple[str, ...], row: dict[str, str], line: int) -> None:
        lp, *_, number = key
        if not all(row[name].strip() for name in (self.rater, *_PLACE)):
            raise InputError("a row without a rater, system or segment", path=self.path, line=line, hint=_NEEDED)
        if lp and not is_language_pair(lp):
            raise not_a_language_pair(lp, path=self.path, line=line)
        score = parse_score(number, path=self.path, line=line)
        check_scale(score, self.protocol, path=self.path, line=line)
        errors = errors_of_row(row, path=self.path, line=line)
        if key in self.ratings:
            check_agreement(errors, self.ratings[key].errors, path=self.path, line=line)
        self.ratings.setdefault(key, _Rating(row, line, score)).errors.extend(errors)

    def campaigns(self, digest: str, notes: Sequence[Note]) -> Iterable[Campaign]:
        groups: dict[str, CampaignCollector] = {}
        sound = {key: rating for key, rating in self.ratings.items() if key not in self.faulty}
        for (lp, wave, rater, system, segment, _), rating in sound.items():
            if lp not in groups:
                ratings = RatingCollector(self.protocol.lower(), self.protocol, self.path, digest)
                groups[lp] = CampaignCollector("", lp, ratings, TextCollector(self.path))
            self._collect(groups[lp], (wave, rater, system), segment, rating)
        if not groups:
            raise EmptyInputError("no ratings", path=self.path)
        if count := len(self.faulty):
            text = f"{plural(count, 'rating')} left out, because a row of it is faulty"
            notes = (*notes, Note(NoteKind.EXCLUDED, text, self.path, count, "warning"))
        for group in groups.values():
            campaign = group.campaign()
            (collected,) = campaign.ratings
            gaps = () if self.score is None else tuple(gap_notes(collected))
            yield campaign.with_notes((*notes, *gaps, *without_copies(collected)[1]))

    def _collect(self, group: CampaignCollector, about: tuple[str, str, str], segment: str, rating: _Rating) -> None:
        wave, rater, system = about
        place: int | str = parse_index(segment, path=self.path, line=rating.line) if self.is_numbered else segment
        details: dict[str, Any] = {name: rating.row.get(name, "") for name in ("document", "domain")}
        number = group.ratings.add(rater, system, place, rating.score, errors=rating.errors, wave=wave, **details)
        for kind, owner in (("source", ""), ("document", ""), ("output", system)):
            if text := rating.row.get(kind):
                group.texts.add(kind, number, text, line=rating.line, system=owner)
