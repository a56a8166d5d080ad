"""What stands on one line: the fields of CSV, or a JSON value."""

from __future__ import annotations

import csv
import json
from collections import Counter
from typing import Any, NoReturn

from assay.errors import InputError, printable

__all__ = ["MAX_FIELD", "csv_fields", "flaw_of_json", "json_object", "json_value"]

MAX_FIELD = 2**31 - 1
"""Characters; the usual limit of the csv module, 128 Ki, is no limit of ours."""


def csv_fields(text: str, *, path: str, line: int) -> list[str]:
    """The fields of a line of comma-separated values. No field goes over the end of its line."""
    if '"' not in text:
        return text.split(",")
    csv.field_size_limit(MAX_FIELD)
    try:
        return next(csv.reader([text], strict=True))
    except csv.Error as error:
        raise InputError(f"not comma-separated values: {error}", path=path, line=line) from None


def json_object(text: str, *, path: str, line: int) -> dict[str, Any]:
    """The JSON object that a line is."""
    value = json_value(text, path=path, line=line)
    if not isinstance(value, dict):
        raise InputError("not a JSON object", path=path, line=line)
    return value


def json_value(text: str, *, path: str, line: int) -> Any:
    """The JSON value that a text is. NaN, a key that comes twice and half a surrogate pair are not JSON."""
    try:
        value = json.loads(text, parse_constant=_refused, object_pairs_hook=_without_twins)
        if "\\u" in text:  # the only way to write half a surrogate pair
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        what = f"{error.msg.lower()} (character {error.colno})"
        raise InputError(f"not JSON: {what}", path=path, line=line) from None
    except UnicodeEncodeError:
        raise InputError("not JSON: half a surrogate pair is not text", path=path, line=line) from None
    except RecursionError:
        raise InputError("not JSON that can be read: nested too deeply", path=path, line=line) from None
    except ValueError as error:
        raise InputError(f"not JSON: {flaw_of_json(error)}", path=path, line=line) from None
    return value


def flaw_of_json(error: ValueError) -> str:
    """What the reader of JSON says, but of a number with thousands of digits not how Python can be made to read it."""
    return "a number has too many digits" if "int_max_str_digits" in str(error) else str(error)[:120]


def _refused(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number")


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twin, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise ValueError(f"the key '{printable(twin[:40])}' comes twice")
    return found
