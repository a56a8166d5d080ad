"""Marked errors, of metrics or people: as columns of numbers (tasks of WMT23 and WMT25), or as JSON (xCOMET, WMT26).

`end` is exclusive in all of them. A position that lies beyond the output is an error of the file, which readers report:
nothing is moved into the text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any

from assay.data.tables.collectors import CampaignCollector, RatingCollector, TextCollector
from assay.data.tables.error_spans import MISSING, START_KEYS, error_of, folded, places
from assay.errors import InputError, nearest, printable
from assay.types import Campaign, ErrorSpan, Note, NoteKind
from assay.types.note import plural
from assay.types.severity import SEVERITIES, Severity

__all__ = ["SpanCollector", "errors_in_columns", "errors_in_objects", "is_error_object"]

_NO_POSITION = "-1"
_KNOWN = tuple(severity for severity in SEVERITIES if severity != Severity.NO_ERROR)


def errors_in_columns(starts: str, ends: str, kinds: str, *, path: str, line: int) -> tuple[ErrorSpan, ...]:
    """Errors as three cells with spaces between values: `12 40`, `15 44`, `minor major`; -1 and no-error are none."""
    names = kinds.split()
    if not names or names == [Severity.NO_ERROR]:
        if {*starts.split(), *ends.split()} - {_NO_POSITION}:
            raise InputError(f"positions of errors, but the type is '{kinds}'", path=path, line=line)
        return ()
    errors = []
    for start, end, kind in zip_longest(starts.split(), ends.split(), names):
        if None in (start, end, kind):
            counts = f"{len(starts.split())} starts, {len(ends.split())} ends and {len(names)} types of errors"
            raise InputError(counts, path=path, line=line, hint="write as many of each, with spaces between them")
        if start == end == MISSING:
            errors.append(ErrorSpan(MISSING, severity_in(kind, path, line)))
        else:
            errors.append(ErrorSpan("", severity_in(kind, path, line), *places(start, end, path, line)))
    return tuple(errors)


def errors_in_objects(values: object, *, path: str, line: int | None) -> tuple[ErrorSpan, ...]:
    """Errors as JSON objects: `start`, `end`, `severity` and perhaps `category` and `text`; confidence is not kept."""
    if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
        raise InputError("the errors must be a list of JSON objects", path=path, line=line)
    return tuple(_error_in(value, path, line) for value in values)


def is_error_object(value: object) -> bool:
    """Whether this is an error in JSON, as `errors_in_objects` reads it."""
    return isinstance(value, dict) and "severity" in value and not value.keys().isdisjoint(START_KEYS)


def _error_in(value: dict[str, Any], path: str, line: int | None) -> ErrorSpan:
    found, text = error_of(value, path, line), value.get("text")
    checked = replace(found, severity=severity_in(value.get("severity") or "", path, line))
    is_quoting = found.start is not None and isinstance(text, str) and text.strip()
    return replace(checked, text=text) if is_quoting else checked


def severity_in(text: str, path: str, line: int | None) -> str:
    """A severity in lower case. An unknown one is an error: its characters would count as those of no error."""
    severity = folded(text).lower()
    if severity not in _KNOWN:
        hint = nearest(severity, _KNOWN)
        raise InputError(f"unknown severity '{printable(text[:40])}'", path=path, line=line, hint=hint)
    return severity


@dataclass
class SpanCollector:
    """Collects marked errors, and the outputs that they are of, by test set, language pair and metric or protocol."""

    path: str
    digest: str
    protocol: str = "other"
    is_human: bool = False
    _groups: dict[tuple[str, str, str], CampaignCollector] = field(default_factory=dict)
    _outside: Counter[str] = field(default_factory=Counter)
    _first_outside: dict[str, str] = field(default_factory=dict)

    def add(
        self,
        place: tuple[str, str, str],
        system: str,
        segment: int | str,
        errors: Iterable[ErrorSpan],
        *,
        line: int,
        document: str = "",
        domain: str = "",
        score: float = float("nan"),
        source: str | None = None,
        output: str | None = None,
    ) -> None:
        """Add what a metric found in an output; `place` is the test set, the language pair and the metric."""
        group = self._groups.get(place)
        if group is None:
            dataset, lp, metric = place
            ratings = RatingCollector(metric, self.protocol, self.path, self.digest, is_human=self.is_human)
            group = self._groups[place] = CampaignCollector(dataset, lp, ratings, TextCollector(self.path))
        found = tuple(errors)
        number = group.ratings.add(place[2], system, segment, score, errors=found, document=document, domain=domain)
        for kind, text, owner in (
            ("source", source, ""),
            ("document", document or None, ""),
            ("output", output, system),
        ):
            if text is not None:
                group.texts.add(kind, number, text, line=line, system=owner)
        if output is not None:
            self._check(found, output, place[2], line)

    def _check(self, errors: tuple[ErrorSpan, ...], output: str, metric: str, line: int) -> None:
        for error in errors:
            if error.end is not None and error.end > len(output):
                self._outside[metric] += 1
                self._first_outside.setdefault(
                    metric, f"line {line}: characters {error.start} to {error.end} of {len(output):,}"
                )

    def campaigns(self, notes: Iterable[Note] = ()) -> Iterator[Campaign]:
        """A campaign for each test set, language pair and metric."""
        outside = [
            Note(
                NoteKind.SUSPECT,
                f"{plural(count, 'error')} by {metric} outside the text, the first in {self._first_outside[metric]}",
                self.path,
                count,
                "warning",
            )
            for metric, count in self._outside.items()
        ]
        for group in self._groups.values():
            group.notes += (*notes, *outside)
            yield group.campaign()
