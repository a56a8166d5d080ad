"""The ranking CSVs of WMT12 to WMT16: rows in which a judge ranks up to five systems, or pairs of them.

The header names the columns, whose order and spelling changed over the years: `srclang, trglang, srcIndex` (or
`segmentId`), `judgeId, system1Id, …, system1rank, …`. Segments are numbered from 1. Rank 1 is best, -1 is not ranked.
Systems with the same output share a cell, joined by commas or plus signs. With a `rankingID`, rows are pairs taken from
one ranking (WMT15, WMT16), which are combined again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from assay.data import CERTAIN, NO
from assay.data.formats import Format, data_format
from assay.data.tables.collectors import RankingCollector
from assay.data.tables.fields import csv_fields
from assay.data.tables.judgement_tables import add_ranks, parse_rank
from assay.data.tables.languages import language_pair
from assay.data.tables.names import stem_of
from assay.data.tables.notes import gap_notes, unread_notes
from assay.data.tables.numbers import parse_index
from assay.data.tables.skipped import SkippedRows
from assay.data.text_files import digest_of, read_lines, shown_path
from assay.errors import EmptyInputError, InputError, printable
from assay.types import Campaign, Note
from assay.types.note import plural

__all__ = ["RankingFile"]

_NEEDED = {
    "srclang": ("srclang",),
    "trglang": ("trglang",),
    "segment": ("srcindex", "segmentid"),
    "judge": ("judgeid",),
}
_REDUNDANT = re.compile(r"srcindex|segmentid|system[0-9]+number")  # given the columns that are read


@data_format("rankings")
@dataclass(frozen=True)
class RankingFile(Format):
    """Rankings of WMT12 to WMT16 as CSV."""

    suffixes = (".csv",)

    def recognises(self, path: Path, head: str) -> int:
        header = head.partition("\n")[0].lower().strip()
        return CERTAIN if "srclang" in header and "system1id" in header and "system1rank" in header else NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        lines, notes = read_lines(path)
        shown = shown_path(path)
        if not lines:
            raise EmptyInputError("empty file", path=shown)
        columns = _Columns.of(lines[0], shown)
        notes += unread_notes(shown, columns.unread)
        rankings: dict[tuple[str, ...], _Ranking] = {}
        skipped = SkippedRows(shown, rows=len(lines) - 1)
        for line, text in enumerate(lines[1:], 2):
            try:
                _combine(rankings, columns.ranking(csv_fields(text, path=shown, line=line), shown, line), shown)
            except InputError as error:
                skipped.add_error(error, line)
        notes += skipped.notes()
        collectors: dict[str, RankingCollector] = {}
        digest = digest_of(path)
        for ranking in rankings.values():
            collector = collectors.setdefault(ranking.lp, RankingCollector("rr", shown, digest))
            collector.add(ranking.judge, ranking.segment, ranking.ranks, ranking.outputs)
        if not collectors:
            raise EmptyInputError("no rankings", path=shown)
        return tuple(_campaign(path, lp, collector, notes) for lp, collector in collectors.items())


@dataclass
class _Ranking:
    line: int
    lp: str
    judge: str
    segment: int
    ranking_id: str
    ranks: dict[str, int] = field(default_factory=dict)
    outputs: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Columns:
    """The positions of the columns."""

    width: int
    needed: dict[str, int]
    systems: tuple[tuple[int, int], ...]
    ranking_id: int | None
    unread: tuple[str, ...]

    @classmethod
    def of(cls, header: str, path: str) -> _Columns:
        spelled = csv_fields(header, path=path, line=1)
        names = [name.strip().lower() for name in spelled]
        if len(set(names)) < len(names):
            raise InputError("duplicate column", path=path, line=1)
        position = {name: i for i, name in enumerate(names)}
        needed = {column: position[name] for column, name in _needed_columns(names)}
        slots = tuple(
            (position[f"system{n}id"], position[f"system{n}rank"])
            for n in range(1, len(names))
            if f"system{n}id" in position and f"system{n}rank" in position
        )
        lacking = [" or ".join(spellings) for column, spellings in _NEEDED.items() if column not in needed]
        lacking += _missing_halves(names)
        if lacking or len(slots) < 2:
            missing = ", ".join(lacking) or "the id and rank of two systems"
            raise InputError(f"missing columns: {missing}", path=path, line=1, hint="see the ranking files of WMT")
        read = {*needed.values(), *(i for slot in slots for i in slot), position.get("rankingid")}
        unread = tuple(name for i, name in enumerate(spelled) if i not in read and not _REDUNDANT.fullmatch(names[i]))
        return cls(len(names), needed, slots, position.get("rankingid"), unread)

    def ranking(self, row: list[str], path: str, line: int) -> _Ranking:
        """The ranking of a row."""
        if len(row) != self.width:
            raise InputError(f"{plural(len(row), 'field')}, but the header has {self.width}", path=path, line=line)
        value = {column: row[i].strip() for column, i in self.needed.items()}
        ranking = _Ranking(
            line=line,
            lp=language_pair(value["srclang"], value["trglang"], path=path, line=line),
            judge=value["judge"],
            segment=parse_index(value["segment"], path=path, line=line),
            ranking_id="" if self.ranking_id is None else row[self.ranking_id].strip(),
        )
        if not ranking.judge or (self.ranking_id is not None and not ranking.ranking_id):
            message = "the row has no rankingID" if ranking.judge else "the judge has no name"
            raise InputError(message, path=path, line=line)
        for number, (system, rank) in enumerate(self.systems, 1):
            if row[system].strip() or row[rank].strip():
                systems = [name.strip() for name in re.split("[,+]", row[system])]
                add_ranks(ranking.ranks, systems, parse_rank(row[rank], path=path, line=line), path, line)
                ranking.outputs.update(dict.fromkeys(systems, number))
        return ranking


def _missing_halves(names: list[str]) -> Iterator[str]:
    """The columns without which others would be lost: the rank of a system with an id, and the reverse."""
    halves = {"id": "rank", "rank": "id", "": "rank"}
    for name in names:
        if (match := re.fullmatch(r"(system[0-9]+)(id|rank|)", name)) and f"{match[1]}{halves[match[2]]}" not in names:
            yield f"{match[1]}{halves[match[2]]}"


def _needed_columns(names: list[str]) -> Iterator[tuple[str, str]]:
    for column, spellings in _NEEDED.items():
        if name := next((spelling for spelling in spellings if spelling in names), None):
            yield column, name


def _combine(rankings: dict[tuple[str, ...], _Ranking], row: _Ranking, path: str) -> None:
    """Add a row as a new ranking, or to the ranking it belongs to."""
    key = (row.lp, row.ranking_id) if row.ranking_id else (row.lp, "", str(row.line))
    whole = rankings.setdefault(key, row)
    if whole is row:
        return
    if (whole.judge, whole.segment) != (row.judge, row.segment):
        message = f"ranking {printable(row.ranking_id)} has a different judge or segment in line {whole.line}"
        raise InputError(message, path=path, line=row.line)
    ranks = dict(whole.ranks)
    for system, rank in row.ranks.items():
        add_ranks(ranks, [system], rank, path, row.line)
    whole.ranks = ranks
    whole.outputs.clear()  # pairs do not say which systems shared an output


def _campaign(path: Path, lp: str, collector: RankingCollector, notes: list[Note]) -> Campaign:
    rankings = collector.rankings()
    name = stem_of(path)
    segments = int(rankings.segment.max()) + 1
    all_notes = (*notes, *gap_notes(rankings))
    return Campaign(name, lp, segments, rankings.systems, (), None, judgements=(rankings,), notes=all_notes)
