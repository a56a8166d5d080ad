"""Appraise's export of scores: CSV without a header, in the forms of WMT17 to WMT25.

| fields | form |
|--:|---|
| 7 | user, system, item, type, source language, target language, score |
| 9 | … and start, end: segments alone |
| 11 | … document, is-document-score, start, end: segments in documents (DA+SQM) |
| 12 | … document, is-document-score, marked errors as JSON, start, end (ESA) |

Nothing in Appraise says where items begin to count: that is up to whoever made its batches. Batches of segments count
lines of the test set from 1 (WMT22), batches of documents from 0, anew in each (WMT19, WMT22) or through the test set
(WMT24). An item 0 settles it; where a file leaves it open, a note says how it was read.

Two more fields, batch and item, may follow. Types are TGT, an ordinary output, and CHK, BAD, REF, for quality control.
Systems joined by plus signs had the same output, and the score counts for each.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from assay.data.collecting import CampaignCollector, RatingCollector, TextCollector
from assay.data.fields import csv_fields, json_value
from assay.data.formats import CERTAIN, NO, Format, form
from assay.data.languages import language_pair
from assay.data.numbers import parse_score
from assay.data.spans import inclusive_spans
from assay.data.text import digest_of, read_lines, shown_path
from assay.errors import EmptyInputError, InputError, printable
from assay.types import Campaign, ErrorSpan

__all__ = ["Appraise"]

_KIND = re.compile(r"(TGT|CHK|BAD|REF)\b[\w.#-]*")
_NUMBER = re.compile(r"[0-9]{1,9}")
_FORMS = {7: "plain", 9: "timed", 11: "documents", 12: "errors"}
_HEADER = re.compile(r"user(name)?,system,", re.IGNORECASE)
_COPIES = re.compile(r"(#(bad|dup|incomplete))+$")  # marks of WMT24: the same segment, shown for quality control
_FIRST_TUTORIAL = 1_000_000
_NAMED = "items are not numbered through the test set, and go by document and item"
_IN_DOCUMENTS = ("documents", "errors")  # forms


@form("appraise")
@dataclass(frozen=True)
class Appraise(Format):
    """Scores as Appraise exports them."""

    protocol: Literal["auto", "DA", "DA+SQM", "ESA"] = "auto"
    first: int | None = None
    """The number of the first segment; none: 0 where it occurs and in the forms with documents, else 1."""

    suffixes = (".csv",)

    def recognises(self, path: Path, head: str) -> int:
        first, _, rest = head.partition("\n")
        text = rest.partition("\n")[0] if _HEADER.match(first) else first
        try:
            row = csv_fields(text.strip(), path="", line=1)
        except InputError:
            return NO
        return CERTAIN if _form_of(row) is not None and _KIND.fullmatch(row[3]) else NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        lines, notes = read_lines(path)
        shown = shown_path(path)
        rows = list(_counting(_rows(lines, shown), shown, notes))
        if not rows:
            raise EmptyInputError("there is no score", path=shown)
        digest = digest_of(path)
        by_pair: dict[str, list[_Row]] = {}
        for row in rows:
            by_pair.setdefault(row.lp, []).append(row)
        name = path.name.removesuffix(".gz").removesuffix(".csv")
        return tuple(self._campaign(name, lp, found, shown, digest, notes) for lp, found in by_pair.items())

    def _campaign(self, name: str, lp: str, rows: list[_Row], path: str, digest: str, notes: Iterable[str]) -> Campaign:
        protocol = {"plain": "DA", "timed": "DA", "documents": "DA+SQM", "errors": "ESA"}[rows[0].form]
        ratings = RatingCollector("appraise", protocol if self.protocol == "auto" else self.protocol, path, digest)
        collector = CampaignCollector(name, lp, ratings, TextCollector(path), list(notes))
        are_named = _are_named(rows)
        first, told = (0, _NAMED) if are_named else _first(rows, self.first)
        if told:
            collector.notes.append(f"{path}: {told}")
        shared = 0
        for row in rows:
            segment = -1 if row.is_document else row.name if are_named else _line(row, first, path)
            shared += len(row.systems) > 1
            for system in row.systems:
                ratings.add(
                    row.user, system, segment, row.score, kind=row.kind, errors=row.errors, document=row.document
                )
        if unscored := sum(math.isnan(row.score) for row in rows):
            collector.notes.append(f"{path}: {unscored:,} of {len(rows):,} judgements have no score")
        if shared:
            collector.notes.append(f"{path}: {shared:,} scores count for several systems each")
        return collector.campaign()


@dataclass(frozen=True, slots=True)
class _Row:
    line: int
    form: str
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
        """What to call the segment where its number is not that of a line."""
        document = _COPIES.sub("", self.document)
        return f"{document}:{self.item}" if document and _NUMBER.fullmatch(self.item) else self.item


def _rows(lines: Iterable[str], path: str) -> Iterator[tuple[str, _Row]]:
    """The rows, and what they were made from. All have one form."""
    used: str | None = None
    for line, text in enumerate(lines, 1):
        if line == 1 and _HEADER.match(text):
            continue
        row = _parsed(csv_fields(text, path=path, line=line), path, line)
        used = used or row.form
        if row.form != used:
            raise InputError("another number of fields than further up", path=path, line=line)
        yield text, row


def _counting(rows: Iterable[tuple[str, _Row]], path: str, notes: list[str]) -> Iterator[_Row]:
    """The rows that count. Left out, and noted: what is exported twice, and the tutorials of WMT24."""
    seen: set[str] = set()
    twice = tutorials = 0
    for text, row in rows:
        if row.form != "plain" and text in seen:
            twice += 1
        elif _is_tutorial(row):
            tutorials += 1
        else:
            yield row
        seen.add(text)
    if twice:
        notes.append(f"{path}: {twice:,} lines are exactly like others, to the time of day; each counts once")
    if tutorials:
        notes.append(f"{path}: {tutorials:,} scores of tutorials were left out")


def _is_tutorial(row: _Row) -> bool:
    beyond = _NUMBER.fullmatch(row.item) is None or int(row.item) >= _FIRST_TUTORIAL
    return beyond and "tutorial" in row.document


def _form_of(row: list[str]) -> str | None:
    if len(row) == 11 and row[8] not in ("True", "False"):
        return "timed"  # with batch and item
    return _FORMS.get(len(row)) or _FORMS.get(len(row) - 2)


def _parsed(row: list[str], path: str, line: int) -> _Row:
    form_name = _form_of(row)
    if form_name is None:
        hint = "fields are separated by commas: user, system, item, type, languages, score, …"
        raise InputError(f"{len(row)} fields, not 7, 9, 11 or 12", path=path, line=line, hint=hint)
    user, joined, item, kind = (text.strip() for text in row[:4])
    systems = tuple(name.strip() for name in joined.split("+"))
    if not user or not item or not all(systems) or len(set(systems)) < len(systems):
        raise InputError("the user, the item or a system has no name, or one comes twice", path=path, line=line)
    if _KIND.fullmatch(kind) is None:
        raise InputError(f"the type '{printable(kind[:40])}' is none of TGT, CHK, BAD, REF", path=path, line=line)
    score = parse_score(row[6], path=path, line=line)
    if score < 0 or score > 100:
        raise InputError(f"the score {score:g} is not between 0 and 100", path=path, line=line)
    parsed = _Row(line, form_name, user, systems, item, kind, _pair(row, path, line), score)
    return parsed if form_name in ("plain", "timed") else _with_document(parsed, row, path)


def _pair(row: list[str], path: str, line: int) -> str:
    return language_pair(row[4], row[5], path=path, line=line)


def _with_document(parsed: _Row, row: list[str], path: str) -> _Row:
    document, is_document = row[7].strip(), row[8].strip()
    if is_document not in ("True", "False") or not document:
        what = f"is-document-score is '{printable(is_document[:40])}', not True or False, or the document has no name"
        raise InputError(what, path=path, line=parsed.line)
    errors: tuple[ErrorSpan, ...] = ()
    if parsed.form == "errors":
        errors = inclusive_spans(json_value(row[9], path=path, line=parsed.line), path=path, line=parsed.line)
    return replace(parsed, document=document, is_document=is_document == "True", errors=errors)


def _first(rows: Iterable[_Row], given: int | None) -> tuple[int, str]:
    """The number of the first line of the test set, and what to say of it where the file does not tell."""
    counted = [row for row in rows if not row.is_document]
    if given is not None or not counted:
        return given or 0, ""
    lowest = min(int(row.item) for row in counted)
    if counted[0].form not in _IN_DOCUMENTS:
        return min(lowest, 1), "items count from 0, not from 1 as in most such files" if lowest == 0 else ""
    told = []
    if lowest > 0:
        told.append(f"no item is 0, the lowest is {lowest}: they were counted from 0 (from 1: --form appraise:first=1)")
    if len({_COPIES.sub("", row.document) for row in counted}) == 1:
        told.append("all are of one document, so items may count in it; they were taken for lines of the test set")
    return 0, "; ".join(told)


def _line(row: _Row, first: int, path: str) -> int:
    """The number of a line of the test set, from 0."""
    number = int(row.item) - first
    if number < 0:
        hint = "say where the count begins: --form appraise:first=0"
        raise InputError(f"item {row.item} comes before the first, {first}", path=path, line=row.line, hint=hint)
    return number


def _are_named(rows: Iterable[_Row]) -> bool:
    """Whether items are names, or numbers that begin anew in each document."""
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
