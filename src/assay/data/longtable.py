"""Campaigns as one flat table in the long form, which `assay.data.named` reads back.

A row for each system and segment that has an output or a score, with all that is known of the segment; a row without
system for a segment that no system has anything for; and a row without segment for a system's scores as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from assay.data.named import LABELS, header_of_kind
from assay.data.rows import ScoreKind
from assay.errors import ConfigError, DecodeError, EmptyInputError, InputError, NameClashError
from assay.files import write_whole
from assay.types import Campaign, Column, ScoreTable, check_names

__all__ = ["LongTable", "delimited", "encoded", "long_table", "write_packed"]

Record = dict[str, str | float]


@dataclass(frozen=True)
class LongTable:
    """Names of columns with the type of their values, and the campaigns that fill them."""

    columns: dict[str, type]
    campaigns: tuple[Campaign, ...]

    def records(self) -> Iterator[Record]:
        """Rows; what a row does not have is a gap."""
        for campaign in self.campaigns:
            yield from _records(campaign)


def long_table(campaigns: Iterable[Campaign]) -> LongTable:
    """The table of some campaigns; what it cannot hold is refused."""
    given = tuple(campaigns)
    if not given:
        raise EmptyInputError("there is no campaign to write")
    keys = [(campaign.name, campaign.lp) for campaign in given]
    if len(set(keys)) < len(keys):
        raise NameClashError("two campaigns of one test set and language pair cannot be told apart in one table")
    texts: dict[str, type] = {}
    scores: dict[str, type] = {}
    for campaign in given:
        _check(campaign)
        texts |= dict.fromkeys(_text_columns(campaign), str)
        scores |= dict.fromkeys((_header(table) for table in campaign.scores), float)
    order = ("document", "domain", "source", *(name for name in texts if name.startswith("reference:")), "output")
    labels = dict.fromkeys(("dataset", "lp", "system", "segment"), str)
    return LongTable(labels | {name: str for name in order if name in texts} | scores, given)


def delimited(table: LongTable, separator: str, quoted: Callable[[str], str], flaw: Callable[[str], str | None]) -> str:
    """The table as lines of cells. `flaw` says why a text cannot stand in a cell, `quoted` makes one of it."""
    lines = [separator.join(map(quoted, table.columns))]
    for record in table.records():
        cells = []
        for name, kind in table.columns.items():
            value = record.get(name)
            why = _gap_flaw(record, name) if kind is str and not value else None
            if isinstance(value, str) and why is None:
                why = flaw(value)
            if why is not None:
                raise InputError(f"{_place(record)}: the {name} {why}", hint="write it as JSON lines: FILE.jsonl")
            cells.append("" if value is None else quoted(value) if isinstance(value, str) else repr(value))
        lines.append(separator.join(cells))
    return "\n".join([*lines, ""])


def encoded(text: str) -> bytes:
    """UTF-8, if it can be."""
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise DecodeError(f"a name or label holds {error.object[error.start]!r}, which is not text") from None


def write_packed(path: Path, data: bytes) -> None:
    """Write a file, compressed if its name ends in .gz."""
    if path.name.endswith(".gz"):
        import gzip

        data = gzip.compress(data, mtime=0)
    write_whole(path, data)


def _gap_flaw(record: Record, name: str) -> str | None:
    """Why an empty cell would not be read as what is there: a gap, or an empty text or label."""
    if name in LABELS:
        return "is empty, which cannot be told from none" if name in record and name not in ("dataset", "lp") else None
    nothing_else = "segment" not in record or (name == "output" and "system" not in record)
    return None if name in record or nothing_else else "is missing, which cannot be told from an empty one"


def _place(record: Record) -> str:
    named = [f"{name} '{record[name]}'" for name in ("dataset", "lp", "system", "segment") if record.get(name)]
    return ", ".join(named)


def _check(campaign: Campaign) -> None:
    what = f"{campaign.name} {campaign.lp}".strip() or "a campaign"
    texts = campaign.testset.references if campaign.testset is not None else {}
    lost = [name for name in campaign.references if name not in texts]
    if campaign.judgements:
        raise ConfigError(f"{what}: single judgements cannot be written in a table of outputs and scores")
    if lost:
        raise ConfigError(f"{what}: references without texts cannot be written: {', '.join(lost)}")
    if campaign.testset is None and not campaign.scores:
        raise ConfigError(f"{what}: there are no texts or scores to write")
    seen = set()
    for table in campaign.scores:
        if table.level not in ("segment", "system"):
            raise ConfigError(f"{what}: scores by {table.level} cannot be written in a table of segments: {table.name}")
        check_names("score", [table.name])
        key = table.level, _header(table)
        if key in seen:
            raise NameClashError(f"{what}: there are two {table.level} scores '{table.name}'")
        seen.add(key)


def _header(table: ScoreTable) -> str:
    return header_of_kind(ScoreKind(table.name, table.protocol, table.references, table.rater, table.higher_is_better))


def _text_columns(campaign: Campaign) -> list[str]:
    testset = campaign.testset
    if testset is None:
        return []
    plain = {"source": testset.sources, "document": testset.documents, "domain": testset.domains}
    return [
        *(name for name, column in plain.items() if column is not None),
        *(f"reference:{name}" for name in testset.references),
        "output",
    ]


def _records(campaign: Campaign) -> Iterator[Record]:
    labels: Record = {"dataset": campaign.name, "lp": campaign.lp}
    facts = _facts(campaign)
    outputs = campaign.testset.outputs if campaign.testset is not None else {}
    tables = [_Scores.of(table) for table in campaign.scores]
    told: set[int] = set()

    def about(segment: int) -> Record:
        known = {name: text for name, column in facts.items() if (text := column[segment]) is not None}
        return labels | {"segment": str(segment + 1)} | known

    for system in dict.fromkeys([*outputs, *campaign.systems]):
        whole, cells = _scores(tables, system)
        texts = {i: text for i, text in enumerate(outputs.get(system, ())) if text is not None}
        for segment in sorted(texts.keys() | cells.keys()):
            output: Record = {"output": texts[segment]} if segment in texts else {}
            yield about(segment) | {"system": system} | output | cells.get(segment, {})
        told |= texts.keys() | cells.keys()
        if whole or not (texts or cells):
            yield labels | {"system": system} | whole
    yield from (about(segment) for segment in range(campaign.segments) if segment not in told)


def _facts(campaign: Campaign) -> dict[str, Column]:
    """What is known of the segments, whatever the system."""
    testset = campaign.testset
    if testset is None:
        return {}
    plain = {"document": testset.documents, "domain": testset.domains, "source": testset.sources}
    named = {f"reference:{name}": column for name, column in testset.references.items()}
    return {name: column for name, column in (plain | named).items() if column is not None}


@dataclass(frozen=True)
class _Scores:
    """A table, what its column is called, and where each system stands in it."""

    table: ScoreTable
    header: str
    rows: dict[str, int]

    @classmethod
    def of(cls, table: ScoreTable) -> _Scores:
        return cls(table, _header(table), {name: i for i, name in enumerate(table.systems)})


def _scores(tables: Iterable[_Scores], system: str) -> tuple[Record, dict[int, Record]]:
    """The scores of a system as a whole, and by segment."""
    whole: Record = {}
    cells: dict[int, Record] = {}
    for scores in tables:
        if system not in scores.rows:
            continue
        values = scores.table.values[scores.rows[system]]
        for item in np.flatnonzero(~np.isnan(values)).tolist():
            place = whole if scores.table.level == "system" else cells.setdefault(item, {})
            place[scores.header] = float(values[item])
    return whole, cells
