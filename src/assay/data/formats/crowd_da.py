"""Crowd DA as WMT published it until 2022: judgements, and mean scores of segments and systems.

| first line | holds |
|---|---|
| `HITId WorkerId Input.src Input.trg Input.item hit sys_id rid type sid score time` | one judgement per line |
| `SYS SID RAW.SCR Z.SCR N` | means of the judgements of an output, raw and standardised by worker |
| `RAW.SCR Z.SCR N SYS N.ALL` | means of these means, by system |
| systems, after a space | differences or p-values of pairs of systems, which are not read |

Names of columns are separated by spaces, the fields of judgements by tabs. Segments are numbered from 1. Types are
SYSTEM, an ordinary output; REPEAT, the same again; and REF and BAD_REF for quality control. `time` is the time a HIT
took. The score is standardised if the name of the file has `stnd`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.data import CERTAIN, NO
from assay.data.formats import Format, data_format
from assay.data.tables.collectors import CampaignCollector, RatingCollector, ScoreCollector, TextCollector
from assay.data.tables.languages import language_pair
from assay.data.tables.names import stem_of
from assay.data.tables.notes import table_gap_notes, unread_notes
from assay.data.tables.numbers import check_scale, parse_index, parse_score
from assay.data.tables.rating_records import item_kind
from assay.data.tables.skipped import SkippedRows
from assay.data.text_files import digest_of, read_lines, shown_path
from assay.errors import EmptyInputError, InputError
from assay.types import Campaign, Note
from assay.types.note import plural

__all__ = ["CrowdDa"]

_JUDGEMENTS = ["HITId", "WorkerId", "Input.src", "Input.trg", "Input.item", "hit", "sys_id", "rid"]
_JUDGEMENTS += ["type", "sid", "score", "time"]
_SEGMENTS = ["SYS", "SID", "RAW.SCR", "Z.SCR", "N"]
_SYSTEMS = ["RAW.SCR", "Z.SCR", "N", "SYS", "N.ALL"]
_USED = ("WorkerId", "Input.src", "Input.trg", "sys_id", "type", "sid", "score")
_PAIR = re.compile(r"-(?P<source>[a-z]{2,3})-(?P<target>[a-z]{2,3})$")
_NAMES = {"RAW.SCR": ("wmt-raw", "DA"), "Z.SCR": ("wmt-z", "DA-z")}


@data_format("crowd-da")
@dataclass(frozen=True)
class CrowdDa(Format):
    """Crowd DA of WMT: judgements, or mean scores."""

    suffixes = (".csv",)

    def recognises(self, path: Path, head: str) -> int:
        first, _, rest = head.partition("\n")
        is_known = first.split() in (_JUDGEMENTS, _SEGMENTS, _SYSTEMS)
        return CERTAIN if is_known or _is_matrix(first, rest.partition("\n")[0]) else NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        lines, notes = read_lines(path)
        shown = shown_path(path)
        if len(lines) < 2:
            raise EmptyInputError("no scores", path=shown)
        header = lines[0].split()
        if header == _JUDGEMENTS:
            return _judgements(path, lines, notes)
        if header in (_SEGMENTS, _SYSTEMS):
            return (_means(path, header, lines, notes),)
        message, hint = "unrecognised header", f"expected {' '.join(_SEGMENTS)}, or {' '.join(_SYSTEMS)}"
        if _is_matrix(lines[0], lines[1]):
            message = "a matrix of differences or p-values of pairs of systems, not judgements or scores"
            hint = "read the judgements or segment scores instead; assay rank --p-values computes such a matrix"
        raise InputError(message, path=shown, line=1, hint=hint)


def _is_matrix(header: str, row: str) -> bool:
    """Whether a file begins with the names of systems, and the first of them again with a value for each."""
    names, values = header.split(), row.split()
    return header.startswith(" ") and len(names) > 1 and len(values) == len(names) + 1 and values[0] == names[0]


def _rows(lines: Sequence[str], header: list[str], path: str, skipped: SkippedRows) -> Iterator[tuple[int, list[str]]]:
    for line, text in enumerate(lines[1:], 2):
        row = text.split("\t") if "\t" in text else text.split()
        if len(row) != len(header):
            skipped.add(line, f"{plural(len(row), 'field')}, but the header has {len(header)}")
        else:
            yield line, row


def _judgements(path: Path, lines: Sequence[str], notes: list[Note]) -> tuple[Campaign, ...]:
    shown, digest = shown_path(path), digest_of(path)
    name, protocol = ("wmt-z", "DA-z") if "stnd" in path.name else ("wmt-raw", "DA")
    groups: dict[str, CampaignCollector] = {}
    skipped = SkippedRows(shown, rows=len(lines) - 1)
    for line, row in _rows(lines, _JUDGEMENTS, shown, skipped):
        worker, source, target, system, kind, segment, score = (row[_JUDGEMENTS.index(column)] for column in _USED)
        try:
            lp = language_pair(source, target, path=shown, line=line)
            number = parse_index(segment, path=shown, line=line)
            value = check_scale(parse_score(score, path=shown, line=line), protocol, path=shown, line=line)
            kind = item_kind(kind, path=shown, line=line)
        except InputError as error:
            skipped.add_error(error, line)
            continue
        if lp not in groups:
            ratings = RatingCollector(name, protocol, shown, digest)
            groups[lp] = CampaignCollector(stem_of(path), lp, ratings, TextCollector(shown))
        groups[lp].ratings.add(worker, system, number, value, kind=kind)
    notes += (*skipped.notes(), *unread_notes(shown, [column for column in _JUDGEMENTS if column not in _USED]))
    for group in groups.values():
        group.notes += notes
    return tuple(group.campaign() for group in groups.values())


def _means(path: Path, header: list[str], lines: Sequence[str], notes: list[Note]) -> Campaign:
    shown, digest = shown_path(path), digest_of(path)
    level = "segment" if header == _SEGMENTS else "system"
    collectors = {
        column: ScoreCollector(name, level, shown, digest, protocol=protocol)
        for column, (name, protocol) in _NAMES.items()
    }
    skipped = SkippedRows(shown, rows=len(lines) - 1)
    segments = 0
    for line, row in _rows(lines, header, shown, skipped):
        cells = dict(zip(header, row, strict=True))
        try:
            item = parse_index(cells["SID"], path=shown, line=line) if level == "segment" else 0
            scores = {column: parse_score(cells[column], path=shown, line=line) for column in collectors}
            for column, score in scores.items():
                check_scale(score, collectors[column].protocol, path=shown, line=line)
        except InputError as error:
            skipped.add_error(error, line)
            continue
        segments = max(segments, item + 1)
        for column, value in scores.items():
            collectors[column].add(cells["SYS"], item, value, line=line)
    tables = tuple(collector.table() for collector in collectors.values())
    notes += (*skipped.notes(), *table_gap_notes(tables))
    pair = _PAIR.search(stem_of(path))
    lp = language_pair(pair["source"], pair["target"], path=shown, line=1) if pair else ""
    count = segments if level == "segment" else 0
    return Campaign(stem_of(path), lp, count, tables[0].systems, (), None, tables, notes=tuple(notes))
