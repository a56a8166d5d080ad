"""MQM ratings as TSV, as in google/wmt-mqm-human-evaluation and Marot: one row per error.

Columns are `system, doc, doc_id, seg_id, rater, source, target, category, severity`, named in a header (newer files use
`docSegId` and `globalSegId`) or in this order without one. `<v>` and `</v>` enclose the error in source or target.
Rows of one system, segment and rater are one rating; a row with the category No-error marks no error. Severities are
lower-cased, and spaces in categories and severities are normalised; everything else is read as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from assay.data.certainty import CERTAIN, LIKELY, NO
from assay.data.formats import Format, data_format
from assay.data.tables.collectors import CampaignCollector, RatingCollector, TextCollector
from assay.data.tables.error_spans import folded
from assay.data.tables.languages import is_language_pair
from assay.data.tables.notes import plural, unread_notes
from assay.data.tables.numbers import parse_index
from assay.data.tables.quoting import CellReader, Quotes, cell_reader, header_cells
from assay.data.text_files import digest_of, read_lines, shown_path
from assay.errors import ConfigError, EmptyInputError, InputError, NameClashError, printable
from assay.types import Campaign, ErrorSpan, Note, NoteKind

__all__ = ["Mqm"]

_COLUMNS = ("system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity")
_SPELLINGS = {"docsegid": "doc_id", "doc_seg_id": "doc_id", "globalsegid": "seg_id", "global_seg_id": "seg_id"}
_TAG = re.compile("</?v>")
_CONTROL = "HOTW-test"  # Marot's attention check "hands on the wheel": the text was altered
_FILE_NAME = re.compile(r"(?P<name>newstest\d+|generalMT\d+|ted)_(?P<source>[a-z]{2})(?P<target>[a-z]{2})\b")


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
        row = header_cells(head.partition("\n")[0].removeprefix("\ufeff").rstrip("\r"))
        if _columns_of(row) is not None:
            return CERTAIN
        is_counted = len(row) in (9, 10) and all(re.fullmatch(r"[0-9]{1,9}", text) for text in row[2:4])
        return LIKELY if is_counted else NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        lines, notes = read_lines(path)
        shown = shown_path(path)
        if not lines:
            raise EmptyInputError("empty file", path=shown)
        header = header_cells(lines[0])
        columns, first = _columns_of(header), 2
        if columns is None:
            columns, first = {name: i for i, name in enumerate(_COLUMNS)}, 1
        else:
            _check_duplicates(header, shown)
            notes += unread_notes(shown, [name for name in header if _column(name) not in columns])
        cells = cell_reader(
            lines,
            path=shown,
            notes=notes,
            quotes=self.quotes,
            option="--input-format mqm:quotes",
            has_header=first == 2,
        )
        rows = _Rows(shown, columns, len(header), cells)
        name, lp = self._name_and_pair(path)
        ratings = RatingCollector("mqm", "MQM", shown, digest_of(path))
        texts = TextCollector(shown, hint="to read the ratings without the texts: --input-format mqm:texts=no")
        collector = CampaignCollector(name, lp, ratings, texts, notes)
        self._collect(rows.parsed(lines, first), collector)
        return (collector.campaign(),)

    def _name_and_pair(self, path: Path) -> tuple[str, str]:
        named = _FILE_NAME.search(path.name)
        name = named["name"] if named else path.name.removesuffix(".gz").removesuffix(".tsv")
        if self.lp is not None and not is_language_pair(self.lp):
            raise ConfigError(f"'{self.lp}' is not a language pair", hint="write source-target, e.g. mqm:lp=en-de")
        return name, self.lp or (f"{named['source']}-{named['target']}" if named else "")

    def _collect(self, rows: Iterable[_Row], collector: CampaignCollector) -> None:
        ratings: dict[tuple[str, int, str, str], _Rating] = {}
        both = 0
        for row in rows:
            rating = ratings.setdefault((row.system, row.segment, row.rater, row.kind), _Rating(row.document))
            rating.errors += [row.error] if row.error is not None else []
            both += row.is_marked_twice
            if self.texts and row.kind == "TGT":
                collector.texts.add("source", row.segment, row.source, line=row.line)
                collector.texts.add("output", row.segment, row.target, line=row.line, system=row.system)
                collector.texts.add("document", row.segment, row.document, line=row.line)
        for (system, segment, rater, kind), rating in ratings.items():
            collector.ratings.add(rater, system, segment, kind=kind, errors=rating.errors, document=rating.document)
        if both:
            text = f"{plural(both, 'error')} marked in both source and target; the position in the target is used"
            collector.notes.append(Note(NoteKind.PROVENANCE, text, collector.texts.origin, both))


@dataclass
class _Rating:
    document: str
    errors: list[ErrorSpan] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Row:
    line: int
    system: str
    segment: int
    rater: str
    document: str
    source: str
    target: str
    error: ErrorSpan | None
    is_marked_twice: bool
    kind: str


@dataclass(frozen=True, slots=True)
class _Rows:
    """How to parse rows."""

    path: str
    columns: dict[str, int]
    width: int
    cells: CellReader

    def parsed(self, lines: Sequence[str], first: int) -> Iterator[_Row]:
        """The rows from line `first` on."""
        if len(lines) < first:
            raise EmptyInputError("no ratings", path=self.path)
        for line, text in enumerate(lines[first - 1 :], first):
            row = self.cells(line, text)
            if len(row) != self.width or len(row) < len(self.columns):
                message = f"{plural(len(row), 'field')}, expected {max(self.width, len(self.columns))}"
                raise InputError(message, path=self.path, line=line, hint="separate fields by tabs")
            yield self._row(line, {name: row[i] for name, i in self.columns.items()})

    def _row(self, line: int, values: dict[str, str]) -> _Row:
        for name in ("system", "rater"):
            if not values[name].strip():
                raise InputError(f"the {name} has no name", path=self.path, line=line)
        source, in_source = self._span(values["source"], "source", line)
        target, in_target = self._span(values["target"], "target", line)
        is_control = _CONTROL.lower() in (values["severity"] + values["category"]).lower()
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
            kind=_CONTROL if is_control else "TGT",
        )

    def _span(self, text: str, side: str, line: int) -> tuple[str, tuple[int, int] | None]:
        """A text without its tags, and the characters they enclosed."""
        tags = _TAG.findall(text)
        if not tags:
            return text, None
        if tags != ["<v>", "</v>"]:
            shown = f"{' '.join(tags[:6])}{' …' if len(tags) > 6 else ''}"
            raise InputError(f"the {side} must have one <v> and one </v>, not {shown}", path=self.path, line=line)
        before, inside, after = _TAG.split(text)
        return before + inside + after, (len(before), len(before) + len(inside))

    def _error(
        self, values: dict[str, str], in_source: tuple[int, int] | None, in_target: tuple[int, int] | None, line: int
    ) -> ErrorSpan | None:
        category, severity = folded(values["category"]), folded(values["severity"]).lower()
        span = in_target or in_source
        if category.lower() in ("no-error", "no error") or (not category and severity in ("no-error", "no error")):
            if span is not None:
                raise InputError("an error is marked, but the category is No-error", path=self.path, line=line)
            return None
        if not category or not severity:
            raise InputError("an error needs a category and a severity", path=self.path, line=line)
        start, end = span or (None, None)
        return ErrorSpan(category, severity, start, end, in_source is not None and in_target is None)


def _column(name: str) -> str:
    lowered = name.strip().lower()
    return _SPELLINGS.get(lowered, lowered)


def _columns_of(header: list[str]) -> dict[str, int] | None:
    """The positions of the columns; None if this is not a header."""
    names = [_column(name) for name in header]
    if not all(name in names for name in _COLUMNS):
        return None
    return {name: names.index(name) for name in _COLUMNS}


def _check_duplicates(header: list[str], path: str) -> None:
    seen: dict[str, str] = {}
    for name in header:
        other = seen.setdefault(_column(name), name) if _column(name) in _COLUMNS else name
        if other is not name:
            message = f"the columns '{printable(other)}' and '{printable(name)}' have the same meaning"
            raise NameClashError(message, path=path, line=1, hint="keep one")
