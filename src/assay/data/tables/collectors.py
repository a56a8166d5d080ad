"""Collectors that build ratings, rankings, score tables and test sets from the rows of a file."""

from __future__ import annotations

import math
from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from assay.data.tables.names import check_names_in_file
from assay.errors import AlignmentError, InputError, printable
from assay.lazily import numpy as np
from assay.types import (
    UNRANKED,
    Campaign,
    Column,
    ErrorSpan,
    IntArray,
    Note,
    NoteKind,
    Rankings,
    Ratings,
    ScoreTable,
    TestSet,
    as_column,
)
from assay.types.judgements import CHARACTERS, MAX_RANK
from assay.types.note import plural

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = [
    "CampaignCollector",
    "RankingCollector",
    "RatingCollector",
    "ScoreCollector",
    "TextCollector",
    "check_cells",
    "check_numbering",
    "number_names",
    "rankings_of_pairs",
]

_MAX_RANKED = 2000  # a row of ranks has a cell for every system
_MAX_EMPTY_CELLS = 1_000_000
_MAX_EMPTY_SHARE = 100  # cells per value, beyond this many cells
_SPARSE = 100  # texts become a test set if at least one segment in so many has one


def check_cells(cells: int, values: int, message: str, *, path: str, hint: str | None = None) -> None:
    """Refuse a table that is almost empty: otherwise a few lines could require any amount of memory."""
    if cells > max(_MAX_EMPTY_CELLS, _MAX_EMPTY_SHARE * values):
        raise InputError(message, path=path, hint=hint)


def check_numbering(segment: IntArray, systems: int, *, path: str) -> None:
    """Refuse segment numbers (from 0) that are far too high for the number of judgements."""
    highest = int(segment.max(initial=-1)) + 1
    message = f"segments are numbered up to {highest:,}, but the file has only {plural(len(segment), 'judgement')}"
    hint = "was another column, or an identifier, read as the segment number?"
    check_cells(highest * systems, len(segment), message, path=path, hint=hint)


def number_names(names: Iterable[str]) -> tuple[tuple[str, ...], IntArray]:
    """The distinct names in order of appearance, and the index of each given name among them."""
    index: dict[str, int] = {}
    numbers = [index.setdefault(name, len(index)) for name in names]
    return tuple(index), np.array(numbers, dtype=np.int64)


@dataclass
class RatingCollector:
    """Collects ratings one by one; names are numbered in order of appearance.

    Millions of them are collected: numbers are kept in arrays, and equal texts once.
    """

    name: str
    protocol: str
    origin: str
    digest: str = ""
    higher_is_better: bool = True
    is_human: bool = True
    offsets: str = CHARACTERS
    _raters: dict[str, int] = field(default_factory=dict)
    _systems: dict[str, int] = field(default_factory=dict)
    _items: dict[str, int] = field(default_factory=dict)
    _rater: array[int] = field(default_factory=lambda: array("q"))
    _system: array[int] = field(default_factory=lambda: array("q"))
    _segment: array[int] = field(default_factory=lambda: array("q"))
    _score: array[float] = field(default_factory=lambda: array("d"))
    _time: array[float] = field(default_factory=lambda: array("d"))
    _kinds: list[str] = field(default_factory=list)
    _errors: list[tuple[ErrorSpan, ...] | None] = field(default_factory=list)
    _documents: list[str] = field(default_factory=list)
    _domains: list[str] = field(default_factory=list)
    _waves: list[str] = field(default_factory=list)
    _texts: dict[str, str] = field(default_factory=dict)

    def add(
        self,
        rater: str,
        system: str,
        segment: int | str,
        score: float = math.nan,
        *,
        kind: str = "TGT",
        errors: Iterable[ErrorSpan] | None = None,
        document: str = "",
        domain: str = "",
        time: float = math.nan,
        wave: str = "",
    ) -> int:
        """Add a rating, and return the number of its segment.

        `segment` is a number from 0, -1 for the score of a whole document, or a name; named segments are numbered. In
        one file, either all segments have numbers or all have names. `errors` is None if errors were not marked.
        """
        number = self._items.setdefault(segment, len(self._items)) if isinstance(segment, str) else segment
        self._rater.append(self._raters.setdefault(rater, len(self._raters)))
        self._system.append(self._systems.setdefault(system, len(self._systems)))
        self._segment.append(number)
        self._score.append(score)
        self._time.append(time)
        self._kinds.append(self._texts.setdefault(kind, kind))
        self._documents.append(self._texts.setdefault(document, document))
        self._domains.append(self._texts.setdefault(domain, domain))
        self._waves.append(self._texts.setdefault(wave, wave))
        self._errors.append(None if errors is None else tuple(errors))
        return number

    def __len__(self) -> int:
        return len(self._score)

    def ratings(self) -> Ratings:
        """The collected ratings."""
        if not self._score:
            raise InputError("no ratings", path=self.origin)
        segment = np.array(self._segment)
        check_names_in_file("system", self._systems, path=self.origin)
        if not self._items:
            check_numbering(segment, len(self._systems), path=self.origin)
        time = np.array(self._time)
        return Ratings(
            name=self.name,
            protocol=self.protocol,
            raters=tuple(self._raters),
            systems=tuple(self._systems),
            rater=np.array(self._rater),
            system=np.array(self._system),
            segment=segment,
            score=np.array(self._score),
            kind=tuple(self._kinds) if set(self._kinds) != {"TGT"} else (),
            errors=tuple(self._errors),
            document=tuple(self._documents) if any(self._documents) else (),
            origin=self.origin,
            digest=self.digest,
            higher_is_better=self.higher_is_better,
            items=tuple(self._items),
            domain=tuple(self._domains) if any(self._domains) else (),
            time=None if np.isnan(time).all() else time,
            wave=tuple(self._waves) if any(self._waves) else (),
            is_human=self.is_human,
            offsets=self.offsets,
        )


