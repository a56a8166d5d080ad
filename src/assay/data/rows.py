"""From flat rows to campaigns: the one way in for every table that names its columns.

A row tells something about one segment, and in the long form about one system's output of it. Rows of one test set and
language pair make a campaign. Segments stand in the order of their numbers, or where they have names, of appearance.
Nothing is filled in: a segment without an output of some system is a gap, and what two rows say differently of one
thing is an error with its line.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from assay.data.collecting import ScoreCollector
from assay.errors import AlignmentError, EmptyInputError, InputError
from assay.types import Campaign, ScoreTable, TestSet

__all__ = ["Row", "campaigns_from_rows"]


@dataclass(frozen=True, slots=True)
class Row:
    """What a line says. None or an absent name: it says nothing of that."""

    line: int
    dataset: str = ""
    lp: str | None = None
    segment: str | None = None
    """An identifier; None: segments are counted, by system where there is one."""
    source: str | None = None
    document: str | None = None
    domain: str | None = None
    references: Mapping[str, str] = field(default_factory=dict)
    outputs: Mapping[str, str] = field(default_factory=dict)
    scores: Mapping[tuple[str, str], float] = field(default_factory=dict)
    """By system and name of the metric or protocol."""


def campaigns_from_rows(
    rows: Iterable[Row],
    *,
    path: str,
    digest: str = "",
    protocols: Mapping[str, str] | None = None,
    notes: Iterable[str] = (),
) -> tuple[Campaign, ...]:
    """A campaign for each test set and language pair; `protocols` tells which scores are people's, and how given."""
    groups: dict[tuple[str, str | None], _Group] = {}
    for row in rows:
        key = row.dataset, row.lp
        groups.setdefault(key, _Group(row.dataset, row.lp, path)).add(row)
    if not groups:
        raise EmptyInputError("there is no row", path=path)
    return tuple(group.campaign(digest, protocols or {}, tuple(notes)) for group in groups.values())


@dataclass
class _Group:
    """Rows of one test set and language pair."""

    dataset: str
    lp: str | None
    path: str
    places: dict[str, int] = field(default_factory=dict)
    counted: dict[str, int] = field(default_factory=dict)
    columns: dict[tuple[str, str], dict[int, str]] = field(default_factory=dict)
    scores: dict[tuple[str, str], dict[int, tuple[float, int]]] = field(default_factory=dict)

    def add(self, row: Row) -> None:
        place = self._place(row)
        plain = {"sources": row.source, "documents": row.document, "domains": row.domain}
        for kind, text in plain.items():
            if text is not None:
                self._put((kind, ""), place, text, row.line)
        for name, text in row.references.items():
            self._put(("reference", name), place, text, row.line)
        for name, text in row.outputs.items():
            if place in self.columns.get(("output", name), {}):
                raise InputError(f"a second output of system '{name}' for one segment", path=self.path, line=row.line)
            self._put(("output", name), place, text, row.line)
        for key, value in row.scores.items():
            cells = self.scores.setdefault(key, {})
            if place in cells:
                raise InputError(f"a second score '{key[1]}' of system '{key[0]}'", path=self.path, line=row.line)
            cells[place] = value, row.line

    def _place(self, row: Row) -> int:
        """Where the segment stands: by its identifier, or counted for the system the row is about."""
        if row.segment is not None:
            return self.places.setdefault(row.segment, len(self.places))
        system = next(iter(row.outputs or {name: "" for name, _ in row.scores}), "")
        self.counted[system] = self.counted.get(system, 0) + 1
        return self.counted[system] - 1

    def _put(self, key: tuple[str, str], place: int, text: str, line: int) -> None:
        column = self.columns.setdefault(key, {})
        if column.setdefault(place, text) != text:
            what = " ".join(filter(None, key))
            raise AlignmentError(f"another {what} for a segment that had one already", path=self.path, line=line)

    def campaign(self, digest: str, protocols: Mapping[str, str], notes: tuple[str, ...]) -> Campaign:
        filled: list[Mapping[int, object]] = [*self.columns.values(), *self.scores.values()]
        order = sorted({place for cells in filled for place in cells})
        if self.places and all(name.isascii() and name.isdigit() for name in self.places):
            numbers = {place: int(name) for name, place in self.places.items()}
            order.sort(key=numbers.__getitem__)
        testset = self._testset(order, notes)
        tables = self._tables(order, digest, protocols)
        systems = dict.fromkeys([*(testset.outputs if testset else ()), *(s for t in tables for s in t.systems)])
        references = tuple(name for kind, name in self.columns if kind == "reference")
        return Campaign(
            self.dataset, self.lp or "", len(order), tuple(systems), references, testset, tables, notes=notes
        )

    def _testset(self, order: list[int], notes: tuple[str, ...]) -> TestSet | None:
        def texts(kind: str, name: str = "") -> tuple[str | None, ...] | None:
            column = self.columns.get((kind, name))
            return None if column is None else tuple(column.get(place) for place in order)

        def named(kind: str) -> dict[str, tuple[str | None, ...]]:
            return {name: texts(kind, name) or () for found, name in self.columns if found == kind}

        if not named("output"):
            return None
        return TestSet(
            outputs=named("output"),
            references=named("reference"),
            sources=texts("sources"),
            documents=texts("documents"),
            domains=texts("domains"),
            lp=self.lp,
            notes=notes,
            name=self.dataset or None,
        )

    def _tables(self, order: list[int], digest: str, protocols: Mapping[str, str]) -> tuple[ScoreTable, ...]:
        collectors: dict[str, ScoreCollector] = {}
        position = {place: i for i, place in enumerate(order)}
        for (system, name), cells in self.scores.items():
            collector = collectors.setdefault(
                name, ScoreCollector(name, "segment", self.path, digest, protocol=protocols.get(name))
            )
            for place, (value, line) in cells.items():
                collector.add(system, position[place], value, line=line)
        return tuple(collector.table(len(order)) for collector in collectors.values())
