"""Campaigns from flat rows, for every table with named columns.

A row is about one segment, or in the long form about one system's output for it. The rows of one test set and language
pair make a campaign. Segments are ordered by number, or by appearance if they have names; without either, they are
counted for each system. A row with scores but neither segment nor text is about a whole system. Nothing is filled in: a
missing output stays missing, and two rows that contradict each other are an error with its line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from assay.data.tables.collectors import ScoreCollector, check_cells
from assay.data.tables.names import checked_name
from assay.errors import AlignmentError, ConfigError, EmptyInputError, InputError, NameClashError
from assay.types import Campaign, Column, Note, NoteKind, ScoreTable, TestSet, as_column
from assay.types.language_codes import is_language_pair, not_a_language_pair
from assay.types.note import plural

__all__ = ["EVERY_SYSTEM", "Row", "ScoreKind", "campaigns_from_rows"]

EVERY_SYSTEM = ""
_MAX_DIGITS = 18
_EXCHANGED = "are the columns 'system' and 'segment' exchanged?"


@dataclass(frozen=True, slots=True)
class ScoreKind:
    """What a score is: a metric's, with the `references` it used, or people's, with their `protocol`."""

    name: str
    protocol: str | None = None
    references: tuple[str, ...] = ()
    rater: str | None = None
    higher_is_better: bool = True


@dataclass(slots=True)  # not frozen: creating millions of them would take twice as long
class Row:
    """The contents of a line; None or an absent name where it has nothing."""

    line: int
    dataset: str = ""
    lp: str | None = None
    segment: str | None = None
    """An identifier; None if segments are counted for each system."""
    source: str | None = None
    document: str | None = None
    domain: str | None = None
    references: Mapping[str, str | None] = field(default_factory=dict)
    outputs: Mapping[str, str | None] = field(default_factory=dict)
    scores: Mapping[tuple[str, str], float] = field(default_factory=dict)
    """By system, and name of the metric or protocol."""
    system: str | None = None
    """The system of the row, or EVERY_SYSTEM; None for the one in outputs or scores."""
    says_system: bool = True
    """False: the row does not say its system, which is that of the file, or it has those of every system."""

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems in the row."""
        own = [self.system] if self.system else []
        if not self.scores and (not self.outputs or (len(self.outputs) == 1 and self.system in self.outputs)):
            return tuple(own)
        return tuple(dict.fromkeys([*own, *self.outputs, *(system for system, _ in self.scores)]))

    @property
    def has_text(self) -> bool:
        """Whether the row has a text, not only labels and scores."""
        texts = (self.source, *self.references.values(), *self.outputs.values())
        return any(text is not None for text in texts)


def campaigns_from_rows(
    rows: Iterable[Row],
    *,
    path: str,
    digest: str = "",
    kinds: Mapping[str, ScoreKind] | None = None,
    notes: Iterable[Note] = (),
    hint: str | None = None,
) -> tuple[Campaign, ...]:
    """A campaign for each test set and language pair. `kinds` describes the scores, by their names in the rows.

    `hint` says what to do if there are neither outputs nor scores.
    """
    groups: dict[tuple[str, str | None], _Group] = {}
    for row in rows:
        key = row.dataset, row.lp
        if key not in groups:
            if row.lp and not is_language_pair(row.lp):
                raise not_a_language_pair(row.lp, path=path, line=row.line)
            groups[key] = _Group(row.dataset, row.lp, path, row.line)
        groups[key].add(row)
    all_notes = tuple(notes)  # after the rows: some notes are about them
    if not groups:
        raise EmptyInputError("no rows", path=path)
    nameless = next((group for (_, lp), group in groups.items() if lp is None), None)
    if nameless is not None and any(lp is not None for _, lp in groups):
        message, hint = "no language pair, which other rows have", "give one in all rows or in none"
        raise InputError(message, path=path, line=nameless.first_line, hint=hint)
    return tuple(group.campaign(digest, kinds or {}, all_notes, hint) for group in groups.values())