@dataclass
class RankingCollector:
    """Collects rankings one by one."""

    name: str
    origin: str
    digest: str = ""
    _judges: dict[str, int] = field(default_factory=dict)
    _systems: dict[str, int] = field(default_factory=dict)
    _rows: list[tuple[int, int]] = field(default_factory=list)
    _cells: list[tuple[int, int, int, int]] = field(default_factory=list)

    def add(self, judge: str, segment: int, ranks: Mapping[str, int], outputs: Mapping[str, int] | None = None) -> None:
        """Add a ranking: the ranks a judge gave to systems for a segment (from 0). 1 is best, UNRANKED is no rank.

        `outputs` numbers the outputs from 1; systems with the same output have the same number.
        """
        row = len(self._rows)
        self._rows.append((self._judges.setdefault(judge, len(self._judges)), segment))
        systems = self._systems
        shown = outputs or {name: number for number, name in enumerate(ranks, 1)}
        self._cells += [
            (row, systems.setdefault(name, len(systems)), rank, shown[name]) for name, rank in ranks.items()
        ]

    def rankings(self) -> Rankings:
        """The collected rankings."""
        if not self._cells:
            raise InputError("no rankings", path=self.origin)
        row, system, rank, number = np.array(self._cells, dtype=np.int64).T
        if int(rank.max()) > MAX_RANK or int(rank.min()) < UNRANKED:
            raise InputError(f"ranks must be between 1 and {MAX_RANK}", path=self.origin)
        if int(number.max()) > MAX_RANK:
            raise InputError(f"a ranking has more than {MAX_RANK} outputs", path=self.origin)
        judge, segment = np.array(self._rows, dtype=np.int64).T
        ranks = _unranked(segment, self._systems, len(self._cells), self.origin)
        ranks[row, system] = rank
        output = np.zeros_like(ranks)
        output[row, system] = number
        names = tuple(self._systems), tuple(self._judges)
        return Rankings(self.name, *names, judge, segment, ranks, self.origin, self.digest, output)


def rankings_of_pairs(
    name: str, segment: npt.ArrayLike, better: Sequence[str], worse: Sequence[str], *, origin: str, digest: str = ""
) -> Rankings:
    """Strict preferences of unknown judges: one row each, with rank 1 for the better system and 2 for the worse."""
    systems, numbers = number_names(name for pair in zip(better, worse, strict=True) for name in pair)
    segments = np.asarray(segment, dtype=np.int64)
    ranks = _unranked(segments, systems, 2 * len(better), origin)
    rows = np.arange(len(better))
    ranks[rows, numbers[0::2]] = 1
    ranks[rows, numbers[1::2]] = 2
    return Rankings(name, systems, ("unknown",), np.zeros_like(segments), segments, ranks, origin, digest)


def _unranked(segment: IntArray, systems: Collection[str], ranked: int, origin: str) -> npt.NDArray[np.int8]:
    """A cell for each system in each row, all unranked."""
    if len(systems) > _MAX_RANKED:
        hint = "was another column read as the system names?"
        raise InputError(f"too many systems: {len(systems):,}; the limit is {_MAX_RANKED:,}", path=origin, hint=hint)
    check_names_in_file("system", systems, path=origin)
    check_numbering(segment, len(systems), path=origin)
    message = (
        f"{plural(len(segment), 'ranking')} of {plural(len(systems), 'system')}, but only {plural(ranked, 'rank')}"
    )
    check_cells(len(segment) * len(systems), ranked, message, path=origin)
    return np.full((len(segment), len(systems)), UNRANKED, dtype=np.int8)


