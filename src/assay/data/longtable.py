"""Campaigns as one flat table in the long form, which `assay.data.named` reads back.

A row for each system and segment that has an output or a score, with all that is known of the segment; a row without
system for a segment that no system has anything for; and a row without segment for a system's scores as a whole.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from assay.data.named import LABELS, header_of_kind
from assay.data.rows import ScoreKind
from assay.errors import ConfigError, DecodeError, EmptyInputError, InputError, NameClashError
from assay.files import write_whole
from assay.types import Campaign, ScoreTable, check_names

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
    segments = [labels | {"segment": str(i + 1)} | facts for i, facts in enumerate(_facts(campaign))]
    left = dict.fromkeys(range(len(segments)))
    outputs = campaign.testset.outputs if campaign.testset is not None else {}
    for system in dict.fromkeys([*outputs, *campaign.systems]):
        whole, cells = _scores(campaign, system, len(segments))
        for segment, text in enumerate(outputs.get(system, [None] * len(segments))):
            if text is not None or cells[segment]:
                left.pop(segment, None)
                output: Record = {} if text is None else {"output": text}
                yield segments[segment] | {"system": system} | output | cells[segment]
        if whole or not (any(cells) or any(text is not None for text in outputs.get(system, ()))):
            yield labels | {"system": system} | whole
    for segment in left:
        yield segments[segment]


def _facts(campaign: Campaign) -> list[Record]:
    """What is known of each segment, whatever the system."""
    testset = campaign.testset
    if testset is None:
        return [{} for _ in range(campaign.segments)]
    plain = {"document": testset.documents, "domain": testset.domains, "source": testset.sources}
    named = {f"reference:{name}": column for name, column in testset.references.items()}
    columns = {name: column for name, column in (plain | named).items() if column is not None}
    return [
        {name: text for name, column in columns.items() if (text := column[i]) is not None}
        for i in range(campaign.segments)
    ]


def _scores(campaign: Campaign, system: str, segments: int) -> tuple[Record, list[Record]]:
    """The scores of a system as a whole, and by segment."""
    whole: Record = {}
    cells: list[Record] = [{} for _ in range(segments)]
    for table in campaign.scores:
        if system not in table.systems:
            continue
        header, values = _header(table), table.values[table.systems.index(system)].tolist()
        for place, value in zip([whole] if table.level == "system" else cells, values, strict=True):
            if not math.isnan(value):
                place[header] = value
    return whole, cells
