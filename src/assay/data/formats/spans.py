"""Errors as programs save them, with the keys that xCOMET uses: `start`, `end` (exclusive) and `severity`.

| a file has | which is |
|---|---|
| `[[{"start": 3, "end": 7, "severity": "minor"}], [], …]` | JSON: a list of errors for each segment, in order |
| `[{"start": 3, …}]` in each line | JSON lines: a list for each segment, in order |
| `{"error_spans": […], "system": "A", "segment": 4}` in each line | JSON lines: objects with such a list |
| columns `start`, `end`, `severity`, perhaps `system`, `segment`, `category` | CSV or TSV: one error a row |

Segments are numbered from 1, or have names; those without either are in order. A row of a table with the severity
`no-error`, or without one, is an output in which the metric found no error. An output without a row is one that the
metric did not read. The metric has the name of the file; so has the system, if no line names it.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.data import CERTAIN, NO
from assay.data.formats import Format, data_format, has_suffix, json_keys
from assay.data.tables.long_table import encoded, write_packed
from assay.data.tables.names import stem_of
from assay.data.tables.notes import unread_notes
from assay.data.tables.numbers import parse_index, score_of
from assay.data.tables.predicted_errors import PredictionCollector, errors_in_objects
from assay.data.tables.skipped import SkippedRows
from assay.data.text_files import digest_of, read_lines, read_text, shown_path
from assay.errors import ConfigError, EmptyInputError, InputError
from assay.files.strict_json import parse_json
from assay.types import Campaign, ErrorSpan, Ratings

__all__ = ["SpanFile"]

_LISTS = ("error_spans", "errors", "spans", "error_span", "errorSpans")
_TABLE = {"start", "end", "severity"}
_SYSTEM, _SEGMENT, _OUTPUT = (
    ("system", "system_id", "model"),
    ("segment", "segment_id", "item", "seg_id"),
    ("mt", "output"),
)
_SOURCE, _SCORE = ("src", "source"), ("score", "COMET", "prediction")
_CATEGORY = ("category", "type", "error_type")
_NO_ERROR = ("", "no-error", "none")
_LIST_OF_LISTS = re.compile(r"\s*\[\s*\[")


@data_format("spans")
@dataclass(frozen=True)
class SpanFile(Format):
    """Errors that a metric predicted."""

    suffixes = (".json", ".jsonl", ".csv", ".tsv")
    written_suffixes = (".spans.csv", ".spans.tsv")
    names_systems = False

    def recognises(self, path: Path, head: str) -> int:
        text = head.removeprefix("\ufeff")
        first = text.partition("\n")[0].rstrip("\r")
        if has_suffix(path, (".csv", ".tsv")):
            return CERTAIN if {*_names(first, path)} >= _TABLE else NO
        is_list = _LIST_OF_LISTS.match(text) or (first.startswith("[") and not first.startswith('[{"src"'))
        if not is_list and _is_object(json_keys(text)):
            return CERTAIN
        return CERTAIN if is_list and '"severity"' in text and '"start' in text and '"mt"' not in text else NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        shown, name = shown_path(path), stem_of(path)
        collector = PredictionCollector(shown, digest_of(path))
        if has_suffix(path, (".csv", ".tsv")):
            lines, notes = read_lines(path)
            rows = _table_rows(lines, path)
            notes += unread_notes(shown, sorted(_unread(lines, path)))
            records, skipped = list(_of_outputs(rows, shown)), SkippedRows(shown, rows=len(lines) - 1)
        else:
            text, notes = read_text(path)
            objects = _json_objects(text, path)
            records, skipped = list(enumerate(objects, 1)), SkippedRows(shown, rows=len(objects))
        if not records:
            raise EmptyInputError("no segments", path=shown)
        counts: Counter[str] = Counter()
        for line, record in records:
            try:
                _add(collector, name, record, counts, line, shown)
            except InputError as error:
                skipped.add_error(error, line)
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
        if any(error.in_source or not error.severity for errors in ratings.errors for error in errors):
            message = "a file of errors has no place for errors in the source or without a severity"
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
    for system, segment, errors in zip(ratings.system.tolist(), ratings.segment.tolist(), ratings.errors, strict=True):
        place = ratings.systems[system], ratings.items[segment] if ratings.items else str(segment + 1)
        if not errors:
            yield *place, "", "", _NO_ERROR[1], ""
        for error in errors:
            start, end = ("", "") if error.start is None else (str(error.start), str(error.end))
            yield *place, start, end, error.severity, error.category


def _is_object(keys: set[str]) -> bool:
    """Whether these are the keys of an object with errors of an output; with a rater, it would be a judgement."""
    return keys >= {"system", "segment"} and not keys.isdisjoint(_LISTS) and "rater" not in keys


def _names(header: str, path: Path) -> list[str]:
    separator = "\t" if has_suffix(path, (".tsv",)) else ","
    return [name.strip().strip('"').lower() for name in header.split(separator)]


def _unread(lines: Sequence[str], path: Path) -> set[str]:
    known = _TABLE.union(_SYSTEM, _SEGMENT, _CATEGORY, ("text", "confidence"))
    return {name for name in _names(lines[0], path) if name not in known} if lines else set()


def _table_rows(lines: Sequence[str], path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """The cells of each row by column, in lower case."""
    if not lines:
        return
    separator = "\t" if has_suffix(path, (".tsv",)) else ","
    reader = csv.reader(
        lines[1:], delimiter=separator, quoting=csv.QUOTE_NONE if separator == "\t" else csv.QUOTE_MINIMAL
    )
    names = _names(lines[0], path)
    for cells in reader:
        yield reader.line_num + 1, dict(zip(names, cells, strict=False))


def _of_outputs(rows: Iterator[tuple[int, dict[str, str]]], path: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The errors of the rows, gathered by output."""
    gathered: dict[tuple[str, str], tuple[int, dict[str, Any]]] = {}
    for line, row in rows:
        system, segment = (_first(row, names) or "" for names in (_SYSTEM, _SEGMENT))
        if not segment:
            raise InputError("no segment", path=path, line=line, hint="each row needs the column segment")
        _, record = gathered.setdefault((system, segment), (line, {"system": system, "segment": segment, "errors": []}))
        if (row.get("severity") or "").strip().lower() not in _NO_ERROR:
            record["errors"].append({**row, "start": row.get("start") or None, "end": row.get("end") or None})
    yield from gathered.values()


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


def _first(record: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((record[name] for name in names if record.get(name) not in (None, "")), None)


def _add(
    collector: PredictionCollector, name: str, record: Mapping[str, Any], counts: Counter[str], line: int, path: str
) -> None:
    errors: tuple[ErrorSpan, ...] = errors_in_objects(_first(record, _LISTS) or [], path=path, line=line)
    if not any(key in record for key in _LISTS):
        raise InputError(f"no list of errors: expected a field {' or '.join(_LISTS[:3])}", path=path, line=line)
    system, segment = str(_first(record, _SYSTEM) or name), _first(record, _SEGMENT)
    place: int | str = counts[system] if segment is None else str(segment)
    if isinstance(place, str) and place.isdigit():
        place = parse_index(place, path=path, line=line)
    counts[system] += 1
    texts = {kind: _first(record, names) for kind, names in (("source", _SOURCE), ("output", _OUTPUT))}
    score = score_of(_first(record, _SCORE), path=path, line=line)
    collector.add(("", "", name), system, place, errors, line=line, score=score, **texts)
