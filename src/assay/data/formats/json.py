"""Tables as one JSON value: records, columns, lists by system, and what pandas writes in any of its orients.

    [{"source": "…", "reference": "…", "output": "…"}, …]                            records
    {"data": [{"source": "…", "SysA": "…", "SysB": "…"}, …]}                          records under a key
    {"source": ["…", …], "reference": ["…", …], "SysA": ["…", …]}                     columns
    {"SysA": [0.81, …], "SysB": [0.79, …]}                                            scores by system
    {"source": {"0": "…", …}, "SysA": {"0": "…", …}}                                  columns with row labels
    {"SysA": {"COMET": 0.84, "BLEU": 34.1}, "SysB": {…}}                              rows with labels
    {"SysA": [{"COMET": 0.84}, …], "SysB": [{"COMET": 0.79}, …]}                      records by system
    {"columns": ["source", "SysA"], "index": [0, …], "data": [["…", "…"], …]}         columns and rows

What the columns mean is as in the other tables.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.data import NO, POSSIBLE
from assay.data.formats import TableFormat, data_format, may_have_suffix
from assay.data.tables.labelled_rows import refuse_several_labels, rows_of_objects, rows_of_systems, rows_with_labels
from assay.data.tables.long_table import encoded, long_table, write_packed
from assay.data.tables.names import stem_of
from assay.data.tables.nested import records_of_objects
from assay.data.tables.roles import is_number
from assay.data.tables.schema import campaigns_of_table
from assay.data.text_files import read_text, shown_path
from assay.errors import EmptyInputError, InputError, printable
from assay.files.strict_json import parse_json
from assay.types import Campaign
from assay.types.note import listed, plural

__all__ = ["Json"]

_Records = Sequence[tuple[int, Mapping[str, object]]]
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{}]|\n')
_KEYS_OF_RECORDS = ("data", "rows", "records", "segments", "items", "examples")
_SCHEMAS = ("features", "schema")  # that some programs write beside the records
_HINT = 'write a list of records: [{"source": "…", "reference": "…", "output": "…"}, …]'


@data_format("json")
@dataclass(frozen=True)
class Json(TableFormat):
    """Null and an absent key are missing values; an empty text is an empty text."""

    suffixes = (".json",)

    def recognises(self, path: Path, head: str) -> int:
        head = head.removeprefix("\ufeff")
        is_json = re.match(r"\s*[\[{]", head) is not None and not re.match(r"\{[^\n]*\}\r?\n\s*\{", head)
        return POSSIBLE if is_json and may_have_suffix(path, self.suffixes) else NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        text, notes = read_text(path)
        shown = shown_path(path)
        value = parse_json(text, path=shown, allow_nan=True)
        if value in ([], {}):
            raise EmptyInputError("empty JSON", path=shown, hint=_HINT)
        if isinstance(value, list) and all(map(is_number, value)):
            value = {stem_of(path): value}  # the scores of one system
        objects = _records(value, shown)
        if objects is None:
            raise InputError("this JSON is no table", path=shown, hint=_HINT)
        lines = _lines_of_objects(text, len(objects))
        placed = [(lines.get(number, number), tree) for number, tree in objects]
        names, records = records_of_objects(placed, path=shown)
        return campaigns_of_table(
            path, names, records, notes=notes, has_gaps=True, columns=self.columns, metric=self.metric
        )

    def write(self, campaigns: Iterable[Campaign], path: Path) -> None:
        table = long_table(campaigns)
        trees = ({name: record.get(name) for name in table.columns} for record in table.records())
        rows = ",\n".join(json.dumps(tree, ensure_ascii=False, allow_nan=False) for tree in trees)
        write_packed(path, encoded(f"[\n{rows}\n]\n"))


def _records(value: Any, path: str) -> _Records | None:
    """The records of a JSON value with their numbers from 1; None if it is no table."""
    if isinstance(value, list):
        return _of_list(value, path)
    if not isinstance(value, dict):
        return None
    if {"columns", "data"} <= value.keys() and isinstance(value["columns"], list):
        return _of_rows(value["columns"], value["data"], value.get("index"), path)
    lists = {key: inner for key, inner in value.items() if _is_list_of(dict, inner)}
    if lists:
        return _of_lists(lists, value, path)
    if all(isinstance(inner, list) for inner in value.values()):
        return _of_columns(value, path)
    if all(isinstance(inner, dict) for inner in value.values()):
        return list(enumerate(rows_of_objects(value, path), 1))
    return None


def _of_lists(lists: Mapping[str, list[Any]], value: Mapping[str, Any], path: str) -> _Records | None:
    """The records of a list under a key, or of a list for each system."""
    own = [key for key in _KEYS_OF_RECORDS if key in lists]
    others = [key for key, inner in value.items() if isinstance(inner, list) and key not in (*own[:1], *_SCHEMAS)]
    if own and not others:
        return _of_list(lists[own[0]], path)
    if len(lists) == 1 and len(others) == 1:
        return _of_list(lists[others[0]], path)
    if own or len(others) > len(lists):
        keys = listed((f"'{printable(key)}'" for key in (*own[:1], *others)), 5)
        raise InputError(f"several lists: {keys}", path=path, hint=f"give one list: {_HINT}")
    return list(enumerate(rows_of_systems({key: lists[key] for key in others}, path), 1))


def _is_list_of(kind: type, value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, kind) for item in value)


def _of_list(items: Sequence[Any], path: str) -> _Records | None:
    if all(isinstance(item, dict) for item in items):
        return list(enumerate(items, 1))
    if all(isinstance(item, list) for item in items):
        hint = f"these are rows without the names of columns; {_HINT}"
        raise InputError("a list of lists", path=path, hint=hint)
    return None


def _of_columns(columns: Mapping[str, list[Any]], path: str) -> _Records | None:
    """Columns as lists. They must be equally long, and hold values."""
    (first, values), *others = columns.items()
    for name, column in others:
        if len(column) != len(values):
            message = f"'{name}' has {plural(len(column), 'value')}, but '{first}' has {len(values):,}"
            raise InputError(message, path=path, hint="all columns need a value for each segment, in the same order")
    rows = zip(*columns.values(), strict=True)
    return [(number, dict(zip(columns, row, strict=True))) for number, row in enumerate(rows, 1)]


def _of_rows(names: Sequence[object], rows: object, labels: object, path: str) -> _Records | None:
    refuse_several_labels(names, path)
    if not isinstance(rows, list) or not _is_list_of(list, rows) or not _is_list_of(str, names):
        return None
    columns = list(map(str, names))
    if len(set(columns)) < len(columns):
        raise InputError("two columns have the same name", path=path, hint="give each a name of its own")
    for number, row in enumerate(rows, 1):
        if len(row) != len(columns):
            raise InputError(f"row {number:,} has {plural(len(row), 'value')}; columns: {len(columns):,}", path=path)
    trees: list[dict[str, Any]] = [dict(zip(columns, row, strict=True)) for row in rows]
    if isinstance(labels, list):
        trees = _labelled(labels, trees, path)
    return list(enumerate(trees, 1))


def _labelled(labels: Sequence[object], rows: Sequence[dict[str, Any]], path: str) -> list[dict[str, Any]]:
    if len(labels) != len(rows):
        raise InputError(f"{plural(len(labels), 'label')} in 'index' for {plural(len(rows), 'row')}", path=path)
    return rows_with_labels(labels, rows, path)


def _lines_of_objects(text: str, count: int) -> dict[int, int]:
    """The lines in which the records of the first list start, by their number; empty if they are not in one."""
    lines: dict[int, int] = {}
    line, depth, list_depth = 1, 0, 0
    for sign in _TOKEN.findall(text):
        if sign == "\n":
            line += 1
        elif sign in "[{":
            if sign == "[" and not list_depth:
                list_depth = depth + 1
            elif list_depth and depth == list_depth:
                lines[len(lines) + 1] = line
            depth += 1
        elif sign in "]}":
            depth -= 1
    return lines if len(lines) == count else {}
