"""Errors that a model names by quoting the output: where they stand in it.

A quotation must occur in the output letter by letter; if it does not, case and the length of white space may differ.
Occurrences that are whole words go before others. If a text occurs several times, the first error that quotes it is at
the first place, the second at the second. What occurs nowhere, or less often than it was quoted, is dropped and
counted. An omission has no place in the output.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from assay.judges.reading import ReplyForm, read_object
from assay.judges.request import Schema, UnreadableReply
from assay.types import ErrorSpan
from assay.types.severity import Severity

__all__ = ["ERRORS", "OMISSION", "Doubts", "Marked", "locate", "read_errors"]

OMISSION = "omission"
SEVERITIES = (str(Severity.MAJOR), str(Severity.MINOR))
_FIELDS = ("text", "severity", "category")
_EDGE = r"(?:(?<!\w)|(?!\w))"
"""A place that is not inside a word."""

_SCHEMA: Schema = {
    "type": "object",
    "properties": {
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "text": {"type": "string"},
                    "severity": {"type": "string", "enum": list(SEVERITIES)},
                    "category": {"type": "string"},
                },
                "required": list(_FIELDS),
                "additionalProperties": False,
            },
        }
    },
    "required": ["errors"],
    "additionalProperties": False,
}


@dataclass(frozen=True)
class Marked:
    """An error as a model named it."""

    text: str
    severity: str
    category: str

    @property
    def is_omission(self) -> bool:
        """Whether something is absent, so that there is nothing to quote."""
        return self.category.rpartition("/")[2] == OMISSION


@dataclass
class Doubts:
    """How many quoted errors were found exactly, otherwise, in one of several places, or not at all."""

    total: int = 0
    inexact: int = 0
    """Found when case and white space were ignored."""
    ambiguous: int = 0
    """The text occurs more often than it was quoted."""
    absent: int = 0
    """Dropped: the text does not occur, or less often than it was quoted."""
    example: str = field(default="", compare=False)
    """The first text that was dropped."""

    def add(self, other: Doubts) -> None:
        """Count these, too."""
        for name in ("total", "inexact", "ambiguous", "absent"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.example = self.example or other.example


def read_errors(reply: str) -> tuple[Marked, ...]:
    """The errors of `{"errors": [{"text": ..., "severity": ..., "category": ...}]}`. Other keys are ignored."""
    tree = read_object(reply)
    if not isinstance(tree.get("errors"), list):
        raise UnreadableReply("the JSON object has no list 'errors'")
    return tuple(map(_error, tree["errors"]))


def _error(tree: Any) -> Marked:
    if not isinstance(tree, dict):
        raise UnreadableReply("an error is not a JSON object")
    for name in _FIELDS:
        if not isinstance(tree.get(name), str):
            raise UnreadableReply(f"an error has no text '{name}'")
    severity = tree["severity"].strip().lower()
    if severity not in SEVERITIES:
        raise UnreadableReply(f"an error has a severity that is not one of {', '.join(SEVERITIES)}")
    error = Marked(tree["text"].strip(), severity, tree["category"].strip().lower())
    if not error.text and not error.is_omission:
        raise UnreadableReply("an error quotes no text and is no omission")
    return error


ERRORS = ReplyForm(read_errors, _SCHEMA, tokens=100)
"""A reply with a list of errors."""


def locate(errors: Iterable[Marked], output: str) -> tuple[tuple[ErrorSpan, ...], Doubts]:
    """The errors at their places in the output, and how sure these are."""
    found: list[ErrorSpan] = []
    doubts = Doubts()
    quoted: Counter[str] = Counter()
    given = list(errors)
    counts = Counter(error.text for error in given if not error.is_omission)
    for error in given:
        if error.is_omission:
            found.append(ErrorSpan(error.category, error.severity))
            continue
        doubts.total += 1
        places, is_exact = _places(error.text, output)
        number, quoted[error.text] = quoted[error.text], quoted[error.text] + 1
        if number >= len(places):
            doubts.absent += 1
            doubts.example = doubts.example or error.text
            continue
        doubts.inexact += not is_exact
        doubts.ambiguous += len(places) > counts[error.text]
        start, end = places[number]
        found.append(ErrorSpan(error.category, error.severity, start, end, text=output[start:end]))
    return tuple(found), doubts


def _places(text: str, output: str) -> tuple[list[tuple[int, int]], bool]:
    """Where a text occurs, and whether it does letter by letter."""
    exact = _occurrences(re.escape(text), output, 0)
    if exact:
        return exact, True
    return _occurrences(r"\s+".join(map(re.escape, text.split())), output, re.IGNORECASE), False


def _occurrences(pattern: str, output: str, flags: int) -> list[tuple[int, int]]:
    """The places of a pattern; only those of whole words if there are any."""
    whole = [match.span() for match in re.finditer(f"{_EDGE}{pattern}{_EDGE}", output, flags)]
    return whole or [match.span() for match in re.finditer(pattern, output, flags)]
