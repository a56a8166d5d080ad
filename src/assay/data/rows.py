"""From flat rows to campaigns: the one way in for every table that names its columns.

A row tells something about one segment, and in the long form about one system's output of it. Rows of one test set and
language pair make a campaign. Segments stand in the order of their numbers, or where they have names, of appearance;
where they have neither, they are counted system by system. A row with scores but neither segment nor text tells of a
system as a whole. Nothing is filled in: a segment without an output of some system is a gap, and what two rows say
differently of one thing is an error with its line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from assay.data.collecting import ScoreCollector, check_cells, checked_name
from assay.data.languages import is_language_pair
from assay.errors import AlignmentError, ConfigError, EmptyInputError, InputError, NameClashError, printable
from assay.types import Campaign, Column, ScoreTable, TestSet

__all__ = ["EVERY_SYSTEM", "Row", "ScoreKind", "campaigns_from_rows"]

EVERY_SYSTEM = ""
_MAX_DIGITS = 18


@dataclass(frozen=True, slots=True)
class ScoreKind:
    """What a score is: of a metric that was given `references`, or of people who followed a `protocol`."""

    name: str
    protocol: str | None = None
    references: tuple[str, ...] = ()
    rater: str | None = None
    higher_is_better: bool = True


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
    references: Mapping[str, str | None] = field(default_factory=dict)
    outputs: Mapping[str, str | None] = field(default_factory=dict)
    scores: Mapping[tuple[str, str], float] = field(default_factory=dict)
    """By system and name of the metric or protocol."""
    system: str | None = None
    """The system that it is about, or EVERY_SYSTEM; None: the one that is named in outputs or scores."""

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems it names."""
        own = [self.system] if self.system else []
        return tuple(dict.fromkeys([*own, *self.outputs, *(system for system, _ in self.scores)]))

    @property
    def has_text(self) -> bool:
        """Whether it tells a text, and not only labels and scores."""
        texts = (self.source, *self.references.values(), *self.outputs.values())
        return any(text is not None for text in texts)


def campaigns_from_rows(
    rows: Iterable[Row],
    *,
    path: str,
    digest: str = "",
    kinds: Mapping[str, ScoreKind] | None = None,
    notes: Iterable[str] = (),
) -> tuple[Campaign, ...]:
    """A campaign for each test set and language pair. `kinds` tells what the scores are, by the names rows use."""
    groups: dict[tuple[str, str | None], _Group] = {}
    for row in rows:
        key = row.dataset, row.lp
        if key not in groups:
            if row.lp and not is_language_pair(row.lp):
                what = f"'{printable(row.lp[:40])}' is not a language pair"
                raise InputError(what, path=path, line=row.line, hint="write source-target, e.g. en-de or en-zh_TW")
            groups[key] = _Group(row.dataset, row.lp, path, row.line)
        groups[key].add(row)
    if not groups:
        raise EmptyInputError("there is no row", path=path)
    return tuple(group.campaign(digest, kinds or {}, tuple(notes)) for group in groups.values())


