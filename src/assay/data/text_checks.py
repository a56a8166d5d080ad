"""Texts that look wrong: misaligned, copied, in another language, or in another Unicode normal form.

`assay score` and `assay data check` report the same findings in the same words. Scoring compares the words only of
lines whose lengths do not fit; a check compares all, and looks for odd characters, too.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from assay import _core
from assay.data.language_check import detected_language, mismatched_language, script_name
from assay.data.misalignment import Misalignment, ReferenceColumn
from assay.data.text_forms import first_place, form_findings
from assay.lazily import numpy as np
from assay.types import Column, Note, NoteKind, as_column, present
from assay.types.note import SEVERITIES, listed, plural
from assay.types.runtime import Runtime

__all__ = ["double_encoded_lines", "text_findings"]

_WARNING_SHARE = 0.01  # of the segments: more that were encoded twice or in another normal form are a warning
_COPIES_SHARE = (
    0.03  # of the segments: more copies of the source are a warning, because names and tags are right to keep
)
_COPY_SHARE = 0.5  # of equal segments, which no two independent translations reach
_MARKED_SHARE = 0.5  # of the lines: more byte order marks are reported as a wrong form of the text
_DIFFERENT_SHARE = 0.5  # of the lines, which show that one text has another order
_CHANCE_COPIES = 20  # equal segments that may be chance
_SAMPLED_LINES = 200  # normal forms differ in the whole file
_BOM = "\ufeff"
_ODD_CHARACTERS = {
    _BOM: "a byte order mark",
    "\r": "a carriage return",
    "\u2028": "a line separator (U+2028)",
    "\x85": "a next-line character (U+0085)",
}
_IS_SOURCE = "is the reference the source file?"
_IS_REFERENCE = "is the source the reference file?"
_ARE_SWAPPED = "are the source and the output swapped?"
_POOR_OR_SHUFFLED = "; they may be in another order, or the system is very poor"
_ARE_OTHER = "are the sources in another order, or of another test set?"
_LONG_LINE = 1_000  # characters
_LONG_LINE_ALONE = 10_000  # characters, where there is nothing to compare a line with
_LONG_RATIO = 50  # to the same line of the reference or source
_SOURCE_WINDOWS = 4  # windows of lines in a row that must differ from another language


def text_findings(
    outputs: Mapping[str, Column],
    references: Mapping[str, Column],
    *,
    sources: Column | None = None,
    lp: str | None = None,
    prefix: str = "",
    thorough: bool = False,
    is_bom_reported: bool = False,
    runtime: Runtime | None = None,
) -> Iterator[Note]:
    """All findings on columns of the same length, by kind; `prefix` comes before the names of columns.

    `thorough` also checks characters, and the words of all outputs, not only of lines whose lengths do not fit; and it
    notes facts that do not make the texts doubtful.
    `is_bom_reported` says that a byte order mark at the start of a column was reported already.
    """
    sides, anchor = _sides(outputs, references), _anchor(references, sources)
    columns = sides if sources is None else {**sides, "sources": sources}
    kinds: list[Iterable[Note]] = [
        _missing_texts(columns if thorough else outputs, outputs),
        _blank_lines(columns),
        _normal_forms(sides, thorough),
        _double_encodings(sides, thorough),
        _long_lines(outputs, anchor),
        form_findings(outputs, references, sources, thorough=thorough),
        _languages(outputs, references, sources, lp),
        _untranslated_outputs(outputs, references, sources),
        _source_as_reference(references, sources, outputs),
        _reference_as_output(outputs, references),
        _equal_columns(references),
        _equal_columns(outputs),
        _orders(outputs, references, sources, thorough, runtime or Runtime()),
    ]
    if thorough:
        kinds = [_odd_characters(columns, is_bom_reported), *kinds]
    return (
        replace(finding, where=prefix + finding.where)
        for findings in kinds
        for finding in findings
        if thorough or finding.severity != "note" or finding.kind is NoteKind.SUSPECT
    )


def _sides(outputs: Mapping[str, Column], references: Mapping[str, Column]) -> dict[str, Column]:
    """The outputs and references. A reference with the name of an output, but other texts, is called a reference."""
    sides = dict(outputs)
    for name, column in references.items():
        sides[name if outputs.get(name, column) == column else f"reference {name}"] = column
    return sides


def _odd_characters(columns: Mapping[str, Column], is_bom_reported: bool) -> Iterator[Note]:
    """Characters at which other programs break lines. Many byte order marks are a wrong form of the text."""
    texts = {label: "\n".join(filter(None, column)) for label, column in columns.items()}
    for character, description in _ODD_CHARACTERS.items():
        found = {
            label: _lines_with(character, column) for label, column in columns.items() if character in texts[label]
        }
        if character == _BOM:
            found = {
                label: lines
                for label, lines in found.items()
                if len(lines) <= max(1, _MARKED_SHARE * len(columns[label])) and not (is_bom_reported and lines == [1])
            }
        contained = f"contains {description}", f"contain {description}"
        yield from _alike_columns(found, columns, NoteKind.SUSPECT, *contained, severity="note")


def _missing_texts(columns: Mapping[str, Column], outputs: Mapping[str, Column]) -> Iterator[Note]:
    """Segments without a text, one finding for all columns that lack the same: those of outputs are not scored."""
    lacking: dict[tuple[int, ...], list[str]] = {}
    for label, column in columns.items():
        absent = () if as_column(column).is_complete else tuple((np.flatnonzero(~present(column)) + 1).tolist())
        if absent:
            lacking.setdefault(absent, []).append(label)
    for absent, labels in lacking.items():
        text = f"{len(absent):,} of {plural(len(columns[labels[0]]), 'segment')} missing"
        text = text if len(labels) == 1 else f"the same {text}"
        severity = "warning" if any(label in outputs for label in labels) else "note"
        yield Note(NoteKind.MISSING, text, listed(labels), count=len(absent), severity=severity, line=absent[0])


def _blank_lines(columns: Mapping[str, Column]) -> Iterator[Note]:
    blank = {label: [i + 1 for i in _core.blank_lines(column)] for label, column in columns.items()}
    yield from _alike_columns(blank, columns, NoteKind.MISSING, "is empty", "are empty")


def _normal_forms(sides: Mapping[str, Column], thorough: bool) -> Iterator[Note]:
    """The same letter written with different code points does not match."""
    suspects = [label for label, column in sides.items() if _has_odd_form(column, thorough)]
    if len(suspects) == len(sides):
        return
    odd = {label: _lines_that(_is_decomposed, sides[label]) for label in suspects}
    form = "not in Unicode normal form C, unlike other columns"
    hint = "equal letters will not match; convert the files: uconv -x nfc"
    for severity in SEVERITIES:
        alike = {label: lines for label, lines in odd.items() if _severity_of(lines, sides[label]) == severity}
        yield from _alike_columns(alike, sides, NoteKind.SUSPECT, f"is {form}", f"are {form}", hint, severity=severity)


def _severity_of(lines: Sequence[int], column: Column) -> str:
    return "warning" if len(lines) > _WARNING_SHARE * len(column) else "note"


def _alike_columns(
    found: Mapping[str, Sequence[int]],
    columns: Mapping[str, Column],
    kind: NoteKind,
    singular: str,
    several: str,
    hint: str | None = None,
    *,
    severity: str = "warning",
) -> Iterator[Note]:
    """One finding for all columns that have such lines, those with the most first."""
    ordered = sorted(found, key=lambda label: -len(found[label]))
    lines = {label: found[label] for label in ordered if found[label]}
    if lines:
        counts, (line, first) = [len(places) for places in lines.values()], first_place(lines)
        count = f"{min(counts):,}" if min(counts) == max(counts) else f"{min(counts):,} to {max(counts):,}"
        total = plural(len(columns[next(iter(lines))]), "line")
        rest = singular if max(counts) == 1 else several if first else f"{several}, first here"
        text = f"{count} of {total} {rest}{first}"
        yield Note(kind, text, listed(lines), count=sum(counts), severity=severity, line=line, hint=hint)


def _has_odd_form(column: Column, thorough: bool) -> bool:
    """Whether any text, or any of a sample, is not in normal form C: one call for many is ten times faster."""
    step = 1 if thorough else max(1, len(column) // _SAMPLED_LINES)
    sample = column[::step]
    return _is_decomposed("\n".join(sample[i] or "" for i in _core.lines_to_normalize(sample)))


def _double_encodings(sides: Mapping[str, Column], thorough: bool) -> Iterator[Note]:
    """Texts that were encoded as UTF-8 twice; scoring looks at a sample first."""
    for label, column in sides.items():
        step = 1 if thorough else max(1, len(column) // _SAMPLED_LINES)
        lines = double_encoded_lines(column[::step]) and double_encoded_lines(column)
        if lines:
            severity = _severity_of(lines, column)
            text = _lines_text(lines, column, "was", "were", "encoded as UTF-8 twice")
            hint = "decode the file once: Ã¼ should be ü"
            yield Note(NoteKind.SUSPECT, text, label, count=len(lines), severity=severity, line=lines[0], hint=hint)


def _long_lines(outputs: Mapping[str, Column], anchor: _Anchor | None) -> Iterator[Note]:
    """Output lines that no translation of their segment is as long as: a warning for each column with the longest."""
    for label, column in outputs.items():
        expected = {i: len((anchor and anchor.column[i]) or "") for i in _core.long_lines(column, _LONG_LINE)}
        lengths = {i: len(column[i] or "") for i in expected}
        least = 1 if anchor else _LONG_LINE_ALONE // _LONG_RATIO
        long = [i for i in lengths if lengths[i] > _LONG_RATIO * max(expected[i], least)]
        if long:
            longest = max(long, key=lambda i: lengths[i])
            found = f"a line of {plural(lengths[longest], 'character')}"
            contrast = "" if anchor is None else f"; that of {anchor.name} has {expected[longest]:,}"
            times = (
                f"more than {_LONG_RATIO} times as long" if anchor else f"of more than {_LONG_LINE_ALONE:,} characters"
            )
            others = f" ({len(long):,} lines are {times}, this is the longest)" if len(long) > 1 else ""
            text, line = found + contrast + others, longest + 1
            yield Note(NoteKind.SUSPECT, text, label, count=len(long), severity="warning", line=line)


def _languages(
    outputs: Mapping[str, Column], references: Mapping[str, Column], sources: Column | None, lp: str | None
) -> Iterator[Note]:
    """Texts that are clearly in another language than the target language, or else than the first reference."""
    expected, contrast = _expected_language(references, lp)
    script = None if lp is None else script_name(lp.partition("-")[2])
    if not expected:
        return
    if lp is not None:
        for label, looks in _mismatched(references, expected, script):
            hint = _language_hint(references[label], outputs, lp)
            yield _suspect(label, f"looks like {looks}, {contrast}", hint=hint)
    has_foreign = any(_mismatched(references, expected, script))
    labels_by_look: dict[str, list[str]] = {}
    for label, looks in _mismatched(outputs, expected, script):
        labels_by_look.setdefault(looks, []).append(label)
    for looks, labels in labels_by_look.items():
        verb = "looks" if len(labels) == 1 else "look"
        hint = None
        if len(labels) == len(outputs):
            is_swapped = not has_foreign and _is_translation(sources, references, expected)
            hint = _ARE_SWAPPED if is_swapped else _IS_SOURCE if not lp else None
        yield _suspect(listed(labels), f"{verb} like {looks}, {contrast}", count=len(labels), hint=hint)


def _is_translation(sources: Column | None, references: Mapping[str, Column], language: str) -> bool:
    """Whether the sources are in the language that outputs should be in, and the reference is not the source file."""
    if sources is None or any(_source_as_reference(references, sources, {})):
        return False
    return detected_language(sources) == language


def _language_hint(reference: Column, outputs: Mapping[str, Column], lp: str) -> str | None:
    """Why a reference is not in the target language, if it is in the source language."""
    source, _, target = lp.partition("-")
    if detected_language(reference) != _code(source):
        return None
    are_outputs_alike = all(detected_language(column) == _code(source) for column in outputs.values())
    return f"is the language pair {target}-{source}?" if are_outputs_alike else _IS_SOURCE


def _expected_language(references: Mapping[str, Column], lp: str | None) -> tuple[str, str]:
    """The code of the language that outputs should be in, or nothing, and how to contrast it with another."""
    if lp is not None:
        target, script = _code(lp.partition("-")[2]), script_name(lp.partition("-")[2])
        written = f" in {script} script" if script else ""
        return target, f"but the target language of {lp} is {target}{written}"
    name, column = next(iter(references.items()), ("", as_column(())))
    return detected_language(column) or "", f"but the reference {name} does not"


def _mismatched(columns: Mapping[str, Column], expected: str, script: str | None) -> Iterator[tuple[str, str]]:
    """The columns that are clearly not in the expected language or script, and what they look like."""
    for label, column in columns.items():
        looks = mismatched_language(column, expected, script)
        if looks is not None:
            yield label, looks


def _untranslated_outputs(
    outputs: Mapping[str, Column], references: Mapping[str, Column], sources: Column | None
) -> Iterator[Note]:
    """Outputs that are copies of their source, unlike any reference: a warning for many, a note for a few."""
    if sources is None:
        return
    same = {label: _equal_lines(column, sources) for label, column in outputs.items()}
    copied = (
        {line for column in references.values() for line in _equal_lines(column, sources)} if any(same.values()) else ()
    )
    if len(copied) <= _COPY_SHARE * len(sources):  # else the reference is the source file
        same = {label: [line for line in lines if line not in copied] for label, lines in same.items()}
    least = _COPIES_SHARE * len(sources)
    many = {label: lines for label, lines in same.items() if len(lines) > least}
    few = {label: lines for label, lines in same.items() if 0 < len(lines) <= least}
    if many:
        counts = [len(lines) for lines in many.values()]
        count = f"{counts[0]:,}" if min(counts) == max(counts) else f"{min(counts):,} to {max(counts):,}"
        line, first = first_place(many)
        copies = "is a copy" if max(counts) == 1 else "are copies"
        text = f"{count} of {plural(len(sources), 'output')} {copies} of the source{first or ', first here'}"
        yield Note(NoteKind.DUPLICATE, text, listed(many), count=sum(counts), severity="warning", line=line)
    if few:
        total, (line, first) = sum(map(len, few.values())), first_place(few)
        text = "1 output copies its source" if total == 1 else f"{total:,} outputs copy their source"
        if len(few) > 1:
            text += f"{first}: {', '.join(f'{label} {len(lines):,}' for label, lines in few.items())}"
        yield Note(NoteKind.DUPLICATE, text, listed(few), count=total, line=line)


def _source_as_reference(
    references: Mapping[str, Column], sources: Column | None, outputs: Mapping[str, Column]
) -> Iterator[Note]:
    """A reference that is the source, or the other way round if the outputs are in its language."""
    for label, column in references.items():
        same = [] if sources is None else _equal_lines(column, sources)
        if len(same) > max(_COPY_SHARE * len(column), _CHANCE_COPIES):
            count, language = len(column) if column == sources else len(same), detected_language(column)
            text = f"{count:,} of {plural(len(column), 'line')} are copies of the source"
            is_target = language is not None and language in map(detected_language, outputs.values())
            yield _suspect(label, text, count=count, hint=_IS_REFERENCE if is_target else _IS_SOURCE)


def _reference_as_output(outputs: Mapping[str, Column], references: Mapping[str, Column]) -> Iterator[Note]:
    for label, column in outputs.items():
        for reference, texts in references.items():
            if label == reference:
                continue
            if column == texts:
                text = f"identical to the reference {reference}"
                yield Note(NoteKind.SUSPECT, text, label, severity="error")
            elif len(same := _equal_lines(column, texts)) > max(_COPY_SHARE * len(column), _CHANCE_COPIES):
                text = f"{len(same):,} of {plural(len(column), 'line')} are identical to the reference {reference}"
                yield _suspect(label, text, count=len(same), hint="is the output a reference?")


class _Anchor(NamedTuple):
    """The column that the lines of outputs are compared with, and how many windows of lines must differ from it."""

    name: str
    role: str
    column: Column
    min_windows: int


def _anchor(references: Mapping[str, Column], sources: Column | None) -> _Anchor | None:
    """The first reference, else the sources."""
    for name, column in references.items():
        return _Anchor(name, "reference", column, 1)
    return None if sources is None else _Anchor("sources", "source", sources, _SOURCE_WINDOWS)


def _orders(
    outputs: Mapping[str, Column],
    references: Mapping[str, Column],
    sources: Column | None,
    thorough: bool,
    runtime: Runtime,
) -> Iterator[Note]:
    """Outputs and sources in another order than the first reference, unless the reference is to blame."""
    anchor = _anchor(references, sources)
    found = list(_misalignments(outputs, anchor, thorough, runtime))
    yield from found
    if anchor is not None and all(finding.where != anchor.name for finding in found):
        yield from _misaligned_sources(references, sources, thorough)


def _misalignments(
    outputs: Mapping[str, Column], anchor: _Anchor | None, thorough: bool, runtime: Runtime
) -> Iterator[Note]:
    """Lines that do not fit their own line of the anchor. If no output fits, blame the anchor."""
    if anchor is None:
        return
    reference = ReferenceColumn(anchor.column, min_windows=anchor.min_windows)
    compared = {label: column for label, column in outputs.items() if column != anchor.column}
    stretches = {
        label: reference.misalignment(column)
        for label, column in runtime.track(list(compared.items()), lambda item: f"checking {item[0]}")
        if thorough or not reference.fits(column)
    }
    odd = {
        label: _misalignment_finding(label, stretch, anchor, _POOR_OR_SHUFFLED)
        for label, stretch in stretches.items()
        if stretch is not None and not _is_one_text(compared[label])
    }
    shifts = {stretch.shift for stretch in stretches.values() if stretch and stretch.shift}
    if len(odd) == len(compared) > 2 and len(shifts) < 2:
        first = min(odd.values(), key=lambda finding: SEVERITIES.index(finding.severity))
        text = f"none of the {len(compared)} outputs matches this {anchor.role}; for example, {first.text}"
        yield replace(first, where=anchor.name, text=text, count=len(odd))
    else:
        yield from odd.values()


def _is_one_text(column: Column) -> bool:
    """Whether most lines are repetitions of others: such a text is in no order."""
    return len(set(column)) < _DIFFERENT_SHARE * len(column)


def _misalignment_finding(label: str, stretch: Misalignment, anchor: _Anchor, guess: str = "") -> Note:
    """Where a column is shifted, or does not match the anchor, and what may be the reason of the latter."""
    lines = f"lines {stretch.first} to {stretch.last}"
    if stretch.shift:
        text = f"misaligned: {lines} fit {_neighbour(stretch.shift, anchor.name)} better than their own"
        return Note(NoteKind.SUSPECT, text, label, count=stretch.lines, severity="error", line=stretch.first)
    text = f"{lines} do not match {anchor.name}{guess}"
    return Note(NoteKind.SUSPECT, text, label, count=stretch.lines, severity="warning", line=stretch.first)


def _misaligned_sources(references: Mapping[str, Column], sources: Column | None, thorough: bool) -> Iterator[Note]:
    """Sources whose lines do not fit the first reference, which outputs are compared with."""
    name, column = next(iter(references.items()), ("", as_column(())))
    if sources is None or not column:
        return
    reference = ReferenceColumn(column, min_windows=_SOURCE_WINDOWS)
    stretch = None if not thorough and reference.fits(sources) else reference.misalignment(sources)
    if stretch is not None:
        finding = _misalignment_finding("sources", stretch, _Anchor(name, "reference", column, _SOURCE_WINDOWS))
        yield finding if stretch.shift else replace(finding, hint=_ARE_OTHER)


def _neighbour(shift: int, anchor: str) -> str:
    if abs(shift) == 1:
        return f"the {'next' if shift > 0 else 'previous'} line of {anchor}"
    return f"the lines of {anchor} {abs(shift)} further {'on' if shift > 0 else 'back'}"


def _equal_columns(columns: Mapping[str, Column]) -> Iterator[Note]:
    """Outputs, or references, that are copies of another one; columns without any text are missing, not copies."""
    different: dict[str, Column] = {}
    for label, column in columns.items():
        original = next((name for name, other in different.items() if other == column), None)
        if original is None or all(text is None for text in column):
            different[label] = column
        else:
            yield Note(NoteKind.DUPLICATE, f"identical to {original}", label, severity="warning")


def _suspect(label: str, text: str, *, count: int | None = None, hint: str | None = None) -> Note:
    return Note(NoteKind.SUSPECT, text, label, count=count, severity="warning", hint=hint)


def _lines_text(lines: Sequence[int], column: Column, singular: str, plural_verb: str, rest: str) -> str:
    """How many lines of a column a finding is about; the finding is at the first."""
    if len(lines) == 1:
        return f"1 of {plural(len(column), 'line')} {singular} {rest}"
    return f"{len(lines):,} of {plural(len(column), 'line')} {plural_verb} {rest}, first here"


def _equal_lines(column: Column, other: Column) -> list[int]:
    """Lines (from 1) with equal texts of more than one word."""
    return [i + 1 for i in _core.equal_lines(column, other)]


def _is_decomposed(text: str) -> bool:
    return not unicodedata.is_normalized("NFC", text)


def _lines_with(character: str, column: Column) -> list[int]:
    return [i for i, text in enumerate(column, 1) if text is not None and character in text]


def _lines_that(is_odd: Callable[[str], bool], column: Column) -> list[int]:
    return [i for i, text in enumerate(column, 1) if text is not None and is_odd(text)]


def _code(language: str) -> str:
    """The two-letter code of a language, if it has one, without script or region."""
    code = language.partition("_")[0].lower()
    if len(code) == 2:
        return code
    from assay.data.tables.languages import language_code  # rarely needed

    return language_code(code, path="", line=0)


_ENCODINGS = ("cp1252", "latin-1")  # what a program takes the bytes of UTF-8 for


def double_encoded_lines(column: Column) -> list[int]:
    """Lines (from 1) whose characters, written as bytes, are valid UTF-8 again: other texts hardly ever are."""
    return [i + 1 for i in _core.lines_to_decode(column) if _is_double_encoded(column[i] or "")]


def _is_double_encoded(text: str) -> bool:
    for encoding in _ENCODINGS:
        try:
            text.encode(encoding).decode("utf-8")
        except UnicodeError:
            continue
        return True
    return False