@dataclass
class ScoreCollector:
    """Collects the scores of one metric or protocol, cell by cell; cells never added have no score."""

    name: str
    level: str
    origin: str
    digest: str = ""
    references: tuple[str, ...] = ()
    protocol: str | None = None
    higher_is_better: bool = True
    _cells: dict[str, dict[int, float]] = field(default_factory=dict)

    def add(self, system: str, item: int, score: float, *, line: int | None = None) -> None:
        """Add the score of a system for an item (from 0). Adding a cell twice is an error."""
        cells = self._cells.setdefault(system, {})
        if item in cells:
            cell = f"system '{system}'" + (f", {self.level} {item + 1}" if self.level != "system" else "")
            raise InputError(f"duplicate score '{self.name}' for {cell}", path=self.origin, line=line)
        cells[item] = score

    def table(self, items: int | None = None) -> ScoreTable:
        """The collected scores; `items` is the number of items, if it is known."""
        if not self._cells:
            raise InputError("no scores", path=self.origin)
        count = items if items is not None else 1 + max(item for cells in self._cells.values() for item in cells)
        values = np.full((len(self._cells), count), np.nan)
        for row, (system, cells) in enumerate(self._cells.items()):
            for item, score in cells.items():
                if item >= count:
                    cell = f"{self.level} {item + 1} of system '{system}'"
                    message = f"score '{self.name}' for {cell}, beyond the last {self.level}, {count}"
                    raise InputError(message, path=self.origin)
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


@dataclass
class TextCollector:
    """Collects the texts beside judgements: each occurs many times and must always be the same."""

    origin: str
    hint: str | None = None
    """What to do if a text is not always the same."""
    _texts: dict[tuple[str, str], dict[int, str]] = field(default_factory=dict)

    def add(self, kind: str, segment: int, text: str, *, line: int, system: str = "") -> None:
        """Add the source, document or domain of a segment (from 0), or a system's output."""
        if self._texts.setdefault((kind, system), {}).setdefault(segment, text) != text:
            owner = f" of system '{printable(system)}'" if system else ""
            message = f"the {kind}{owner} for segment {segment + 1} differs from an earlier line"
            raise AlignmentError(message, path=self.origin, line=line, hint=self.hint)

    def find(self, kind: str, segment: int, *, system: str = "") -> str | None:
        """The text that was added for a segment; None if none was."""
        return self._texts.get((kind, system), {}).get(segment)

    @property
    def systems(self) -> tuple[str, ...]:
        """Systems with an output."""
        return tuple(system for kind, system in self._texts if kind == "output")

    def testset(self, segments: int, *, lp: str | None, name: str | None) -> TestSet | None:
        """The collected texts, with None and a note for missing ones; None if there are no outputs, or too few."""
        present = self._segments_with_output()
        if segments > _SPARSE * max(len(present), _SPARSE) or not present:
            return None

        def column(kind: str, system: str = "") -> Column | None:
            texts = self._texts.get((kind, system))
            return None if texts is None else as_column(texts.get(segment) for segment in range(segments))

        return TestSet(
            outputs={system: column("output", system) or as_column(()) for system in self.systems},
            sources=column("source"),
            documents=column("document"),
            domains=column("domain"),
            lp=lp,
            notes=tuple(self._gaps(segments, len(present))),
            name=name,
        )

    def _segments_with_output(self) -> set[int]:
        return {segment for (kind, _), texts in self._texts.items() if kind == "output" for segment in texts}

    def unused_note(self, segments: int) -> Note:
        """The note that there are texts, but too few for a test set."""
        count = len(self._segments_with_output())
        text = f"texts not used: only {count:,} of {plural(segments, 'segment')} have an output"
        return Note(NoteKind.UNREAD, text, self.origin, count)

    def _gaps(self, segments: int, present: int) -> Iterator[Note]:
        if present < segments:
            text = f"{segments - present:,} of {plural(segments, 'segment')} without text"
            yield Note(NoteKind.MISSING, text, self.origin, segments - present)
        lacking = {system: present - len(self._texts["output", system]) for system in self.systems}
        if named := ", ".join(f"'{system}' {count:,}" for system, count in lacking.items() if count):
            text = f"missing outputs for segments that other systems translated: {named}"
            yield Note(NoteKind.MISSING, text, self.origin, sum(lacking.values()))


@dataclass
class CampaignCollector:
    """Collects the ratings of a language pair, and the rated texts."""

    name: str
    lp: str
    ratings: RatingCollector
    texts: TextCollector
    notes: list[Note] = field(default_factory=list)
    systems: dict[str, None] = field(default_factory=dict)
    """Systems that were not rated."""

    def campaign(self, *, segments: int | None = None) -> Campaign:
        """The collected campaign; `segments` is the number of segments, if it is known."""
        ratings = self.ratings.ratings()
        highest = int(ratings.segment.max()) + 1
        count = max(len(ratings.items) or highest, segments or 0)
        testset = self.texts.testset(count, lp=self.lp or None, name=self.name or None)
        unused = (self.texts.unused_note(count),) if testset is None and self.texts.systems else ()
        notes = (*self.notes, *(testset.notes if testset is not None else unused))
        systems = dict.fromkeys((*ratings.systems, *self.texts.systems, *self.systems))
        if testset is not None:  # the segments of the texts are the rated items
            testset = replace(testset, notes=notes, items=ratings.items)
            ratings = replace(ratings, items=())
        return Campaign(
            self.name,
            self.lp,
            count,
            tuple(systems),
            (),
            testset,
            judgements=(ratings,) if ratings.is_human else (),
            notes=notes,
            predictions=() if ratings.is_human else (ratings,),
        )
