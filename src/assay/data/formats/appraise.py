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
control. Systems joined by plus signs had the same output; each gets the score. Marks at the end of a document
(`#bad3`, `#dup`, `#incomplete`) stay in its name, but do not count as another document. WMT24 writes the domain into
the document: `test-en-news_…`. Tutorials rate no system; they are left out and counted.
"""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from assay.data import CERTAIN, NO
from assay.data.formats import Format, data_format
from assay.data.tables.collectors import check_numbering
from assay.data.tables.error_spans import MISSING, inclusive_spans
from assay.data.tables.fields import csv_fields
from assay.data.tables.languages import language_pair
from assay.data.tables.names import check_names_in_file, domain_in, stem_of
from assay.data.tables.numbers import check_scale, parse_score
from assay.data.tables.parsed_once import Numbered, ParsedOnce
from assay.data.tables.skipped import SkippedRows
from assay.data.text_files import digest_of, read_lines, shown_path
from assay.errors import EmptyInputError, InputError, option_name, printable
from assay.files.strict_json import parse_json
from assay.types import Campaign, ErrorSpan, FloatArray, IntArray, Note, NoteKind, Ratings
from assay.types.judgements import CHARACTERS, UTF16
from assay.types.note import plural

__all__ = ["Appraise"]

_KIND = re.compile(r"(TGT|CHK|BAD|REF)\b[\w.#-]*")
_NUMBER = re.compile(r"[0-9]{1,9}")
_FLAGS = ("False", "True")
_HEADER = re.compile(r"user(name)?,system,", re.IGNORECASE)
_COPIES = re.compile(r"(#(bad\d*|dup|incomplete))+$")  # copies of a document shown for quality control, or again
_FIRST_TUTORIAL = 1_000_000
_NAMED = "items are not numbered through the test set; segments are named by document and item"
_PROTOCOLS = {"plain": "DA", "timed": "DA", "documents": "DA+SQM", "errors": "ESA"}
_FIELDS = {"plain": 7, "timed": 9, "documents": 11, "errors": 12}
_LAYOUTS = {count: layout for layout, count in _FIELDS.items()}
_IN_DOCUMENTS = ("documents", "errors")  # layouts


@data_format("appraise")
@dataclass(frozen=True)
class Appraise(Format):
    """Scores as Appraise exports them."""

    protocol: Literal["auto", "DA", "DA+SQM", "ESA", "MQM"] = "auto"
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
        if not lines or (len(lines) == 1 and _HEADER.match(lines[0])):
            raise EmptyInputError("no scores", path=shown)
        export, digest = _Export(shown), digest_of(path)
        export.collect(lines, 2 if _HEADER.match(lines[0]) else 1, notes)
        del lines  # the largest part of a large file
        name = stem_of(path)
        return tuple(self._campaign(name, lp, rows, shown, digest, notes) for lp, rows in export.by_pair(notes))

    def _campaign(self, name: str, lp: str, rows: _Rows, path: str, digest: str, notes: Iterable[Note]) -> Campaign:
        all_notes = list(notes)
        segment, items, remarks = rows.segments(self.first)
        all_notes += (Note(NoteKind.PROVENANCE, remark, path) for remark in remarks)
        is_mqm = any(error.category not in ("", MISSING) for errors in rows.errors for error in errors)
        protocol = self.protocol if self.protocol != "auto" else "MQM" if is_mqm else _PROTOCOLS[rows.layout]
        score = rows.score
        if protocol == "MQM" and not score.any():
            score = np.full_like(score, np.nan)  # the interface asks for errors only, and the export says 0
        elif unscored := int(np.isnan(score).sum()):
            text = f"{unscored:,} of {plural(len(score), 'judgement')} without a score"
            all_notes.append(Note(NoteKind.MISSING, text, path, unscored))
        index, systems, system = rows.systems(path, all_notes)
        if not items:
            check_numbering(segment, len(systems), path=path)
        raters, rater = _in_order(rows.rater[index], rows.export.users.values_in_order)
        kind, document = rows.texts(rows.kind, index, "kinds"), rows.texts(rows.document, index, "documents")
        domains = {name: domain_in(name) for name in set(document)}
        ratings = Ratings(
            name="appraise",
            protocol=protocol,
            raters=raters,
            systems=systems,
            rater=rater,
            system=system,
            segment=segment[index],
            score=score[index],
            kind=kind if set(kind) != {"TGT"} else (),
            errors=tuple(rows.errors[i] for i in index.tolist()) if rows.layout == "errors" else (),
            document=document if any(domains) else (),
            origin=path,
            digest=digest,
            items=items,
            domain=tuple(domains[name] for name in document) if any(domains.values()) else (),
            time=rows.time[index] if np.isfinite(rows.time).any() else None,
            offsets=UTF16 if rows.layout == "errors" else CHARACTERS,
        )
        segments = len(items) or int(segment.max()) + 1
        return Campaign(name, lp, segments, systems, (), None, judgements=(ratings,), notes=tuple(all_notes))


def _layout_of(row: Sequence[str]) -> str | None:
    if len(row) == 11 and row[8] not in _FLAGS:
        return "timed"  # with batch and item
    return _LAYOUTS.get(len(row)) or _LAYOUTS.get(len(row) - 2)


class _Export:
    """The columns of a file: numbers in arrays, and every text once."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.line = 0
        self.layout = ""
        self.users = Numbered(partial(self._name, "user"))
        self.systems = Numbered(self._systems)
        self.items = Numbered(partial(self._name, "item"))
        self.kinds = Numbered(self._kind)
        self.pairs = Numbered(self._pair)
        self.documents = Numbered(partial(self._name, "document"))
        self.scores = ParsedOnce(self._score)
        self.spans = ParsedOnce(self._spans)
        self.codes: array[int] = array("q")
        """By row: user, systems, item, type, language pair, document, whether it is a document's score, and line."""
        self.score: array[float] = array("d")
        self.time: array[float] = array("d")
        self.errors: list[tuple[ErrorSpan, ...]] = []

    def collect(self, lines: Sequence[str], first: int, notes: list[Note]) -> None:
        """Read the lines from number `first` on. Judgements that were exported twice count once."""
        seen: set[str] = set()
        repeats = 0
        skipped = SkippedRows(self.path, rows=len(lines) - first + 1)
        for self.line, text in enumerate(lines[first - 1 :], first):
            if text in seen and self.layout != "plain":
                repeats += 1
                continue
            seen.add(text)
            try:
                self._add(csv_fields(text, path=self.path, line=self.line))
            except InputError as error:
                skipped.add_error(error, self.line)
        if repeats:
            text = f"{plural(repeats, 'duplicate line')} removed (same judgement, same time)"
            notes.append(Note(NoteKind.DUPLICATE, text, self.path, repeats))
        notes += skipped.notes()

    def _add(self, row: list[str]) -> None:
        layout = self._layout(row)
        document, is_whole = 0, 0
        errors: tuple[ErrorSpan, ...] = ()
        values = self.users[row[0]], self.systems[row[1]], self.items[row[2]], self.kinds[row[3]]
        pair, score = self.pairs[f"{row[4]},{row[5]}"], self.scores[row[6]]
        if layout in _IN_DOCUMENTS:
            document, is_whole = self.documents[row[7]], self._flag(row[8])
            errors = self.spans[row[9]] if layout == "errors" else errors
        self.layout = layout
        self.codes.extend((*values, pair, document, is_whole, self.line))
        self.score.append(score)
        self.time.append(math.nan if layout == "plain" else _time_of(row[_FIELDS[layout] - 1]))
        self.errors.append(errors)

    def _layout(self, row: list[str]) -> str:
        layout = _layout_of(row)
        if layout is None:
            hint = "separate fields by commas: user, system, item, type, languages, score, …"
            raise self._error(f"expected 7, 9, 11 or 12 fields, not {len(row)}", hint)
        if layout != (self.layout or layout):
            raise self._error("a different number of fields than in earlier lines")
        return layout

    def _error(self, message: str, hint: str | None = None) -> InputError:
        return InputError(message, path=self.path, line=self.line, hint=hint)

    def _name(self, column: str, text: str) -> str:
        if not (name := text.strip()):
            raise self._error(f"the {column} has no name")
        return name

    def _systems(self, text: str) -> tuple[str, ...]:
        systems = tuple(name.strip() for name in text.split("+"))
        if not all(systems) or len(set(systems)) < len(systems):
            raise self._error("a system has no name, or occurs twice")
        return systems

    def _kind(self, text: str) -> str:
        kind = text.strip()
        if _KIND.fullmatch(kind) is None:
            raise self._error(f"the type must be TGT, CHK, BAD or REF, not '{printable(kind[:40])}'")
        return kind

    def _pair(self, text: str) -> str:
        source, _, target = text.partition(",")
        return language_pair(source, target, path=self.path, line=self.line)

    def _score(self, text: str) -> float:
        score = parse_score(text, path=self.path, line=self.line)
        return check_scale(score, "DA", path=self.path, line=self.line)

    def _flag(self, text: str) -> int:
        if text == "False":  # nearly always
            return 0
        flag = text.strip()
        if flag not in _FLAGS:
            raise self._error(f"is-document-score must be True or False, not '{printable(flag[:40])}'")
        return _FLAGS.index(flag)

    def _spans(self, text: str) -> tuple[ErrorSpan, ...]:
        return inclusive_spans(parse_json(text, path=self.path, line=self.line), path=self.path, line=self.line)

    def columns(self) -> IntArray:
        """The codes by column."""
        return np.frombuffer(self.codes, dtype=np.int64).reshape(-1, 8).T

    def by_pair(self, notes: list[Note]) -> Iterator[tuple[str, _Rows]]:
        """The rows of each language pair without tutorials, which are all_notes."""
        is_tutorial = self._tutorials()
        if count := int(is_tutorial.sum()):
            notes.append(Note(NoteKind.EXCLUDED, f"{plural(count, 'tutorial score')} excluded", self.path, count))
        if is_tutorial.all():
            raise EmptyInputError("no scores", path=self.path)
        pair = self.columns()[4]
        for number, lp in enumerate(self.pairs.values_in_order):
            rows = np.flatnonzero((pair == number) & ~is_tutorial)
            if len(rows):
                yield str(lp), _Rows.of(self, rows)

    def _tutorials(self) -> npt.NDArray[np.bool_]:
        """Which rows are of a tutorial: an item beyond the test set, or a document that is its own system."""
        mask = np.zeros(len(self.score), dtype=np.bool_)
        documents, systems = self.documents.values_in_order, self.systems.values_in_order
        items = self.items.values_in_order
        suspects = [number for number, name in enumerate(documents) if "tutorial" in str(name)]
        _, system, item, _, _, document, _, _ = self.columns()
        for row in np.flatnonzero(np.isin(document, suspects)).tolist():
            text = str(items[item[row]])
            is_beyond = _NUMBER.fullmatch(text) is None or int(text) >= _FIRST_TUTORIAL
            mask[row] = is_beyond or systems[system[row]] == (documents[document[row]],)
        return mask