@dataclass
class _Group:
    """Rows of one test set and language pair."""

    dataset: str
    lp: str | None
    path: str
    first_line: int
    rows: int = 0
    systems: dict[str, int] = field(default_factory=dict)
    """With the first line of each."""
    places: dict[str, int] = field(default_factory=dict)
    """Positions of the segments with an identifier."""
    counted: dict[str, int] = field(default_factory=dict)
    """Number of segments without an identifier, by system."""
    counted_line: int | None = None
    """The first line with a text but no segment identifier."""
    bare: list[tuple[int, Row]] = field(default_factory=list)
    """Rows without identifier or text, with their position in case segments turn out to be counted."""
    columns: dict[tuple[str, str], dict[int, str]] = field(default_factory=dict)
    scores: dict[str, dict[str, dict[int, float]]] = field(default_factory=dict)
    """By name, system and position."""
    whole: dict[str, dict[str, dict[int, float]]] = field(default_factory=dict)
    """Scores of whole systems, at position 0."""

    def add(self, row: Row) -> None:
        self.rows += 1
        for name in row.systems:
            if name not in self.systems:
                self.systems[checked_name("system", name, path=self.path, line=row.line)] = row.line
        if row.segment is not None:
            place = self.places.setdefault(row.segment, len(self.places))
        else:
            place = self._count(row)
            if not row.has_text:
                self.bare.append((place, row))
                return
            self.counted_line = self.counted_line or row.line
        if self.places and self.counted_line is not None:
            hint = "give a segment in all rows or in none"
            raise InputError("a text without a segment", path=self.path, line=self.counted_line, hint=hint)
        self._add_contents(row, place)

    def _count(self, row: Row) -> int:
        system = row.system
        if system is None:
            system = row.systems[0] if len(row.systems) == 1 else EVERY_SYSTEM
        self.counted[system] = self.counted.get(system, 0) + 1
        return self.counted[system] - 1

    def _add_contents(self, row: Row, place: int) -> None:
        """Add what a row says about the segment at a position."""
        for kind, text in (("source", row.source), ("document", row.document), ("domain", row.domain)):
            if text is not None:
                self._put((kind, ""), place, text, row.line)
        for name, text in row.references.items():
            self._put(("reference", name), place, text, row.line)
        for name, text in row.outputs.items():
            if text is not None and place in self.columns.get(("output", name), {}):
                raise InputError(f"duplicate output of system '{name}' for a segment", path=self.path, line=row.line)
            self._put(("output", name), place, text, row.line)
        self._score(self.scores, row, place)

    def _put(self, key: tuple[str, str], place: int, text: str | None, line: int) -> None:
        if key not in self.columns and key[0] in ("reference", "output"):
            checked_name(key[0], key[1], path=self.path, line=line)
        column = self.columns.setdefault(key, {})  # a missing text also fixes the order of the names
        if text is not None and column.setdefault(place, text) != text:
            label = f"{key[0]} '{key[1]}'" if key[1] else key[0]
            hint = "number the segments consecutively, not per document" if label == "document" else None
            hint = _EXCHANGED if self._are_columns_exchanged() else hint
            raise AlignmentError(f"a different {label} for the same segment", path=self.path, line=line, hint=hint)

    def _are_columns_exchanged(self) -> bool:
        """Whether systems are called by numbers, and segments are not."""
        return _numbers(self.systems) is not None and bool(self.places) and _numbers(self.places) is None

    def _score(self, scores: dict[str, dict[str, dict[int, float]]], row: Row, place: int) -> None:
        for (system, name), value in row.scores.items():
            cells = scores.setdefault(name, {}).setdefault(system, {})
            if place in cells:
                hint = "if these are scores of segments, add a column 'segment'" if scores is self.whole else None
                message = f"duplicate score '{name}' of system '{system}'"
                raise InputError(message, path=self.path, line=row.line, hint=hint)
            cells[place] = value

    def campaign(
        self, digest: str, kinds: Mapping[str, ScoreKind], notes: tuple[Note, ...], hint: str | None = None
    ) -> Campaign:
        self._settle()
        order = self._order()
        self._check_size(len(order))
        notes += tuple(self._notes())
        with _located(self.path):
            testset = self._testset(order, notes)
            tables = self._tables(order, digest, kinds)
            if testset is None and not tables:
                known = "recognised columns: output, system, segment, source, reference, score:NAME, human:NAME"
                raise EmptyInputError("no outputs and no scores", path=self.path, hint=hint or known)
            systems = tuple(dict.fromkeys([*(testset.outputs if testset else ()), *self.systems]))
            references = tuple(self._texts("reference", order))
            name, lp = self.dataset, self.lp or ""
            return Campaign(name, lp, len(order), systems, references, testset, tables, notes=notes)

    def _settle(self) -> None:
        """Decide whether rows without identifier are about counted segments or about whole systems."""
        if self.counted_line is not None:
            for place, row in self.bare:
                self._add_contents(row, place)
            self._check_counts()
            return
        if len(self.bare) > 1 and not self.places and not any(row.says_system for _, row in self.bare):
            self.counted_line = self.bare[0][1].line  # rows that name no system are segments in order
            for place, row in self.bare:
                self._add_contents(row, place)
            return
        for _, row in self.bare:
            if not row.systems or row.document is not None or row.domain is not None:
                message = "a row without a segment" if row.systems else "a row without a segment or a system"
                hint = "add a column 'segment'"
                raise InputError(message, path=self.path, line=row.line, hint=hint)
            self._score(self.whole, row, 0)

    def _check_counts(self) -> None:
        (first, count), *others = self.counted.items()
        for system, other in others:
            if other != count:
                counts = f"{plural(other, 'row')} of system '{system}', but {count:,} of '{first}'"
                raise AlignmentError(counts, path=self.path, hint="add a column 'segment' to show which are missing")

    def _order(self) -> list[int]:
        """Positions of the segments, in their final order."""
        if not self.places:
            return list(range(max(self.counted.values(), default=0) if self.counted_line is not None else 0))
        numbers = _numbers(self.places)
        if numbers is None:
            return list(self.places.values())
        by_number: dict[int, str] = {}
        for name, number in numbers.items():
            if by_number.setdefault(number, name) != name:
                raise NameClashError(f"ambiguous segment numbers '{by_number[number]}' and '{name}'", path=self.path)
        return [self.places[by_number[number]] for number in sorted(by_number)]

    def _segment_names(self, order: list[int]) -> tuple[str, ...]:
        """Names of the segments; empty if they are numbered from 0 or 1 like the lines of a text."""
        numbers = sorted((_numbers(self.places) or {}).values())
        if not self.places or (
            numbers and numbers == list(range(numbers[0], len(numbers) + numbers[0])) and numbers[0] < 2
        ):
            return ()
        names = {place: name for name, place in self.places.items()}
        return tuple(names[place] for place in order)

    def _domains(self, order: list[int]) -> tuple[str, ...]:
        """The domain of each segment; empty if none has one."""
        domains = self._texts("domain", order).get("", ())
        return tuple(domain or "" for domain in domains)

    def _notes(self) -> Iterator[Note]:
        numbers = sorted((_numbers(self.places) or {}).values())
        if numbers and (missing := numbers[-1] - numbers[0] + 1 - len(numbers)):
            text = f"segments are numbered {numbers[0]} to {numbers[-1]}, but only {len(numbers):,} are present"
            yield Note(NoteKind.MISSING, text, self.path, missing)
        if self._are_columns_exchanged():
            yield Note(NoteKind.SUSPECT, f"all systems are called by numbers; {_EXCHANGED}", self.path)
        used = ("domain",) if self.scores else ()
        kinds = dict.fromkeys(kind for (kind, _), column in self.columns.items() if column and kind not in used)
        if kinds and "output" not in kinds:
            yield Note(NoteKind.UNREAD, f"no outputs, so not used: {', '.join(kinds)}", self.path, len(kinds))
        outputs = [column for (kind, _), column in self.columns.items() if kind == "output" and column]
        if len(outputs) > 1 and len(set().union(*outputs)) == sum(map(len, outputs)):
            advice = "if the column 'segment' numbers rows, not segments, remove it"
            yield Note(NoteKind.SUSPECT, f"no segment has outputs of two systems; {advice}", self.path)

    def _check_size(self, segments: int) -> None:
        systems = plural(len(self.systems), "system")
        message = f"{systems} and {plural(segments, 'segment')}, but only {plural(self.rows, 'row')}"
        hint = "does the column 'system' contain system names?"
        check_cells(segments * len(self.systems), self.rows, message, path=self.path, hint=hint)
        columns = [cells for by_system in self.scores.values() for cells in by_system.values()]
        scores = sum(map(len, columns))
        kinds = f"{len(self.scores):,} kinds of scores"
        message = f"{kinds} for {plural(segments, 'segment')}, but only {plural(scores, 'score')}"
        check_cells(segments * len(columns), self.rows + scores, message, path=self.path)

    def _texts(self, kind: str, order: list[int]) -> dict[str, Column]:
        """Columns by name, without empty ones."""
        columns = {name: column for (other, name), column in self.columns.items() if other == kind and column}
        return {name: as_column(map(column.get, order)) for name, column in columns.items()}

    def _testset(self, order: list[int], notes: tuple[Note, ...]) -> TestSet | None:
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
            items=self._segment_names(order),
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
                names = self._segment_names(order) if level == "segment" else ()
                domains = self._domains(order) if level == "segment" else ()
                table = replace(collector.table(items), rater=kind.rater, items=names, domains=domains)
                tables.append(replace(table, lines=self.systems))
        return tuple(tables)


def _place_in(kinds: Mapping[str, ScoreKind]) -> Callable[[str], int]:
    places = {name: i for i, name in enumerate(kinds)}
    return lambda name: places.get(name, len(places))


def _numbers(names: Iterable[str]) -> dict[str, int] | None:
    """The identifiers as numbers; None unless all of them are numbers."""
    names = list(names)
    if not all(name.isascii() and name.isdigit() and len(name) <= _MAX_DIGITS for name in names):
        return None
    return {name: int(name) for name in names}


@contextmanager
def _located(path: str) -> Iterator[None]:
    """Add the file to errors that a type raised."""
    try:
        yield
    except InputError as error:
        if error.path is not None:
            raise
        raise type(error)(error.message, path=path, hint=error.hint) from error
    except ConfigError as error:
        raise InputError(error.message, path=path, hint=error.hint) from error
