"""`assay.check`: what is wrong with the data, before anything is computed with it."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from assay.data.alignment import Yardstick, suspicious_line
from assay.data.formats import Format, format_of, has_suffix
from assay.data.formats import form as form_registry
from assay.data.quoting import text_notes
from assay.data.text import read_lines, shown_path
from assay.errors import InputError
from assay.results import SEVERITIES, Finding, Findings
from assay.types import Campaign, Column, ScoreTable, TestSet
from assay.types.names import lookalikes

__all__ = ["check", "check_campaign", "check_testset"]

_MANY = 0.01  # a share of the segments that is worth a warning
_LONG = 10  # characters: shorter texts may well be the same in two languages
_TABLES = (".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".xml", ".sgm", ".sgml", ".parquet", ".score")
_MARK = "\ufeff"
_ODD_CHARACTERS = {
    _MARK: "a byte order mark",
    "\ufffd": "a replacement character, where something was lost before",
    "\r": "a carriage return",
    "\u2028": "a line separator (U+2028)",
    "\x85": "a next-line character (U+0085)",
}


def check(
    paths: Iterable[str | Path],
    *,
    sources: str | Path | None = None,
    references: Iterable[str | Path] = (),
    form: str | None = None,
) -> Findings:
    """Look at files and folders. Those of a known format are read as such, the others as one segment a line.

    Plain files belong together: they are compared with each other, with the references and with the sources.
    """
    findings: list[Finding] = []
    plain: list[Path] = []
    given, judged_by = [Path(path) for path in paths], [Path(path) for path in references]
    by_format: dict[Format, list[Path]] = {}
    for path in given:
        try:
            found = _format(path, form)
            if found is None and has_suffix(path, _TABLES):
                raise InputError(
                    "of no known format", path=shown_path(path), hint=f"look at it with --form {path.suffix[1:]}"
                )
            if found is None:
                plain.append(path)
            else:
                by_format.setdefault(found, []).append(path)
        except InputError as error:
            findings.append(_as_finding(error, shown_path(path)))
    for found, places in by_format.items():
        findings += _check_together(found, places)
    findings += _check_plain(plain, judged_by, [] if sources is None else [Path(sources)])
    looked_at = [*given, *judged_by, *([] if sources is None else [Path(sources)])]
    ordered = sorted(findings, key=lambda finding: SEVERITIES.index(finding.severity))
    return Findings(tuple(map(shown_path, looked_at)), tuple(ordered))


def _check_together(found: Format, places: list[Path]) -> Iterator[Finding]:
    """Files of one format, which may be parts of one test set."""
    belong_together = type(found).read_together is not Format.read_together
    for paths in [places] if belong_together else [[path] for path in places]:
        try:
            campaigns = found.read_together(paths)
        except InputError as error:
            yield _as_finding(error, shown_path(paths[0]))
        else:
            place = shown_path(paths[0])
            yield from dict.fromkeys(found for campaign in campaigns for found in check_campaign(campaign, place))


def check_campaign(campaign: Campaign, place: str = "") -> Iterator[Finding]:
    """Texts, scores and judgements of one language pair, which came from a place."""
    where = f"{campaign.name} {campaign.lp}".strip() or place
    yield from (Finding("note", where, note.removeprefix(f"{where}: ")) for note in campaign.notes)
    yield from (Finding("note", where, alike) for alike in campaign.lookalikes(place or "outputs"))
    yield from (Finding("warning", where, stranger) for stranger in campaign.strangers)
    if campaign.testset is not None:
        yield from (f for f in check_testset(campaign.testset) if not _is_told(f, campaign.notes))
    elif not campaign.scores and not campaign.judgements:
        yield Finding("error", where, "there is nothing in it")
    yield from _check_human(campaign, where)


def _is_told(finding: Finding, notes: Iterable[str]) -> bool:
    """Whether the notes of a campaign say it already."""
    if finding.severity != "note":
        return False
    mark = finding.line == 1 and re.fullmatch(rf"1 of .* lines contains {_ODD_CHARACTERS[_MARK]}", finding.what)
    return finding.what in notes or (bool(mark) and any("byte order marks, which were kept" in note for note in notes))


def check_testset(testset: TestSet) -> Iterator[Finding]:
    """What the texts look like, column by column and beside each other."""
    where = f"{testset.name or ''} {testset.lp or ''}".strip()
    view = _View(testset.outputs, testset.references, testset.sources, f"{where}: " if where else "")
    yield from (Finding("note", where, note) for note in testset.notes)
    yield from view.findings()


def _format(path: Path, spec: str | None) -> Format | None:
    return form_registry.create(spec) if spec is not None else format_of(path)


def _as_finding(error: InputError, where: str) -> Finding:
    place = error.path or where
    message = error.message.removeprefix(f"{place}, line {error.line}: ").removeprefix(f"{place}: ")
    return Finding("error", place, message, error.line, error.hint)


def _check_plain(outputs: list[Path], references: list[Path], sources: list[Path]) -> Iterator[Finding]:
    columns: dict[Path, Column] = {}
    for path in (*outputs, *references, *sources):
        try:
            lines, notes = read_lines(path)
            columns[path] = lines
        except InputError as error:
            yield _as_finding(error, shown_path(path))
        else:
            told = (*notes, *text_notes(lines, path=shown_path(path)))
            yield from (Finding("note", shown_path(path), note.removeprefix(f"{shown_path(path)}: ")) for note in told)
    alike = lookalikes({path.stem: [shown_path(path)] for path in outputs})
    yield from (Finding("note", shown_path(outputs[0]), what) for what in alike)
    if not columns:
        return
    yield from _compare_plain(columns, outputs, references, sources)


def _compare_plain(
    columns: Mapping[Path, Column], outputs: list[Path], references: list[Path], sources: list[Path]
) -> Iterator[Finding]:
    usual = Counter(map(len, columns.values())).most_common(1)[0][0]
    yardstick = next(path for path, column in columns.items() if len(column) == usual)
    for path, column in columns.items():
        if len(column) != usual:
            yield _length_finding(path, column, yardstick, columns[yardstick])

    def fitting(paths: list[Path]) -> dict[str, Column]:
        return {shown_path(path): columns[path] for path in paths if len(columns.get(path, ())) == usual}

    source = next(iter(fitting(sources).values()), None)
    if outputs and not references:
        yield Finding("note", shown_path(outputs[0]), "no reference was given (--ref), so alignment was not checked")
    yield from _View(fitting(outputs), fitting(references), source).findings()


def _length_finding(path: Path, column: Column, yardstick: Path, usual: Column) -> Finding:
    what = f"has {len(column):,} lines, {shown_path(yardstick)} has {len(usual):,}"
    if not column:
        return Finding("error", shown_path(path), "is empty")
    longer, shorter = (usual, column) if len(usual) > len(column) else (column, usual)
    verb = "lines are missing" if len(usual) > len(column) else "there are too many"
    return Finding("error", shown_path(path), f"{what}: {verb}, most likely here", suspicious_line(longer, shorter))


def _check_human(campaign: Campaign, where: str) -> Iterator[Finding]:
    """Systems and cells without a human score, told once for all tables that lack the same."""
    silent: dict[tuple[str, ...], list[ScoreTable]] = {}
    gaps: dict[tuple[int, int], list[ScoreTable]] = {}
    for table in campaign.human:
        judged = table.take(campaign.systems)
        mute = tuple(name for name, row in zip(campaign.systems, judged.values, strict=True) if np.isnan(row).all())
        silent.setdefault(mute, []).append(table)
        items = table.values.shape[1]
        counts = judged.gaps - len(mute) * items, (len(campaign.systems) - len(mute)) * items
        gaps.setdefault(counts, []).append(table)
    for mute, tables in silent.items():
        if mute:
            yield Finding("note", where, f"{_named(tables)}: no human score for {', '.join(mute)}")
    for (count, cells), tables in gaps.items():
        if count:
            what = f"{count:,} of the {cells:,} cells of judged systems have no human score"
            yield Finding("note", where, f"{_named(tables)}: {what}")


def _named(tables: Iterable[ScoreTable]) -> str:
    """Tables by name and level, like `wmt-raw, wmt-z by segment and system`."""
    levels: dict[str, list[str]] = {}
    for table in tables:
        levels.setdefault(table.name, []).append(table.level)
    names: dict[str, list[str]] = {}
    for name, given in levels.items():
        names.setdefault(" and ".join(dict.fromkeys(given)), []).append(name)
    return ", ".join(f"{', '.join(alike)} by {given}" for given, alike in names.items())


@dataclass(frozen=True, slots=True)
class _View:
    """Columns of one length, by what they are."""

    outputs: Mapping[str, Column]
    references: Mapping[str, Column]
    sources: Column | None
    prefix: str = ""

    def findings(self) -> Iterator[Finding]:
        for label, column in self._columns().items():
            yield from _odd_characters(label, column)
            yield from _empty(label, column)
        yield from self._normal_forms()
        yield from self._copies()
        yield from self._twins()
        yield from self._copied_references()
        yield from self._misalignments()

    def _columns(self) -> dict[str, Column]:
        named = {**self.outputs, **self.references} | ({} if self.sources is None else {"sources": self.sources})
        return {self.prefix + label: column for label, column in named.items()}

    def _normal_forms(self) -> Iterator[Finding]:
        """The same letter written with different code points does not match."""
        sides = {**self.outputs, **self.references}
        odd = {label: _lines_that(_is_decomposed, column) for label, column in sides.items()}
        if all(odd.values()):
            return
        for label, lines in odd.items():
            if lines:
                what = _counted(lines, sides[label], "is", "are", "not in Unicode normal form C, and other columns are")
                hint = "equal letters will not match; convert it: uconv -x nfc"
                yield Finding("warning", self.prefix + label, what, lines[0], hint)

    def _copies(self) -> Iterator[Finding]:
        """Outputs that are their source, untranslated."""
        if self.sources is None:
            return
        few: dict[str, list[int]] = {}
        for label, column in self.outputs.items():
            pairs = enumerate(zip(column, self.sources, strict=True), 1)
            same = [i for i, (output, source) in pairs if output and output == source and " " in output]
            if len(same) > _MANY * len(column):
                what = f"{len(same):,} of {len(column):,} outputs are copies of the source, the first here"
                yield Finding("warning", self.prefix + label, what, same[0])
            elif same:
                few[label] = same
        if few:
            where = self.prefix.removesuffix(": ") or next(iter(few))
            counts = ", ".join(f"{label} {len(same):,}" for label, same in few.items())
            what = f"copies of the source among {len(self.sources):,} outputs, the first here: {counts}"
            yield Finding("note", where, what, min(same[0] for same in few.values()))

    def _twins(self) -> Iterator[Finding]:
        first_of: dict[Column, str] = {}
        for label, column in self.outputs.items():
            if column in first_of:
                yield Finding("warning", self.prefix + label, f"is the same as {first_of[column]}, line by line")
            first_of.setdefault(column, label)

    def _misalignments(self) -> Iterator[Finding]:
        """Lines that fit others better than their own, or none. If most outputs say so, the reference is at fault."""
        for reference, texts in list(self.references.items())[:1]:
            yardstick = Yardstick(texts)
            outputs = {label: column for label, column in self.outputs.items() if column != texts}
            found = {label: _misalignment(yardstick, column, reference) for label, column in outputs.items()}
            odd = {label: finding for label, finding in found.items() if finding is not None}
            if len(odd) > max(2, len(outputs) / 2):
                first = next(iter(odd.values()))
                found_there = first.what.removeprefix("misaligned: ")
                what = f"misaligned: so say {len(odd)} of {len(outputs)} outputs, the first of them: {found_there}"
                yield replace(first, where=self.prefix + reference, what=what)
                continue
            for label, finding in odd.items():
                yield replace(finding, where=self.prefix + label)

    def _copied_references(self) -> Iterator[Finding]:
        for label, column in self.outputs.items():
            for reference, texts in self.references.items():
                if label != reference and column == texts:
                    yield Finding("error", self.prefix + label, f"is the reference {reference}, line by line")


def _misalignment(yardstick: Yardstick, column: Column, reference: str) -> Finding | None:
    shifted = yardstick.shifted_stretch(column)
    if shifted is not None:
        first, last, shift = shifted
        side = "next" if shift > 0 else "previous"
        what = f"lines {first:,} to {last:,} fit the {side} line of {reference} better than their own"
        return Finding("error", "", f"misaligned: {what}", first)
    unlike = yardstick.unlike_stretch(column)
    if unlike is None:
        return None
    what = f"lines {unlike[0]:,} to {unlike[1]:,} are no more like their own line of {reference} than like others"
    return Finding("warning", "", f"{what}: another order or language, or a very poor system", unlike[0])


def _odd_characters(label: str, column: Column) -> Iterator[Finding]:
    for character, what in _ODD_CHARACTERS.items():
        if lines := [i for i, text in enumerate(column, 1) if text is not None and character in text]:
            severity = "warning" if character == "\ufffd" else "note"
            yield Finding(severity, label, _counted(lines, column, "contains", "contain", what), lines[0])


def _empty(label: str, column: Column) -> Iterator[Finding]:
    blank = [i for i, text in enumerate(column, 1) if text is not None and not text.strip()]
    if blank:
        yield Finding("warning", label, _counted(blank, column, "is", "are", "empty"), blank[0])
    absent = [i for i, text in enumerate(column, 1) if text is None]
    if absent:
        yield Finding("note", label, f"{len(absent):,} of {len(column):,} segments are absent", absent[0])


def _counted(lines: Sequence[int], column: Column, is_one: str, are_several: str, what: str) -> str:
    """How many lines of a column are or contain something; the finding is at the first."""
    if len(lines) == 1:
        return f"1 of {len(column):,} lines {is_one} {what}"
    return f"{len(lines):,} of {len(column):,} lines {are_several} {what}, the first here"


def _is_decomposed(text: str) -> bool:
    return not unicodedata.is_normalized("NFC", text)


def _lines_that(is_odd: Callable[[str], bool], column: Column) -> list[int]:
    return [i for i, text in enumerate(column, 1) if text is not None and is_odd(text)]
