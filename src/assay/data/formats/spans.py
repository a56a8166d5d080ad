"""Errors as programs save them, with the keys that xCOMET uses: `start`, `end` (exclusive) and `severity`.

| a file has | which is |
|---|---|
| `[[{"start": 3, "end": 7, "severity": "minor"}], [], …]` | JSON: a list of errors for each segment, in order |
| `[{"start": 3, …}]` in each line | JSON lines: a list for each segment, in order |
| `{"error_spans": […], "system": "A", "segment": 4}` in each line | JSON lines: objects with such a list |
| columns `start`, `end`, `severity`, perhaps `system`, `segment`, `category` | CSV or TSV: one error a row |

Segments are numbered from 1, or have names; those without either are in order. A row of a table with neither a place
nor a severity, or with the severity `no-error`, is an output in which the metric found no error. A row with a place but
no severity is faulty, and its output is left out. An output without a row is one that the metric did not read. The
metric has the name of the file; so has the system, if no line names it and there is no option `system`.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from assay.data import CERTAIN, NO
from assay.data.formats import Format, data_format, has_suffix, json_keys
from assay.data.tables.error_spans import CATEGORY_KEYS
from assay.data.tables.headers import ALIASES
from assay.data.tables.long_table import encoded, write_packed
from assay.data.tables.misspelt import check_spelling
from assay.data.tables.names import stem_of
from assay.data.tables.notes import unread_notes
from assay.data.tables.numbers import parse_index, score_of
from assay.data.tables.roles import RATERS, SPAN_COLUMNS
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
from assay.data.tables.spans import SpanCollector, errors_in_objects
from assay.data.text_files import digest_of, read_lines, read_text, shown_path
from assay.errors import ConfigError, EmptyInputError, InputError
from assay.files.strict_json import parse_json
from assay.types import Campaign, ErrorSpan, Ratings
from assay.types.severity import Severity

__all__ = ["SpanFile"]

_LISTS = ("error_spans", "errors", "spans", "error_span", "errorSpans")
_SYSTEM, _SOURCE, _OUTPUT = (ALIASES[name] for name in ("system", "source", "output"))
_SEGMENT = ("item", *(name for name in ALIASES["segment"] if name != "id"))  # which may be of anything
_SCORE = ("score", "COMET", "prediction")
_LIST_OF_LISTS = re.compile(r"\s*\[\s*\[")


@data_format("spans")
@dataclass(frozen=True)
class SpanFile(Format):
    """Errors that a metric predicted. `system` is the system of a file that names none (default: the file's name)."""

    system: str = ""

    suffixes = (".json", ".jsonl", ".csv", ".tsv")
    written_suffixes = (".spans.csv", ".spans.tsv")
    names_systems = False

    def recognises(self, path: Path, head: str) -> int:
        text = head.removeprefix("\ufeff")
        first = text.partition("\n")[0].rstrip("\r")
        if has_suffix(path, (".csv", ".tsv")):
            return CERTAIN if is_span_table(first, path) and not raters_in(span_names(first, path)) else NO
        is_list = _LIST_OF_LISTS.match(text) or (first.startswith("[") and not first.startswith('[{"src"'))
        if not is_list and _is_object(json_keys(text)):
            return CERTAIN
        return CERTAIN if is_list and '"severity"' in text and '"start' in text and '"mt"' not in text else NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        shown, name = shown_path(path), stem_of(path)
        collector = SpanCollector(shown, digest_of(path))
        if has_suffix(path, (".csv", ".tsv")):
            lines, notes = read_lines(path)
            unread = sorted(_unread(lines, path))
            check_spelling(unread, _absent(lines, path), path=shown, line=1)
            rows, repeats = without_repeats(span_rows(lines, path, shown), shown)
            notes += (*unread_notes(shown, unread), *repeats)
            skipped = SkippedRows(shown, rows=len(lines) - 1)
            outputs = _of_rows(rows, self.system or name, shown, skipped)
        else:
            text, notes = read_text(path)
            objects = _json_objects(text, path)
            skipped = SkippedRows(shown, rows=len(objects))
            outputs = _of_objects(objects, self.system or name, shown, skipped)
        for output in outputs:
            try:
                _add(collector, name, output, shown)
            except InputError as error:
                skipped.add_error(error, output.line)
        campaigns = tuple(collector.campaigns((*notes, *skipped.notes())))
        if not campaigns:
            raise EmptyInputError("no segments", path=shown)
        return campaigns

    def write(self, campaigns: Iterable[Campaign], path: Path) -> None:
        written = list(campaigns)
        if any(campaign.testset is not None or campaign.scores for campaign in written):
            raise ConfigError(
                "a file of errors cannot hold texts and scores", hint="write only the errors: only=judgements"
            )
        marked = [each for campaign in written for each in campaign.judged_or_predicted]
        ratings = marked[0] if marked else None
        if len(marked) != 1 or not isinstance(ratings, Ratings) or not ratings.errors or len(ratings.raters) > 1:
            hint = "errors of several: all.judgements.jsonl"
            raise ConfigError("a file of errors holds those of one metric or rater in one language pair", hint=hint)
        is_odd = (errors is None or any(e.in_source or not e.severity for e in errors) for errors in ratings.errors)
        if any(is_odd):
            message = (
                "a file of errors has no place for errors in the source, errors without a severity, and scores alone"
            )
            raise ConfigError(message, hint="write all.judgements.jsonl")
        rows = [("system", "segment", "start", "end", "severity", "category"), *_rows_of(ratings)]
        text = io.StringIO(newline="")
        if has_suffix(path, (".tsv",)):
            text.write("".join("\t".join(row) + "\n" for row in rows))
        else:
            csv.writer(text, lineterminator="\n").writerows(rows)
        write_packed(path, encoded(text.getvalue()))


def _rows_of(ratings: Ratings) -> Iterator[tuple[str, str, str, str, str, str]]:
    """An error a row, and one without an error for an output in which there is none."""
    for system, segment, errors in zip(ratings.system.tolist(), ratings.segment.tolist(), ratings.marks, strict=True):
        place = ratings.systems[system], ratings.items[segment] if ratings.items else str(segment + 1)
        if not errors:
            yield *place, "", "", Severity.NO_ERROR, ""
        for error in errors:
            start, end = ("", "") if error.start is None else (str(error.start), str(error.end))
            yield *place, start, end, error.severity, error.category


def _is_object(keys: set[str]) -> bool:
    """Whether these are the keys of an object with errors of an output; with a rater, it would be a judgement."""
    return keys >= {"system", "segment"} and not keys.isdisjoint(_LISTS) and "rater" not in keys


def _unread(lines: Sequence[str], path: Path) -> set[str]:
    known = SPAN_COLUMNS.union(_SYSTEM, _SEGMENT, CATEGORY_KEYS, ("text", "confidence"))
    return {name for name in span_names(lines[0], path) if name not in known} if lines else set()


def _absent(lines: Sequence[str], path: Path) -> list[str]:
    """Names of columns that the table could have had. With a rater, the errors would be those of people."""
    names = {*span_names(lines[0], path)} if lines else set()
    return [name for known in (RATERS, _SYSTEM, _SEGMENT, CATEGORY_KEYS) if names.isdisjoint(known) for name in known]


class _Output(NamedTuple):
    """What a file says of an output."""

    system: str
    segment: int | str
    """Its number from 0, or its name."""
    errors: list[ErrorSpan]
    fields: Mapping[str, Any]
    line: int
    """Where the file first says something of it."""


def _of_rows(
    rows: Iterable[tuple[int, dict[str, str]]], name: str, path: str, skipped: SkippedRows
) -> Iterator[_Output]:
    """The errors of the rows, gathered by output. Without a faulty row an output would have fewer: it is left out."""
    gathered: dict[tuple[str, str], _Output] = {}
    faulty: set[tuple[str, str]] = set()
    for line, row in rows:
        system, segment = str(_first(row, _SYSTEM) or name), str(_first(row, _SEGMENT) or "")
        if not segment:
            raise InputError("no segment", path=path, line=line, hint="each row needs the column segment")
        try:
            place = _place(segment, path, line)
            errors = errors_of_row(row, path=path, line=line)
            if (system, segment) in gathered:
                check_agreement(errors, gathered[system, segment].errors, path=path, line=line)
            gathered.setdefault((system, segment), _Output(system, place, [], {}, line)).errors.extend(errors)
        except InputError as error:
            skipped.add_error(error, line)
            faulty.add((system, segment))
    yield from (output for name, output in gathered.items() if name not in faulty)


def _json_objects(text: str, path: Path) -> list[dict[str, Any]]:
    """An object for each segment, whose errors are under one key."""
    shown = shown_path(path)
    if has_suffix(path, (".jsonl",)):
        lines = text.removesuffix("\n").split("\n")
        values = [parse_json(line, path=shown, line=number, allow_nan=True) for number, line in enumerate(lines, 1)]
    else:
        content = parse_json(text, path=shown, allow_nan=True)
        values = content if isinstance(content, list) else []
    if not values:
        raise InputError("expected a list of errors for each segment", path=shown)
    return [value if isinstance(value, dict) else {_LISTS[0]: value} for value in values]


def _of_objects(objects: Iterable[dict[str, Any]], name: str, path: str, skipped: SkippedRows) -> Iterator[_Output]:
    """The outputs in order. Those without a segment are counted, the faulty ones as well."""
    counts: Counter[str] = Counter()
    for line, record in enumerate(objects, 1):
        system, segment = str(_first(record, _SYSTEM) or name), _first(record, _SEGMENT)
        number, counts[system] = counts[system], counts[system] + 1
        try:
            if not any(key in record for key in _LISTS):
                raise InputError(f"no list of errors: expected a field {' or '.join(_LISTS[:3])}", path=path, line=line)
            place = number if segment is None else _place(str(segment), path, line)
            errors = errors_in_objects(_first(record, _LISTS) or [], path=path, line=line)
        except InputError as error:
            skipped.add_error(error, line)
        else:
            yield _Output(system, place, list(errors), record, line)


def _place(segment: str, path: str, line: int) -> int | str:
    return parse_index(segment, path=path, line=line) if segment.isdigit() else segment


def _first(record: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((record[name] for name in names if record.get(name) not in (None, "")), None)


def _add(collector: SpanCollector, metric: str, output: _Output, path: str) -> None:
    system, segment, errors, fields, line = output
    texts = {kind: _first(fields, names) for kind, names in (("source", _SOURCE), ("output", _OUTPUT))}
    score = score_of(_first(fields, _SCORE), path=path, line=line)
    collector.add(("", "", metric), system, segment, errors, line=line, score=score, **texts)
