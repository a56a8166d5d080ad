"""Errors marked in outputs as text: the annotation layer `errors`.

An error is written `3-7:minor`: characters of the output, counted from 0, with the end after the last one, and the
severity. `-` stands for an error without a place in the output, and `_` for an unknown severity. A segment without an
error has an empty value; one that nobody looked at has none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from assay.errors import InputError, most_similar, printable, shortened
from assay.types.judgements import ErrorSpan
from assay.types.severity import NO_ERRORS, SEVERITIES

__all__ = ["ERRORS", "MarkedError", "check_places", "errors_layer", "errors_text", "marked_errors"]

ERRORS = "errors"
"""The layer of the only program that marked errors; of one among several, `errors-` and its name."""

_NOWHERE, _UNKNOWN = "-", "_"
_ERROR = re.compile(r"(?:-|(?P<start>\d{1,9})-(?P<end>\d{1,9})):(?P<severity>[^\s:]+)", re.ASCII)
_HINT = "an error is such as 3-7:minor: characters from 0, with the end after the last one; or -:minor without a place"


class MarkedError(NamedTuple):
    """A marked error: its severity, empty if unknown, and its characters, if it has a place."""

    severity: str
    start: int | None = None
    end: int | None = None


def errors_layer(name: str = "") -> str:
    """The layer with what a program marked; without a name, that of the only one."""
    return f"{ERRORS}-{name}" if name else ERRORS


def marked_errors(value: str) -> tuple[MarkedError, ...]:
    """The errors of a value of the layer."""
    return tuple(map(_error, value.split()))


def _error(text: str) -> MarkedError:
    parts = _ERROR.fullmatch(text)
    if parts is None:
        raise InputError(f"'{printable(shortened(text))}' is not an error with a severity", hint=_HINT)
    severity = "" if parts["severity"] == _UNKNOWN else parts["severity"]
    if severity and severity not in SEVERITIES:
        similar = most_similar(severity, SEVERITIES)
        hint = f"did you mean '{similar}'?" if similar else f"severities: {', '.join(SEVERITIES)}, or {_UNKNOWN}"
        raise InputError(f"unknown severity '{printable(shortened(severity))}'", hint=hint)
    if parts["start"] is None:
        return MarkedError(severity)
    start, end = int(parts["start"]), int(parts["end"])
    if end < start:
        raise InputError(f"the error '{printable(shortened(text))}' ends before it starts", hint=_HINT)
    return MarkedError(severity, start, end)


def check_places(errors: Iterable[MarkedError], text: str) -> None:
    """Raise if an error ends behind the text."""
    last = max((error.end for error in errors if error.end is not None), default=0)
    if last > len(text):
        message = f"an error ends at character {last:,}, but the output has {len(text):,}"
        raise InputError(message, hint="the errors were probably marked in another text")


def errors_text(errors: Iterable[ErrorSpan]) -> str:
    """The value of the layer for an output, without what is no error. Places in the source are none in the output."""
    return " ".join(map(_error_text, (error for error in errors if error.severity not in NO_ERRORS)))


def _error_text(error: ErrorSpan) -> str:
    place = _NOWHERE if error.start is None or error.in_source else f"{error.start}-{error.end}"
    return f"{place}:{error.severity or _UNKNOWN}"
