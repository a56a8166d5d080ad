"""JSON lines: an object a line, whose keys name what it tells.

`reference` may be a text, a list of texts or an object of names and texts; `outputs` an object of systems and texts.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from assay.data.collecting import check_cells
from assay.data.fields import flaw_of_json
from assay.data.formats import NO, POSSIBLE, Format, form, has_suffix
from assay.data.longtable import encoded, long_table, write_packed
from assay.data.named import campaigns_of_table, certainty_of
from assay.data.text import read_lines, shown_path
from assay.errors import DecodeError, EmptyInputError, InputError, NameClashError, printable
from assay.types import Campaign

__all__ = ["Jsonl"]


@form("jsonl")
@dataclass(frozen=True)
class Jsonl(Format):
    """Null, or a key that is not there, is a gap; an empty text is an empty text."""

    suffixes = (".jsonl", ".ndjson")

    def recognises(self, path: Path, head: str) -> int:
        if not has_suffix(path, self.suffixes):
            return NO
        first, line_end, _ = head.removeprefix("\ufeff").partition("\n")
        try:
            return certainty_of(_object(first, "", 1))
        except InputError:
            return POSSIBLE if not line_end and first.startswith("{") else NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        lines, notes = read_lines(path)
        if not lines:
            raise EmptyInputError("there is no line", path=shown_path(path))
        objects = [_object(line, shown_path(path), number) for number, line in enumerate(lines, 1)]
        names = list(dict.fromkeys(name for tree in objects for name in tree))
        what = f"{len(names):,} different keys, of which a line has only a few"
        check_cells(len(names) * len(objects), sum(map(len, objects)), what, path=shown_path(path))
        records = ((number, [tree.get(name) for name in names]) for number, tree in enumerate(objects, 1))
        return campaigns_of_table(path, names, records, notes=notes, has_gaps=True)

    def write(self, campaigns: Iterable[Campaign], path: Path) -> None:
        table = long_table(campaigns)
        trees = ({name: record.get(name) for name in table.columns} for record in table.records())
        text = "".join(json.dumps(tree, ensure_ascii=False, allow_nan=False) + "\n" for tree in trees)
        write_packed(path, encoded(text))


def _object(line: str, path: str, number: int) -> dict[str, object]:
    """The object in a line, with each key once and nothing in it that is not text."""

    def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
        tree = dict(pairs)
        if len(tree) < len(pairs):
            twice, _ = Counter(name for name, _ in pairs).most_common(1)[0]
            raise NameClashError(f"the key '{printable(twice)}' is there twice", path=path, line=number)
        return tree

    try:
        tree = json.loads(line, object_pairs_hook=unique)
        if "\\u" in line:
            json.dumps(tree, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise DecodeError("half of a surrogate pair is not text", path=path, line=number) from error
    except RecursionError as error:
        raise InputError("an object is nested too deeply", path=path, line=number) from error
    except ValueError as error:
        hint = None if line.strip() else "delete the empty line"
        raise InputError(f"not JSON: {flaw_of_json(error)}", path=path, line=number, hint=hint) from error
    if not isinstance(tree, dict):
        raise InputError(f"not an object but a {type(tree).__name__}", path=path, line=number)
    return tree
