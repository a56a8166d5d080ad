"""The system and segment scores of one metric or of one kind of human judgement."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from assay.errors import InputError, NameClashError
from assay.human.domains import segment_documents, segment_domains
from assay.types import FloatArray, ScoreTable, TestSet

__all__ = ["LEVELS", "Aggregate", "ScoresByLevel", "group_by_level"]

LEVELS = ("system", "segment")

Aggregate: TypeAlias = Callable[[Sequence[str], npt.NDArray[np.bool_]], FloatArray]
"""Systems and a mask of cells (system, segment) → the score of each system over its cells."""


@dataclass(frozen=True, slots=True)
class ScoresByLevel:
    """Score tables by level, under one name."""

    name: str
    system: ScoreTable | None = None
    segment: ScoreTable | None = None
    aggregate: Aggregate | None = field(default=None, compare=False)
    """How segments become the score of a system, for metrics computed from texts; None: unknown or the mean."""
    metric: str = ""
    """The name without references, if the name ends in them."""

    def at(self, level: str) -> ScoreTable:
        """The table of a level; raise if there is none."""
        table: ScoreTable | None = getattr(self, level)
        if table is None:
            other = self.system or self.segment
            origin = other.origin if other is not None else None
            raise InputError(f"'{self.name}' has no {level} scores", path=origin or None)
        return table

    @property
    def tables(self) -> tuple[ScoreTable, ...]:
        """The existing tables, the system level first."""
        return tuple(table for table in (self.system, self.segment) if table is not None)

    def renamed(self, name: str) -> ScoresByLevel:
        """The same under another name."""
        system = None if self.system is None else replace(self.system, name=name)
        segment = None if self.segment is None else replace(self.segment, name=name)
        return replace(self, name=name, system=system, segment=segment)

    def take(self, systems: Sequence[str]) -> ScoresByLevel:
        """The rows of these systems, in this order."""
        return replace(
            self,
            system=None if self.system is None else self.system.take(systems),
            segment=None if self.segment is None else self.segment.take(systems),
        )

    def described_by(self, testset: TestSet | None, *, domains: bool = False) -> ScoresByLevel:
        """Segment scores with the names and documents of the test set's segments, and their domains.

        What they have themselves is kept.

        Segments are matched by name if both sides have names, else by number.
        """
        table = self.segment
        if testset is None or table is None:
            return self
        names = table.items or (testset.items if len(testset) == table.values.shape[1] else ())
        known = table.domains or (segment_domains(testset, names, table.values.shape[1]) if domains else ())
        documents = table.documents or segment_documents(testset, names, table.values.shape[1])
        if (names, known, documents) == (table.items, table.domains, table.documents):
            return self
        return replace(self, segment=replace(table, items=names, domains=known, documents=documents))


def group_by_level(tables: Iterable[ScoreTable], *, hint: str | None = None) -> Iterator[ScoresByLevel]:
    """Group tables by name, sorted by name. Levels other than system and segment are ignored."""
    groups: dict[str, dict[str, ScoreTable]] = {}
    for table in tables:
        if table.level in LEVELS:
            levels = groups.setdefault(table.name, {})
            if table.level in levels:
                message = f"there are two {table.level}-level scores called '{table.name}'"
                raise NameClashError(message, path=table.origin or None, hint=hint)
            levels[table.level] = table
    for name in sorted(groups):
        yield ScoresByLevel(name, groups[name].get("system"), groups[name].get("segment"))
