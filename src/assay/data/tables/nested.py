"""Nested objects of JSON and Parquet as flat records: `{"data": {"src": …}}` has the column `data.src`.

Objects of names and texts stay: references and outputs are written so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from assay.data.tables.collectors import check_cells
from assay.data.tables.headers import word_of
from assay.errors import InputError, NameClashError, printable

__all__ = ["is_kept", "records_of_objects"]

_KEPT = ("reference", "references", "ref", "refs", "outputs")
_MAX_DEPTH = 20


def records_of_objects(
    objects: Sequence[tuple[int, Mapping[str, object]]], *, path: str
) -> tuple[list[str], Iterable[tuple[int, list[object]]]]:
    """The names of all columns, and the records with their lines; None where an object has nothing."""
    flat = [(line, _flattened(tree, path, line)) for line, tree in objects]
    names = list(dict.fromkeys(name for _, tree in flat for name in tree))
    message = f"too many different keys ({len(names):,}) with a few on each line"
    check_cells(len(names) * len(flat), sum(len(tree) for _, tree in flat), message, path=path)
    return names, ((line, [tree.get(name) for name in names]) for line, tree in flat)


def is_kept(name: str) -> bool:
    """Whether a column may hold an object of names and texts."""
    return word_of(name) in _KEPT


def _flattened(tree: Mapping[str, object], path: str, line: int) -> Mapping[str, object]:
    if not any(isinstance(value, Mapping) for value in tree.values()):
        return tree
    flat: dict[str, object] = {}

    def add(name: str, value: object, depth: int) -> None:
        if isinstance(value, Mapping) and value and not is_kept(name) and depth < _MAX_DEPTH:
            for key, inner in value.items():
                add(f"{name}.{key}", inner, depth + 1)
        elif name in flat:
            raise NameClashError(f"two fields are called '{printable(name)}'", path=path, line=line)
        elif isinstance(value, Mapping) and value and depth >= _MAX_DEPTH:
            raise InputError("nested too deeply", path=path, line=line)
        else:
            flat[name] = value

    for name, value in tree.items():
        add(name, value, 0)
    return flat
