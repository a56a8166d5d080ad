"""`assay.check`: find problems in data before anything is computed from it."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from assay.data.alignment import ReferenceColumn, suspicious_line
from assay.data.formats import Format, data_format, detect_format, has_suffix
from assay.data.tables.notes import plural
from assay.data.tables.quoting import text_notes
from assay.data.text_files import read_lines, shown_path
from assay.errors import InputError
from assay.results import SEVERITIES, Finding, Findings
from assay.types import Campaign, Column, Note, NoteKind, ScoreTable, TestSet
from assay.types.names import similar_names

__all__ = ["check", "check_campaign", "check_testset"]

_MANY = 0.01  # share of the segments above which a finding is a warning
_TABLES = (".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".xml", ".sgm", ".sgml", ".parquet", ".score")
_BOM = "\ufeff"
_ODD_CHARACTERS = {
    _BOM: "a byte order mark",
    "\ufffd": "a replacement character (U+FFFD) for a lost character",
    "\r": "a carriage return",
    "\u2028": "a line separator (U+2028)",
    "\x85": "a next-line character (U+0085)",
}


def check(
    paths: str | Path | Iterable[str | Path],
    *,
    sources: str | Path | None = None,
    references: str | Path | Iterable[str | Path] = (),
    input_format: str | None = None,
) -> Findings:
    """Check files and folders. Files of a recognised format are read as such, others as one segment per line.

    Plain files belong together: they are compared with each other, with the references and with the sources.
    """
    findings: list[Finding] = []
    plain_texts: list[Path] = []
    outputs, reference_paths = _path_list(paths), _path_list(references)
    source_paths = [] if sources is None else [Path(sources)]
    by_format: dict[Format, list[Path]] = {}
    for path in outputs:
        try:
            reader = _format_of(path, input_format)
        except InputError as error:
            findings.append(_as_finding(error, shown_path(path)))
        else:
            (plain_texts if reader is None else by_format.setdefault(reader, [])).append(path)
    for reader, format_paths in by_format.items():
        findings += _check_format(reader, format_paths)
    findings += _check_plain(plain_texts, reference_paths, source_paths)
    checked = [*outputs, *reference_paths, *source_paths]
    ordered = sorted(findings, key=lambda finding: SEVERITIES.index(finding.severity))
    return Findings(tuple(map(shown_path, checked)), tuple(ordered))


def _path_list(paths: str | Path | Iterable[str | Path]) -> list[Path]:
    return [Path(paths)] if isinstance(paths, str | Path) else [Path(path) for path in paths]


def _format_of(path: Path, input_format: str | None) -> Format | None:
    """The format of a file; None for plain text."""
    if input_format is not None:
        return data_format.create(input_format)
    detected = detect_format(path)
    if detected is None and has_suffix(path, _TABLES):
        hint = f"name the format, e.g. --input-format {path.suffix[1:]}"
        raise InputError("unrecognised format", path=shown_path(path), hint=hint)
    return detected


def _check_format(reader: Format, paths: list[Path]) -> Iterator[Finding]:
    """Check files of one format, which may belong to one test set."""
    belong_together = type(reader).read_together is not Format.read_together
    for group in [paths] if belong_together else [[path] for path in paths]:
        origin = shown_path(group[0])
        try:
            campaigns = reader.read_together(group)
        except InputError as error:
            yield _as_finding(error, origin)
        else:
            yield from dict.fromkeys(finding for campaign in campaigns for finding in check_campaign(campaign, origin))


def check_campaign(campaign: Campaign, origin: str = "") -> Iterator[Finding]:
    """Check the texts, scores and judgements of one language pair; `origin` is the file or folder they came from."""
    where = f"{campaign.name} {campaign.lp}".strip() or origin
    yield from (_note_finding(note, where) for note in campaign.notes)
    yield from (_note_finding(note, where) for note in campaign.similar_names(origin or "outputs"))
    yield from (replace(_note_finding(note, where), severity="warning") for note in campaign.mismatches)
    if campaign.testset is not None:
        yield from check_testset(campaign.testset, reported=campaign.notes)
    elif not campaign.scores and not campaign.judgements:
        yield Finding("error", NoteKind.MISSING, where, "no texts, scores or judgements")
    yield from _check_human(campaign, where)


def check_testset(testset: TestSet, reported: Sequence[Note] = ()) -> Iterator[Finding]:
    """Check texts column by column and against each other. Notes `reported` elsewhere are not repeated."""
    where = f"{testset.name or ''} {testset.lp or ''}".strip()
    yield from (_note_finding(note, where) for note in testset.notes if note not in reported)
    is_bom_reported = any(note.kind is NoteKind.KEPT for note in reported)
    prefix = f"{where}: " if where else ""
    yield from _Texts(testset.outputs, testset.references, testset.sources, prefix, is_bom_reported).findings()


def _note_finding(note: Note, where: str) -> Finding:
    return Finding("note", note.kind, note.where or where, note.text, count=note.count)


def _as_finding(error: InputError, where: str) -> Finding:
    origin = error.path or where
    message = error.message.removeprefix(f"{origin}, line {error.line}: ").removeprefix(f"{origin}: ")
    return Finding("error", NoteKind.UNREAD, origin, message, error.line, hint=error.hint)


def _check_plain(outputs: list[Path], references: list[Path], sources: list[Path]) -> Iterator[Finding]:
    columns: dict[Path, Column] = {}
    for path in (*outputs, *references, *sources):
        try:
            lines, notes = read_lines(path)
            columns[path] = lines
        except InputError as error:
            yield _as_finding(error, shown_path(path))
        else:
            all_notes = (*notes, *text_notes(lines, path=shown_path(path)))
            yield from (_note_finding(note, shown_path(path)) for note in all_notes)
    similar = similar_names({path.stem: [shown_path(path)] for path in outputs})
    yield from (_note_finding(note, shown_path(outputs[0])) for note in similar)
    if columns:
        yield from _compare_plain(columns, outputs, references, sources)


def _compare_plain(
    columns: Mapping[Path, Column], outputs: list[Path], references: list[Path], sources: list[Path]
) -> Iterator[Finding]:
    readable = [path for path in (*references, *sources, *outputs) if path in columns]
    # The most frequent length. If there are several, the reference decides, so that the output is blamed.
    lengths = Counter(len(columns[path]) for path in readable if columns[path]) or Counter([0])
    usual_length = lengths.most_common(1)[0][0]
    baseline = next(path for path in readable if len(columns[path]) == usual_length)
    for path, column in columns.items():
        if len(column) != usual_length or not column:
            yield _length_finding(path, column, baseline, columns[baseline])

    def of_usual_length(paths: list[Path]) -> dict[str, Column]:
        return {shown_path(path): columns[path] for path in paths if len(columns.get(path, ())) == usual_length}

    source = next(iter(of_usual_length(sources).values()), None)
    if outputs and not references:
        text = "alignment not checked: no reference (--ref)"
        yield Finding("note", NoteKind.ADVICE, shown_path(outputs[0]), text)
    yield from _Texts(of_usual_length(outputs), of_usual_length(references), source).findings()


def _length_finding(path: Path, column: Column, baseline: Path, baseline_column: Column) -> Finding:
    if not column:
        return Finding("error", NoteKind.MISSING, shown_path(path), "empty file")
    longer, shorter = (baseline_column, column) if len(baseline_column) > len(column) else (column, baseline_column)
    problem = "lines are missing" if len(baseline_column) > len(column) else "there are extra lines"
    lengths = f"{plural(len(column), 'line')}, but {shown_path(baseline)} has {len(baseline_column):,}"
    text = f"{lengths}: {problem}, most likely here"
    line, count = suspicious_line(longer, shorter), len(longer) - len(shorter)
    return Finding("error", NoteKind.SUSPECT, shown_path(path), text, line, count)


def _check_human(campaign: Campaign, where: str) -> Iterator[Finding]:
    """Systems and cells without a human score, one finding for all tables that lack the same."""
    unscored: dict[tuple[str, ...], list[ScoreTable]] = {}
    gaps: dict[tuple[int, int], list[ScoreTable]] = {}
    for table in campaign.human:
        scores = table.take(campaign.systems)
        missing = tuple(name for name, row in zip(campaign.systems, scores.values, strict=True) if np.isnan(row).all())
        unscored.setdefault(missing, []).append(table)
        items = table.values.shape[1]
        counts = scores.gaps - len(missing) * items, (len(campaign.systems) - len(missing)) * items
        gaps.setdefault(counts, []).append(table)
    for missing, tables in unscored.items():
        if missing:
            text = f"{_table_names(tables)}: no human score for {', '.join(missing)}"
            yield Finding("note", NoteKind.MISSING, where, text, count=len(missing))
    for (count, cells), tables in gaps.items():
        if count:
            text = f"{_table_names(tables)}: {count:,} of {plural(cells, 'cell')} of judged systems without a score"
            yield Finding("note", NoteKind.MISSING, where, text, count=count)


def _table_names(tables: Iterable[ScoreTable]) -> str:
    """Tables by name and level, like `wmt-raw, wmt-z by segment and system`."""
    levels: dict[str, list[str]] = {}
    for table in tables:
        levels.setdefault(table.name, []).append(table.level)
    names: dict[str, list[str]] = {}
    for name, name_levels in levels.items():
        names.setdefault(" and ".join(dict.fromkeys(name_levels)), []).append(name)
    return ", ".join(f"{', '.join(alike)} by {joined}" for joined, alike in names.items())


@dataclass(frozen=True, slots=True)
class _Texts:
    """Columns of the same length, by their role."""

    outputs: Mapping[str, Column]
    references: Mapping[str, Column]
    sources: Column | None
    prefix: str = ""
    is_bom_reported: bool = False
    """Whether a byte order mark at the start of a column was reported already."""

    def findings(self) -> Iterator[Finding]:
        for label, column in self._columns().items():
            yield from self._odd_characters(label, column)
            yield from _empty_lines(label, column)
        yield from self._normal_forms()
        yield from self._source_copies()
        yield from self._equal_outputs()
        yield from self._copied_references()
        yield from self._misalignments()

    def _columns(self) -> dict[str, Column]:
        named = {**self.outputs, **self.references} | ({} if self.sources is None else {"sources": self.sources})
        return {self.prefix + label: column for label, column in named.items()}

    def _odd_characters(self, label: str, column: Column) -> Iterator[Finding]:
        for character, description in _ODD_CHARACTERS.items():
            lines = [i for i, text in enumerate(column, 1) if text is not None and character in text]
            is_reported = character == _BOM and self.is_bom_reported and lines == [1]
            if lines and not is_reported:
                severity = "warning" if character == "\ufffd" else "note"
                text = _lines_text(lines, column, "contains", "contain", description)
                yield Finding(severity, NoteKind.SUSPECT, label, text, lines[0], len(lines))

    def _normal_forms(self) -> Iterator[Finding]:
        """The same letter written with different code points does not match."""
        sides = {**self.outputs, **self.references}
        odd = {label: _lines_that(_is_decomposed, column) for label, column in sides.items()}
        if all(odd.values()):
            return
        for label, lines in odd.items():
            if lines:
                text = _lines_text(lines, sides[label], "is", "are", "not in Unicode normal form C; other columns are")
                hint = "equal letters will not match; convert the file: uconv -x nfc"
                yield Finding("warning", NoteKind.SUSPECT, self.prefix + label, text, lines[0], len(lines), hint)

    def _source_copies(self) -> Iterator[Finding]:
        """Outputs that are copies of their source."""
        if self.sources is None:
            return
        few: dict[str, list[int]] = {}
        for label, column in self.outputs.items():
            pairs = enumerate(zip(column, self.sources, strict=True), 1)
            same = [i for i, (output, source) in pairs if output and output == source and " " in output]
            if len(same) > _MANY * len(column):
                text = f"{len(same):,} of {len(column):,} outputs are copies of the source, first here"
                yield Finding("warning", NoteKind.DUPLICATE, self.prefix + label, text, same[0], len(same))
            elif same:
                few[label] = same
        if few:
            where = self.prefix.removesuffix(": ") or next(iter(few))
            counts = ", ".join(f"{label} {len(same):,}" for label, same in few.items())
            text = (
                f"some of the {len(self.sources):,} outputs are copies of the source, the first in this line: {counts}"
            )
            first = min(same[0] for same in few.values())
            yield Finding("note", NoteKind.DUPLICATE, where, text, first, sum(map(len, few.values())))

    def _equal_outputs(self) -> Iterator[Finding]:
        first_of: dict[Column, str] = {}
        for label, column in self.outputs.items():
            if column in first_of:
                text = f"identical to {first_of[column]}"
                yield Finding("warning", NoteKind.DUPLICATE, self.prefix + label, text)
            first_of.setdefault(column, label)

    def _misalignments(self) -> Iterator[Finding]:
        """Lines that do not fit their own line of the reference. If most outputs have some, blame the reference."""
        for reference, texts in list(self.references.items())[:1]:
            baseline = ReferenceColumn(texts)
            outputs = {label: column for label, column in self.outputs.items() if column != texts}
            findings = {label: _misalignment(baseline, column, reference) for label, column in outputs.items()}
            odd = {label: finding for label, finding in findings.items() if finding is not None}
            if len(odd) > max(2, len(outputs) / 2):
                first = next(iter(odd.values()))
                text = f"{len(odd)} of {len(outputs)} outputs do not match this reference; for example, {first.text}"
                yield replace(first, where=self.prefix + reference, text=text, count=len(odd))
                continue
            for label, finding in odd.items():
                yield replace(finding, where=self.prefix + label)

    def _copied_references(self) -> Iterator[Finding]:
        for label, column in self.outputs.items():
            for reference, texts in self.references.items():
                if label != reference and column == texts:
                    text = f"identical to the reference {reference}"
                    yield Finding("error", NoteKind.DUPLICATE, self.prefix + label, text)


def _misalignment(baseline: ReferenceColumn, column: Column, reference: str) -> Finding | None:
    shifted = baseline.shifted_stretch(column)
    if shifted is not None:
        first, last, shift = shifted
        side = "next" if shift > 0 else "previous"
        text = f"misaligned: lines {first:,} to {last:,} fit the {side} line of {reference} better than their own"
        return Finding("error", NoteKind.SUSPECT, "", text, first, last - first + 1)
    unlike = baseline.unlike_stretch(column)
    if unlike is None:
        return None
    first, last = unlike
    lines = f"lines {first:,} to {last:,} are no more similar to their own lines of {reference} than to others"
    text = f"{lines}: a different order or language, or a very poor system"
    return Finding("warning", NoteKind.SUSPECT, "", text, first, last - first + 1)


def _empty_lines(label: str, column: Column) -> Iterator[Finding]:
    blank = [i for i, text in enumerate(column, 1) if text is not None and not text.strip()]
    if blank:
        text = _lines_text(blank, column, "is", "are", "empty")
        yield Finding("warning", NoteKind.MISSING, label, text, blank[0], len(blank))
    absent = [i for i, text in enumerate(column, 1) if text is None]
    if absent:
        text = f"{len(absent):,} of {plural(len(column), 'segment')} missing"
        yield Finding("note", NoteKind.MISSING, label, text, absent[0], len(absent))


def _lines_text(lines: Sequence[int], column: Column, singular: str, plural_verb: str, rest: str) -> str:
    """How many lines of a column a finding is about; the finding is at the first."""
    if len(lines) == 1:
        return f"1 of {len(column):,} lines {singular} {rest}"
    return f"{len(lines):,} of {len(column):,} lines {plural_verb} {rest}, first here"


def _is_decomposed(text: str) -> bool:
    return not unicodedata.is_normalized("NFC", text)


def _lines_that(is_odd: Callable[[str], bool], column: Column) -> list[int]:
    return [i for i, text in enumerate(column, 1) if text is not None and is_odd(text)]
