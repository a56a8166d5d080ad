"""Tables of individual judgements: tab-separated, recognised by their header.

| header | holds |
|---|---|
| `judge segment system1 rank1 …` | rankings; -1 is not ranked; `a,b` in one cell are systems with the same output |
| `segment better worse` | strict preferences, judge unknown |
| `worker system segment type z` | crowd ratings, standardised by worker |
| `annotator system item type score` | DA+SQM ratings of lines of the test set |
| `annotator system document item is_document_score score` | DA+SQM ratings of documents, items numbered within them |
| `system item raw z n` | DA ratings of named items, rater unknown |

ESA ratings of lines of the test set have the header `system document segment domain annotator wave counted score start
end minor major errors`: `end` is when the rater finished, `errors` are marked errors in JSON, and `counted` is 0 where
a later rating of the same account replaced this one. The wave `control` is quality control: the items that all raters
of a language pair rated.

Segments are numbered from 1. Identical lines are different judgements.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from assay.data.tables.collectors import RankingCollector, RatingCollector, rankings_of_pairs
from assay.data.tables.error_spans import inclusive_spans
from assay.data.tables.notes import gap_notes
from assay.data.tables.numbers import check_scale, parse_index, parse_score
from assay.data.tables.parsed_once import ParsedOnce
from assay.data.tables.quoting import CellReader, cell_reader
from assay.data.tables.rating_records import item_kind
from assay.data.tables.skipped import SkippedRows
from assay.data.text_files import digest_of, read_lines, shown_path
from assay.errors import EmptyInputError, InputError, printable
from assay.files.strict_json import parse_json
from assay.types import UNRANKED, ErrorSpan, Judgements, Note, NoteKind, Rankings, Ratings
from assay.types.judgements import MAX_RANK, UTF16
from assay.types.note import plural
from assay.types.severity import Severity

__all__ = ["UnknownHeaderError", "add_ranks", "is_judgement_header", "parse_rank", "read_judgement_table"]

_ITEMS = "system item raw z n"
_RANKING = re.compile(r"judge segment( system\d+ rank\d+)+")
_MAX_SHOWN = 150  # characters of a header
_CONTROL_WAVE, _CONTROL_KIND = "control", "CHK"


class UnknownHeaderError(InputError):
    """A table of other judgements, which is not faulty."""


def is_judgement_header(names: Sequence[str]) -> bool:
    """Whether these are the columns of a judgement table."""
    header = " ".join(names)
    return header in _READERS or header == _ITEMS or _RANKING.fullmatch(header) is not None


def read_judgement_table(
    path: Path, name: str, *, standardised: bool = False, notes: list[Note] | None = None
) -> Judgements:
    """The judgements of a table, called `name`; `standardised` reads z from a table that also has raw scores.

    Notes on what was changed while reading and what is missing are added to `notes`.
    """
    all_notes = [] if notes is None else notes
    judgements = _read(_read_table(path, name, all_notes), standardised)
    all_notes += gap_notes(judgements)
    return judgements


def _read(table: _Table, standardised: bool) -> Judgements:
    header = " ".join(table.header)
    if header == _ITEMS:
        return _item_ratings(table, "z" if standardised else "raw")
    reader = _READERS.get(header, _rankings if _RANKING.fullmatch(header) else None)
    if reader is None:
        known = "; ".join((*_READERS, "judge segment system1 rank1 …", _ITEMS))
        raise UnknownHeaderError(
            f"unrecognised header of a judgement table: {printable(header[:_MAX_SHOWN])}",
            path=table.path,
            line=1,
            hint=f"recognised: {known}",
        )
    if not table.rows:
        raise EmptyInputError("no judgements", path=table.path)
    return reader(table)


@dataclass(frozen=True, slots=True)
class _Table:
    name: str
    path: str
    digest: str
    header: list[str]
    rows: Sequence[str]
    cells: CellReader
    notes: list[Note]

    def each(self, add: Callable[[int, list[str]], object], *, is_ragged: bool = False) -> None:
        """Call `add` with the line number and the fields of each row; rows that it refuses are skipped and all_notes.

        Every row has all fields, unless the table `is_ragged`.
        """
        skipped = SkippedRows(self.path, rows=len(self.rows))
        width = len(self.header)
        for line, text in enumerate(self.rows, 2):
            try:
                row = self.cells(line, text)
                if len(row) != width and not is_ragged:
                    message = f"{plural(len(row), 'field')}, but the header has {width}"
                    raise InputError(message, path=self.path, line=line, hint="separate fields by tabs")
                add(line, row)
            except InputError as error:
                skipped.add_error(error, line)
        self.notes.extend(skipped.notes())

    def scores(self, protocol: str) -> ParsedOnce[float]:
        """The scores of texts, in this protocol."""
        return ParsedOnce(
            lambda text: check_scale(parse_score(text, path=self.path, line=None), protocol, path=self.path, line=None)
        )


def _read_table(path: Path, name: str, notes: list[Note]) -> _Table:
    lines, changes = read_lines(path)
    shown = shown_path(path)
    if not lines:
        raise EmptyInputError("empty file", path=shown)
    notes += changes
    cells = cell_reader(lines, path=shown, notes=notes, are_names=True)
    return _Table(name, shown, digest_of(path), cells(1, lines[0]), lines[1:], cells, notes)


def _pairs(table: _Table) -> Rankings:
    segments: list[int] = []
    better_ones: list[str] = []
    worse_ones: list[str] = []
    indices = ParsedOnce(lambda text: parse_index(text, path=table.path, line=None))

    def add(line: int, row: list[str]) -> None:
        segment, better, worse = row
        if better == worse or not better or not worse:
            message = f"invalid preference of '{printable(better)}' over '{printable(worse)}'"
            raise InputError(message, path=table.path, line=line)
        segments.append(indices[segment])
        better_ones.append(sys.intern(better))
        worse_ones.append(sys.intern(worse))

    table.each(add)
    return rankings_of_pairs(table.name, segments, better_ones, worse_ones, origin=table.path, digest=table.digest)


def _rankings(table: _Table) -> Rankings:
    collector = RankingCollector(table.name, table.path, table.digest)

    def add(line: int, row: list[str]) -> None:
        if len(row) % 2 or not 2 <= len(row) <= len(table.header):
            systems_expected = f"up to {len(table.header) // 2 - 1} systems with ranks"
            message = f"{plural(len(row), 'field')}; expected a judge, a segment and {systems_expected}"
            raise InputError(message, path=table.path, line=line)
        ranks: dict[str, int] = {}
        outputs: dict[str, int] = {}
        for number, (systems, rank) in enumerate(zip(row[2::2], row[3::2], strict=True), 1):
            add_ranks(ranks, systems.split(","), parse_rank(rank, path=table.path, line=line), table.path, line)
            outputs |= dict.fromkeys(systems.split(","), number)
        collector.add(_named(row[0], table.path, line), parse_index(row[1], path=table.path, line=line), ranks, outputs)

    table.each(add, is_ragged=True)
    return collector.rankings()


def parse_rank(text: str, *, path: str, line: int) -> int:
    """A rank from 1; -1 is UNRANKED. 0 is refused, because it could mean the best or none."""
    stripped = text.strip()
    if stripped == "-1":
        return UNRANKED
    if re.fullmatch(r"[0-9]{1,3}", stripped) is None or not 1 <= int(stripped) <= MAX_RANK:
        hint = "write -1 for a system that was not ranked"
        raise InputError(
            f"the rank '{printable(stripped[:40])}' must be an integer from 1 to {MAX_RANK}",
            path=path,
            line=line,
            hint=hint,
        )
    return int(stripped)


def add_ranks(ranks: dict[str, int], systems: list[str], rank: int, path: str, line: int) -> None:
    """Give a rank to systems with the same output. Two different ranks for one system are an error."""
    for system in systems:
        if not system:
            raise InputError("a system has no name", path=path, line=line)
        if ranks.setdefault(system, rank) != rank:
            raise InputError(f"two different ranks for '{printable(system)}' in one ranking", path=path, line=line)


def _named(name: str, path: str, line: int) -> str:
    if not name.strip():
        raise InputError("the judge has no name", path=path, line=line)
    return name


def _line_by_line(table: _Table, protocol: str) -> Ratings:
    """Ratings of lines of the test set: rater, system, segment, kind and score."""
    collector = RatingCollector(table.name, protocol, table.path, table.digest)
    column = table.header[2]
    indices = ParsedOnce(lambda text: parse_index(text, path=table.path, line=None, name=column))
    scores = table.scores(collector.protocol)

    def add(line: int, row: list[str]) -> None:
        rater, system, segment, kind, score = row
        number, known_kind = indices[segment], item_kind(kind, path=table.path, line=line)
        collector.add(_named(rater, table.path, line), system, number, scores[score], kind=known_kind)

    table.each(add)
    return collector.ratings()


def _document_ratings(table: _Table) -> Ratings:
    collector = RatingCollector(table.name, "DA+SQM", table.path, table.digest)
    scores = table.scores(collector.protocol)

    def add(line: int, row: list[str]) -> None:
        annotator, system, document, item, of_document, text = row
        if of_document not in ("True", "False"):
            message = f"is_document_score must be True or False, not '{printable(of_document[:40])}'"
            raise InputError(message, path=table.path, line=line)
        segment = -1 if of_document == "True" else f"{document}:{item}"
        collector.add(_named(annotator, table.path, line), system, segment, scores[text], document=document)

    table.each(add)
    return collector.ratings()


def _esa_ratings(table: _Table) -> Ratings:
    """The ratings that count. A note says how many later ones replaced."""
    collector = RatingCollector(table.name, "ESA", table.path, table.digest, offsets=UTF16)
    indices = ParsedOnce(lambda text: parse_index(text, path=table.path, line=None))
    scores = table.scores(collector.protocol)
    replaced = 0
    miscounted: list[int] = []

    def add(line: int, row: list[str]) -> None:
        nonlocal replaced
        system, document, segment, domain, annotator, wave, counted, score, start, end, minor, major, errors = row
        if counted not in ("0", "1"):
            message = f"counted must be 0 or 1, not '{printable(counted[:40])}'"
            raise InputError(message, path=table.path, line=line)
        number, value = indices[segment], scores[score]
        begun, time = (parse_score(cell, path=table.path, line=line, name="time") for cell in (start, end))
        if begun > time:
            raise InputError(f"the rating ends before it starts: {start} to {end}", path=table.path, line=line)
        spans = inclusive_spans(parse_json(errors, path=table.path, line=line), path=table.path, line=line)
        if not (_is_number_of(Severity.MINOR, minor, spans) and _is_number_of(Severity.MAJOR, major, spans)):
            miscounted.append(line)
        if counted == "0":
            replaced += 1
            return
        rater = _named(annotator, table.path, line)
        collector.add(
            rater,
            system,
            number,
            value,
            kind=_CONTROL_KIND if wave == _CONTROL_WAVE else "TGT",
            errors=spans,
            document=document,
            domain=domain,
            time=time,
            wave=wave,
        )

    table.each(add)
    if miscounted:
        ratings = plural(len(miscounted), "rating")
        text = f"{ratings} with other numbers of minor and major errors than in the list of errors"
        table.notes.append(Note(NoteKind.SUSPECT, text, table.path, len(miscounted), "warning", miscounted[0]))
    if replaced:
        text = (
            f"{plural(replaced, 'rating')} left out: the same person rated the output again (0 in the column counted)"
        )
        table.notes.append(Note(NoteKind.EXCLUDED, text, table.path, replaced))
    return collector.ratings()


def _is_number_of(severity: Severity, count: str, errors: Iterable[ErrorSpan]) -> bool:
    """Whether there are as many errors of a severity as a cell says, if it says anything."""
    return count.strip() in ("", str(sum(error.severity == severity for error in errors)))


def _item_ratings(table: _Table, column: str) -> Ratings:
    collector = RatingCollector(table.name, "DA-z" if column == "z" else "DA", table.path, table.digest)
    scores = table.scores(collector.protocol)

    def add(line: int, row: list[str]) -> None:
        system, item, raw, z, count = row
        if count != "1":
            message = f"a mean of {printable(count[:40])} ratings; expected individual ratings (n = 1)"
            raise InputError(message, path=table.path, line=line)
        collector.add("unknown", system, item, scores[z if column == "z" else raw])

    table.each(add)
    return collector.ratings()


_READERS: dict[str, Callable[[_Table], Judgements]] = {
    "segment better worse": _pairs,
    "worker system segment type z": partial(_line_by_line, protocol="DA-z"),
    "annotator system item type score": partial(_line_by_line, protocol="DA+SQM"),
    "annotator system document item is_document_score score": _document_ratings,
    "system document segment domain annotator wave counted score start end minor major errors": _esa_ratings,
}
