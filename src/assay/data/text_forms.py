"""Texts in the wrong form: pieces of words, marks of another program, answers of a chat model instead of translations.

The core marks the lines of each column once: which strings they contain, capitals, script and length. What counts is
what a line has and the same line of the reference and of the source has not, because texts may rightly contain almost
anything: code, Markdown, a message in lower case.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from assay import _core
from assay.data.form_lines import ColumnKind, ComparedColumn
from assay.data.form_list import FORMS, Form
from assay.data.language_check import SCRIPT_NAMES, SCRIPT_STARTS
from assay.errors import printable
from assay.results import Finding
from assay.types import Column, NoteKind, as_column
from assay.types.note import listed, plural

__all__ = ["ReportedForm", "form_findings", "reported_forms"]

_SAMPLED_LINES = 100
_LEAST = 2  # lines that are a warning
_WHOLE = 0.5  # of the lines: a form that is always wrong is reported even if the reference has it
_USUAL = 2  # times as many lines as in the reference
_SEVERAL = 3  # outputs, of which most may show that the reference is odd
_SHOWN = 60  # characters of an excerpt
_BEFORE = 12  # of them before what was found
_SPACELESS = ("Han", "Thai", "Lao", "Burmese", "Khmer")


class ReportedForm(NamedTuple):
    """A form that columns of one kind have, and their lines (from 0)."""

    form: Form
    severity: str
    lines: dict[str, list[int]]
    columns: dict[str, ComparedColumn]


def form_findings(
    outputs: Mapping[str, Column], references: Mapping[str, Column], sources: Column | None, *, thorough: bool
) -> list[Finding]:
    """One finding for each form, and the columns of one kind that have it; `thorough`: also what single lines have."""
    return list(map(_finding, reported_forms(outputs, references, sources, thorough=thorough)))


def reported_forms(
    outputs: Mapping[str, Column], references: Mapping[str, Column], sources: Column | None, *, thorough: bool
) -> list[ReportedForm]:
    """What is reported. Without `thorough`, all lines are looked at only if a sample of them has a form."""
    size = max(map(len, (*outputs.values(), *references.values())), default=0)
    step = 1 if thorough else max(1, size // _SAMPLED_LINES)
    reported = list(_reported(_columns(outputs, references, sources, step), thorough=thorough))
    if step == 1 or not reported:
        return reported
    suspects = {label for one in reported for label in one.lines}
    if not any(one.form.is_relative for one in reported):  # which compares all outputs
        outputs = {label: column for label, column in outputs.items() if label in suspects}
    return list(_reported(_columns(outputs, references, sources), thorough=thorough))


def _reported(columns: dict[str, ComparedColumn], *, thorough: bool) -> Iterator[ReportedForm]:
    claimed: dict[str, set[int]] = {label: set() for label in columns}
    for place, form in enumerate(FORMS):
        for kind in form.kinds:
            alike = {label: own for label, own in columns.items() if own.kind == kind}
            all_lines = {label: _lines(form, place, own, thorough=thorough) for label, own in alike.items()}
            if form.is_symptom:
                all_lines = {label: [i for i in lines if i not in claimed[label]] for label, lines in all_lines.items()}
            found = {label: lines for label, lines in all_lines.items() if lines}
            if form.is_relative and kind == "output":
                found = _without_common_lines(found, len(alike))
            for severity in ("warning", "note") if thorough else ("warning",):
                lines = {
                    label: lines for label, lines in found.items() if _severity(form, lines, columns[label]) == severity
                }
                for label, found_lines in lines.items():
                    claimed[label].update(found_lines)
                if lines:
                    yield ReportedForm(form, severity, lines, columns)


def _without_common_lines(found: dict[str, list[int]], outputs: int) -> dict[str, list[int]]:
    """Without the lines that most outputs share: there, it is the reference that differs."""
    if not found or outputs < _SEVERAL:
        return found
    counts = Counter(chain.from_iterable(found.values()))
    return {label: [i for i in lines if 2 * counts[i] <= outputs] for label, lines in found.items()}


_Marked = tuple[Column, _core.LineMarks]


def _columns(
    outputs: Mapping[str, Column], references: Mapping[str, Column], sources: Column | None, step: int = 1
) -> dict[str, ComparedColumn]:
    """All columns by label, except for outputs that are references: every line, or every so many."""

    def marked(column: Column) -> _Marked:
        part = column if step == 1 else as_column(column[::step])
        return part, _core.LineMarks(_marker(), part)

    source = None if sources is None else marked(sources)
    human = {name: marked(column) for name, column in references.items()}
    systems = {label: marked(column) for label, column in outputs.items() if column not in references.values()}
    found: dict[str, ComparedColumn] = {}

    def add(kind: ColumnKind, label: str, name: str, own: _Marked, *twins: Mapping[str, _Marked]) -> None:
        candidates = ((other, marked) for columns in twins for other, marked in columns.items() if other != name)
        twin, (texts, marks) = next(candidates, ("", (None, None)))
        found[label] = ComparedColumn(kind, *own, twin, marks, texts, None if kind == "source" else source, step)

    for label, own in systems.items():
        add("output", label, label, own, human or systems)
    for name, own in human.items():
        add("reference", f"reference {name}" if name in found else name, name, own, human, systems)
    if source is not None:
        add("source", "sources", "", source, human, systems)
    return found


def _lines(form: Form, place: int, own: ComparedColumn, *, thorough: bool) -> list[int]:
    """The indices of the lines that have a form, if so many may have it that it is reported."""
    if form.lines is None and not own.totals[place]:  # the usual case
        return []
    least = 1 if thorough and form.is_note_below else _least(form, own)
    if form.lines is not None:
        return form.lines(own, place, least)
    total = own.totals[place]
    others = [] if form.is_always_wrong and total > _WHOLE * len(own.column) else own.others
    count, usual = (own.counts[place], _USUAL * own.usual[place]) if others else (total, 0)
    if count < least or total < usual:
        return []
    lines, matches = own.marks.lines(place, others), _pattern(form.pattern).search
    return lines if form.pattern is None else [i for i in lines if matches(own.text(i))]


def _least(form: Form, own: ComparedColumn) -> float:
    """The lines from which on a form is a warning, or in a sample of the lines, half as many: it may have too few."""
    share = form.share if own.step == 1 else form.share / 2
    return max(_LEAST, share * len(own.column))


@functools.cache
def _pattern(pattern: str | None) -> re.Pattern[str]:
    return re.compile(pattern or "")


def _severity(form: Form, lines: list[int], own: ComparedColumn) -> str | None:
    if len(lines) >= _least(form, own):
        return "warning"
    return "note" if lines and form.is_note_below else None


def _finding(reported: ReportedForm) -> Finding:
    """The finding of a form in one or several columns."""
    form, severity, found, columns = reported
    label, lines = next(iter(found.items()))
    first, counts = columns[label], list(map(len, found.values()))
    low, high = min(counts), max(counts)
    count = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    verb = form.verb if high > 1 else {"are": "is", "have": "has"}.get(form.verb, f"{form.verb}s")
    text = form.text.format(reference=first.twin)
    sentence = f"{count} of {plural(len(first.column), 'line')} {verb} {text}: {_excerpt(form, first.text(lines[0]))}"
    hint = form.hint.replace("{column}", str(_longest_field(first.column, lines)))
    return Finding(severity, NoteKind.SUSPECT, listed(found), sentence, lines[0] + 1, sum(counts), hint)


def _longest_field(column: Column, lines: list[int]) -> int:
    """The number of the column of a table that has the longest texts in most lines."""
    rows = [[len(field) for field in (column[i] or "").split("\t")] for i in lines[:_SAMPLED_LINES]]
    return Counter(row.index(max(row)) for row in rows).most_common(1)[0][0] + 1


def _excerpt(form: Form, text: str) -> str:
    """What was found, with a few characters before and after it."""
    places = [place for string in form.strings if (place := text.find(string.strip("\n"))) >= 0]
    match = _pattern(form.pattern).search(text) if form.pattern else None
    start = max(0, (match.start() if match else min(places, default=0)) - _BEFORE)
    shown = printable(text[start : start + _SHOWN])
    return f"“{'…' if start else ''}{shown}{'…' if start + _SHOWN < len(text) else ''}”"


@functools.cache
def _marker() -> _core.LineMarker:
    """Made when it is first needed, because its table has an entry for each character."""
    places = {name: place for place, name in enumerate(("", *sorted({*SCRIPT_NAMES} - {"", "Kana"})))}
    places["Kana"] = places["Han"]  # Japanese has both
    spaceless = sum(1 << places[name] for name in _SPACELESS)
    strings = [list(form.strings) for form in FORMS]
    return _core.LineMarker(strings, list(SCRIPT_STARTS), [places[name] for name in SCRIPT_NAMES], spaceless)
