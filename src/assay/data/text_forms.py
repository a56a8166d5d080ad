"""Texts in the wrong form: pieces of words, marks of another program, answers of a chat model instead of translations.

The core marks the lines of each column once: which strings they contain, capitals, script and length. What counts is
what a line has and the same line of the reference and of the source has not, because texts may rightly contain almost
anything: code, Markdown, a message in lower case.
"""

from __future__ import annotations

import functools
import random
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from assay import _core
from assay.data.form_lines import ColumnKind, ComparedColumn, MarkedColumn
from assay.data.form_list import FORMS, Form
from assay.data.language_check import SCRIPT_NAMES, SCRIPT_STARTS
from assay.errors import printable
from assay.types import Column, Note, NoteKind
from assay.types.note import listed, plural

__all__ = ["ReportedForm", "first_place", "form_findings", "reported_forms"]

_FEW_LINES = 400  # all of which are looked at
_PART, _LEAST_PART = 10, 200  # one line in so many, but so many lines, are looked at for forms that few lines have, …
_RARE_SHARE = 0.02  # … up to this share, …
_SAMPLED_LINES = 80  # … and so many lines for all forms
_LEAST = 2  # lines that are a warning
_WHOLE = 0.5  # of the lines: a form that is always wrong is reported even if the reference has it
_WITH_ADDITION = 1.2  # times the length of the reference: a translation and something after it
_MOST = 0.8  # of the reference, after which something else may begin
_USUAL = 2  # times as many lines as in the reference
_SEVERAL = 3  # outputs, of which most may show that the reference is odd
_COMPARED_ROWS = 100  # that show which column of a table has texts
_SHOWN = 60  # characters of an excerpt
_BEFORE = 12  # of them before what was found
_SPACELESS = ("Han", "Thai", "Lao", "Burmese", "Khmer")
_ALL = frozenset(range(len(FORMS)))
_RARE = frozenset(place for place, form in enumerate(FORMS) if form.share <= _RARE_SHARE)


class ReportedForm(NamedTuple):
    """A form that columns of one kind have, and their lines (from 0)."""

    form: Form
    severity: str
    lines: dict[str, list[int]]
    columns: dict[str, ComparedColumn]


def form_findings(
    outputs: Mapping[str, Column], references: Mapping[str, Column], sources: Column | None, *, thorough: bool
) -> list[Note]:
    """One finding for each form, and the columns of one kind that have it; `thorough`: also what single lines have."""
    return list(map(_finding, reported_forms(outputs, references, sources, thorough=thorough)))


def reported_forms(
    outputs: Mapping[str, Column], references: Mapping[str, Column], sources: Column | None, *, thorough: bool
) -> list[ReportedForm]:
    """What is reported.

    Without `thorough`, columns of many lines are looked at in full only if some lines of them, drawn at random, have
    any form; and single lines are noted only if they are no translations.
    """
    texts = _Texts(outputs, references, sources)
    only = None if thorough or texts.size <= _FEW_LINES else _suspects(texts)
    return [] if only is not None and not only else list(_reported(texts.columns(only=only), thorough=thorough))


