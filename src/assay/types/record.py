"""Values as trees for JSON: the fields of a dataclass are the keys, unless a field says otherwise."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from typing import Any, ClassVar, TypeVar

from assay.types.arrays import FrozenDict

__all__ = ["OMITTED", "Record", "entries", "in_tree", "none_if_nan", "plain", "record_of"]

_R = TypeVar("_R", bound="Record")
_ELEMENTARY = frozenset({str, int, bool, type(None)})


class Record:
    """A dataclass that can be written as a tree of plain values."""

    __slots__ = ()

    derived: ClassVar[tuple[str, ...]] = ()
    """Properties that stand in the tree after the fields."""

    def __post_init__(self) -> None:
        """A record cannot be changed, and neither can the dictionaries in it."""
        cls: Any = type(self)
        for name in _given_fields(cls):
            value = getattr(self, name)
            if isinstance(value, dict) and not isinstance(value, FrozenDict):
                object.__setattr__(self, name, _frozen(value))

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON: None for NaN."""
        return self.tree()

    def tree(self) -> dict[str, Any]:
        """The fields as plain values, as they stand in the tree of what holds the record."""
        return _tree(self)


def in_tree(
    *, key: str = "", inline: bool = False, optional: bool = False, entries: str = "", without: tuple[str, ...] = ()
) -> Mapping[str, Any]:
    """How a field stands in the tree, as its metadata.

    `key` is its name there, if that differs. `inline` puts the keys of its value beside those of the other fields.
    `optional` leaves it out if it is None. `entries` makes a list of a mapping whose keys are numbers: it is the name
    of the key in each entry, or two names, of the key and of the value. `without` names what its values do not repeat.
    """
    return {"key": key, "inline": inline, "optional": optional, "entries": entries.split(), "without": without}


OMITTED: Mapping[str, Any] = {"omitted": True}
"""The metadata of a field that is not in the tree."""


def plain(value: Any) -> Any:
    """A value as JSON has it: None for NaN, lists for arrays and tuples, objects for mappings and dataclasses."""
    if type(value) in _ELEMENTARY:
        return value
    if isinstance(value, float):
        return none_if_nan(value)
    if isinstance(value, Record):
        return value.tree()
    if isinstance(value, Mapping) or hasattr(value, "_asdict"):
        return _mapping(value if isinstance(value, Mapping) else value._asdict())
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    if hasattr(value, "dtype"):  # numpy, which a plain score does without, need not be imported
        return plain(value.tolist()) if value.dtype.kind == "f" else value.tolist()
    if isinstance(value, Enum):
        return value.value
    return _tree(value) if is_dataclass(value) and type(value).__str__ is object.__str__ else str(value)


def record_of(cls: type[_R], tree: Mapping[str, Any]) -> _R:
    """A record of numbers and texts from its tree: NaN for a missing number."""
    values = {}
    for each in fields(cls):  # type: ignore[arg-type]  # all records are dataclasses
        key = each.metadata.get("key") or each.name
        if key in tree or each.default is MISSING:
            values[each.name] = math.nan if tree[key] is None and each.type in ("float", float) else tree[key]
    return cls(**values)


def none_if_nan(value: float) -> float | None:
    """The value, or None for NaN, which JSON does not have."""
    return None if value != value else value


def _tree(record: Any) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    cls: Any = type(record)
    for name, metadata in _shown_fields(cls):
        value = getattr(record, name)
        if metadata.get("inline") and value is not None:
            tree |= plain(value)
        elif not (metadata.get("optional") and value is None):
            tree[metadata.get("key") or name] = _field(value, metadata)
    return tree | {name: plain(getattr(record, name)) for name in getattr(record, "derived", ())}


def _frozen(value: Any) -> Any:
    return FrozenDict({key: _frozen(each) for key, each in value.items()}) if isinstance(value, dict) else value


@functools.cache
def _given_fields(cls: Any) -> tuple[str, ...]:
    return tuple(each.name for each in fields(cls) if each.init)


@functools.cache
def _shown_fields(cls: Any) -> tuple[tuple[str, Mapping[str, Any]], ...]:
    def is_shown(each: Field[Any]) -> bool:
        return each.init and not each.metadata.get("omitted")

    return tuple((each.name, each.metadata) for each in filter(is_shown, fields(cls)))


def _field(value: Any, metadata: Mapping[str, Any]) -> Any:
    tree = entries(value, *metadata["entries"]) if metadata.get("entries") else plain(value)
    without = metadata.get("without", ())
    return [{key: each[key] for key in each if key not in without} for each in tree] if without else tree


def _mapping(values: Mapping[Any, Any]) -> Any:
    """An object, or a list if the keys are named tuples, whose names are then keys of its entries."""
    if values and all(isinstance(key, tuple) for key in values):
        return [{**dict(_named(key)), **plain(value)} for key, value in values.items()]
    return {str(key): plain(value) for key, value in values.items()}


def _named(key: Any) -> Iterator[tuple[str, Any]]:
    for name, value in key._asdict().items():
        yield from _named(value) if hasattr(value, "_asdict") else [(name, plain(value))]


def entries(values: Mapping[Any, Any], key: str, value: str = "") -> list[dict[str, Any]]:
    """A mapping as a list: with one name, the values are records, whose keys stand beside it."""
    return [{key: plain(x), **({value: plain(each)} if value else plain(each))} for x, each in values.items()]
