"""Errors that a model names by quoting the output: where they stand in it.

A quotation must occur in the output letter by letter; if it does not, case, the length of white space, the shape of
quotation marks and dots, and the Unicode form of letters with accents may differ. Occurrences that are whole words go
before others. If a text occurs several times, the first error that quotes it is at the first place, the second at the
second. An error whose text occurs nowhere has no place, like an omission, but is an error all the same: without it, the
output would be better than the model said. Only repetitions, of which there are more than places, are dropped. All
this is counted.
"""

from __future__ import annotations

import re
import unicodedata
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
_QUOTES = "\"'`´‘’‚‛“”„‟«»‹›"

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
    """How many quoted errors there are, and how many of them have no place, or one that is not certain."""

    total: int = 0
    inexact: int = 0
    """Found when case, white space and the shape of quotation marks and other characters were ignored."""
    ambiguous: int = 0
    """The text occurs more often than it was quoted."""
    absent: int = 0
    """Kept without a place: the text does not occur."""
    repeated: int = 0
    """Dropped: the text was quoted more often than it occurs."""
    example: str = field(default="", compare=False)
    """The first text that does not occur."""

    def add(self, other: Doubts) -> None:
        """Count these, too."""
        for name in ("total", "inexact", "ambiguous", "absent", "repeated"):
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
    taken: set[tuple[int, int] | str] = set()
    """Places of errors, and texts without one."""
    given = list(errors)
    counts = Counter(error.text for error in given if not error.is_omission)
    for error in given:
        if error.is_omission:
            found.append(ErrorSpan(error.category, error.severity))
            continue
        doubts.total += 1
        places, is_exact = _places(error.text, output)
        place = next((place for place in places if place not in taken), None)
        if place is not None:
            taken.add(place)
            doubts.inexact += not is_exact
            doubts.ambiguous += len(places) > counts[error.text]
            found.append(ErrorSpan(error.category, error.severity, *place, text=output[slice(*place)]))
        elif places or error.text in taken:
            doubts.repeated += 1
        else:
            taken.add(error.text)
            doubts.absent += 1
            doubts.example = doubts.example or error.text
            found.append(ErrorSpan(error.category, error.severity, text=error.text))
    return tuple(found), doubts


def _places(text: str, output: str) -> tuple[list[tuple[int, int]], bool]:
    """Where a text occurs, and whether it does letter by letter."""
    exact = _occurrences(re.escape(text), output, 0)
    if exact:
        return exact, True
    text = unicodedata.normalize("NFC", text).replace("...", "…")
    pattern = r"\s+".join("".join(map(_any_shape, word)) for word in text.split())
    return _occurrences(pattern, output, re.IGNORECASE), False


def _any_shape(letter: str) -> str:
    """A pattern for the ways to write a letter."""
    if letter in _QUOTES:
        return f"[{_QUOTES}]"
    if letter == "…":
        return r"(?:…|\.\.\.)"
    decomposed = unicodedata.normalize("NFD", letter)
    return re.escape(letter) if decomposed == letter else f"(?:{re.escape(letter)}|{re.escape(decomposed)})"


def _occurrences(pattern: str, output: str, flags: int) -> list[tuple[int, int]]:
    """The places of a pattern; only those of whole words if there are any."""
    whole = [match.span() for match in re.finditer(f"{_EDGE}{pattern}{_EDGE}", output, flags)]
    return whole or [match.span() for match in re.finditer(pattern, output, flags)]
