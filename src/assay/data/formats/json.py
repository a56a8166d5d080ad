"""Tables as one JSON value: records, columns, lists by system, and what pandas writes in any of its orients.

    [{"source": "…", "reference": "…", "output": "…"}, …]                            records
    {"data": [{"source": "…", "SysA": "…", "SysB": "…"}, …]}                          records under a key
    {"source": ["…", …], "reference": ["…", …], "SysA": ["…", …]}                     columns
    {"SysA": [0.81, …], "SysB": [0.79, …]}                                            scores by system
    {"source": {"0": "…", …}, "SysA": {"0": "…", …}}                                  columns with row labels
    {"SysA": {"COMET": 0.84, "BLEU": 34.1}, "SysB": {…}}                              rows with labels
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
from assay.data.tables.long_table import encoded, long_table, write_packed
from assay.data.tables.names import stem_of
from assay.data.tables.nested import records_of_objects
from assay.data.tables.roles import is_number
from assay.data.tables.schema import campaigns_of_table
from assay.data.text_files import read_text, shown_path
from assay.errors import EmptyInputError, InputError
from assay.files.strict_json import parse_json
from assay.types import Campaign
from assay.types.note import plural

__all__ = ["Json"]

_Records = Sequence[tuple[int, Mapping[str, object]]]
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{}]|\n')
_KEYS_OF_RECORDS = ("data", "rows", "records", "segments", "items", "examples")
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
        return _of_rows(value["columns"], value["data"], path)
    lists = {key: inner for key, inner in value.items() if _is_list_of(dict, inner)}
    if under := next((lists[key] for key in (*_KEYS_OF_RECORDS, *lists) if key in lists), None):
        return _of_list(under, path)
    if all(isinstance(inner, list) for inner in value.values()):
        return _of_columns(value, path)
    if all(isinstance(inner, dict) for inner in value.values()):
        return _of_objects(value)
    return None


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


def _of_rows(names: Sequence[object], rows: object, path: str) -> _Records | None:
    if not _is_list_of(list, rows) or not _is_list_of(str, names):
        return None
    if len(set(map(str, names))) < len(names):
        raise InputError("two columns have the same name", path=path, hint="give each a name of its own")
    for number, row in enumerate(rows, 1):  # type: ignore[arg-type, var-annotated]
        if len(row) != len(names):
            raise InputError(f"row {number:,} has {plural(len(row), 'value')}; columns: {len(names):,}", path=path)
    return [(number, dict(zip(map(str, names), row, strict=True))) for number, row in enumerate(rows, 1)]  # type: ignore[arg-type, var-annotated]


def _of_objects(value: Mapping[str, Mapping[str, Any]]) -> _Records:
    """Objects of columns by row label, as pandas writes them by default, or of rows by label.

    Row labels are numbers. Where neither side has numbers, the outer keys are labels of rows, such as systems.
    """
    inner = list(dict.fromkeys(key for tree in value.values() for key in tree))
    if _are_numbers(inner) and not _are_numbers(value):
        rows = [{name: tree.get(key) for name, tree in value.items()} for key in inner]
        return list(enumerate(rows, 1))
    label = "index" if _are_numbers(value) else "system"
    named = [tree if label in tree or label == "index" else {label: key, **tree} for key, tree in value.items()]
    return list(enumerate(named, 1))


def _are_numbers(keys: Iterable[str]) -> bool:
    return all(key.isascii() and key.isdigit() for key in keys)


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
