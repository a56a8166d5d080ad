"""Predictions in the WMT26 evaluation task: JSON lines, one segment each, with the errors and scores of all systems.

    {"item_id": "official_###_eng_Latn_###_deu_Latn_###_news_###_d1_###_0",
     "task1_pred": {"A": {"errors": [{"start": 3, "end": 7, "severity": "major"}], "omission": "minor",
                          "instruction_fault": null}},
     "task2_pred": {"A": 60.0}}

`end` is exclusive. `omission` and `instruction_fault` are the severity of an error that has no position, or null. The
metric has the name of the file. A system without `task1_pred` has scores only. Scores predict ESA, from 0 to 100.
Segments are called as in the test set (`mteval-test`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assay.data import CERTAIN, NO
from assay.data.formats import Format, data_format, json_keys
from assay.data.tables.collectors import check_cells
from assay.data.tables.document_ids import ITEM, item_of, parse_item_id
from assay.data.tables.error_spans import INSTRUCTION_FAULT, MISSING
from assay.data.tables.long_table import encoded, write_packed
from assay.data.tables.misspelt import check_spelling
from assay.data.tables.names import checked_name, stem_of
from assay.data.tables.notes import table_gap_notes, unread_notes
from assay.data.tables.numbers import score_of
from assay.data.tables.skipped import SkippedRows
from assay.data.tables.spans import SpanCollector, errors_in_objects, severity_in
from assay.data.tables.written_spans import check_error, marked_outputs, marks_to_write
from assay.data.text_files import digest_of, read_lines, shown_path
from assay.errors import ConfigError, EmptyInputError, InputError, printable
from assay.files.strict_json import parse_object
from assay.lazily import numpy as np
from assay.types import Campaign, ErrorSpan, Note, NoteKind, Ratings, ScoreTable
from assay.types.note import plural
from assay.types.scoretable import SCALES

__all__ = ["WmtPredictions"]

_ERRORS, _SCORES = "task1_pred", "task2_pred"
_KNOWN = (ITEM, _ERRORS, _SCORES)
_LOW, _HIGH = SCALES["ESA"]
_FORM = "a file of WMT26"
_OMISSION = "omission"
_WITHOUT_POSITION = (_OMISSION, INSTRUCTION_FAULT)
_MARKS = ("errors", *_WITHOUT_POSITION)


@data_format("wmt-predictions")
@dataclass(frozen=True)
class WmtPredictions(Format):
    """Errors and scores by a metric."""

    suffixes = (".jsonl",)
    written_suffixes = ()

    def recognises(self, path: Path, head: str) -> int:
        keys = json_keys(head)
        return CERTAIN if ITEM in keys and keys & {_ERRORS, _SCORES} else NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        lines, notes = read_lines(path)
        shown = shown_path(path)
        if not lines:
            raise EmptyInputError("empty file", path=shown)
        collected = _Collected(stem_of(path), shown, digest_of(path))
        skipped = SkippedRows(shown, rows=len(lines))
        for number, text in enumerate(lines, 1):
            try:
                collected.add(parse_object(text, path=shown, line=number, allow_nan=True), number)
            except InputError as error:
                skipped.add_error(error, number)
        if not collected.items:
            raise EmptyInputError("no segments", path=shown)
        return tuple(collected.campaigns((*notes, *skipped.notes(), *unread_notes(shown, collected.unread, "field"))))

    def write(self, campaigns: Iterable[Campaign], path: Path) -> None:
        """The errors and scores of a metric. Segments must have the names of WMT26 (`domain_###_document_###_0`)."""
        lines = [json.dumps(line, ensure_ascii=False) + "\n" for campaign in campaigns for line in _written(campaign)]
        write_packed(path, encoded("".join(lines)))


def _written(campaign: Campaign) -> Iterator[dict[str, Any]]:
    """A line for each segment that the metric read."""
    tables = [table for table in campaign.scores if not table.is_human and table.level == "segment"]
    marked = marks_to_write(campaign, _FORM) if campaign.judged_or_predicted else None
    if len(tables) != len(campaign.scores) or len(tables) > 1 or (marked is not None and marked.is_human):
        raise ConfigError(f"{_FORM} holds what one metric predicted: errors, and scores of segments")
    named = () if campaign.testset is None else campaign.testset.items
    errors = {} if marked is None else _errors_by_segment(marked, marked.items or named)
    scores = _scores_by_segment(tables[0], tables[0].items or named) if tables else {}
    start = f"{campaign.name or 'official'}_###_{'_###_'.join(campaign.lp.split('-', 1))}"
    for name in dict.fromkeys((*named, *errors, *scores)):
        if parse_item_id(item := f"{start}_###_{name}") is None:
            raise _unnamed()
        filled = {key: found[name] for key, found in ((_ERRORS, errors), (_SCORES, scores)) if name in found}
        if filled:
            yield {ITEM: item, **filled}


def _unnamed() -> ConfigError:
    hint = "they are source_###_target_###_domain_###_document_###_number, as in the texts of the task"
    return ConfigError(f"{_FORM} names its segments, and these have no such names", hint=hint)


def _errors_by_segment(marked: Ratings, names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """By segment and system, the errors."""
    found: dict[str, dict[str, Any]] = {}
    for system, segment, errors in marked_outputs(marked):
        if segment >= len(names):
            raise _unnamed()
        found.setdefault(names[segment], {})[system] = _marks(errors, _FORM)
    return found


def _scores_by_segment(table: ScoreTable, names: Sequence[str]) -> dict[str, dict[str, float | None]]:
    """By segment and system, the score, or None."""
    if len(names) != table.values.shape[1]:
        raise _unnamed()
    columns = table.values.T.tolist()
    return {
        name: {
            system: None if math.isnan(score) else score for system, score in zip(table.systems, column, strict=True)
        }
        for name, column in zip(names, columns, strict=True)
    }


def _marks(errors: Sequence[ErrorSpan], form: str) -> dict[str, Any]:
    """The errors in an output: those with a place, and the severity of an omission and of a fault."""
    found: dict[str, Any] = {"errors": [], **dict.fromkeys(_WITHOUT_POSITION)}
    for error in errors:
        check_error(error, form)
        kind = _OMISSION if error.category == MISSING else error.category
        if error.start is not None:
            category = {"category": error.category} if error.category else {}
            place = {"start": error.start, "end": error.end, "severity": error.severity}
            found["errors"].append({**place, **category})
        elif kind not in _WITHOUT_POSITION or found[kind] is not None:
            message = f"{form} has no place for a second error without a position, or one of the category '{kind}'"
            raise ConfigError(message)
        else:
            found[kind] = error.severity
    return found


@dataclass
class _Collected:
    """The errors and scores of a metric, by test set and language pair."""

    metric: str
    path: str
    digest: str
    scores: dict[tuple[str, str], dict[str, dict[str, float]]] = field(default_factory=dict)
    """By place: system, segment → score."""
    items: dict[tuple[str, str], dict[str, str]] = field(default_factory=dict)
    """By place: segment → domain."""
    lines: dict[tuple[str, str], dict[str, int]] = field(default_factory=dict)
    """By place: system → the first line with a score of it."""
    unread: dict[str, None] = field(default_factory=dict)
    errors: SpanCollector = field(init=False)
    _seen: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.errors = SpanCollector(self.path, self.digest)

    def add(self, record: Mapping[str, Any], line: int) -> None:
        """Add a line, or nothing of it."""
        unknown = [name for name in record if name not in _KNOWN]
        absent = [name for name in _KNOWN if name not in record]
        check_spelling(unknown, absent, path=self.path, line=line, noun="field")
        marked = {name: self._errors(value, line) for name, value in self._by_system(record, _ERRORS, line).items()}
        scores = {
            name: score_of(value, path=self.path, line=line, name=f"score of '{printable(name)}'")
            for name, value in self._by_system(record, _SCORES, line).items()
        }
        item = item_of(record, self._seen, path=self.path, line=line)
        place = item.dataset, item.lp
        self.items.setdefault(place, {})[item.name] = item.domain
        self.unread |= dict.fromkeys(unknown)
        for system, score in scores.items():
            self.scores.setdefault(place, {}).setdefault(system, {})[item.name] = score
            self.lines.setdefault(place, {}).setdefault(system, line)
        for system, errors in marked.items():
            score = scores.get(system, math.nan)
            about: dict[str, Any] = {"document": item.document, "domain": item.domain, "score": score, "line": line}
            self.errors.add((*place, self.metric), system, item.name, errors, **about)

    def _by_system(self, record: Mapping[str, Any], key: str, line: int) -> dict[str, Any]:
        value = record.get(key) or {}
        if not isinstance(value, dict):
            raise InputError(f"{key} must be an object of systems", path=self.path, line=line)
        return {checked_name("system", name, path=self.path, line=line): of_system for name, of_system in value.items()}

    def _errors(self, value: Any, line: int) -> tuple[ErrorSpan, ...]:
        if not isinstance(value, dict):
            raise InputError(f"{_ERRORS} of a system must be a JSON object", path=self.path, line=line)
        if unknown := [name for name in value if name not in _MARKS]:
            message = f"unknown field '{printable(unknown[0][:40])}' in {_ERRORS}"
            raise InputError(message, path=self.path, line=line, hint=f"known: {', '.join(_MARKS)}")
        if "errors" not in value:
            message = f"no errors in {_ERRORS}"
            raise InputError(message, path=self.path, line=line, hint='write "errors": [] for an output without any')
        found = errors_in_objects(value.get("errors") or [], path=self.path, line=line)
        others = [
            ErrorSpan(kind, self._severity(kind, value[kind], line))
            for kind in _WITHOUT_POSITION
            if value.get(kind) is not None
        ]
        return (*found, *others)

    def _severity(self, kind: str, value: object, line: int) -> str:
        """The severity of an omission or a fault."""
        try:
            return severity_in(value if isinstance(value, str) else json.dumps(value), self.path, line)
        except InputError as error:
            hint = f"{kind} is the severity of such an error, or null if there is none; {error.hint}"
            raise InputError(f"{kind}: {error.problem}", path=self.path, line=line, hint=hint) from None

    def campaigns(self, notes: tuple[Any, ...]) -> Iterator[Campaign]:
        marked = {(campaign.name, campaign.lp): campaign for campaign in self.errors.campaigns(notes)}
        for place, items in self.items.items():
            tables = tuple(self._tables(place, items))
            predicted = marked.get(place)
            systems = dict.fromkeys((*self.scores.get(place, ()), *(() if predicted is None else predicted.systems)))
            about = notes if predicted is None else predicted.notes
            yield Campaign(
                *place,
                len(items),
                tuple(systems),
                (),
                None,
                scores=tables,
                predictions=() if predicted is None else predicted.predictions,
                notes=(*about, *table_gap_notes(tables), *_scale_notes(tables)),
            )

    def _tables(self, place: tuple[str, str], items: Mapping[str, str]) -> Iterator[ScoreTable]:
        """The scores of a place by segment, if there are any."""
        scores = self.scores.get(place)
        if not scores or all(math.isnan(score) for of_system in scores.values() for score in of_system.values()):
            return
        cells, values = len(items) * len(scores), sum(map(len, scores.values()))
        check_cells(cells, values, f"{plural(cells, 'cell')}, but only {plural(values, 'score')}", path=self.path)
        yield ScoreTable(
            self.metric,
            "segment",
            tuple(scores),
            np.array([[of_system.get(item, math.nan) for item in items] for of_system in scores.values()]),
            origin=self.path,
            digest=self.digest,
            items=tuple(items),
            domains=tuple(items.values()),
            lines=self.lines[place],
        )


def _scale_notes(tables: tuple[ScoreTable, ...]) -> Iterator[Note]:
    for table in tables:
        is_outside = (table.values < _LOW) | (table.values > _HIGH)
        if count := int(is_outside.sum()):
            scores = plural(table.values.size - table.gaps, "score")
            text = f"{count:,} of {scores} are outside {_LOW:g} to {_HIGH:g}, the scale that the task asks for"
            yield Note(NoteKind.SUSPECT, text, table.origin, count, "warning")
