"""The one reader of JSON: duplicate keys, NaN, infinities and lone surrogates are errors, with file and line."""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import Any, NoReturn

from assay.errors import DecodeError, InputError, NameClashError, printable

__all__ = ["parse_json", "parse_object"]


def parse_json(
    text: str, *, path: str | None, line: int | None = None, allow_nan: bool = False, allow_surrogates: bool = False
) -> Any:
    """The value of a JSON text. `line` is its line in the file; by default the text is the whole file.

    With `allow_nan`, the constant NaN is accepted: Python programs write it for a missing number. With
    `allow_surrogates`, so are lone surrogates, which stand for bytes of a file name that is not UTF-8.
    """
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_nan if allow_nan else _refuse)
        if "\\u" in text and not allow_surrogates:  # the only way to write a lone surrogate
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        place = f"{error.msg.lower()} (character {error.colno})"
        raise InputError(f"invalid JSON: {place}", path=path, line=line or error.lineno) from None
    except _DuplicateKeyError as error:
        raise NameClashError(f"invalid JSON: {error}", path=path, line=line) from None
    except UnicodeEncodeError:
        raise DecodeError("invalid JSON: a lone surrogate is not text", path=path, line=line) from None
    except RecursionError:
        raise InputError("invalid JSON: nested too deeply", path=path, line=line) from None
    except ValueError as error:
        raise InputError(f"invalid JSON: {_reason(error)}", path=path, line=line) from None
    return value


def parse_object(text: str, *, path: str | None, line: int | None = None, allow_nan: bool = False) -> dict[str, Any]:
    """As `parse_json`, for a text that must be an object."""
    value = parse_json(text, path=path, line=line, allow_nan=allow_nan)
    if not isinstance(value, dict):
        raise InputError(f"expected a JSON object, not {type(value).__name__}", path=path, line=line)
    return value


class _DuplicateKeyError(ValueError):
    pass


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    tree = dict(pairs)
    if len(tree) < len(pairs):
        key, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise _DuplicateKeyError(f"duplicate key '{printable(key[:40])}'")
    return tree


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number")


def _nan(constant: str) -> float:
    if constant != "NaN":
        _refuse(constant)
    return math.nan


def _reason(error: ValueError) -> str:
    """The reader's message; for a number with thousands of digits, not Python's advice on its limit."""
    return "a number has too many digits" if "int_max_str_digits" in str(error) else str(error)[:120]
