"""The system, domain and segment scores of one metric or of one kind of human judgement."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from assay.errors import InputError, NameClashError
from assay.human.domains import segment_documents, segment_domains
from assay.lazily import numpy as np
from assay.types import FloatArray, ScoreTable, TestSet

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["LEVELS", "Aggregate", "ScoresByLevel", "group_by_level"]

LEVELS = ("system", "segment")
"""The levels at which metrics are compared. Stored scores of domains are system scores of a part of the segments."""

Aggregate: TypeAlias = "Callable[[Sequence[str], npt.NDArray[np.bool_]], FloatArray]"
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
    domain: ScoreTable | None = None
    """Stored scores of systems on each domain."""

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
        """The existing tables at the levels of comparison, the system level first."""
        return tuple(table for table in (self.system, self.segment) if table is not None)

    def renamed(self, name: str) -> ScoresByLevel:
        """The same under another name."""
        return replace(self._map(lambda table: replace(table, name=name)), name=name)

    def take(self, systems: Sequence[str]) -> ScoresByLevel:
        """The rows of these systems, in this order."""
        return self._map(lambda table: table.take(systems))

    def _map(self, function: Callable[[ScoreTable], ScoreTable]) -> ScoresByLevel:
        system, segment, domain = (
            table if table is None else function(table) for table in (self.system, self.segment, self.domain)
        )
        return replace(self, system=system, segment=segment, domain=domain)

    def stored_on(self, domain: str) -> ScoreTable | None:
        """The stored scores of systems on a domain; None: there are none."""
        table = self.domain
        if table is None or domain not in table.items:
            return None
        column = table.values[:, [table.items.index(domain)]]
        return None if np.isnan(column).all() else replace(table, level="system", values=column, items=(), domains=())

    def on_domain(self, domain: str, within: npt.NDArray[np.bool_], *, is_stored: bool) -> ScoresByLevel:
        """The scores on a domain, whose segments are `within`: with `is_stored` also its stored system scores."""
        segment = self.segment
        if segment is not None and len(within) == segment.values.shape[1]:
            segment = replace(segment, values=np.where(within, segment.values, np.nan))
        return ScoresByLevel(self.name, self.stored_on(domain) if is_stored else None, segment, self.aggregate)

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
    """Group tables by name, sorted by name, those that have system or segment scores; document scores are ignored."""
    groups: dict[str, dict[str, ScoreTable]] = {}
    for table in tables:
        if table.level in (*LEVELS, "domain"):
            levels = groups.setdefault(table.name, {})
            if table.level in levels:
                message = f"there are two {table.level}-level scores called '{table.name}'"
                raise NameClashError(message, path=table.origin or None, hint=hint)
            levels[table.level] = table
    for name in sorted(groups):
        if groups[name].keys() & set(LEVELS):
            system, segment, domain = (groups[name].get(level) for level in ("system", "segment", "domain"))
            yield ScoresByLevel(name, system, segment, domain=domain)
