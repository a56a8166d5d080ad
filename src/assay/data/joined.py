"""Campaigns of one language pair joined: raters, waves, texts and scores in several files.

Ratings of the same name and protocol become one `Ratings`, and so do rankings. A rating that occurs in two files counts
once. Texts and scores must not contradict each other. Ratings of named items are aligned with texts that name theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, count
from typing import TYPE_CHECKING, Any, TypeVar

from assay.data.tables.browser_offsets import ratings_in_characters
from assay.data.tables.item_lines import lines_of_items
from assay.data.tables.repeated_ratings import exact_copies, rated_again
from assay.data.tables.score_tables import joined_tables
from assay.data.text_files import digest_of_bytes
from assay.errors import AlignmentError, InputError, NameClashError, printable
from assay.lazily import numpy as np
from assay.types import (
    Campaign,
    Column,
    IntArray,
    Judgements,
    Note,
    NoteKind,
    Rankings,
    Ratings,
    ScoreTable,
    TestSet,
    as_column,
)
from assay.types.note import plural

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["align_items", "join_campaigns"]

_MISSING = {"kind": "TGT", "errors": None, "document": "", "domain": ""}  # columns that a file may not have

_J = TypeVar("_J", Ratings, Rankings)


def join_campaigns(campaigns: Sequence[Campaign], name: str) -> Campaign:
    """The contents of all campaigns as one of this name."""
    if len(campaigns) == 1:
        return campaigns[0] if campaigns[0].name == name else replace(campaigns[0], name=name)
    notes = [note for campaign in campaigns for note in campaign.notes]
    campaigns = [_with_names(campaign) for campaign in campaigns]
    testset = _join_texts([c.testset for c in campaigns if c.testset is not None], name)
    judgements, predictions = (
        [align_items(judged, testset, notes) for judged in _join_judgements(of_all, notes)]
        for of_all in ([j for c in campaigns for j in c.judgements], [p for c in campaigns for p in c.predictions])
    )
    tables = _join_scores((table for c in campaigns for table in c.scores), has_texts=testset is not None)
    segments = len(testset) if testset is not None else max(_segments(campaigns, (*judgements, *predictions), tables))
    items = () if testset is None else testset.items
    names = dict.fromkeys(name for campaign in campaigns for name in campaign.systems)
    references = dict.fromkeys(name for campaign in campaigns for name in campaign.references)
    return Campaign(
        name,
        campaigns[0].lp,
        segments,
        tuple(names),
        tuple(references),
        testset,
        tuple(_fitted(table, segments, items) for table in tables),
        tuple(judgements),
        tuple(dict.fromkeys(notes)),
        tuple(each for each in predictions if isinstance(each, Ratings)),
    )


def _with_names(campaign: Campaign) -> Campaign:
    """The campaign with the names of its segments in ratings and scores, whose lines joining may move."""
    names = () if campaign.testset is None else campaign.testset.items
    if not names:
        return campaign
    return replace(
        campaign,
        scores=tuple(
            replace(table, items=names) if table.level == "segment" and not table.items else table
            for table in campaign.scores
        ),
        judgements=tuple(
            replace(judged, items=names) if isinstance(judged, Ratings) and not judged.items else judged
            for judged in campaign.judgements
        ),
        predictions=tuple(each if each.items else replace(each, items=names) for each in campaign.predictions),
    )


def _segments(
    campaigns: Iterable[Campaign], judgements: Iterable[Judgements], tables: Iterable[ScoreTable]
) -> Iterator[int]:
    yield from (campaign.segments for campaign in campaigns)
    yield from (len(judged.items) for judged in judgements if isinstance(judged, Ratings))
    yield from (table.values.shape[1] for table in tables if table.level == "segment")


def align_items(judged: Judgements, testset: TestSet | None, notes: list[Note]) -> Judgements:
    """Ratings of named items as ratings of the lines of the test set, if it names its segments or their documents.

    If any name has no line, all items keep their names, with a note. Places of errors become those of characters.
    """
    if testset is None or not isinstance(judged, Ratings) or not judged.items:
        return ratings_in_characters(judged, testset) if isinstance(judged, Ratings) else judged
    lines = lines_of_items(judged.items, testset)
    if not testset.items and (lines < 0).all():
        return judged
    if absent := int((lines < 0).sum()):
        text = f"{absent:,} of {plural(len(lines), 'rated item')} without a text; the items keep their names"
        notes.append(Note(NoteKind.MISSING, text, judged.origin, absent))
        return judged
    on_lines = replace(judged, segment=np.where(judged.segment >= 0, lines[judged.segment], -1), items=())
    return ratings_in_characters(on_lines, testset)


def _join_judgements(judgements: Sequence[Judgements], notes: list[Note]) -> Iterator[Judgements]:
    """Judgements of the same kind as one. Kinds that differ in more than the name get names of their own."""
    groups: dict[tuple[str, str, bool], list[Judgements]] = {}
    for judged in judgements:
        protocol = judged.protocol if isinstance(judged, Ratings) else "RR"
        is_named = isinstance(judged, Ratings) and bool(judged.items)
        groups.setdefault((judged.name, protocol, is_named), []).append(judged)
    names = [name for name, _, _ in groups]
    for (name, protocol, _), group in groups.items():
        joined = _join_ratings(group, notes) if isinstance(group[0], Ratings) else _join_rankings(group, notes)
        if names.count(name) > 1:
            protocols = [other for known, other, _ in groups if known == name]
            if protocols.count(protocol) > 1:
                message = f"the ratings '{name}' number their segments in one file and name them in another"
                raise InputError(message, path=group[0].origin)
            joined = replace(joined, name=f"{name}-{protocol.lower()}")
        if len(origins := list(dict.fromkeys(judged.origin for judged in group))) > 1:
            text = f"'{joined.name}' joins the judgements of {len(origins)} files: {', '.join(origins)}"
            notes.append(Note(NoteKind.PROVENANCE, text, count=len(origins)))
        yield joined


def _distinct(parts: Iterable[_J], notes: list[Note]) -> list[_J]:
    """The judgements without those of a file with the same contents as another one, which are noted."""
    kept: list[_J] = []
    origins: dict[str, str] = {}  # by digest: the file that counts
    for part in parts:
        origin = origins.setdefault(part.digest, part.origin) if part.digest else part.origin
        if origin == part.origin:
            kept.append(part)
        else:
            text = f"the same contents as {origin}; {plural(len(part), 'judgement')} counted once"
            notes.append(Note(NoteKind.DUPLICATE, text, part.origin, len(part)))
    return kept


def _join_ratings(group: Sequence[Judgements], notes: list[Note]) -> Ratings:
    parts = _distinct((judged for judged in group if isinstance(judged, Ratings)), notes)
    if len(parts) == 1:
        return parts[0]
    if len({part.higher_is_better for part in parts}) > 1:
        raise InputError(f"the ratings '{parts[0].name}' are better if higher in one file and if lower in another")
    if len({part.offsets for part in parts if any(part.errors)}) > 1:
        raise InputError(
            f"the errors of '{parts[0].name}' are at characters in one file and at UTF-16 units in another"
        )
    joined = _concatenated(parts)
    copies = exact_copies(joined, np.repeat(np.arange(len(parts)), [len(part) for part in parts]))
    if count := int(copies.sum()):
        text = f"{plural(count, 'rating')} in more than one file counted once"
        notes.append(Note(NoteKind.DUPLICATE, text, joined.origin, count))
        joined = joined.where(~copies)
    if (again := rated_again(joined) - sum(map(rated_again, parts))) > 0:
        text = (
            f"{plural(again, 'rating')} of an output that the same rater also rated in another file; all of them count"
        )
        notes.append(Note(NoteKind.SUSPECT, text, joined.origin, again))
    return joined


def _concatenated(parts: Sequence[Ratings]) -> Ratings:
    raters, rater = _renumbered([(part.raters, part.rater) for part in parts])
    systems, system = _renumbered([(part.systems, part.system) for part in parts])
    segment = np.concatenate([part.segment for part in parts])
    items: tuple[str, ...] = ()
    if parts[0].items:
        items, segment = _renumbered([(part.items, part.segment) for part in parts])
    columns: dict[str, Any] = {name: _column(parts, name, missing) for name, missing in _MISSING.items()}
    named_waves = {wave for part in parts for wave in part.wave}
    numbers = (number for number in map(str, count(1)) if number not in named_waves)
    waves = [part.wave or (next(numbers),) * len(part) for part in parts]  # a file is a wave if it names none
    times = [np.full(len(part), np.nan) if part.time is None else part.time for part in parts]
    return replace(
        parts[0],
        raters=raters,
        systems=systems,
        rater=rater,
        system=system,
        segment=segment,
        items=items,
        score=np.concatenate([part.score for part in parts]),
        time=None if all(part.time is None for part in parts) else np.concatenate(times),
        origin=", ".join(part.origin for part in parts),
        digest=_joint_digest(parts),
        wave=tuple(chain(*waves)),
        **columns,
    )


def _column(parts: Iterable[Ratings], name: str, missing: object) -> tuple[Any, ...]:
    """A column of all parts, with a value for the rows of parts that do not have it; empty if none has it."""
    columns = [getattr(part, name) or (missing,) * len(part) for part in parts if len(part)]
    return tuple(chain(*columns)) if any(getattr(part, name) for part in parts) else ()


def _join_rankings(group: Sequence[Judgements], notes: list[Note]) -> Rankings:
    parts = _distinct((judged for judged in group if isinstance(judged, Rankings)), notes)
    if len(parts) == 1:
        return parts[0]
    systems = tuple(dict.fromkeys(name for part in parts for name in part.systems))
    judges, judge = _renumbered([(part.judges, part.judge) for part in parts])
    wide = [part.take(systems) for part in parts]
    output = None
    if any(part.output is not None for part in wide):
        output = np.concatenate([_outputs(part) for part in wide])
    return Rankings(
        parts[0].name,
        systems,
        judges,
        judge,
        np.concatenate([part.segment for part in parts]),
        np.concatenate([part.ranks for part in wide]),
        ", ".join(part.origin for part in parts),
        _joint_digest(parts),
        output,
    )


def _outputs(rankings: Rankings) -> npt.NDArray[np.int8]:
    """The numbers of the outputs; if every system had its own, the systems of a row are numbered."""
    if rankings.output is not None:
        return rankings.output
    ranked = rankings.ranks > 0
    return np.where(ranked, np.cumsum(ranked, axis=1), 0).astype(np.int8)


def _renumbered(columns: Iterable[tuple[Sequence[str], IntArray]]) -> tuple[tuple[str, ...], IntArray]:
    """The names of all columns, and their codes as codes of these names; -1 stays."""
    numbers: dict[str, int] = {}
    codes = []
    for names, column in columns:
        new = np.array([numbers.setdefault(name, len(numbers)) for name in names] or [-1])
        codes.append(np.where(column >= 0, new[column], -1))
    return tuple(numbers), np.concatenate(codes)


def _joint_digest(parts: Sequence[Judgements]) -> str:
    return digest_of_bytes("\n".join(part.digest for part in parts).encode())


def _join_scores(tables: Iterable[ScoreTable], *, has_texts: bool) -> list[ScoreTable]:
    """The scores of a metric, with the systems of all files; without texts, with the named segments of all files.

    The same file again counts once.
    """
    joined = []
    distinct = {(t.name, t.level, t.rater, t.systems, t.digest or id(t)): t for t in tables}
    for first, *others in joined_tables(distinct.values()):
        for other in others:
            message = f"the {other.level} scores '{other.name}' are in {first.origin} too"
            raise NameClashError(message, path=other.origin, hint="give only one of the files")
        joined.append(first)
    named = [table for table in joined if table.level == "segment" and table.items]
    items = tuple(dict.fromkeys(name for table in named for name in table.items))
    return joined if has_texts else [t.take_segments(items) if t in named else t for t in joined]


def _difference(table: ScoreTable, segments: int, items: tuple[str, ...]) -> str:
    """How the segments of scores differ from those of other files, and what to do."""
    other = next((name for name in table.items if name not in items), "")
    ours = f"{table.values.shape[1]:,}{f', such as {printable(other)!r}' if other else ' without names'}"
    theirs = f"{segments:,}{f', such as {printable(items[0])!r}' if items else ' without names'}"
    return f"it has {ours}; the others have {theirs}; give only files of the same segments together"


def _fitted(table: ScoreTable, segments: int, items: tuple[str, ...]) -> ScoreTable:
    """Segment scores with a column for each segment of all files: by name if both have names, else by number."""
    columns = table.values.shape[1]
    if table.level != "segment" or (table.items and not items and columns == segments):
        return table
    if bool(table.items) != bool(items) or not set(table.items) <= set(items) or columns > segments:
        message = f"the scores '{table.name}' are for other segments than other files have"
        raise AlignmentError(message, path=table.origin, hint=_difference(table, segments, items))
    if items:
        return replace(table.take_segments(items), items=())
    missing = segments - columns
    values = np.pad(table.values, ((0, 0), (0, missing)), constant_values=np.nan)
    return replace(table, values=values, domains=(*table.domains, *[""] * missing) if table.domains else ())


def _join_texts(testsets: Sequence[TestSet], name: str) -> TestSet | None:
    """The texts of all test sets; where one has no text, that of another. Segments are matched by name or number."""
    if len(testsets) < 2:
        return testsets[0] if testsets else None
    owner = f"{name}: " if name else ""
    if len({bool(testset.items) for testset in testsets}) > 1:
        raise InputError(f"{owner}some files name their segments, and others number them")
    items = {item: line for line, item in enumerate(dict.fromkeys(i for testset in testsets for i in testset.items))}
    segments = len(items) or max(map(len, testsets))
    places = {id(t): [items[item] for item in t.items] or list(range(len(t))) for t in testsets}

    def together(label: str, column_of: Callable[[TestSet], Column | None]) -> Column | None:
        texts: list[str | None] = [None] * segments
        present = [(testset, column) for testset in testsets if (column := column_of(testset)) is not None]
        for testset, column in present:
            for line, text in zip(places[id(testset)], column, strict=True):
                if text is not None and texts[line] not in (None, text):
                    raise AlignmentError(
                        f"{owner}the files have different texts of the {label}, first in segment {line + 1:,}",
                        hint="give files of one test set only",
                    )
                texts[line] = text if text is not None else texts[line]
        return as_column(texts) if present else None

    def named(kind: str) -> dict[str, Column]:
        names = dict.fromkeys(name for testset in testsets for name in getattr(testset, kind))
        return {name: together(f"{kind} of '{name}'", _named_column(kind, name)) or as_column(()) for name in names}

    return TestSet(
        outputs=named("outputs"),
        references=named("references"),
        sources=together("source", lambda testset: testset.sources),
        documents=together("documents", lambda testset: testset.documents),
        domains=together("domains", lambda testset: testset.domains),
        lp=testsets[0].lp,
        notes=tuple(dict.fromkeys(note for testset in testsets for note in testset.notes)),
        name=name or None,
        items=tuple(items),
    )


def _named_column(kind: str, name: str) -> Callable[[TestSet], Column | None]:
    return lambda testset: getattr(testset, kind).get(name)
