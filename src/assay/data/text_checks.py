"""Texts that look wrong: misaligned, copied, in another language, or in another Unicode normal form.

`assay score` and `assay data check` report the same findings in the same words. Scoring compares the words only of
outputs whose line lengths do not fit; a check compares all, and looks for odd characters and identical outputs, too.
"""

from __future__ import annotations

import operator
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from assay.data.language_check import detected_language, mismatched_language
from assay.data.misalignment import Misalignment, ReferenceColumn
from assay.results import Finding
from assay.results.findings import SEVERITIES
from assay.runtime import Runtime
from assay.types import Column, NoteKind
from assay.types.note import listed, plural

__all__ = ["TextChecks"]

_WARNING_SHARE = 0.01  # of the segments: more copies of the source are a warning
_COPY_SHARE = 0.5  # of equal segments, which no two independent translations reach
_CHANCE_COPIES = 20  # equal segments that may be chance
_SAMPLED_LINES = 200  # normal forms differ in the whole file
_BOM = "\ufeff"
_ODD_CHARACTERS = {
    _BOM: "a byte order mark",
    "\ufffd": "a replacement character (U+FFFD) for a lost character",
    "\r": "a carriage return",
    "\u2028": "a line separator (U+2028)",
    "\x85": "a next-line character (U+0085)",
}
_SOURCE_WINDOWS = 4  # windows of lines in a row that must differ from another language


