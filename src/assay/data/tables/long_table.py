"""Campaigns written as one flat table in the long form, which `assay.data.tables.schema` reads back.

One row per system and segment with an output or a score, with everything known about the segment; a row without system
for a segment that no system has anything for; and a row without segment for the scores of a whole system.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from assay.data.tables.headers import LABELS, header_of_kind
from assay.data.tables.rows import ScoreKind
from assay.errors import ConfigError, DecodeError, EmptyInputError, InputError, NameClashError
from assay.files import write_atomic
from assay.types import Campaign, Column, ScoreTable, check_names

__all__ = ["LongTable", "delimited", "encoded", "long_table", "write_packed"]

Record = dict[str, str | float]


@dataclass(frozen=True)
class LongTable:
    """The columns with the types of their values, and the campaigns that fill them."""

    columns: dict[str, type]
    campaigns: tuple[Campaign, ...]

    def records(self) -> Iterator[Record]:
        """The rows; a missing value is an absent key."""
        for campaign in self.campaigns:
            yield from _records(campaign)


def long_table(campaigns: Iterable[Campaign]) -> LongTable:
    """The table of some campaigns; an error if it cannot hold them."""
    written = tuple(campaigns)
    if not written:
        raise EmptyInputError("no campaigns to write")
    keys = [(campaign.name, campaign.lp) for campaign in written]
    if len(set(keys)) < len(keys):
        raise NameClashError("a table cannot hold two campaigns of the same test set and language pair")
    texts: dict[str, type] = {}
    scores: dict[str, type] = {}
    for campaign in written:
        _check(campaign)
        texts |= dict.fromkeys(_text_columns(campaign), str)
        scores |= dict.fromkeys((_header(table) for table in campaign.scores), float)
    order = ("document", "domain", "source", *(name for name in texts if name.startswith("reference:")), "output")
    labels = dict.fromkeys(("dataset", "lp", "system", "segment"), str)
    return LongTable(labels | {name: str for name in order if name in texts} | scores, written)


def delimited(table: LongTable, separator: str, quoted: Callable[[str], str], flaw: Callable[[str], str | None]) -> str:
    """The table as lines of cells. `flaw` says why a text cannot be a cell; `quoted` makes it one."""
    lines = [separator.join(map(quoted, table.columns))]
    for record in table.records():
        cells = []
        for name, kind in table.columns.items():
            value = record.get(name)
            reason = _gap_flaw(record, name) if kind is str and not value else None
            if isinstance(value, str) and reason is None:
                reason = flaw(value)
            if reason is not None:
                shown = name.replace(":", " ", 1)  # reference:refA
                raise InputError(f"{_place(record)}: the {shown} {reason}", hint="write JSON lines instead: FILE.jsonl")
            cells.append("" if value is None else quoted(value) if isinstance(value, str) else repr(value))
        lines.append(separator.join(cells))
    return "\n".join([*lines, ""])


def encoded(text: str) -> bytes:
    """The text as UTF-8."""
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise DecodeError(f"a name or label contains {error.object[error.start]!r}, which is not text") from None


def write_packed(path: Path, data: bytes) -> None:
    """Write a file, compressed if its name ends in .gz."""
    if path.name.endswith(".gz"):
        import gzip

        data = gzip.compress(data, mtime=0)
    write_atomic(path, data)


def _gap_flaw(record: Record, name: str) -> str | None:
    """Why an empty cell would not be read back as what it is: a missing text, or an empty text or label."""
    if name in LABELS:
        return (
            "is empty; an empty cell would be read as no label"
            if name in record and name not in ("dataset", "lp")
            else None
        )
    nothing_else = "segment" not in record or (name == "output" and "system" not in record)
    return None if name in record or nothing_else else "is missing; an empty cell would be read as an empty text"


def _place(record: Record) -> str:
    named = [f"{name} '{record[name]}'" for name in ("dataset", "lp", "system", "segment") if record.get(name)]
    return ", ".join(named)


def _check(campaign: Campaign) -> None:
    label = f"{campaign.name} {campaign.lp}".strip() or "a campaign"
    texts = campaign.testset.references if campaign.testset is not None else {}
    lost = [name for name in campaign.references if name not in texts]
    if campaign.judged_or_predicted:
        hint = "write a file whose name ends in .judgements.jsonl, or something else: only=texts or only=scores"
        what = "individual judgements or predicted errors"
        raise ConfigError(f"{label}: a table of outputs and scores cannot hold {what}", hint=hint)
    if lost:
        raise ConfigError(f"{label}: references without texts cannot be written: {', '.join(lost)}")
    if campaign.testset is None and not campaign.scores:
        raise ConfigError(f"{label}: no texts or scores to write")
    seen = set()
    for table in campaign.scores:
        if table.level not in ("segment", "system"):
            raise ConfigError(f"{label}: a table of segments cannot hold scores by {table.level}: {table.name}")
        check_names("score", [table.name])
        key = table.level, _header(table)
        if key in seen:
            raise NameClashError(f"{label}: duplicate {table.level} scores '{table.name}'")
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
    written: set[int] = set()
    names = _segment_names(campaign)

    def about(segment: int) -> Record:
        known = {name: text for name, column in facts.items() if (text := column[segment]) is not None}
        return labels | {"segment": names[segment] if names else str(segment + 1)} | known

    for system in dict.fromkeys([*outputs, *campaign.systems]):
        whole, cells = _scores(tables, system)
        texts = {i: text for i, text in enumerate(outputs.get(system, ())) if text is not None}
        for segment in sorted(texts.keys() | cells.keys()):
            output: Record = {"output": texts[segment]} if segment in texts else {}
            yield about(segment) | {"system": system} | output | cells.get(segment, {})
        written |= texts.keys() | cells.keys()
        if whole or not (texts or cells):
            yield labels | {"system": system} | whole
    yield from (about(segment) for segment in range(campaign.segments) if segment not in written)


def _segment_names(campaign: Campaign) -> tuple[str, ...]:
    """The names of the segments, if they have any."""
    tables = (table.items for table in campaign.scores if table.level == "segment")
    return (campaign.testset.items if campaign.testset is not None else ()) or next(filter(None, tables), ())


def _facts(campaign: Campaign) -> dict[str, Column]:
    """The columns about segments, which do not depend on the system."""
    testset = campaign.testset
    if testset is None:
        return {}
    plain = {"document": testset.documents, "domain": testset.domains, "source": testset.sources}
    named = {f"reference:{name}": column for name, column in testset.references.items()}
    return {name: column for name, column in (plain | named).items() if column is not None}


@dataclass(frozen=True)
class _Scores:
    """A table, the header of its column, and the row of each system."""

    table: ScoreTable
    header: str
    rows: dict[str, int]

    @classmethod
    def of(cls, table: ScoreTable) -> _Scores:
        return cls(table, _header(table), {name: i for i, name in enumerate(table.systems)})


def _scores(tables: Iterable[_Scores], system: str) -> tuple[Record, dict[int, Record]]:
    """The scores of a whole system, and by segment."""
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
