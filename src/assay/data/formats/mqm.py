"""MQM ratings as TSV, as in google/wmt-mqm-human-evaluation and Marot: one row per error.

Columns are `system, doc, doc_id, seg_id, rater, source, target, category, severity`, named in a header (newer files use
`docSegId` and `globalSegId`) or in this order without one. `<v>` and `</v>` enclose the error in source or target.
Rows of one system, segment and rater are one rating; a row with the category No-error marks no error. Severities are
lower-cased, and spaces in categories and severities are normalised; everything else is read as it is.

Of a rating with a faulty row, nothing counts, because its other errors are not all that the rater marked.

Files of 2023 have a last column `# Documentation: …` that rows do not fill. A row that occurs twice is one error. An
error whose tags are incomplete has no position. In 2020, marking an error of the source could insert the marked words
into the target: where a source error's target differs from the other rows, it is not used, and neither is the position.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from assay.data import CERTAIN, LIKELY, NO
from assay.data.formats import Format, data_format
from assay.data.tables.collectors import CampaignCollector, RatingCollector, TextCollector
from assay.data.tables.error_spans import folded
from assay.data.tables.misspelt import check_spelling, misspelt
from assay.data.tables.names import task_and_pair
from assay.data.tables.notes import unread_notes
from assay.data.tables.numbers import parse_index
from assay.data.tables.quoting import CellReader, Quotes, cell_reader, header_cells
from assay.data.tables.skipped import SkippedRows
from assay.data.text_files import digest_of, read_lines, shown_path
from assay.errors import EmptyInputError, InputError, NameClashError, option_name, printable
from assay.types import Campaign, ErrorSpan, Note, NoteKind
from assay.types.language_codes import is_language_pair, not_a_language_pair
from assay.types.note import plural
from assay.types.severity import SEVERITIES, Severity

__all__ = ["Mqm"]

_COLUMNS = ("system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity")
_SPELLINGS = {"docsegid": "doc_id", "doc_seg_id": "doc_id", "globalsegid": "seg_id", "global_seg_id": "seg_id"}
_NO_ERROR = (Severity.NO_ERROR, "no error")
_TAG = re.compile("</?v>")
_CONTROL = "HOTW-test"  # Marot's attention check "hands on the wheel": the text was altered
_Key: TypeAlias = tuple[str, int, str, str]  # system, segment, rater and kind of a rating
_SOURCE_ERROR = re.compile(r"source (error|issue)", re.IGNORECASE)


@data_format("mqm")
@dataclass(frozen=True)
class Mqm(Format):
    """MQM ratings, one error per row."""

    lp: str | None = None
    """The language pair, which files do not contain. Default: from the file name, `mqm_newstest2020_ende.tsv`."""
    texts: bool = True
    """Whether to read the texts, and check that all rows agree on them."""
    quotes: Quotes = "auto"
    """As for `tsv`: whether to remove quotation marks around cells."""

    suffixes = (".tsv",)

    def recognises(self, path: Path, head: str) -> int:
        row = _without_comment(header_cells(head.partition("\n")[0].removeprefix("\ufeff").rstrip("\r")))
        if _columns_of(row) is not None or _is_misspelt(row) or _is_incomplete(row):
            return CERTAIN
        is_counted = len(row) in (9, 10) and all(re.fullmatch(r"[0-9]{1,9}", text) for text in row[2:4])
        return LIKELY if is_counted else NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        lines, notes = read_lines(path)
        shown = shown_path(path)
        if not lines:
            raise EmptyInputError("empty file", path=shown)
        names = header_cells(lines[0])
        header = _without_comment(names)
        columns, first = _columns_of(header), 2
        if columns is None:
            if _is_misspelt(header) or _is_incomplete(header):
                check_spelling(*_unknown_and_absent(header), path=shown, line=1)
                absent = ", ".join(f"'{name}'" for name in _unknown_and_absent(header)[1])
                hint = f"MQM files have the columns {', '.join(_COLUMNS)}"
                raise InputError(f"missing columns: {absent}", path=shown, line=1, hint=hint)
            columns, first = {name: i for i, name in enumerate(_COLUMNS)}, 1
        else:
            _check_duplicates(header, shown)
            notes += unread_notes(shown, [name for name in header if _column(name) not in columns])
        cells = cell_reader(
            lines,
            path=shown,
            notes=notes,
            quotes=self.quotes,
            override="mqm:quotes",
            has_header=first == 2,
        )
        rows = _Rows(shown, columns, {len(header), len(names)}, cells, notes)
        name, lp = self._name_and_pair(path)
        ratings = RatingCollector("mqm", "MQM", shown, digest_of(path))
        texts = TextCollector(
            shown, hint=f"to read the ratings without the texts: {option_name('input_format', 'mqm:texts=no')}"
        )
        collector = CampaignCollector(name, lp, ratings, texts, notes)
        self._collect(rows.parsed(lines, first), collector, rows.faulty)
        if not lp:
            text = "no language pair in the name of the file (NAME_ende.tsv, NAME_zh-de.tsv)"
            text += f"; to give it: {option_name('input_format', 'mqm:lp=en-de')}"
            collector.notes.append(Note(NoteKind.MISSING, text, shown))
        return (collector.campaign(),)

    def _name_and_pair(self, path: Path) -> tuple[str, str]:
        name, lp = task_and_pair(path)
        if self.lp is not None and not is_language_pair(self.lp):
            raise not_a_language_pair(self.lp)
        return name, self.lp or lp

    def _collect(self, rows: Iterable[_Row], collector: CampaignCollector, faulty: Set[_Key]) -> None:
        """Add the ratings, but those of a faulty row: their other errors are not all that the rater marked."""
        ratings: dict[_Key, _Rating] = {}
        distinct = list(rows)
        _check_severities(distinct, collector.texts.origin)
        for row in _text_rows(distinct) if self.texts else ():
            row.add_texts(collector.texts)
        for row in distinct:
            rating = ratings.setdefault((row.system, row.segment, row.rater, row.kind), _Rating(row.document))
            rating.errors += [row.located(row.error, collector.texts)] if row.error is not None else []
        if incomplete := ratings.keys() & faulty:
            text = f"{plural(len(incomplete), 'rating')} left out, because a row of it is faulty"
            note = Note(NoteKind.EXCLUDED, text, collector.texts.origin, len(incomplete), "warning")
            collector.notes.append(note)
            ratings = {key: rating for key, rating in ratings.items() if key not in incomplete}
        for (system, segment, rater, kind), rating in ratings.items():
            collector.ratings.add(rater, system, segment, kind=kind, errors=rating.errors, document=rating.document)
        both = sum(row.is_marked_twice for row in distinct)
        garbled = sum(not row.fits(collector.texts) for row in distinct)
        if both:
            text = f"{plural(both, 'error')} marked in both source and target; the position in the target is used"
            collector.notes.append(Note(NoteKind.PROVENANCE, text, collector.texts.origin, both))
        if garbled:
            text = f"{plural(garbled, 'source error')} with another target than other rows; read without a position"
            collector.notes.append(Note(NoteKind.SUSPECT, text, collector.texts.origin, garbled))


def _check_severities(rows: Iterable[_Row], path: str) -> None:
    """Refuse a misspelt severity: without its row, the output would have fewer errors."""
    lines: dict[str, int] = {}
    for row in rows:
        if row.error is not None and row.kind == "TGT":
            lines.setdefault(row.error.severity, row.line)
    for name, known in misspelt(lines.keys() - set(SEVERITIES), SEVERITIES).items():
        message = f"unknown severity '{printable(name)}'"
        raise InputError(message, path=path, line=lines[name], hint=f"did you mean '{known}'? Correct it in the file")


def _text_rows(rows: Iterable[_Row]) -> list[_Row]:
    """The rows whose texts are read, the most trustworthy first: source errors may have altered theirs."""
    ordinary = [row for row in rows if row.kind == "TGT"]
    return sorted(ordinary, key=lambda row: (row.is_source_error, row.is_source_error and row.error_is_marked))


@dataclass
class _Rating:
    document: str
    errors: list[ErrorSpan] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Row:
    line: int = field(compare=False)
    system: str
    segment: int
    rater: str
    document: str
    source: str
    target: str
    error: ErrorSpan | None
    is_marked_twice: bool
    kind: str

    @property
    def is_source_error(self) -> bool:
        return self.error is not None and _SOURCE_ERROR.match(self.error.category) is not None

    @property
    def error_is_marked(self) -> bool:
        return self.error is not None and self.error.start is not None

    def add_texts(self, texts: TextCollector) -> None:
        texts.add("source", self.segment, self.source, line=self.line)
        texts.add("document", self.segment, self.document, line=self.line)
        if not self.is_source_error or texts.find("output", self.segment, system=self.system) is None:
            texts.add("output", self.segment, self.target, line=self.line, system=self.system)

    def fits(self, texts: TextCollector) -> bool:
        """Whether the target is that of the other rows; if not, it was altered by marking an error of the source."""
        if not self.is_source_error:
            return True
        return texts.find("output", self.segment, system=self.system) in (None, self.target)

    def located(self, error: ErrorSpan, texts: TextCollector) -> ErrorSpan:
        """The error, without a position if it is one in an altered text."""
        return error if self.fits(texts) else replace(error, start=None, end=None)


@dataclass(frozen=True, slots=True)
class _Rows:
    """How to parse rows."""

    path: str
    columns: dict[str, int]
    widths: set[int]
    cells: CellReader
    notes: list[Note]
    faulty: set[_Key] = field(default_factory=set)
    """The ratings of faulty rows, as far as these name them."""

    def parsed(self, lines: Sequence[str], first: int) -> Iterator[_Row]:
        """The distinct rows from line `first` on. What was skipped, occurs twice or has no position is noted."""
        if len(lines) < first:
            raise EmptyInputError("no ratings", path=self.path)
        skipped = SkippedRows(self.path, rows=len(lines) - first + 1)
        seen: set[_Row] = set()
        repeats, unclosed = 0, []
        for line, text in enumerate(lines[first - 1 :], first):
            cells: list[str] = []
            try:
                cells = self.cells(line, text)
                values = self._values(cells, line)
                row = self._row(line, values)
            except InputError as error:
                skipped.add_error(error, line)
                self.faulty.update(self._key(cells))
                continue
            if row in seen:
                repeats += 1
                continue
            seen.add(row)
            unclosed += [line] if any(_is_unclosed(values[side]) for side in ("source", "target")) else []
            yield row
        self.notes.extend(skipped.notes())
        if repeats:
            text = f"{plural(repeats, 'row')} counted once: same system, segment, rater and error as an earlier row"
            self.notes.append(Note(NoteKind.DUPLICATE, text, self.path, repeats))
        if unclosed:
            text = f"{plural(len(unclosed), 'error')} without a position: not one <v> and one </v>, line {unclosed[0]}"
            self.notes.append(Note(NoteKind.MISSING, text, self.path, len(unclosed)))

    def _values(self, row: list[str], line: int) -> dict[str, str]:
        if len(row) not in self.widths or len(row) < len(self.columns):
            message = f"{plural(len(row), 'field')}, expected {max(min(self.widths), len(self.columns))}"
            raise InputError(message, path=self.path, line=line, hint="separate fields by tabs")
        return {name: row[i] for name, i in self.columns.items()}

    def _key(self, row: Sequence[str]) -> Iterator[_Key]:
        """The rating that a faulty row is about, if it says so."""
        system, segment, rater = (
            row[self.columns[name]].strip() if self.columns[name] < len(row) else ""
            for name in ("system", "seg_id", "rater")
        )
        if system and rater and segment.isascii() and segment.isdigit():
            yield system, int(segment) - 1, rater, _CONTROL if _is_control("".join(row)) else "TGT"

    def _row(self, line: int, values: dict[str, str]) -> _Row:
        for name in ("system", "rater"):
            if not values[name].strip():
                raise InputError(f"the {name} has no name", path=self.path, line=line)
        source, in_source = _span(values["source"])
        target, in_target = _span(values["target"])
        return _Row(
            line=line,
            system=values["system"].strip(),
            segment=parse_index(values["seg_id"], path=self.path, line=line),
            rater=values["rater"].strip(),
            document=values["doc"],
            source=source,
            target=target,
            error=self._error(values, in_source, in_target, line),
            is_marked_twice=in_source is not None and in_target is not None,
            kind=_CONTROL if _is_control(values["severity"] + values["category"]) else "TGT",
        )

    def _error(
        self, values: dict[str, str], in_source: tuple[int, int] | None, in_target: tuple[int, int] | None, line: int
    ) -> ErrorSpan | None:
        category, severity = folded(values["category"]), folded(values["severity"]).lower()
        span = in_target or in_source
        if category.lower() in _NO_ERROR or (not category and severity in _NO_ERROR):
            if span is not None:
                raise InputError("an error is marked, but the category is No-error", path=self.path, line=line)
            return None
        if not category or not severity:
            raise InputError("an error needs a category and a severity", path=self.path, line=line)
        start, end = span or (None, None)
        return ErrorSpan(category, severity, start, end, in_source is not None and in_target is None)


def _is_control(text: str) -> bool:
    return _CONTROL.lower() in text.lower()


def _span(text: str) -> tuple[str, tuple[int, int] | None]:
    """A text without its tags, and the characters they enclosed."""
    if _TAG.findall(text) != ["<v>", "</v>"]:
        return _TAG.sub("", text), None
    before, inside, after = _TAG.split(text)
    return before + inside + after, (len(before), len(before) + len(inside))


def _is_unclosed(text: str) -> bool:
    return _TAG.findall(text) not in ([], ["<v>", "</v>"])


def _without_comment(header: list[str]) -> list[str]:
    return header[:-1] if header[-1].startswith("#") else header


def _column(name: str) -> str:
    lowered = name.strip().lower()
    return _SPELLINGS.get(lowered, lowered)


def _columns_of(header: list[str]) -> dict[str, int] | None:
    """The positions of the columns; None if this is not a header."""
    names = [_column(name) for name in header]
    if not all(name in names for name in _COLUMNS):
        return None
    return {name: names.index(name) for name in _COLUMNS}


def _is_misspelt(header: list[str]) -> bool:
    """Whether this is a header in which every absent column is a misspelt one."""
    unknown, absent = _unknown_and_absent(header)
    return bool(absent) and set(absent) == set(misspelt(unknown, absent).values())


def _is_incomplete(header: list[str]) -> bool:
    """Whether this is a header without some of the columns. No other format has both `doc` and `doc_id`."""
    names = {_column(name) for name in header}
    return {"system", "doc", "doc_id", "seg_id"} <= names and not names.issuperset(_COLUMNS)


def _unknown_and_absent(header: list[str]) -> tuple[list[str], list[str]]:
    names = [_column(name) for name in header]
    return [name for name in header if _column(name) not in _COLUMNS], [name for name in _COLUMNS if name not in names]


def _check_duplicates(header: list[str], path: str) -> None:
    seen: dict[str, str] = {}
    for name in header:
        other = seen.setdefault(_column(name), name) if _column(name) in _COLUMNS else name
        if other is not name:
            message = f"the columns '{printable(other)}' and '{printable(name)}' have the same meaning"
            raise NameClashError(message, path=path, line=1, hint="keep one")
