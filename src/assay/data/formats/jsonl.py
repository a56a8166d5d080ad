"""JSON lines: one object per line; the keys are the names of the columns.

`reference` may be a text, a list of texts or an object of names and texts; `outputs` is an object of systems and texts.
Other nested fields are columns of their own, such as `data.source`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from assay.data import NO, POSSIBLE
from assay.data.formats import TableFormat, data_format, has_suffix, json_keys, may_have_suffix
from assay.data.tables.long_table import encoded, long_table, write_packed
from assay.data.tables.nested import records_of_objects
from assay.data.tables.schema import campaigns_of_table, certainty_of
from assay.data.text_files import read_lines, shown_path
from assay.errors import EmptyInputError, InputError
from assay.files.strict_json import parse_object
from assay.types import Campaign

__all__ = ["Jsonl"]


@data_format("jsonl")
@dataclass(frozen=True)
class Jsonl(TableFormat):
    """Null and an absent key are missing values; an empty text is an empty text."""

    suffixes = (".jsonl", ".ndjson")

    def recognises(self, path: Path, head: str) -> int:
        first, line_end, rest = head.removeprefix("\ufeff").partition("\n")
        is_json = has_suffix(path, (".json",)) and rest.startswith("{")  # some programs call JSON lines JSON
        if not (is_json or may_have_suffix(path, self.suffixes)):
            return NO
        if {"rater", "system", "errors"} <= json_keys(head):
            return NO  # judgements
        try:
            return certainty_of(_names(_object(first, "", 1)))
        except InputError:
            return POSSIBLE if not line_end and first.startswith("{") else NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        lines, notes = read_lines(path)
        if not lines:
            raise EmptyInputError("empty file", path=shown_path(path))
        objects = [_object(line, shown_path(path), number) for number, line in enumerate(lines, 1)]
        names, records = records_of_objects(list(enumerate(objects, 1)), path=shown_path(path))
        return campaigns_of_table(
            path, names, records, notes=notes, has_gaps=True, columns=self.columns, metric=self.metric
        )

    def write(self, campaigns: Iterable[Campaign], path: Path) -> None:
        table = long_table(campaigns)
        trees = ({name: record.get(name) for name in table.columns} for record in table.records())
        text = "".join(json.dumps(tree, ensure_ascii=False, allow_nan=False) + "\n" for tree in trees)
        write_packed(path, encoded(text))


def _names(tree: dict[str, object]) -> list[str]:
    """The names that say what the columns are: the last parts of nested ones."""
    names, _ = records_of_objects([(1, tree)], path="")
    return [name.rpartition(".")[2] for name in names]


def _object(line: str, path: str, number: int) -> dict[str, object]:
    if not line.strip():
        raise InputError("empty line", path=path, line=number, hint="delete it")
    return parse_object(line, path=path, line=number, allow_nan=True)
