"""MQM ratings as TSV, the form of google/wmt-mqm-human-evaluation and of Marot: a row for each error.

Columns are `system, doc, doc_id, seg_id, rater, source, target, category, severity`, named in a header (newer files say
`docSegId` and `globalSegId`) or in this order without one. `<v>` and `</v>` enclose the error in source or target.
Rows of one system, segment and rater are one rating; a row with the category No-error says that there is none.
Severities are lower-cased, categories and severities lose superfluous spaces; all else is as written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from assay.data.collecting import CampaignCollector, RatingCollector, TextCollector
from assay.data.formats import CERTAIN, LIKELY, NO, Format, form
from assay.data.languages import is_language_pair
from assay.data.noting import unread_note
from assay.data.numbers import parse_index
from assay.data.quoting import CellReader, Quotes, cell_reader, header_cells
from assay.data.spans import folded
from assay.data.text import digest_of, read_lines, shown_path
from assay.errors import ConfigError, EmptyInputError, InputError, NameClashError, printable
from assay.types import Campaign, ErrorSpan

__all__ = ["Mqm"]

_COLUMNS = ("system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity")
_SPELLINGS = {"docsegid": "doc_id", "doc_seg_id": "doc_id", "globalsegid": "seg_id", "global_seg_id": "seg_id"}
_TAG = re.compile("</?v>")
_CONTROL = "HOTW-test"  # Marot's check whether raters have their hands on the wheel: the text was altered
_FILE_NAME = re.compile(r"(?P<name>newstest\d+|generalMT\d+|ted)_(?P<source>[a-z]{2})(?P<target>[a-z]{2})\b")


@form("mqm")
@dataclass(frozen=True)
class Mqm(Format):
    """MQM ratings, an error a row."""

    lp: str | None = None
    """The language pair, which files do not name; none: by the name of the file, `mqm_newstest2020_ende.tsv`."""
    texts: bool = True
    """Whether to read the texts too, and to check that all rows agree on them."""
    quotes: Quotes = "auto"
    """As of `tsv`: whether marks around cells are no part of them."""

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
            raise EmptyInputError("an empty file", path=shown)
        header = header_cells(lines[0])
        columns, first = _columns_of(header), 2
        if columns is None:
            columns, first = {name: i for i, name in enumerate(_COLUMNS)}, 1
        else:
            _refuse_twins(header, shown)
            notes += unread_note(shown, [name for name in header if _column(name) not in columns])
        cells = cell_reader(
            lines, path=shown, notes=notes, quotes=self.quotes, option="--form mqm:quotes", has_header=first == 2
        )
        rows = _Rows(shown, columns, len(header), cells)
        name, lp = self._name_and_pair(path)
        ratings = RatingCollector("mqm", "MQM", shown, digest_of(path))
        texts = TextCollector(shown, hint="read the ratings without the texts: mqm:texts=no")
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
            what = f"{both:,} errors are marked in source and target; the place in the target was taken"
            collector.notes.append(f"{collector.texts.origin}: {what}")


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
    """How rows are to be read."""

    path: str
    columns: dict[str, int]
    width: int
    cells: CellReader

    def parsed(self, lines: Sequence[str], first: int) -> Iterator[_Row]:
        """The rows from line `first` on."""
        if len(lines) < first:
            raise EmptyInputError("there is no rating", path=self.path)
        for line, text in enumerate(lines[first - 1 :], first):
            row = self.cells(line, text)
            if len(row) != self.width or len(row) < len(self.columns):
                what = f"{len(row)} fields, but there should be {max(self.width, len(self.columns))}"
                raise InputError(what, path=self.path, line=line, hint="fields are separated by tabs")
            yield self._row(line, {name: row[i] for name, i in self.columns.items()})

    def _row(self, line: int, values: dict[str, str]) -> _Row:
        for name in ("system", "rater"):
            if not values[name].strip():
                raise InputError(f"a {name} without a name", path=self.path, line=line)
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

    def _span(self, text: str, what: str, line: int) -> tuple[str, tuple[int, int] | None]:
        """A text without its tags, and what they enclosed."""
        tags = _TAG.findall(text)
        if not tags:
            return text, None
        if tags != ["<v>", "</v>"]:
            found = f"the {what} is marked by {' '.join(tags[:6])}{' …' if len(tags) > 6 else ''}"
            raise InputError(f"{found}, not by one <v> and one </v>", path=self.path, line=line)
        before, inside, after = _TAG.split(text)
        return before + inside + after, (len(before), len(before) + len(inside))

    def _error(
        self, values: dict[str, str], in_source: tuple[int, int] | None, in_target: tuple[int, int] | None, line: int
    ) -> ErrorSpan | None:
        category, severity = folded(values["category"]), folded(values["severity"]).lower()
        place = in_target or in_source
        if category.lower() in ("no-error", "no error") or (not category and severity in ("no-error", "no error")):
            if place is not None:
                raise InputError("an error is marked, but the category is No-error", path=self.path, line=line)
            return None
        if not category or not severity:
            raise InputError("an error without category or severity", path=self.path, line=line)
        start, end = place or (None, None)
        return ErrorSpan(category, severity, start, end, in_source is not None and in_target is None)


def _column(name: str) -> str:
    lowered = name.strip().lower()
    return _SPELLINGS.get(lowered, lowered)


def _columns_of(header: list[str]) -> dict[str, int] | None:
    """Where the columns are; None: it is no header."""
    names = [_column(name) for name in header]
    if not all(name in names for name in _COLUMNS):
        return None
    return {name: names.index(name) for name in _COLUMNS}


def _refuse_twins(header: list[str], path: str) -> None:
    seen: dict[str, str] = {}
    for name in header:
        other = seen.setdefault(_column(name), name) if _column(name) in _COLUMNS else name
        if other is not name:
            what = f"two columns mean the same: '{printable(other)}' and '{printable(name)}'"
            raise NameClashError(what, path=path, line=1, hint="keep one")
