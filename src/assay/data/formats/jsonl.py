"""JSON lines: one object per line; the keys are the names of the columns.

`reference` may be a text, a list of texts or an object of names and texts; `outputs` is an object of systems and texts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from assay.data import NO, POSSIBLE
from assay.data.formats import Format, data_format, may_have_suffix
from assay.data.tables.collectors import check_cells
from assay.data.tables.long_table import encoded, long_table, write_packed
from assay.data.tables.schema import campaigns_of_table, certainty_of
from assay.data.text_files import read_lines, shown_path
from assay.errors import EmptyInputError, InputError
from assay.files.strict_json import parse_object
from assay.types import Campaign

__all__ = ["Jsonl"]


@data_format("jsonl")
@dataclass(frozen=True)
class Jsonl(Format):
    """Null and an absent key are missing values; an empty text is an empty text."""

    suffixes = (".jsonl", ".ndjson")

    def recognises(self, path: Path, head: str) -> int:
        if not may_have_suffix(path, self.suffixes):
            return NO
        first, line_end, _ = head.removeprefix("\ufeff").partition("\n")
        try:
            return certainty_of(_object(first, "", 1))
        except InputError:
            return POSSIBLE if not line_end and first.startswith("{") else NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        lines, notes = read_lines(path)
        if not lines:
            raise EmptyInputError("empty file", path=shown_path(path))
        objects = [_object(line, shown_path(path), number) for number, line in enumerate(lines, 1)]
        names = list(dict.fromkeys(name for tree in objects for name in tree))
        message = f"too many different keys ({len(names):,}) with a few on each line"
        check_cells(len(names) * len(objects), sum(map(len, objects)), message, path=shown_path(path))
        records = ((number, [tree.get(name) for name in names]) for number, tree in enumerate(objects, 1))
        return campaigns_of_table(path, names, records, notes=notes, has_gaps=True)

    def write(self, campaigns: Iterable[Campaign], path: Path) -> None:
        table = long_table(campaigns)
        trees = ({name: record.get(name) for name in table.columns} for record in table.records())
        text = "".join(json.dumps(tree, ensure_ascii=False, allow_nan=False) + "\n" for tree in trees)
        write_packed(path, encoded(text))


def _object(line: str, path: str, number: int) -> dict[str, object]:
    if not line.strip():
        raise InputError("empty line", path=path, line=number, hint="delete it")
    return parse_object(line, path=path, line=number, allow_nan=True)