@dataclass
class _Group:
    """Rows of one test set and language pair."""

    dataset: str
    lp: str | None
    path: str
    first_line: int
    rows: int = 0
    systems: dict[str, None] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    """Of segments that have an identifier."""
    counted: dict[str, int] = field(default_factory=dict)
    """Segments without identifier, by system."""
    counted_line: int | None = None
    """Where the first text without an identifier was."""
    bare: list[tuple[int, Row]] = field(default_factory=list)
    """Rows without identifier or text, with their place if it turns out that segments are counted."""
    columns: dict[tuple[str, str], dict[int, str]] = field(default_factory=dict)
    scores: dict[str, dict[str, dict[int, float]]] = field(default_factory=dict)
    """Name, system, place."""
    whole: dict[str, dict[str, dict[int, float]]] = field(default_factory=dict)
    """Scores of systems as a whole, at place 0."""

    def add(self, row: Row) -> None:
        self.rows += 1
        for name in row.systems:
            if name not in self.systems:
                self.systems[checked_name("system", name, path=self.path, line=row.line)] = None
        if row.segment is not None:
            place = self.places.setdefault(row.segment, len(self.places))
        else:
            place = self._count(row)
            if not row.has_text:
                self.bare.append((place, row))
                return
            self.counted_line = self.counted_line or row.line
        if self.places and self.counted_line is not None:
            hint = "number the segments in all rows or in none"
            raise InputError("a text of no segment", path=self.path, line=self.counted_line, hint=hint)
        self._tell(row, place)

    def _count(self, row: Row) -> int:
        system = row.system
        if system is None:
            system = row.systems[0] if len(row.systems) == 1 else EVERY_SYSTEM
        self.counted[system] = self.counted.get(system, 0) + 1
        return self.counted[system] - 1

    def _tell(self, row: Row, place: int) -> None:
        """What a row says of the segment at a place."""
        for kind, text in (("source", row.source), ("document", row.document), ("domain", row.domain)):
            self._put((kind, ""), place, text, row.line)
        for name, text in row.references.items():
            self._put(("reference", name), place, text, row.line)
        for name, text in row.outputs.items():
            if text is not None and place in self.columns.get(("output", name), {}):
                raise InputError(f"a second output of system '{name}' for one segment", path=self.path, line=row.line)
            self._put(("output", name), place, text, row.line)
        self._score(self.scores, row, place)

    def _put(self, key: tuple[str, str], place: int, text: str | None, line: int) -> None:
        if key not in self.columns and key[0] in ("reference", "output"):
            checked_name(key[0], key[1], path=self.path, line=line)
        column = self.columns.setdefault(key, {})  # a gap, too, has its place among the names
        if text is not None and column.setdefault(place, text) != text:
            what = f"{key[0]} '{key[1]}'" if key[1] else key[0]
            why = f"another {what} for a segment that had one already"
            hint = "if segments count anew in each document, number them through" if what == "document" else None
            raise AlignmentError(why, path=self.path, line=line, hint=hint)

    def _score(self, scores: dict[str, dict[str, dict[int, float]]], row: Row, place: int) -> None:
        for (system, name), value in row.scores.items():
            cells = scores.setdefault(name, {}).setdefault(system, {})
            if place in cells:
                raise InputError(f"a second score '{name}' of system '{system}'", path=self.path, line=row.line)
            cells[place] = value

    def campaign(self, digest: str, kinds: Mapping[str, ScoreKind], notes: tuple[str, ...]) -> Campaign:
        self._settle()
        order = self._order()
        self._check_size(len(order))
        notes += (*self._numbering_note(), *self._orphan_note(), *self._meeting_note())
        with _located(self.path):
            testset = self._testset(order, notes)
            tables = self._tables(order, digest, kinds)
            if testset is None and not tables:
                hint = "columns that are known: output, system, segment, source, reference, score:NAME, human:NAME"
                raise EmptyInputError("there is no output and no score", path=self.path, hint=hint)
            systems = tuple(dict.fromkeys([*(testset.outputs if testset else ()), *self.systems]))
            references = tuple(self._texts("reference", order))
            name, lp = self.dataset, self.lp or ""
            return Campaign(name, lp, len(order), systems, references, testset, tables, notes=notes)

    def _settle(self) -> None:
        """Decide what rows without identifier are about: segments that are counted, or systems as a whole."""
        if self.counted_line is not None:
            for place, row in self.bare:
                self._tell(row, place)
            self._check_counts()
            return
        for _, row in self.bare:
            if not row.systems or row.document is not None or row.domain is not None:
                what = "a row of no segment" if row.systems else "a row of no segment and no system"
                raise InputError(what, path=self.path, line=row.line, hint="number the segments in a column 'segment'")
            self._score(self.whole, row, 0)

    def _check_counts(self) -> None:
        (first, count), *others = self.counted.items()
        for system, other in others:
            if other != count:
                what = (
                    f"{other:,} rows of system '{system}', {count:,} of '{first}', and nothing tells which is missing"
                )
                raise AlignmentError(what, path=self.path, hint="number the segments in a column 'segment'")

    def _order(self) -> list[int]:
        """Places of the segments, as they are to stand."""
        if not self.places:
            return list(range(max(self.counted.values(), default=0) if self.counted_line is not None else 0))
        numbers = _numbers(self.places)
        if numbers is None:
            return list(self.places.values())
        by_number: dict[int, str] = {}
        for name, number in numbers.items():
            if by_number.setdefault(number, name) != name:
                what = f"one segment is numbered '{by_number[number]}', another '{name}'"
                raise NameClashError(what, path=self.path)
        return [self.places[by_number[number]] for number in sorted(by_number)]

    def _segment_names(self, order: list[int]) -> tuple[str, ...]:
        """What the segments are called, unless they are counted from 1 or 0 and can be laid on the lines of a text."""
        numbers = sorted((_numbers(self.places) or {}).values())
        if not self.places or (
            numbers and numbers == list(range(numbers[0], len(numbers) + numbers[0])) and numbers[0] < 2
        ):
            return ()
        names = {place: name for name, place in self.places.items()}
        return tuple(names[place] for place in order)

    def _numbering_note(self) -> tuple[str, ...]:
        numbers = sorted((_numbers(self.places) or {}).values())
        if not numbers or numbers[-1] - numbers[0] + 1 == len(numbers):
            return ()
        span = f"segments are numbered {numbers[0]} to {numbers[-1]}"
        return (f"{self.path}: {span}, but there are {len(numbers):,}; those that are there were read",)

    def _orphan_note(self) -> tuple[str, ...]:
        kinds = dict.fromkeys(kind for (kind, _), column in self.columns.items() if column)
        if not kinds or "output" in kinds:
            return ()
        return (f"{self.path}: there is no output, so these were not kept: {', '.join(kinds)}",)

    def _meeting_note(self) -> tuple[str, ...]:
        """A number for each row instead of each segment keeps systems apart that should meet."""
        outputs = [column for (kind, _), column in self.columns.items() if kind == "output" and column]
        if len(outputs) < 2 or len(set().union(*outputs)) < sum(map(len, outputs)):
            return ()
        advice = "if rows are numbered, not segments, leave that column out"
        return (f"{self.path}: no segment has outputs of two systems; {advice}",)

    def _check_size(self, segments: int) -> None:
        what = f"{len(self.systems):,} systems and {segments:,} segments, but only {self.rows:,} rows"
        hint = "does the column 'system' hold names of systems?"
        check_cells(segments * len(self.systems), self.rows, what, path=self.path, hint=hint)
        columns = [cells for by_system in self.scores.values() for cells in by_system.values()]
        scores = sum(map(len, columns))
        what = f"{len(self.scores):,} kinds of scores of {segments:,} segments, but only {scores:,} scores"
        check_cells(segments * len(columns), self.rows + scores, what, path=self.path)

    def _texts(self, kind: str, order: list[int]) -> dict[str, Column]:
        """Columns by name; one with nothing but gaps is none."""
        found = {name: column for (other, name), column in self.columns.items() if other == kind and column}
        return {name: tuple(map(column.get, order)) for name, column in found.items()}

    def _testset(self, order: list[int], notes: tuple[str, ...]) -> TestSet | None:
        outputs = self._texts("output", order)
        if not outputs:
            return None
        return TestSet(
            outputs=outputs,
            references=self._texts("reference", order),
            sources=self._texts("source", order).get(""),
            documents=self._texts("document", order).get(""),
            domains=self._texts("domain", order).get(""),
            lp=self.lp,
            notes=notes,
            name=self.dataset or None,
        )

    def _tables(self, order: list[int], digest: str, kinds: Mapping[str, ScoreKind]) -> tuple[ScoreTable, ...]:
        position = {place: i for i, place in enumerate(order)}
        tables = []
        for level, scores, items in (("segment", self.scores, len(order)), ("system", self.whole, 1)):
            for name in sorted(scores, key=_place_in(kinds)):
                kind = kinds.get(name, ScoreKind(name))
                collector = ScoreCollector(
                    kind.name, level, self.path, digest, kind.references, kind.protocol, kind.higher_is_better
                )
                for system in self.systems:
                    for place, value in scores[name].get(system, {}).items():
                        item = 0 if level == "system" else position[place]
                        collector.add(system, item, value, line=self.first_line)
                named = self._segment_names(order) if level == "segment" else ()
                tables.append(replace(collector.table(items), rater=kind.rater, items=named))
        return tuple(tables)


def _place_in(kinds: Mapping[str, ScoreKind]) -> Callable[[str], int]:
    places = {name: i for i, name in enumerate(kinds)}
    return lambda name: places.get(name, len(places))


def _numbers(names: Iterable[str]) -> dict[str, int] | None:
    """The numbers that identifiers are, if all of them are."""
    names = list(names)
    if not all(name.isascii() and name.isdigit() and len(name) <= _MAX_DIGITS for name in names):
        return None
    return {name: int(name) for name in names}


@contextmanager
def _located(path: str) -> Iterator[None]:
    """Tell of a flaw that a type found in what it was given where it came from."""
    try:
        yield
    except InputError as error:
        if error.path is not None:
            raise
        raise type(error)(error.message, path=path) from error
    except ConfigError as error:
        raise InputError(error.message, path=path, hint=error.hint) from error
