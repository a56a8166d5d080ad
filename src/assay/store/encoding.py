"""One encoding for all results: plain JSON values, and files for arrays and texts.

A string, integer, boolean, None or finite float is itself, and a tuple is a JSON list. Everything else is an object
with one key, which names the kind of value:

    {"Estimate": {"value": 27.3, "n": 130, …}}      a class of assay.results or assay.types: its fields
    {"NoteKind": "missing"}                         an enum member: its value
    {"float": "nan"}                                a float that JSON does not have: nan, inf or -inf
    {"map": {"base": …}}                            a mapping; a list of pairs if a key is not a string
    {"array": "p_values.6f0c….npy"}                 an array: its file
    {"rows": [["base", "new"], "segments.….npy"]}   a mapping of arrays of one shape: the keys, and the file of all
    {"texts": "inputs.a80e….json"}                  a test set: the file that holds it in this encoding

Only classes that assay.results and assay.types export can be written or read, so an index cannot name other code.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

from assay import results, types
from assay.lazily import numpy as np
from assay.store.arrays import array_bytes, parse_array
from assay.store.folder import dump_json, file_name, load_json
from assay.store.hints import fits, hints_of
from assay.types import Column, FrozenDict, TestSet

__all__ = ["classes", "decode", "encode"]

_MAX_DEPTH = 64
_PLAIN = (str, int, bool, type(None))
_SPECIAL_FLOATS = ("nan", "inf", "-inf")


@functools.cache
def classes() -> Mapping[str, type]:
    """The classes that a saved result can hold, by name."""
    exported = {name: getattr(module, name) for module in (types, results) for name in module.__all__}
    return {name: value for name, value in exported.items() if isinstance(value, type) and _is_encodable(value)}


def encode(value: object, *, texts: bool = False) -> tuple[Any, dict[str, bytes]]:
    """The JSON tree of a value and the files the tree refers to, by name. ValueError if the value cannot be saved.

    Without `texts`, a test set is replaced by its record (names and digests).
    """
    encoder = _Encoder(texts)
    return encoder.encode(value, "value", 0), encoder.files


def decode(tree: object, files: Mapping[str, bytes]) -> Any:
    """The value that `encode` turned into this tree and these files.

    An invalid tree may raise ValueError, TypeError or LookupError, or any error that a class raises for wrong values.
    """
    return _Decoder(files).decode(tree, 0)


def _is_encodable(cls: type) -> bool:
    return dataclasses.is_dataclass(cls) or issubclass(cls, Enum) or _is_named_tuple(cls)


def _is_named_tuple(cls: type) -> bool:
    return issubclass(cls, tuple) and hasattr(cls, "_fields")


def _field_names(cls: type) -> tuple[str, ...]:
    if _is_named_tuple(cls):
        names: tuple[str, ...] = cls._fields  # type: ignore[attr-defined]
        return names
    return tuple(field.name for field in dataclasses.fields(cls) if field.init)


def _are_alike(values: list[Any]) -> bool:
    """Whether all values are arrays of one shape and type."""
    return all(isinstance(value, np.ndarray) for value in values) and len({(v.shape, v.dtype) for v in values}) == 1


def _check_depth(depth: int) -> None:
    if depth > _MAX_DEPTH:
        raise ValueError(f"values are nested more than {_MAX_DEPTH} levels deep")


class _Encoder:
    """Encodes values and collects the files they need."""

    def __init__(self, texts: bool) -> None:
        self.files: dict[str, bytes] = {}
        self._texts = texts

    def encode(self, value: Any, name: str, depth: int) -> Any:
        """The tree of a value; `name` is the field that holds it, after which its file is called."""
        _check_depth(depth)
        if isinstance(value, np.generic):
            value = value.item()
        if type(value) in _PLAIN:
            return value
        if isinstance(value, float):
            return float(value) if math.isfinite(value) else {"float": repr(float(value))}
        if isinstance(value, TestSet):
            return self._test_set(value, name, depth)
        if type(value) is classes().get(type(value).__name__):
            return {type(value).__name__: self._content(value, depth)}
        return self._container(value, name, depth)

    def _container(self, value: Any, name: str, depth: int) -> Any:
        if isinstance(value, np.ndarray):
            return {"array": self._file(name, "npy", array_bytes(value))}
        if isinstance(value, Mapping):
            return self._mapping(value, name, depth)
        if isinstance(value, Column) or type(value) in (tuple, list):
            return [self.encode(item, name, depth + 1) for item in value]
        raise ValueError(f"a value of type {type(value).__name__} cannot be saved")

    def _content(self, value: Any, depth: int) -> Any:
        if isinstance(value, Enum):
            return value.value
        return {name: self.encode(getattr(value, name), name, depth + 1) for name in _field_names(type(value))}

    def _mapping(self, value: Mapping[Any, Any], name: str, depth: int) -> Any:
        if _are_alike(list(value.values())):
            keys = [self.encode(key, name, depth + 1) for key in value]
            return {"rows": [keys, self._file(name, "npy", array_bytes(np.stack(list(value.values()))))]}
        pairs = [[self.encode(k, name, depth + 1), self.encode(v, name, depth + 1)] for k, v in value.items()]
        return {"map": dict(pairs) if all(isinstance(key, str) for key, _ in pairs) else pairs}

    def _test_set(self, value: TestSet, name: str, depth: int) -> Any:
        if not self._texts:
            return self.encode(value.record, name, depth)
        return {"texts": self._file(name, "json", dump_json(self._content(value, depth)))}

    def _file(self, name: str, suffix: str, data: bytes) -> str:
        file = file_name(name, suffix, data)
        self.files[file] = data
        return file


class _Decoder:
    """Decodes trees that refer to files."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files
        self._kinds: Mapping[str, Callable[[Any, int], Any]] = {
            "float": self._float,
            "map": self._mapping,
            "array": self._array,
            "rows": self._rows,
            "texts": self._test_set,
        }

    def decode(self, tree: Any, depth: int) -> Any:
        """The value of a tree."""
        _check_depth(depth)
        if type(tree) in _PLAIN or type(tree) is float:
            return tree
        if isinstance(tree, list):
            return tuple(self.decode(item, depth + 1) for item in tree)
        if len(tree) != 1:
            raise ValueError(f"an object has {len(tree)} keys instead of one")
        ((kind, content),) = tree.items()
        if kind in self._kinds:
            return self._kinds[kind](content, depth + 1)
        if kind not in classes():
            raise ValueError(f"unknown type {kind!r}")
        return self._instance(classes()[kind], content, depth + 1)

    def _instance(self, cls: Any, content: Any, depth: int) -> Any:
        if issubclass(cls, Enum):
            return cls(content)
        names = _field_names(cls)
        values = {}
        for name, tree in content.items():
            if name not in names:
                raise ValueError(f"{cls.__name__} has no field {name!r}")
            values[name] = self.decode(tree, depth)
            if not fits(values[name], hints_of(cls)[name]):
                raise ValueError(f"the field {name} of {cls.__name__} has a value of the wrong type")
        return cls(**values)

    def _float(self, content: Any, depth: int) -> float:
        if content not in _SPECIAL_FLOATS:
            raise ValueError(f"{content!r} is not one of {', '.join(_SPECIAL_FLOATS)}")
        return float(content)

    def _mapping(self, content: Any, depth: int) -> FrozenDict[Any, Any]:
        pairs = content.items() if isinstance(content, dict) else content
        return FrozenDict({self.decode(key, depth): self.decode(value, depth) for key, value in pairs})

    def _array(self, content: Any, depth: int) -> Any:
        return parse_array(self._file(content))

    def _rows(self, content: Any, depth: int) -> FrozenDict[Any, Any]:
        trees, file = content
        keys = [self.decode(tree, depth) for tree in trees]
        return FrozenDict(dict(zip(keys, parse_array(self._file(file)), strict=True)))

    def _test_set(self, content: Any, depth: int) -> Any:
        return self._instance(TestSet, load_json(self._file(content)), depth)

    def _file(self, name: Any) -> bytes:
        if name not in self._files:
            raise ValueError(f"{name!r} is not listed among the files")
        return self._files[name]
