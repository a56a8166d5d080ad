"""From rows, as files have them, to ratings, rankings, score tables and the texts that came with them."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from assay.errors import AlignmentError, InputError, UnsafeNameError, printable
from assay.types import UNRANKED, Campaign, ErrorSpan, IntArray, Rankings, Ratings, ScoreTable, TestSet, check_names
from assay.types.judgements import MAX_RANK

__all__ = [
    "CampaignCollector",
    "RankingCollector",
    "RatingCollector",
    "ScoreCollector",
    "TextCollector",
    "check_cells",
    "check_numbering",
    "checked_name",
    "numbered",
    "rankings_of_pairs",
]

_MAX_RANKED = 2000  # rows of ranks have a place for each system
_MAX_EMPTY_CELLS = 1_000_000
_MAX_EMPTY_SHARE = 100  # cells of a table for each value in it, beyond this many cells
_SPARSE = 100  # a test set is laid out if one segment in so many has a text


def check_cells(cells: int, values: int, what: str, *, path: str, hint: str | None = None) -> None:
    """Refuse a table that is as good as empty: a few lines could ask for any amount of memory."""
    if cells > max(_MAX_EMPTY_CELLS, _MAX_EMPTY_SHARE * values):
        raise InputError(what, path=path, hint=hint)


def check_numbering(segment: IntArray, systems: int, *, path: str) -> None:
    """Refuse segments (from 0) whose numbers go far beyond what the judgements can be of."""
    highest = int(segment.max(initial=-1)) + 1
    what = f"segments are numbered up to {highest:,}, but there are only {len(segment):,} judgements"
    hint = "is another column, or an identifier, taken for the number of the segment?"
    check_cells(highest * systems, len(segment), what, path=path, hint=hint)


def checked_name(kind: str, name: str, *, path: str, line: int | None = None) -> str:
    """The name of a system or reference, if it can be one, else an error that tells its place."""
    _check_names(kind, [name], path, line)
    return name


def _check_names(kind: str, names: Iterable[str], path: str, line: int | None = None) -> None:
    """As the types check names, but saying which file they come from."""
    try:
        check_names(kind, names)
    except InputError as error:
        hint = "give it another name in the file" if isinstance(error, UnsafeNameError) else error.hint
        raise type(error)(error.message, path=path, line=line, hint=hint) from None


def numbered(names: Iterable[str]) -> tuple[tuple[str, ...], IntArray]:
    """Each name once, in order of appearance, and which one stands where."""
    places: dict[str, int] = {}
    numbers = [places.setdefault(name, len(places)) for name in names]
    return tuple(places), np.array(numbers, dtype=np.int64)


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
    _items: dict[str, int] = field(default_factory=dict)
    _rows: list[tuple[int, int, int, float]] = field(default_factory=list)
    _kinds: list[str] = field(default_factory=list)
    _errors: list[tuple[ErrorSpan, ...]] = field(default_factory=list)
    _documents: list[str] = field(default_factory=list)

    def add(
        self,
        rater: str,
        system: str,
        segment: int | str,
        score: float = math.nan,
        *,
        kind: str = "TGT",
        errors: Iterable[ErrorSpan] = (),
        document: str = "",
    ) -> int:
        """A rating; `segment` counts from 0, -1: the score is that of a whole document. Named ones are numbered.

        In one file either all segments are counted or all are named. The number of the segment is given back.
        """
        number = self._items.setdefault(segment, len(self._items)) if isinstance(segment, str) else segment
        codes = self._raters.setdefault(rater, len(self._raters)), self._systems.setdefault(system, len(self._systems))
        self._rows.append((*codes, number, score))
        self._kinds.append(kind)
        self._errors.append(tuple(errors))
        self._documents.append(document)
        return number

    def __len__(self) -> int:
        return len(self._rows)

    def ratings(self) -> Ratings:
        """What was collected."""
        if not self._rows:
            raise InputError("there is no rating", path=self.origin)
        rater, system, segment, score = (np.array(column) for column in zip(*self._rows, strict=True))
        _check_names("system", self._systems, self.origin)
        if not self._items:
            check_numbering(segment, len(self._systems), path=self.origin)
        return Ratings(
            name=self.name,
            protocol=self.protocol,
            raters=tuple(self._raters),
            systems=tuple(self._systems),
            rater=rater,
            system=system,
            segment=segment,
            score=score,
            kind=tuple(self._kinds) if set(self._kinds) != {"TGT"} else (),
            errors=tuple(self._errors) if any(self._errors) or self.protocol in ("MQM", "ESA") else (),
            document=tuple(self._documents) if any(self._documents) else (),
            origin=self.origin,
            digest=self.digest,
            higher_is_better=self.higher_is_better,
            items=tuple(self._items),
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
        """The ranks that a judge gave to systems for a segment (from 0): 1 is best, UNRANKED is none.

        `outputs` numbers the outputs from 1; systems that shared one have the same number.
        """
        row = len(self._rows)
        self._rows.append((self._judges.setdefault(judge, len(self._judges)), segment))
        systems = self._systems
        shown = outputs or {name: number for number, name in enumerate(ranks, 1)}
        self._cells += [
            (row, systems.setdefault(name, len(systems)), rank, shown[name]) for name, rank in ranks.items()
        ]

    def rankings(self) -> Rankings:
        """What was collected."""
        if not self._cells:
            raise InputError("there is no ranking", path=self.origin)
        row, system, rank, number = np.array(self._cells, dtype=np.int64).T
        if int(rank.max()) > MAX_RANK or int(rank.min()) < UNRANKED:
            raise InputError(f"a rank is not between 1 and {MAX_RANK}", path=self.origin)
        if int(number.max()) > MAX_RANK:
            raise InputError(f"a ranking is of more than {MAX_RANK} outputs", path=self.origin)
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
    """Strict preferences, nobody knows whose: a row each, with rank 1 for the better system and 2 for the worse."""
    systems, numbers = numbered(name for pair in zip(better, worse, strict=True) for name in pair)
    segments = np.asarray(segment, dtype=np.int64)
    ranks = _unranked(segments, systems, 2 * len(better), origin)
    rows = np.arange(len(better))
    ranks[rows, numbers[0::2]] = 1
    ranks[rows, numbers[1::2]] = 2
    return Rankings(name, systems, ("unknown",), np.zeros_like(segments), segments, ranks, origin, digest)


def _unranked(segment: IntArray, systems: Collection[str], ranked: int, origin: str) -> npt.NDArray[np.int8]:
    """A place for each system in each row, of which some will have a rank."""
    if len(systems) > _MAX_RANKED:
        hint = "is another column taken for the names of systems?"
        raise InputError(f"{len(systems):,} systems are ranked, more than {_MAX_RANKED:,}", path=origin, hint=hint)
    _check_names("system", systems, origin)
    check_numbering(segment, len(systems), path=origin)
    what = f"{len(segment):,} rankings of {len(systems):,} systems, but only {ranked:,} ranks"
    check_cells(len(segment) * len(systems), ranked, what, path=origin)
    return np.full((len(segment), len(systems)), UNRANKED, dtype=np.int8)


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


@dataclass
class TextCollector:
    """Collects the texts that stand beside judgements: each comes many times, and always the same."""

    origin: str
    hint: str | None = None
    """What to do where a text is not always the same."""
    _texts: dict[tuple[str, str], dict[int, str]] = field(default_factory=dict)

    def add(self, kind: str, segment: int, text: str, *, line: int, system: str = "") -> None:
        """The source, document or domain of a segment (from 0), or a system's output."""
        if self._texts.setdefault((kind, system), {}).setdefault(segment, text) != text:
            what = f"segment {segment + 1} has another {kind} here than further up"
            of = f" of system '{printable(system)}'" if system else ""
            raise AlignmentError(what + of, path=self.origin, line=line, hint=self.hint)

    @property
    def systems(self) -> tuple[str, ...]:
        """Systems that have an output."""
        return tuple(system for kind, system in self._texts if kind == "output")

    def testset(self, segments: int, *, lp: str | None, name: str | None) -> TestSet | None:
        """What was collected, None for what is absent, and notes on that; None: there are no outputs, or too few."""
        present = self._present()
        if segments > _SPARSE * max(len(present), _SPARSE) or not present:
            return None

        def column(kind: str, system: str = "") -> tuple[str | None, ...] | None:
            texts = self._texts.get((kind, system))
            return None if texts is None else tuple(texts.get(segment) for segment in range(segments))

        return TestSet(
            outputs={system: column("output", system) or () for system in self.systems},
            sources=column("source"),
            documents=column("document"),
            domains=column("domain"),
            lp=lp,
            notes=tuple(self._gaps(segments, len(present))),
            name=name,
        )

    def _present(self) -> set[int]:
        """Segments that have an output."""
        return {segment for (kind, _), texts in self._texts.items() if kind == "output" for segment in texts}

    def loss(self, segments: int) -> str:
        """What to say where there is no test set though there are texts."""
        found = f"only {len(self._present()):,} of {segments:,} segments have an output"
        return f"{self.origin}: the texts were not kept, because {found}"

    def _gaps(self, segments: int, present: int) -> Iterator[str]:
        if present < segments:
            yield f"{segments - present:,} of {segments:,} segments have no text"
        lacking = {system: present - len(self._texts["output", system]) for system in self.systems}
        if named := ", ".join(f"'{system}' {count:,}" for system, count in lacking.items() if count):
            yield f"outputs that are absent though the segment has others: {named}"


@dataclass
class CampaignCollector:
    """Collects the ratings of a language pair, and the texts that were rated."""

    name: str
    lp: str
    ratings: RatingCollector
    texts: TextCollector
    notes: list[str] = field(default_factory=list)
    systems: dict[str, None] = field(default_factory=dict)
    """Systems that were not rated but are there."""

    def campaign(self, *, segments: int | None = None) -> Campaign:
        """What was collected; `segments` is how many there are, if that is known."""
        ratings = self.ratings.ratings()
        highest = int(ratings.segment.max()) + 1
        count = max(len(ratings.items) or highest, segments or 0)
        testset = self.texts.testset(count, lp=self.lp or None, name=self.name or None)
        lost = (self.texts.loss(count),) if testset is None and self.texts.systems else ()
        notes = (*self.notes, *(testset.notes if testset is not None else lost))
        systems = dict.fromkeys((*ratings.systems, *self.texts.systems, *self.systems))
        if testset is not None:
            testset = replace(testset, notes=notes)
        return Campaign(self.name, self.lp, count, tuple(systems), (), testset, judgements=(ratings,), notes=notes)
