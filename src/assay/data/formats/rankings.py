"""The ranking CSVs of WMT12 to WMT16: rows in which a judge ranks up to five systems, or pairs of these.

The header names the columns, whose order and spelling changed over the years: `srclang, trglang, srcIndex` (or
`segmentId`), `judgeId, system1Id, …, system1rank, …`. Segments count from 1. Rank 1 is best, -1 is not ranked. Systems
with the same output share a cell, joined by commas or plus signs. With a `rankingID` the rows are pairs taken from one
ranking (WMT15, WMT16), and are put together again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from assay.data.collecting import RankingCollector
from assay.data.fields import csv_fields
from assay.data.formats import CERTAIN, NO, Format, form
from assay.data.judgement_tables import add_ranks, parse_rank
from assay.data.languages import language_pair
from assay.data.noting import gap_notes, unread_note
from assay.data.numbers import parse_index
from assay.data.text import digest_of, read_lines, shown_path
from assay.errors import EmptyInputError, InputError, printable
from assay.types import Campaign

__all__ = ["RankingFile"]

_NEEDED = {
    "srclang": ("srclang",),
    "trglang": ("trglang",),
    "segment": ("srcindex", "segmentid"),
    "judge": ("judgeid",),
}
_SAYS_NOTHING = re.compile(r"srcindex|segmentid|system[0-9]+number")  # beside the columns that are read


@form("rankings")
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
            raise EmptyInputError("an empty file", path=shown)
        columns = _Columns.of(lines[0], shown)
        notes += unread_note(shown, columns.unread)
        rankings: dict[tuple[str, ...], _Ranking] = {}
        for line, text in enumerate(lines[1:], 2):
            ranking = columns.ranking(csv_fields(text, path=shown, line=line), shown, line)
            _put_together(rankings, ranking, shown)
        collectors: dict[str, RankingCollector] = {}
        digest = digest_of(path)
        for ranking in rankings.values():
            collector = collectors.setdefault(ranking.lp, RankingCollector("rr", shown, digest))
            collector.add(ranking.judge, ranking.segment, ranking.ranks, ranking.outputs)
        if not collectors:
            raise EmptyInputError("there is no ranking", path=shown)
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
    """Where a row has what."""

    width: int
    place: dict[str, int]
    systems: tuple[tuple[int, int], ...]
    ranking_id: int | None
    unread: tuple[str, ...]

    @classmethod
    def of(cls, header: str, path: str) -> _Columns:
        given = csv_fields(header, path=path, line=1)
        names = [name.strip().lower() for name in given]
        if len(set(names)) < len(names):
            raise InputError("a column comes twice", path=path, line=1)
        places = {name: i for i, name in enumerate(names)}
        place = {what: places[found] for what, found in _found(names)}
        slots = tuple(
            (places[f"system{n}id"], places[f"system{n}rank"])
            for n in range(1, len(names))
            if f"system{n}id" in places and f"system{n}rank" in places
        )
        if len(place) < len(_NEEDED) or len(slots) < 2:
            lacking = [" or ".join(spellings) for what, spellings in _NEEDED.items() if what not in place]
            what = ", ".join(lacking) or "the id and rank of two systems"
            raise InputError(f"the header lacks {what}", path=path, line=1, hint="see WMT's ranking files for its form")
        read = {*place.values(), *(i for slot in slots for i in slot), places.get("rankingid")}
        unread = tuple(name for i, name in enumerate(given) if i not in read and not _SAYS_NOTHING.fullmatch(names[i]))
        return cls(len(names), place, slots, places.get("rankingid"), unread)

    def ranking(self, row: list[str], path: str, line: int) -> _Ranking:
        """What a row says."""
        if len(row) != self.width:
            raise InputError(f"{len(row)} fields, but the header has {self.width}", path=path, line=line)
        value = {what: row[i].strip() for what, i in self.place.items()}
        ranking = _Ranking(
            line=line,
            lp=language_pair(value["srclang"], value["trglang"], path=path, line=line),
            judge=value["judge"],
            segment=parse_index(value["segment"], path=path, line=line),
            ranking_id="" if self.ranking_id is None else row[self.ranking_id].strip(),
        )
        if not ranking.judge or (self.ranking_id is not None and not ranking.ranking_id):
            what = "a row without its rankingID" if ranking.judge else "a ranking without a judge"
            raise InputError(what, path=path, line=line)
        for number, (system, rank) in enumerate(self.systems, 1):
            if row[system].strip() or row[rank].strip():
                systems = [name.strip() for name in re.split("[,+]", row[system])]
                add_ranks(ranking.ranks, systems, parse_rank(row[rank], path=path, line=line), path, line)
                ranking.outputs.update(dict.fromkeys(systems, number))
        return ranking


def _found(names: list[str]) -> Iterator[tuple[str, str]]:
    for what, spellings in _NEEDED.items():
        if found := next((name for name in spellings if name in names), None):
            yield what, found


def _put_together(rankings: dict[tuple[str, ...], _Ranking], row: _Ranking, path: str) -> None:
    """Add a row as a ranking, or to the ranking it was taken from."""
    key = (row.lp, row.ranking_id) if row.ranking_id else (row.lp, "", str(row.line))
    whole = rankings.setdefault(key, row)
    if whole is row:
        return
    if (whole.judge, whole.segment) != (row.judge, row.segment):
        what = f"ranking {printable(row.ranking_id)} is of another judge or segment in line {whole.line}"
        raise InputError(what, path=path, line=row.line)
    for system, rank in row.ranks.items():
        add_ranks(whole.ranks, [system], rank, path, row.line)
    whole.outputs.clear()  # pairs do not tell which systems shared an output


def _campaign(path: Path, lp: str, collector: RankingCollector, notes: list[str]) -> Campaign:
    rankings = collector.rankings()
    name = path.name.removesuffix(".gz").removesuffix(".csv")
    segments = int(rankings.segment.max()) + 1
    told = (*notes, *gap_notes(rankings))
    return Campaign(name, lp, segments, rankings.systems, (), None, judgements=(rankings,), notes=told)