def _suspects(texts: _Texts) -> set[str]:
    """The columns of which some lines have a form.

    In a quarter of the lines, forms of which a few lines are reported are looked for, first without the sources and by
    what is quick to see; and in some of these lines, all forms.
    """
    places = _sample(texts.size)
    quick = texts.columns(places, marker=_marker(_RARE), with_sources=False)
    odd = sorted(set(chain.from_iterable(own.suspects for own in quick.values())))
    rare = texts.columns([places[i] for i in odd], size=len(places)) if odd else {}
    fewer = texts.columns([places[k * len(places) // _SAMPLED_LINES] for k in range(_SAMPLED_LINES)])
    found = [*_reported(rare, places_of_forms=_RARE)]
    found += (one for one in _reported(fewer) if one.severity == "warning")
    if any(one.form.is_relative for one in found):
        return {*texts.systems, *texts.references}  # all outputs are compared
    return {label for one in found for label in one.lines}


@functools.lru_cache(maxsize=16)
def _sample(size: int) -> list[int]:
    """Lines of a file: one of each stretch of the same length, at random, so that no regular fault is missed."""
    draw, count = random.Random(size).random, max(_LEAST_PART, size // _PART)
    return [int((k + draw()) * size / count) for k in range(count)]


def _reported(
    columns: dict[str, ComparedColumn], *, thorough: bool = False, places_of_forms: Collection[int] = _ALL
) -> Iterator[ReportedForm]:
    claimed: dict[str, dict[str, set[int]]] = {label: {} for label in columns}
    by_kind: dict[str, dict[str, ComparedColumn]] = {}
    for label, own in columns.items():
        by_kind.setdefault(own.kind, {})[label] = own
    marked = {kind: _marked(alike.values()) for kind, alike in by_kind.items()}
    for place, form in enumerate(FORMS):
        for kind in form.kinds if place in places_of_forms else ():
            if kind not in marked or (form.lines is None and place not in marked[kind]):
                continue
            found = _found(form, place, by_kind[kind], claimed, thorough=thorough)
            for severity in ("warning", "note") if found else ():
                lines = {
                    label: lines
                    for label, lines in found.items()
                    if _severity(form, lines, columns[label], thorough=thorough) == severity
                }
                for label, found_lines in lines.items():
                    claimed[label].setdefault(form.name, set()).update(found_lines)
                if lines:
                    yield ReportedForm(form, severity, lines, columns)


def _marked(columns: Iterable[ComparedColumn]) -> set[int]:
    """The places of the forms of which some line has a string."""
    return {place for own in columns for place, total in enumerate(own.totals) if total}


def _found(
    form: Form,
    place: int,
    alike: Mapping[str, ComparedColumn],
    claimed: Mapping[str, Mapping[str, set[int]]],
    *,
    thorough: bool,
) -> dict[str, list[int]]:
    """The lines with a form, by column; of a symptom, those that no other form has claimed."""
    marked = [label for label, own in alike.items() if form.lines is not None or own.totals[place]]
    all_lines = ((label, _lines(form, place, alike[label], thorough=thorough)) for label in marked)
    found = {label: lines for label, lines in all_lines if lines}
    if form.is_symptom:
        found = {
            label: [
                i
                for i in lines
                if not any(i in claimed[label][cause] for cause in claimed[label].keys() - form.despite)
            ]
            for label, lines in found.items()
        }
    if form.is_relative and any(own.kind == "output" for own in alike.values()):
        found = _without_common_lines(found, len(alike))
    return found


def _without_common_lines(found: dict[str, list[int]], outputs: int) -> dict[str, list[int]]:
    """Without the lines that most outputs share: there, it is the reference that differs."""
    if outputs < _SEVERAL:
        return found
    counts = Counter(chain.from_iterable(found.values()))
    return {label: [i for i in lines if 2 * counts[i] <= outputs] for label, lines in found.items()}


@dataclass(frozen=True)
class _Texts:
    """All texts, of which columns are made: those of outputs that are references are left out."""

    outputs: Mapping[str, Column]
    references: Mapping[str, Column]
    sources: Column | None

    @functools.cached_property
    def size(self) -> int:
        """The number of lines."""
        return max(map(len, (*self.outputs.values(), *self.references.values())), default=0)

    @functools.cached_property
    def systems(self) -> dict[str, Column]:
        """The outputs that are no references."""
        references = list(self.references.values())
        return {label: column for label, column in self.outputs.items() if column not in references}

    def columns(
        self,
        places: Sequence[int] | None = None,
        *,
        size: int | None = None,
        only: Collection[str] | None = None,
        marker: _core.LineMarker | None = None,
        with_sources: bool = True,
    ) -> dict[str, ComparedColumn]:
        """The columns by label, or `only` some: all lines, or those at some places, chosen of a sample of this size."""

        def marked(column: Column) -> MarkedColumn:
            return MarkedColumn(column, places, marker or _marker(_ALL))

        human = {name: marked(column) for name, column in self.references.items()}
        systems = {label: marked(column) for label, column in self.systems.items()}
        source = marked(self.sources) if self.sources is not None and with_sources else None
        size = size or (self.size if places is None else len(places))
        found: dict[str, ComparedColumn] = {}

        def add(kind: ColumnKind, label: str, name: str, own: MarkedColumn, *twins: Mapping[str, MarkedColumn]) -> None:
            if only is not None and label not in only:
                return
            candidates = ((other, marked) for columns in twins for other, marked in columns.items() if other != name)
            twin, reference = next(candidates, ("", None))
            compared = None if kind == "source" else source
            is_beside = kind == "output" and bool(human)
            found[label] = ComparedColumn(kind, own, twin, reference, compared, places, size, is_beside)

        for label, own in systems.items():
            add("output", label, label, own, human or systems)
        for name, own in human.items():
            add("reference", f"reference {name}" if name in systems else name, name, own, human, systems)
        if source is not None:
            add("source", "sources", "", source, human, systems)
        return found


def _lines(form: Form, place: int, own: ComparedColumn, *, thorough: bool) -> list[int]:
    """The indices of the lines that have a form, if so many may have it that it is reported."""
    least = 1 if _is_noted(form, thorough=thorough) else _least(form, own)
    if form.lines is not None:
        return form.lines(own, place, least)
    total = own.totals[place]
    others = [] if form.is_always_wrong and total > _WHOLE * own.size else own.others
    count, usual = (own.counts[place], _USUAL * own.usual[place]) if others else (total, 0)
    if count < least or total < usual:
        return []
    lines, matches = own.marks.lines(place, others), _pattern(form.pattern).search
    if form.is_addition and own.reference is not None:
        longer = set(own.marks.of_length(own.reference, _WITH_ADDITION, float("inf")))
        lines = [i for i in lines if i in longer or _is_after(form, own.text(i), own.reference_column[i] or "")]
    lines = lines if form.pattern is None else [i for i in lines if matches(own.text(i))]
    return lines if form.cause is None else _without_cause(form, lines, own)


def _without_cause(form: Form, lines: list[int], own: ComparedColumn) -> list[int]:
    """The lines without a cause in the texts they are compared with; with nothing to compare, a few prove nothing."""
    if not own.compared:
        return lines if len(lines) >= _least(form, own) else []
    is_cause = _pattern(form.cause).search
    return [i for i in lines if not any(is_cause(column[i] or "") for column in own.compared_columns)]


def _is_noted(form: Form, *, thorough: bool) -> bool:
    """Whether single lines are noted: when scoring, only if they are no translations."""
    return form.is_note_below and (thorough or form.is_no_translation)


def _least(form: Form, own: ComparedColumn) -> float:
    """The lines from which on a form is a warning, or in a sample of the lines, half as many: it may have too few."""
    share = form.share if own.places is None else form.share / 2
    return max(_LEAST, share * own.size)


@functools.cache
def _pattern(pattern: str | None) -> re.Pattern[str]:
    return re.compile(pattern or "")


def _severity(form: Form, lines: list[int], own: ComparedColumn, *, thorough: bool) -> str | None:
    if len(lines) >= _least(form, own) and (own.compared or not form.may_be_in_source):
        return "warning"
    return "note" if lines and _is_noted(form, thorough=thorough) else None


def _finding(reported: ReportedForm) -> Note:
    """The finding of a form in one or several columns."""
    form, severity, found, columns = reported
    label, lines = next(iter(found.items()))
    first, counts = columns[label], list(map(len, found.values()))
    low, high = min(counts), max(counts)
    count = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    verb = form.verb if high > 1 else {"are": "is", "have": "has"}.get(form.verb, f"{form.verb}s")
    text = form.text if first.twin else form.text.removesuffix(", unlike {reference}")  # nothing beside it
    text = text.format(reference=first.twin)
    line, where = first_place({name: [columns[name].number(own[0]) + 1] for name, own in found.items()})
    sentence = f"{count} of {plural(first.size, 'line')} {verb} {text}{where}"
    example = _excerpt(form, first.text(lines[0]))
    hint = form.hint.replace("{column}", str(_longest_field(first.column, lines)))
    if form.may_be_in_source and not first.compared:
        hint = f"if the sources have none, {hint}"
    where = listed(found)
    return Note(NoteKind.SUSPECT, sentence, where, sum(counts), severity, line=line, hint=hint, example=example)


def first_place(lines: Mapping[str, Sequence[int]]) -> tuple[int | None, str]:
    """The first line (from 1) of the first column: as the line of a note on this column alone, or else in words."""
    label, own = next(iter(lines.items()))
    return (own[0], "") if len(lines) == 1 else (None, f", first in line {own[0]} of {label}")


def _longest_field(column: Column, lines: list[int]) -> int:
    """The number of the column of a table that has the longest texts in most lines."""
    rows = [[len(field) for field in (column[i] or "").split("\t")] for i in lines[:_COMPARED_ROWS]]
    return Counter(row.index(max(row)) for row in rows).most_common(1)[0][0] + 1


def _excerpt(form: Form, text: str) -> str:
    """What was found, with a few characters before and after it."""
    start = max(0, _start(form, text) - _BEFORE)
    shown = printable(text[start : start + _SHOWN])
    return f"{'…' if start else ''}{shown}{'…' if start + _SHOWN < len(text) else ''}"


def _start(form: Form, text: str) -> int:
    """Where a text has the form."""
    match = _pattern(form.pattern).search(text) if form.pattern else None
    places = [place for string in form.strings if (place := text.find(string.strip("\n"))) >= 0]
    return match.start() if match else min(places, default=0)


def _is_after(form: Form, text: str, reference: str) -> bool:
    """Whether a text has the form where a translation would end."""
    return 0 < _MOST * len(reference) <= _start(form, text)


@functools.cache
def _marker(places: frozenset[int]) -> _core.LineMarker:
    """Finds the strings of the forms at these places. Made when first needed: it has an entry for each character."""
    scripts = {name: place for place, name in enumerate(("", *sorted({*SCRIPT_NAMES} - {"", "Kana"})))}
    scripts["Kana"] = scripts["Han"]  # Japanese has both
    spaceless = sum(1 << scripts[name] for name in _SPACELESS)
    strings = [list(form.strings) if place in places else [] for place, form in enumerate(FORMS)]
    return _core.LineMarker(strings, list(SCRIPT_STARTS), [scripts[name] for name in SCRIPT_NAMES], spaceless)
