"""Marked errors, as annotation tools write them in JSON."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from assay.data.tables.browser_offsets import in_characters
from assay.data.tables.numbers import score_of
from assay.errors import InputError, printable
from assay.types import ErrorSpan

__all__ = [
    "CATEGORY_KEYS",
    "INSTRUCTION_FAULT",
    "MISSING",
    "START_KEYS",
    "error_of",
    "folded",
    "inclusive_spans",
    "mtme_errors",
    "places",
]

CATEGORY_KEYS = ("category", "type", "error_type")
START_KEYS, _END_KEYS = ("start", "start_i"), ("end", "end_i")

MISSING = "missing"
"""What tools write instead of a position for missing content; it becomes the category if there is no other."""

INSTRUCTION_FAULT = "instruction_fault"
"""The category of an error against the instructions for a translation, which has no position (WMT26)."""

_NO_POSITION = (MISSING, None)
_MAX_POSITION = 1 << 40


def inclusive_spans(spans: object, *, path: str, line: int, text: str | None = None) -> tuple[ErrorSpan, ...]:
    """Spans of Appraise, Pearmut and the ESA releases: `start_i` to `end_i` (inclusive), or `missing` content.

    With the output as `text`, offsets in the units of a browser become those of characters.
    """
    found = tuple(error_of(span, path, line) for span in _objects(spans, path, line))
    return found if text is None else in_characters(found, text)


def error_of(value: dict[str, Any], path: str, line: int | None) -> ErrorSpan:
    """An error of any of these forms: from `start` to `end` (exclusive) or `start_i` to `end_i` (inclusive).

    Without a place, it is one of missing content, unless it has a category.
    """
    category = next((value[key] for key in CATEGORY_KEYS if value.get(key)), "")
    if isinstance(category, list) and all(isinstance(level, str) for level in category):
        category = "/".join(map(folded, category))  # ["Accuracy", "Mistranslation"]
    severity = value.get("severity") or ""
    if not isinstance(category, str) or not isinstance(severity, str):
        raise InputError("the category and severity of an error must be texts", path=path, line=line)
    start, end = (next((value[key] for key in keys if key in value), None) for keys in (START_KEYS, _END_KEYS))
    if start in _NO_POSITION and end in _NO_POSITION:
        return ErrorSpan(folded(category) or (MISSING if start else ""), folded(severity).lower())
    first, last = places(start, end, path, line)
    is_inclusive = START_KEYS[0] not in value
    return ErrorSpan(folded(category), folded(severity).lower(), first, last + is_inclusive)


def mtme_errors(errors: object, *, path: str, line: int) -> tuple[ErrorSpan, ...]:
    """Errors of mt-metrics-eval: `start` to `end` (exclusive), with a score and a side."""
    return tuple(_mtme_error(error, path, line) for error in _objects(errors, path, line))


def _mtme_error(error: dict[str, Any], path: str, line: int) -> ErrorSpan:
    places(error.get("start"), error.get("end"), path, line)  # every error has a place
    in_source = error.get("is_source_error", False)
    if not isinstance(in_source, bool):
        raise InputError("is_source_error must be true or false", path=path, line=line)
    value = error.get("score")
    score = None if value is None else score_of(value, path=path, line=line, name="score of an error")
    return replace(error_of(error, path, line), in_source=in_source, score=score)


def folded(text: str) -> str:
    """The text stripped, with every run of white space as one space."""
    return " ".join(text.split())


def _objects(values: object, path: str, line: int) -> list[dict[str, Any]]:
    if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
        raise InputError("the errors must be a list of JSON objects", path=path, line=line)
    return values


def places(start: object, end: object, path: str, line: int | None) -> tuple[int, int]:
    """Where an error starts and ends, as numbers or digits; whether the end is inclusive is up to the format."""
    if None in (start, end):
        raise InputError(f"an error without {'an end' if end is None else 'a start'}", path=path, line=line)
    first, last = _position(start, path, line), _position(end, path, line)
    if first > last:
        raise InputError(f"an error ends before it starts: characters {first} to {last}", path=path, line=line)
    return first, last


def _position(value: object, path: str, line: int | None) -> int:
    number = int(value) if isinstance(value, str) and value.isascii() and value.isdigit() else value
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < _MAX_POSITION:
        shown = f"a {type(value).__name__}" if isinstance(value, list | dict) else f"'{printable(str(value)[:40])}'"
        raise InputError(f"the position of an error must be a character index, not {shown}", path=path, line=line)
    return number