@dataclass(frozen=True)
class _Rows:
    """The rows of a language pair."""

    export: _Export
    rater: IntArray
    group: IntArray
    item: IntArray
    kind: IntArray
    document: IntArray
    is_whole: npt.NDArray[np.bool_]
    line: IntArray
    score: FloatArray
    time: FloatArray
    errors: list[tuple[ErrorSpan, ...]]

    @classmethod
    def of(cls, export: _Export, rows: IntArray) -> _Rows:
        rater, group, item, kind, _, document, is_whole, line = (column[rows] for column in export.columns())
        score, time = np.array(export.score)[rows], np.array(export.time)[rows]
        errors = [export.errors[row] for row in rows.tolist()]
        return cls(export, rater, group, item, kind, document, is_whole == 1, line, score, time, errors)

    @property
    def layout(self) -> str:
        return self.export.layout

    def texts(self, codes: IntArray, index: IntArray, column: str) -> tuple[str, ...]:
        """The texts of a column of the export, by row."""
        values = getattr(self.export, column).values_in_order
        return tuple(str(values[code]) for code in codes[index].tolist()) if values else ("",) * len(index)

    def systems(self, path: str, notes: list[Note]) -> tuple[IntArray, tuple[str, ...], IntArray]:
        """The row and the system of each rating, and the names of the systems."""
        groups: list[tuple[str, ...]] = self.export.systems.values_in_order  # type: ignore[assignment]
        sizes = np.array([len(names) for names in groups])[self.group]
        index = np.repeat(np.arange(len(self.group)), sizes)
        if shared := int((sizes > 1).sum()):
            text = f"{plural(shared, 'score')} of several systems with the same output"
            notes.append(Note(NoteKind.PROVENANCE, text, path, shared))
        names = list(dict.fromkeys(name for names in groups for name in names))
        number = {name: i for i, name in enumerate(names)}
        members = [[number[name] for name in names] for names in groups]
        flat = np.array([code for codes in members for code in codes])
        starts = np.cumsum([0, *map(len, members[:-1])])
        place = np.arange(len(index)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        systems, system = _in_order(flat[starts[self.group[index]] + place], names)
        check_names_in_file("system", systems, path=path)
        return index, systems, system

    def segments(self, first: int | None) -> tuple[IntArray, tuple[str, ...], list[str]]:
        """The segment of each row, the names of the segments if they have any, and remarks."""
        items = [str(value) for value in self.export.items.values_in_order]
        numbers = np.array([int(text) if _NUMBER.fullmatch(text) else -1 for text in items])[self.item]
        documents = [str(value) for value in self.export.documents.values_in_order] or [""]
        bases, base_of = np.unique([_COPIES.sub("", name) for name in documents], return_inverse=True)
        base = base_of[self.document]
        rated = ~self.is_whole
        if self._are_named(numbers[rated], base[rated]):
            names, codes = _in_order(base[rated] * len(items) + self.item[rated])
            labels = [_label(str(bases[code // len(items)]), items[code % len(items)]) for code in map(int, names)]
            unique = {label: number for number, label in enumerate(dict.fromkeys(labels))}
            segment = np.full(len(self.item), -1)
            segment[rated] = np.array([unique[label] for label in labels])[codes]
            return segment, tuple(unique), [_NAMED]
        start, remarks = _first(numbers[rated], first, self.layout, len(np.unique(base[rated])))
        segment = np.where(rated, numbers - start, -1)
        if (segment < -self.is_whole.astype(np.int64)).any():
            row = int(np.argmax((segment < 0) & rated))
            hint = f"give the number of the first item: {option_name('input_format', 'appraise:first=0')}"
            message = f"item {items[self.item[row]]} is before the first item, {start}"
            raise InputError(message, path=self.export.path, line=int(self.line[row]), hint=hint)
        return segment, (), remarks

    @staticmethod
    def _are_named(numbers: IntArray, base: IntArray) -> bool:
        """Whether items are names, or are numbered within each document."""
        if (numbers < 0).any():
            return True
        places = np.unique(numbers * (1 + base.max(initial=0)) + base)
        return len(places) > len(np.unique(numbers))


def _in_order(codes: IntArray, values: Sequence[object] | None = None) -> tuple[tuple[str, ...], IntArray]:
    """The distinct codes, or their values, in order of appearance, and the position of each code among them."""
    distinct, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    position = np.empty(len(order), dtype=np.int64)
    position[order] = np.arange(len(order))
    names = distinct[order].tolist()
    return tuple(str(code if values is None else values[code]) for code in names), position[inverse]


def _label(document: str, item: str) -> str:
    return f"{document}:{item}" if document and _NUMBER.fullmatch(item) else item


def _first(numbers: IntArray, first: int | None, layout: str, documents: int) -> tuple[int, list[str]]:
    """The item number of the first line of the test set, and remarks if the file leaves it open."""
    if first is not None or not len(numbers):
        return first or 0, []
    lowest = int(numbers.min())
    if layout not in _IN_DOCUMENTS:
        return min(lowest, 1), ["items are numbered from 0, not from 1 as usual"] if lowest == 0 else []
    remarks = []
    if lowest > 0:
        override = f"if it is segment {lowest}: {option_name('input_format', 'appraise:first=1')}"
        remarks.append(f"no item 0: item {lowest} was read as segment {lowest + 1}; {override}")
    if documents == 1:
        remarks.append("only one document: items were read as lines of the test set, not of the document")
    return 0, remarks


def _time_of(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
