"""Appraise's export of scores: CSV without a header, in the layouts of WMT17 to WMT25.

| fields | layout |
|--:|---|
| 7 | user, system, item, type, source language, target language, score |
| 9 | … and start, end: segments alone |
| 11 | … document, is-document-score, start, end: segments in documents (DA+SQM) |
| 12 | … document, is-document-score, marked errors as JSON, start, end (ESA) |

The first item number depends on how the tasks were created. Tasks of segments number the lines of the test set from 1
(WMT22); tasks of documents number from 0, within each document (WMT19, WMT22) or through the test set (WMT24). An item
0 settles the question; if a file leaves it open, a note says how it was read.

Two more fields, batch and item, may follow. Types are TGT, an ordinary output, and CHK, BAD and REF for quality
control. Systems joined by plus signs had the same output; each gets the score.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from assay.data.certainty import CERTAIN, NO
from assay.data.formats import Format, data_format
from assay.data.tables.collectors import CampaignCollector, RatingCollector, TextCollector
from assay.data.tables.error_spans import inclusive_spans
from assay.data.tables.fields import csv_fields
from assay.data.tables.languages import language_pair
from assay.data.tables.notes import plural
from assay.data.tables.numbers import parse_score
from assay.data.text_files import digest_of, read_lines, shown_path
from assay.errors import EmptyInputError, InputError, printable
from assay.strict_json import parse_json
from assay.types import Campaign, ErrorSpan, Note, NoteKind

__all__ = ["Appraise"]

_KIND = re.compile(r"(TGT|CHK|BAD|REF)\b[\w.#-]*")
_NUMBER = re.compile(r"[0-9]{1,9}")
_LAYOUTS = {7: "plain", 9: "timed", 11: "documents", 12: "errors"}
_HEADER = re.compile(r"user(name)?,system,", re.IGNORECASE)
_COPIES = re.compile(r"(#(bad|dup|incomplete))+$")  # WMT24: copies of a segment shown for quality control
_FIRST_TUTORIAL = 1_000_000
_NAMED = "items are not numbered through the test set; segments are named by document and item"
_IN_DOCUMENTS = ("documents", "errors")  # layouts


@data_format("appraise")
@dataclass(frozen=True)
class Appraise(Format):
    """Scores as Appraise exports them."""

    protocol: Literal["auto", "DA", "DA+SQM", "ESA"] = "auto"
    first: int | None = None
    """The number of the first segment. Default: 0 if it occurs or if the layout has documents, else 1."""

    suffixes = (".csv",)

    def recognises(self, path: Path, head: str) -> int:
        first, _, rest = head.partition("\n")
        text = rest.partition("\n")[0] if _HEADER.match(first) else first
        try:
            row = csv_fields(text.strip(), path="", line=1)
        except InputError:
            return NO
        return CERTAIN if _layout_of(row) is not None and _KIND.fullmatch(row[3]) else NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        lines, notes = read_lines(path)
        shown = shown_path(path)
        rows = list(_without_repeats(_rows(lines, shown), shown, notes))
        if not rows:
            raise EmptyInputError("no scores", path=shown)
        digest = digest_of(path)
        by_pair: dict[str, list[_Row]] = {}
        for row in rows:
            by_pair.setdefault(row.lp, []).append(row)
        name = path.name.removesuffix(".gz").removesuffix(".csv")
        return tuple(self._campaign(name, lp, rows, shown, digest, notes) for lp, rows in by_pair.items())

    def _campaign(
        self, name: str, lp: str, rows: list[_Row], path: str, digest: str, notes: Iterable[Note]
    ) -> Campaign:
        protocol = {"plain": "DA", "timed": "DA", "documents": "DA+SQM", "errors": "ESA"}[rows[0].layout]
        ratings = RatingCollector("appraise", protocol if self.protocol == "auto" else self.protocol, path, digest)
        collector = CampaignCollector(name, lp, ratings, TextCollector(path), list(notes))
        are_named = _are_named(rows)
        first, remarks = (0, [_NAMED]) if are_named else _first(rows, self.first)
        collector.notes += (Note(NoteKind.PROVENANCE, remark, path) for remark in remarks)
        shared = 0
        for row in rows:
            segment = -1 if row.is_document else row.name if are_named else _line(row, first, path)
            shared += len(row.systems) > 1
            for system in row.systems:
                ratings.add(
                    row.user, system, segment, row.score, kind=row.kind, errors=row.errors, document=row.document
                )
        if unscored := sum(math.isnan(row.score) for row in rows):
            text = f"{unscored:,} of {plural(len(rows), 'judgement')} without a score"
            collector.notes.append(Note(NoteKind.MISSING, text, path, unscored))
        if shared:
            text = f"{plural(shared, 'score')} of several systems with the same output"
            collector.notes.append(Note(NoteKind.PROVENANCE, text, path, shared))
        return collector.campaign()


@dataclass(frozen=True, slots=True)
class _Row:
    line: int
    layout: str
    user: str
    systems: tuple[str, ...]
    item: str
    kind: str
    lp: str
    score: float
    document: str = ""
    is_document: bool = False
    errors: tuple[ErrorSpan, ...] = ()

    @property
    def name(self) -> str:
        """The name of the segment, if its number is not a line of the test set."""
        document = _COPIES.sub("", self.document)
        return f"{document}:{self.item}" if document and _NUMBER.fullmatch(self.item) else self.item


def _rows(lines: Iterable[str], path: str) -> Iterator[tuple[str, _Row]]:
    """The lines and their rows. All must have the same layout."""
    layout: str | None = None
    for line, text in enumerate(lines, 1):
        if line == 1 and _HEADER.match(text):
            continue
        row = _parsed(csv_fields(text, path=path, line=line), path, line)
        layout = layout or row.layout
        if row.layout != layout:
            raise InputError("a different number of fields than in earlier lines", path=path, line=line)
        yield text, row


def _without_repeats(rows: Iterable[tuple[str, _Row]], path: str, notes: list[Note]) -> Iterator[_Row]:
    """The rows without judgements that were exported twice and tutorials of WMT24, which are noted."""
    seen: set[str] = set()
    repeats = tutorials = 0
    for text, row in rows:
        if row.layout != "plain" and text in seen:
            repeats += 1
        elif _is_tutorial(row):
            tutorials += 1
        else:
            yield row
        seen.add(text)
    if repeats:
        text = f"{plural(repeats, 'duplicate line')} removed (same judgement, same time)"
        notes.append(Note(NoteKind.DUPLICATE, text, path, repeats))
    if tutorials:
        text = f"{plural(tutorials, 'tutorial score')} excluded"
        notes.append(Note(NoteKind.EXCLUDED, text, path, tutorials))


def _is_tutorial(row: _Row) -> bool:
    beyond = _NUMBER.fullmatch(row.item) is None or int(row.item) >= _FIRST_TUTORIAL
    return beyond and "tutorial" in row.document


def _layout_of(row: list[str]) -> str | None:
    if len(row) == 11 and row[8] not in ("True", "False"):
        return "timed"  # with batch and item
    return _LAYOUTS.get(len(row)) or _LAYOUTS.get(len(row) - 2)


def _parsed(row: list[str], path: str, line: int) -> _Row:
    layout = _layout_of(row)
    if layout is None:
        hint = "separate fields by commas: user, system, item, type, languages, score, …"
        raise InputError(f"expected 7, 9, 11 or 12 fields, not {len(row)}", path=path, line=line, hint=hint)
    user, joined, item, kind = (text.strip() for text in row[:4])
    systems = tuple(name.strip() for name in joined.split("+"))
    if not user or not item or not all(systems) or len(set(systems)) < len(systems):
        raise InputError("the user, the item or a system has no name, or a system occurs twice", path=path, line=line)
    if _KIND.fullmatch(kind) is None:
        raise InputError(f"the type must be TGT, CHK, BAD or REF, not '{printable(kind[:40])}'", path=path, line=line)
    score = parse_score(row[6], path=path, line=line)
    if score < 0 or score > 100:
        raise InputError(f"the score {score:g} must be between 0 and 100", path=path, line=line)
    pair = language_pair(row[4], row[5], path=path, line=line)
    parsed = _Row(line, layout, user, systems, item, kind, pair, score)
    return parsed if layout in ("plain", "timed") else _with_document(parsed, row, path)


def _with_document(parsed: _Row, row: list[str], path: str) -> _Row:
    document, is_document = row[7].strip(), row[8].strip()
    if is_document not in ("True", "False"):
        message = f"is-document-score must be True or False, not '{printable(is_document[:40])}'"
        raise InputError(message, path=path, line=parsed.line)
    if not document:
        raise InputError("the document has no name", path=path, line=parsed.line)
    errors: tuple[ErrorSpan, ...] = ()
    if parsed.layout == "errors":
        errors = inclusive_spans(parse_json(row[9], path=path, line=parsed.line), path=path, line=parsed.line)
    return replace(parsed, document=document, is_document=is_document == "True", errors=errors)


def _first(rows: Iterable[_Row], first: int | None) -> tuple[int, list[str]]:
    """The item number of the first line of the test set, and remarks if the file leaves it open."""
    numbered = [row for row in rows if not row.is_document]
    if first is not None or not numbered:
        return first or 0, []
    lowest = min(int(row.item) for row in numbered)
    if numbered[0].layout not in _IN_DOCUMENTS:
        return min(lowest, 1), ["items are numbered from 0, not from 1 as usual"] if lowest == 0 else []
    remarks = []
    if lowest > 0:
        override = "--input-format appraise:first=1"
        remarks.append(f"the lowest item is {lowest}; items were numbered from 0 (to number from 1: {override})")
    if len({_COPIES.sub("", row.document) for row in numbered}) == 1:
        remarks.append("only one document: items were read as lines of the test set, not of the document")
    return 0, remarks


def _line(row: _Row, first: int, path: str) -> int:
    """The line of the test set, from 0."""
    number = int(row.item) - first
    if number < 0:
        hint = "give the number of the first item: --input-format appraise:first=0"
        raise InputError(f"item {row.item} is before the first item, {first}", path=path, line=row.line, hint=hint)
    return number


def _are_named(rows: Iterable[_Row]) -> bool:
    """Whether items are names, or are numbered within each document."""
    documents: dict[str, str] = {}
    for row in rows:
        if row.is_document:
            continue
        if _NUMBER.fullmatch(row.item) is None:
            return True
        document = _COPIES.sub("", row.document)
        if documents.setdefault(row.item, document) != document:
            return True
    return False