@dataclass(frozen=True, slots=True)
class TextChecks:
    """Columns of the same length, by their role; `prefix` comes before their names in findings."""

    outputs: Mapping[str, Column]
    references: Mapping[str, Column]
    sources: Column | None = None
    lp: str | None = None
    prefix: str = ""
    is_thorough: bool = False
    """Whether to check characters, and the words of all outputs, not only of those that look misaligned by length."""
    is_bom_reported: bool = False
    """Whether a byte order mark at the start of a column was reported already."""
    runtime: Runtime = field(default_factory=Runtime, compare=False, repr=False)

    def findings(self) -> Iterator[Finding]:
        """All findings, by kind."""
        if self.is_thorough:
            yield from self._characters()
        yield from self._blank_lines()
        yield from self._normal_forms()
        yield from self._languages()
        yield from self._untranslated_outputs()
        yield from self._source_as_reference()
        yield from self._reference_as_output()
        yield from self._misalignments()
        if self.is_thorough:
            yield from self._equal_outputs()

    def _characters(self) -> Iterator[Finding]:
        """Odd characters and missing texts."""
        sources = {} if self.sources is None else {"sources": self.sources}
        for label, column in {**self.outputs, **self.references, **sources}.items():
            texts = "\n".join(filter(None, column))
            for character, description in _ODD_CHARACTERS.items():
                lines = _lines_with(character, column) if character in texts else []
                is_reported = character == _BOM and self.is_bom_reported and lines == [1]
                if lines and not is_reported:
                    severity = "warning" if character == "\ufffd" else "note"
                    text = _lines_text(lines, column, "contains", "contain", description)
                    yield Finding(severity, NoteKind.SUSPECT, self.prefix + label, text, lines[0], len(lines))
            absent = [i for i, text in enumerate(column, 1) if text is None]
            if absent:
                text = f"{len(absent):,} of {plural(len(column), 'segment')} missing"
                yield Finding("note", NoteKind.MISSING, self.prefix + label, text, absent[0], len(absent))

    def _blank_lines(self) -> Iterator[Finding]:
        for label, column in {**self.outputs, **self.references}.items():
            blank = [i for i, text in enumerate(column, 1) if text is not None and (not text or text.isspace())]
            if blank:
                text = _lines_text(blank, column, "is", "are", "empty")
                yield Finding("warning", NoteKind.MISSING, self.prefix + label, text, blank[0], len(blank))

    def _normal_forms(self) -> Iterator[Finding]:
        """The same letter written with different code points does not match."""
        sides = {**self.outputs, **self.references}
        suspects = [label for label, column in sides.items() if self._has_odd_form(column)]
        odd = {label: _lines_that(_is_decomposed, sides[label]) for label in suspects}
        if len(odd) == len(sides):
            return
        for label, lines in odd.items():
            text = _lines_text(lines, sides[label], "is", "are", "not in Unicode normal form C, unlike other columns")
            hint = "equal letters will not match; convert the file: uconv -x nfc"
            yield Finding("warning", NoteKind.SUSPECT, self.prefix + label, text, lines[0], len(lines), hint)

    def _has_odd_form(self, column: Column) -> bool:
        """Whether any text, or any of a sample, is not in normal form C: one call for many is ten times faster."""
        step = 1 if self.is_thorough else max(1, len(column) // _SAMPLED_LINES)
        texts = "\n".join(filter(None, column[::step]))
        return not texts.isascii() and _is_decomposed(texts)

    def _languages(self) -> Iterator[Finding]:
        """Texts that are clearly in another language than the target language, or else than the first reference."""
        expected, contrast = self._expected_language()
        if not expected:
            return
        if self.lp is not None:
            for label, column in self.references.items():
                looks = mismatched_language(column, expected)
                if looks is not None:
                    is_source = detected_language(column) == _code(self.lp.partition("-")[0])
                    hint = "is the reference the source file?" if is_source else None
                    yield self._suspect(label, f"looks like {looks}, {contrast}", hint=hint)
        labels_by_look: dict[str, list[str]] = {}
        for label, column in self.outputs.items():
            looks = mismatched_language(column, expected)
            if looks is not None:
                labels_by_look.setdefault(looks, []).append(label)
        for looks, labels in labels_by_look.items():
            verb = "looks" if len(labels) == 1 else "look"
            yield self._suspect(listed(labels), f"{verb} like {looks}, {contrast}", count=len(labels))

    def _expected_language(self) -> tuple[str, str]:
        """The code of the language that outputs should be in, or nothing, and how to contrast it with another."""
        if self.lp is not None:
            target = _code(self.lp.partition("-")[2])
            return target, f"but the target language of {self.lp} is {target}"
        name, column = next(iter(self.references.items()), ("", ()))
        return detected_language(column) or "", f"but the reference {name} does not"

    def _untranslated_outputs(self) -> Iterator[Finding]:
        """Outputs that are copies of their source: a warning for many, one note for all systems with a few."""
        if self.sources is None:
            return
        few: dict[str, list[int]] = {}
        for label, column in self.outputs.items():
            same = _equal_lines(column, self.sources)
            if len(same) > _WARNING_SHARE * len(column):
                text = f"{len(same):,} of {len(column):,} outputs are copies of the source, first here"
                yield Finding("warning", NoteKind.DUPLICATE, self.prefix + label, text, same[0], len(same))
            elif same:
                few[label] = same
        if few:
            total = sum(map(len, few.values()))
            text = "1 output copies its source" if total == 1 else f"{total:,} outputs copy their source"
            if len(few) > 1:
                text += f": {', '.join(f'{label} {len(same):,}' for label, same in few.items())}"
            first = min(same[0] for same in few.values())
            yield Finding("note", NoteKind.DUPLICATE, self.prefix + listed(few), text, first, total)

    def _source_as_reference(self) -> Iterator[Finding]:
        """References that are the source."""
        for label, column in self.references.items():
            same = [] if self.sources is None else _equal_lines(column, self.sources)
            if len(same) > max(_COPY_SHARE * len(column), _CHANCE_COPIES):
                text = f"{len(same):,} of {len(column):,} lines are copies of the source"
                yield self._suspect(label, text, count=len(same), hint="is the reference the source file?")

    def _reference_as_output(self) -> Iterator[Finding]:
        """Outputs that are a reference."""
        for label, column in self.outputs.items():
            for reference, texts in self.references.items():
                if label == reference:
                    continue
                if column == texts:
                    text = f"identical to the reference {reference}"
                    yield Finding("error", NoteKind.SUSPECT, self.prefix + label, text)
                elif len(same := _equal_lines(column, texts)) > max(_COPY_SHARE * len(column), _CHANCE_COPIES):
                    text = f"{len(same):,} of {len(column):,} lines are identical to the reference {reference}"
                    yield self._suspect(label, text, count=len(same), hint="is the output a reference?")

    def _misalignments(self) -> Iterator[Finding]:
        """Lines that do not fit their own line of the reference. If no output fits, blame the reference."""
        for name, texts, min_windows in self._baselines()[:1]:
            baseline = ReferenceColumn(texts, min_windows=min_windows)
            outputs = {label: column for label, column in self.outputs.items() if column != texts}
            stretches = {
                label: baseline.misalignment(column)
                for label, column in self.runtime.track(list(outputs.items()), lambda item: f"checking {item[0]}")
                if self.is_thorough or not baseline.fits_by_length(column)
            }
            odd = {label: _misalignment_finding(stretch, name) for label, stretch in stretches.items() if stretch}
            shifts = {stretch.shift for stretch in stretches.values() if stretch and stretch.shift}
            if len(odd) == len(outputs) > 2 and len(shifts) < 2:
                first = min(odd.values(), key=lambda finding: SEVERITIES.index(finding.severity))
                role = "reference" if name in self.references else "source"
                text = f"none of the {len(outputs)} outputs matches this {role}; for example, {first.text}"
                yield replace(first, where=self.prefix + name, text=text, count=len(odd))
                continue
            for label, finding in odd.items():
                yield replace(finding, where=self.prefix + label)

    def _baselines(self) -> list[tuple[str, Column, int]]:
        """The columns to compare outputs with, best first, and how many windows of lines must differ."""
        references = [(name, column, 1) for name, column in self.references.items()]
        return references if self.sources is None else [*references, ("sources", self.sources, _SOURCE_WINDOWS)]

    def _suspect(self, label: str, text: str, *, count: int | None = None, hint: str | None = None) -> Finding:
        return Finding("warning", NoteKind.SUSPECT, self.prefix + label, text, count=count, hint=hint)

    def _equal_outputs(self) -> Iterator[Finding]:
        first_of: dict[Column, str] = {}
        for label, column in self.outputs.items():
            if column in first_of:
                text = f"identical to {first_of[column]}"
                yield Finding("warning", NoteKind.DUPLICATE, self.prefix + label, text)
            first_of.setdefault(column, label)


def _misalignment_finding(stretch: Misalignment, baseline: str) -> Finding:
    lines = f"lines {stretch.first:,} to {stretch.last:,}"
    if stretch.shift:
        text = f"misaligned: {lines} fit {_neighbour(stretch.shift, baseline)} better than their own"
        return Finding("error", NoteKind.SUSPECT, "", text, stretch.first, stretch.lines)
    text = (
        f"{lines} resemble their own lines of {baseline} no more than its other lines: a different order, or a very "
        "poor system"
    )
    return Finding("warning", NoteKind.SUSPECT, "", text, stretch.first, stretch.lines)


def _neighbour(shift: int, baseline: str) -> str:
    if abs(shift) == 1:
        return f"the {'next' if shift > 0 else 'previous'} line of {baseline}"
    return f"the lines of {baseline} {abs(shift)} further {'on' if shift > 0 else 'back'}"


def _lines_text(lines: Sequence[int], column: Column, singular: str, plural_verb: str, rest: str) -> str:
    """How many lines of a column a finding is about; the finding is at the first."""
    if len(lines) == 1:
        return f"1 of {len(column):,} lines {singular} {rest}"
    return f"{len(lines):,} of {len(column):,} lines {plural_verb} {rest}, first here"


def _equal_lines(column: Column, other: Column) -> list[int]:
    """Lines (from 1) with equal texts of more than one word."""
    same = [i for i, is_same in enumerate(map(operator.eq, column, other)) if is_same]
    return [i + 1 for i in same if " " in (column[i] or "")]


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
