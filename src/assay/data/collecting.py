"""From rows, as files have them, to ratings, rankings and score tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from assay.errors import InputError
from assay.types import UNRANKED, ErrorSpan, Rankings, Ratings, ScoreTable

__all__ = ["RankingCollector", "RatingCollector", "ScoreCollector"]


@dataclass
class RatingCollector:
    """Collects ratings one by one; names get numbers in order of appearance."""

    name: str
    protocol: str
    origin: str
    digest: str = ""
    higher_is_better: bool = True
    _raters: dict[str, int] = field(default_factory=dict)
    _systems: dict[str, int] = field(default_factory=dict)
    _rows: list[tuple[int, int, int, float]] = field(default_factory=list)
    _kinds: list[str] = field(default_factory=list)
    _errors: list[tuple[ErrorSpan, ...]] = field(default_factory=list)
    _documents: list[str] = field(default_factory=list)

    def add(
        self,
        rater: str,
        system: str,
        segment: int,
        score: float = math.nan,
        *,
        kind: str = "TGT",
        errors: Iterable[ErrorSpan] = (),
        document: str = "",
    ) -> None:
        """A rating; `segment` counts from 0, -1: the score is that of a whole document."""
        codes = self._raters.setdefault(rater, len(self._raters)), self._systems.setdefault(system, len(self._systems))
        self._rows.append((*codes, segment, score))
        self._kinds.append(kind)
        self._errors.append(tuple(errors))
        self._documents.append(document)

    def ratings(self) -> Ratings:
        """What was collected."""
        if not self._rows:
            raise InputError("there is no rating", path=self.origin)
        rater, system, segment, score = zip(*self._rows, strict=True)
        return Ratings(
            name=self.name,
            protocol=self.protocol,
            raters=tuple(self._raters),
            systems=tuple(self._systems),
            rater=np.array(rater),
            system=np.array(system),
            segment=np.array(segment),
            score=np.array(score),
            kind=tuple(self._kinds) if set(self._kinds) != {"TGT"} else (),
            errors=tuple(self._errors) if any(self._errors) or self.protocol == "MQM" else (),
            document=tuple(self._documents) if any(self._documents) else (),
            origin=self.origin,
            digest=self.digest,
            higher_is_better=self.higher_is_better,
        )


@dataclass
class RankingCollector:
    """Collects rankings one by one."""

    name: str
    origin: str
    digest: str = ""
    _judges: dict[str, int] = field(default_factory=dict)
    _systems: dict[str, int] = field(default_factory=dict)
    _rows: list[tuple[int, int, dict[int, int]]] = field(default_factory=list)

    def add(self, judge: str, segment: int, ranks: Mapping[str, int]) -> None:
        """The ranks that a judge gave to systems for a segment (from 0): 1 is best."""
        codes = {self._systems.setdefault(name, len(self._systems)): rank for name, rank in ranks.items()}
        self._rows.append((self._judges.setdefault(judge, len(self._judges)), segment, codes))

    def rankings(self) -> Rankings:
        """What was collected."""
        if not self._rows:
            raise InputError("there is no ranking", path=self.origin)
        ranks = np.full((len(self._rows), len(self._systems)), UNRANKED, dtype=np.int8)
        for row, (_, _, given) in enumerate(self._rows):
            for system, rank in given.items():
                ranks[row, system] = rank
        return Rankings(
            name=self.name,
            systems=tuple(self._systems),
            judges=tuple(self._judges),
            judge=np.array([judge for judge, _, _ in self._rows]),
            segment=np.array([segment for _, segment, _ in self._rows]),
            ranks=ranks,
            origin=self.origin,
            digest=self.digest,
        )


@dataclass
class ScoreCollector:
    """Collects the scores of one metric or protocol, cell by cell; cells that never come are gaps."""

    name: str
    level: str
    origin: str
    digest: str = ""
    references: tuple[str, ...] = ()
    protocol: str | None = None
    higher_is_better: bool = True
    _cells: dict[str, dict[int, float]] = field(default_factory=dict)

    def add(self, system: str, item: int, score: float, *, line: int) -> None:
        """The score of a system for an item (from 0). The same cell twice is an error."""
        cells = self._cells.setdefault(system, {})
        if item in cells:
            place = f"system '{system}'" + (f", {self.level} {item + 1}" if self.level != "system" else "")
            raise InputError(f"a second score '{self.name}' for {place}", path=self.origin, line=line)
        cells[item] = score

    def table(self, items: int | None = None) -> ScoreTable:
        """What was collected; `items` is how many there are, if that is known from elsewhere."""
        if not self._cells:
            raise InputError("there is no score", path=self.origin)
        count = items if items is not None else 1 + max(item for cells in self._cells.values() for item in cells)
        values = np.full((len(self._cells), count), np.nan)
        for row, (system, cells) in enumerate(self._cells.items()):
            for item, score in cells.items():
                if item >= count:
                    what = f"a score '{self.name}' for {self.level} {item + 1} of system '{system}'"
                    raise InputError(f"{what}, but there are {count}", path=self.origin)
                values[row, item] = score
        return ScoreTable(
            name=self.name,
            level=self.level,
            systems=tuple(self._cells),
            values=values,
            origin=self.origin,
            digest=self.digest,
            references=self.references,
            protocol=self.protocol,
            higher_is_better=self.higher_is_better,
        )
