"""Spans as Pearmut marks them in a browser: offsets count UTF-16 units, and special tokens stand behind the text.

JavaScript counts a character beyond U+FFFF, such as an emoji, as two. The first special token of a campaign,
`[missing]` by default, has the offset that follows the text, the second the next one: a span there is an error without
a position.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from assay.data.tables.browser_offsets import unit_starts
from assay.data.tables.error_spans import INSTRUCTION_FAULT, MISSING, folded, inclusive_spans
from assay.errors import InputError
from assay.types import ErrorSpan

__all__ = ["TOKENS", "category_of_token", "pearmut_spans"]

TOKENS = ("[missing]", "[instructions fault]")
"""The special tokens of WMT26, which begin with the default of the tool."""

_INSTRUCTION = re.compile(r"instructions?[ _]?faults?")


def category_of_token(token: str) -> str:
    """The category of an error that a special token stands for."""
    name = folded(token.strip("[]")).lower()
    return INSTRUCTION_FAULT if _INSTRUCTION.fullmatch(name) else name.replace(" ", "_") or MISSING


def pearmut_spans(spans: object, text: str, tokens: Sequence[str], *, path: str, line: int) -> tuple[ErrorSpan, ...]:
    """The errors in an output: characters from 0, ends exclusive. One outside the text is an error of the file."""
    if not spans:
        return ()
    size = unit_starts(text)[-1]
    found = [_checked(span, size, tokens, path, line) for span in (spans if isinstance(spans, list) else [spans])]
    return inclusive_spans(found, path=path, line=line, text=text)


def _checked(span: object, size: int, tokens: Sequence[str], path: str, line: int) -> object:
    """The span, or one of a special token as an error without a position; `size` is that of the text in its units."""
    if not isinstance(span, dict) or not all(_is_offset(span.get(key)) for key in ("start_i", "end_i")):
        return span  # older versions write "missing"; anything else is refused later
    first, last = span["start_i"], span["end_i"]
    if size <= first == last < size + len(tokens):
        return {**_without_offsets(span), "category": category_of_token(tokens[first - size])}
    if max(first, last) >= size:
        message = f"an error outside the text: characters {first} to {last} of {size}"
        raise InputError(message, path=path, line=line, hint="was the output another one when it was marked?")
    return span


def _is_offset(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _without_offsets(span: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in span.items() if key not in ("start_i", "end_i")}
