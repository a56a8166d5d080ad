"""Submissions to the WMT metrics task: one score per line, `METRIC LP TESTSET … SCORE`, without a header.

The columns changed over the years. They are recognised by their count, contents and the file name (`METRIC.sys.score`,
`.doc.score`, `.seg.score`); if that is ambiguous, `columns` has to name them.

    to 2016  metric lp testset system score                    metric lp testset system segment score
    to 2019  … system score [begin end] ensemble available     … system segment score ensemble available
    2020     … reference system [document] score               … reference system document segment score
    2021     … reference system score                          … reference system segment score
    to 2024  … domain reference system score                   … domain document reference system segment score
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate
from pathlib import Path

import numpy as np

from assay.data import LIKELY, NO, POSSIBLE
from assay.data.formats import Format, data_format, has_suffix
from assay.data.tables.collectors import check_cells
from assay.data.tables.fields import check_fields
from assay.data.tables.long_table import encoded, write_packed
from assay.data.tables.names import checked_name
from assay.data.tables.notes import table_gap_notes
from assay.data.tables.numbers import parse_index, parse_score
from assay.data.tables.skipped import SkippedRows
from assay.data.text_files import digest_of, read_lines, shown_path
from assay.errors import ConfigError, EmptyInputError, InputError, option_name
from assay.types import Campaign, Note, NoteKind, ScoreTable
from assay.types.language_codes import is_language_pair, not_a_language_pair
from assay.types.metric_names import NO_REFERENCE, format_references, parse_references
from assay.types.note import plural

__all__ = ["Submission"]

_START = ("metric", "lp", "testset")
_LAYOUTS = tuple(
    (*_START, *columns.split())
    for columns in (
        "system score",
        "system segment score",
        "system score ensemble available",
        "system score begin end ensemble available",
        "system segment score ensemble available",
        "reference system score",
        "reference system document score",
        "reference system segment score",
        "reference system document segment score",
        "domain reference system score",
        "domain document reference system segment score",
    )
)
_HEADERS = {
    "metric": "metric metricname",
    "lp": "lp langpair languagepair",
    "testset": "testset",
    "domain": "domain",
    "document": "document documentid docid doc",
    "reference": "reference refset ref",
    "system": "system systemid sys",
    "segment": "segment segmentnumber segmentid segid",
    "score": "score systemscore segmentscore documentscore systemlevelscore",
    "ensemble": "ensemble",
    "available": "available",
}
_COLUMN_OF_HEADER = {word: column for column, words in _HEADERS.items() for word in words.split()}
_LEVELS = {".sys.score": "system", ".doc.score": "document", ".seg.score": "segment"}
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
_WHOLE = re.compile(r"[0-9]+")
_FITS: Mapping[str, Callable[[str], object]] = {
    "lp": is_language_pair,
    "score": _NUMBER.fullmatch,
    "segment": _WHOLE.fullmatch,
    "begin": _WHOLE.fullmatch,
    "end": _WHOLE.fullmatch,
    "system": lambda text: text and not _NUMBER.fullmatch(text),
    "document": lambda text: text and not _WHOLE.fullmatch(text),
    "ensemble": re.compile(r"(non-?)?ens[ae]mble|yes|no", re.IGNORECASE).fullmatch,
}
_NO_REFERENCE = (NO_REFERENCE, "na", "none", "")
_WHOLE_TESTSET = "all"
_HEAD_LINES = 20  # enough to recognise a file, even if one of them is wrong
_SAMPLE = 1000  # lines that are enough to recognise the columns


@data_format("wmt-scores")
@dataclass(frozen=True)
class Submission(Format):
    """Metric scores by system, document, domain or segment; those by system or by segment can be written."""

    columns: str = ""
    """The columns, if they are ambiguous: `metric+lp+testset+system+segment+score`."""

    suffixes = tuple(_LEVELS)

    def recognises(self, path: Path, head: str) -> int:
        rows = [_fields(line, "\t" in line) for line in head.split("\n", _HEAD_LINES)[:_HEAD_LINES] if line.strip()]
        ((width, count),) = Counter(map(len, rows)).most_common(1) or [(0, 0)]
        usual = [row for row in rows if len(row) == width]
        if 2 * count <= len(rows) or not (_header(rows[0]) or any(_fit(c, row) for c in _LAYOUTS for row in usual)):
            return NO
        return LIKELY if has_suffix(path, (".score", ".scores")) else POSSIBLE

    def read(self, path: Path) -> tuple[Campaign, ...]:
        lines, notes = read_lines(path)
        numbers = [number for number, line in enumerate(lines, 1) if line.strip()]
        if not numbers:
            raise EmptyInputError("no scores", path=shown_path(path))
        is_tabbed = "\t" in lines[numbers[0] - 1]
        check_fields(lines, "\t" if is_tabbed else " ", path=shown_path(path))
        sample = [(n, _fields(lines[n - 1], is_tabbed)) for n in numbers[:: 1 + len(numbers) // _SAMPLE]]
        header = _header(sample[0][1])
        layout = self._named_columns() or header or _layout(path, sample)
        scores = _Scores(layout, shown_path(path))
        skipped = SkippedRows(shown_path(path), rows=len(numbers))
        for number in numbers[bool(header) :]:
            try:
                scores.add(_fields(lines[number - 1], is_tabbed), number)
            except InputError as error:
                skipped.add_error(error, number)
        notes += skipped.notes()
        if not scores.groups:
            raise EmptyInputError("no scores", path=shown_path(path))
        known = str(path), digest_of(path), (*notes, *_layout_notes(layout, shown_path(path)))
        return tuple(group.campaign(*known) for group in scores.groups.values())

    def write(self, campaigns: Iterable[Campaign], path: Path) -> None:
        written = list(campaigns)
        tables = [table for campaign in written for table in campaign.scores]
        if not tables:
            raise ConfigError("no scores to write")
        levels = {table.level for table in tables}
        named = {level for suffix, level in _LEVELS.items() if has_suffix(path, (suffix,))}
        if levels not in ({"system"}, {"segment"}) or not named <= levels:
            hint = "write METRIC.sys.score and METRIC.seg.score separately"
            raise ConfigError("a file holds metric scores either by system or by segment", hint=hint)
        if any(table.is_human for table in tables) or any(c.judgements or c.testset is not None for c in written):
            message = f"{self.name} files cannot hold texts, judgements or human scores"
            raise ConfigError(message, hint=f"write scores only: {option_name('only', 'scores')}")
        write_packed(path, encoded("".join(f"{line}\n" for campaign in written for line in _lines_of(campaign))))

    def _named_columns(self) -> tuple[str, ...]:
        columns = tuple(filter(None, self.columns.split("+")))
        known = {*_HEADERS, "begin", "end", "skip"}
        if columns and not ({*_START, "system", "score"} <= set(columns) <= known and _once_each(columns)):
            raise ConfigError(
                f"columns={self.columns} must contain metric, lp, testset, system and score, once each",
                hint=f"optional: {', '.join(sorted(known - {*_START, 'system', 'score'}))}",
            )
        return columns


def _once_each(columns: Sequence[str]) -> bool:
    named = [column for column in columns if column != "skip"]
    return len(named) == len(set(named))


def _fields(line: str, is_tabbed: bool) -> list[str]:
    return [field.strip() for field in line.split("\t")] if is_tabbed else line.split()


def _header(fields: Sequence[str]) -> tuple[str, ...]:
    """The columns, if this line is a header."""
    columns = tuple(_COLUMN_OF_HEADER.get(re.sub(r"[^a-z]", "", field.lower()), "skip") for field in fields)
    return columns if {*_START, "system", "score"} <= set(columns) and _once_each(columns) else ()


def _fit(layout: Sequence[str], fields: Sequence[str]) -> bool:
    """Whether a line can have these columns."""
    return len(layout) == len(fields) and all(
        _FITS.get(column, bool)(text) for column, text in zip(layout, fields, strict=True)
    )


def _level(columns: Sequence[str]) -> str:
    return next((name for name in ("segment", "document") if name in columns), "system")


def _layout(path: Path, rows: Sequence[tuple[int, list[str]]]) -> tuple[str, ...]:
    """The columns that fit most lines; the file name decides between levels."""
    fitting = {layout: sum(_fit(layout, fields) for _, fields in rows) for layout in _LAYOUTS}
    best = max(fitting.values())
    if not best:
        line, fields = rows[0]
        message = f"unrecognised columns ({len(fields)}): {' '.join(fields)[:60]!r}"
        raise InputError(message, path=shown_path(path), line=line, hint=_HINT)
    layouts = [layout for layout, count in fitting.items() if count == best]
    named = [level for suffix, level in _LEVELS.items() if has_suffix(path, (suffix,))]
    of_level = [layout for layout in layouts if _level(layout) in named]
    if named and not of_level:
        message = f"the scores are by {_level(layouts[0])}, but the file name says by {named[0]}"
        raise InputError(message, path=shown_path(path), hint=_HINT)
    if len(of_level or layouts) > 1:
        choices = " or ".join("+".join(layout) for layout in of_level or layouts)
        raise InputError(f"ambiguous columns: {choices}", path=shown_path(path), hint=_HINT)
    return (of_level or layouts)[0]


_COLUMNS = option_name("input_format", "wmt-scores:columns=metric+lp+testset+reference+system+score")
_HINT = f"name the columns: {_COLUMNS}"


def _layout_notes(layout: Sequence[str], path: str) -> Iterator[Note]:
    """Notes on unused columns, and on missing references."""
    beside = {"segment": ("document", "domain"), "document": ("domain",)}.get(_level(layout), ())
    names = [name for name in layout if name in (*beside, "begin", "end", "ensemble", "available", "skip")]
    if names:
        yield Note(NoteKind.UNREAD, f"unused columns: {', '.join(dict.fromkeys(names))}", path, len(names))
    if "reference" not in layout:
        yield Note(NoteKind.MISSING, "the file does not say which references the metrics used", path)


_Item = tuple[str, int]  # document and number of a segment; name of a document or domain and 0
_Cells = dict[str, dict[_Item, float]]  # by system
_Key = tuple[str, tuple[str, ...], str]  # metric, references and level of a table


class _Scores:
    """The scores of a file, line by line. A file may have millions of lines, so repeated values are checked once."""

    def __init__(self, layout: Sequence[str], path: str) -> None:
        self.groups: dict[tuple[str, str], _Group] = {}
        self._layout = layout
        self._path = path
        self._level = _level(layout)
        self._labels = [name for name in ("metric", "document", "domain") if name in layout]

    def add(self, fields: Sequence[str], line: int) -> None:
        if len(fields) != len(self._layout):
            message = f"{plural(len(fields), 'column')}, expected {len(self._layout)}"
            raise InputError(message, path=self._path, line=line)
        row = dict(zip(self._layout, fields, strict=True))
        for name in self._labels:
            if not row[name]:
                raise InputError(f"the {name} is empty", path=self._path, line=line)
        score = parse_score(row["score"], path=self._path, line=line)
        group = self.groups.get((row["testset"], row["lp"])) or self._new_group(row["testset"], row["lp"], line)
        level, item = self._place(row, line)
        key = row["metric"], _references(row.get("reference", "")), level
        table = group.cells.setdefault(key, {})
        system = row["system"]
        if system not in table:
            table[checked_name("system", system, path=self._path, line=line)] = {}
            group.lines.setdefault(key, {})[system] = line
        if item in table[system]:
            raise InputError(f"duplicate score '{row['metric']}' of system '{system}'", path=self._path, line=line)
        table[system][item] = score
        group.rows += 1

    def _new_group(self, testset: str, lp: str, line: int) -> _Group:
        if not testset:
            raise InputError("the test set is empty", path=self._path, line=line)
        if not is_language_pair(lp):
            raise not_a_language_pair(lp, path=self._path, line=line)
        return self.groups.setdefault((testset, lp), _Group(testset, lp))

    def _place(self, row: Mapping[str, str], line: int) -> tuple[str, _Item]:
        if self._level == "segment":
            return "segment", (row.get("document", ""), parse_index(row["segment"], path=self._path, line=line))
        if self._level == "document":
            return "document", (row["document"], 0)
        domain = row.get("domain", _WHOLE_TESTSET)
        return ("system", ("", 0)) if domain == _WHOLE_TESTSET else ("domain", (domain, 0))


@dataclass
class _Group:
    """The scores of one test set and language pair, by metric, references and level."""

    name: str
    lp: str
    cells: dict[_Key, _Cells] = field(default_factory=dict)
    lines: dict[_Key, dict[str, int]] = field(default_factory=dict)
    """The first line of each system."""
    rows: int = 0

    def campaign(self, origin: str, digest: str, notes: Iterable[Note]) -> Campaign:
        places = {level: self._places(level) for level in dict.fromkeys(level for _, _, level in self.cells)}
        items = {level: _count(positions) for level, positions in places.items()}
        cells = sum(items[level] * len(scores) for (_, _, level), scores in self.cells.items())
        message = f"{plural(cells, 'cell')}, but only {self.rows:,} scores"
        check_cells(cells, self.rows, message, path=shown_path(origin), hint="number segments from 1")
        tables = [self._table(key, places[key[2]], origin, digest) for key in self.cells]
        systems = tuple(dict.fromkeys(system for table in tables for system in table.systems))
        references = tuple(dict.fromkeys(name for table in tables for name in table.references))
        all_notes, count = (*notes, *table_gap_notes(tables)), items.get("segment", 0)
        return Campaign(self.name, self.lp, count, systems, references, None, tuple(tables), notes=all_notes)

    def _places(self, level: str) -> dict[_Item, int]:
        """The position of each item. Segments are numbered within documents if numbers recur in several."""
        tables = [scores for key, scores in self.cells.items() if key[2] == level]
        items = dict.fromkeys(item for scores in tables for cells in scores.values() for item in cells)
        if level != "segment":
            return {item: i for i, item in enumerate(items)}
        owners: dict[int, str] = {}
        if not any(owners.setdefault(number, document) != document for document, number in items):
            return {item: item[1] for item in items}
        sizes: dict[str, int] = {}
        for document, number in items:
            sizes[document] = max(sizes.get(document, 0), number + 1)
        starts = dict(zip(sizes, accumulate(sizes.values(), initial=0), strict=False))
        return {(document, number): starts[document] + number for document, number in items}

    def _table(self, key: _Key, places: Mapping[_Item, int], origin: str, digest: str) -> ScoreTable:
        metric, references, level = key
        scores = self.cells[key]
        values = np.full((len(scores), _count(places)), np.nan)
        for i, cells in enumerate(scores.values()):
            for item, score in cells.items():
                values[i, places[item]] = score
        return ScoreTable(
            name=metric,
            level=level,
            systems=tuple(scores),
            values=values,
            origin=origin,
            digest=digest,
            references=references,
            items=_names(places, level),
            lines=self.lines[key],
        )


def _names(places: Mapping[_Item, int], level: str) -> tuple[str, ...]:
    """Names of documents and domains, and of segments that are numbered within documents."""
    if level in ("document", "domain"):
        return tuple(name for name, _ in places)
    if level != "segment" or all(place == number for (_, number), place in places.items()):
        return ()
    names = {place: f"{document}:{number + 1}" for (document, number), place in places.items()}
    return tuple(names.get(place, f"?{place + 1}") for place in range(_count(places)))


def _count(places: Mapping[_Item, int]) -> int:
    return 1 + max(places.values())


@lru_cache(maxsize=1024)
def _references(text: str) -> tuple[str, ...]:
    return () if text.lower() in _NO_REFERENCE else parse_references(text)


def _lines_of(campaign: Campaign) -> Iterator[str]:
    seen: set[tuple[str, tuple[str, ...]]] = set()
    for table in campaign.scores:
        if (table.name, table.references) in seen or not table.higher_is_better:
            flaw = "occurs twice" if table.higher_is_better else "is better when lower, which the format cannot express"
            raise ConfigError(f"the metric '{table.name}' {flaw}")
        seen.add((table.name, table.references))
        start = [table.name, campaign.lp, campaign.name, format_references(table.references)]
        for system, values in zip(table.systems, table.values.tolist(), strict=True):
            named = _joined([*start, system])
            for number, value in enumerate(values, 1):
                segment = f"\t{number}" if table.level == "segment" else ""
                yield f"{named}{segment}\t{'None' if math.isnan(value) else repr(value)}"


def _joined(fields: Sequence[str]) -> str:
    for text in fields:
        if not text or text != text.strip() or re.search(r"[\t\n\r]", text):
            raise ConfigError(f"{text!r} cannot be a field: it is empty, or has spaces around it, a tab or a line end")
    return "\t".join(fields)
