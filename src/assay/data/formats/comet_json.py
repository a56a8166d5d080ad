"""The output of `comet-score --to_json`: every segment with its texts and its score.

    {"base.txt": [{"src": "…", "mt": "…", "ref": "…", "COMET": 0.83}, …], "big.txt": […]}

Older versions write the list of one system only, which is named after the file; the oldest call the score
`predicted_score`. A reference-free metric has no "ref".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from assay.data.certainty import CERTAIN, LIKELY, NO
from assay.data.formats import Format, data_format
from assay.data.tables.collectors import ScoreCollector, check_cells
from assay.data.tables.names import systems_of_files
from assay.data.tables.notes import table_gap_notes
from assay.data.tables.numbers import score_of
from assay.data.text_files import digest_of, read_text, shown_path
from assay.errors import AlignmentError, EmptyInputError, InputError
from assay.strict_json import parse_json
from assay.types import Campaign, Column, Note, NoteKind, ScoreTable, TestSet, as_column

__all__ = ["CometJson"]

_TEXTS = {"src": "source", "mt": "output", "ref": "reference"}
_NO_SCORES = ("errors", "variance")  # error spans of XCOMET, variance of a model with dropout
_MAX_EQUAL = 3  # segments that may have the same text by chance
_Segments: TypeAlias = Sequence[Mapping[str, Any]]


@data_format("comet-json")
@dataclass(frozen=True)
class CometJson(Format):
    """Sources, outputs and the reference with segment scores."""

    suffixes = (".json",)

    def recognises(self, path: Path, head: str) -> int:
        head = head.removeprefix("\ufeff")
        is_comet = re.match(r'\s*(\{\s*"(?:[^"\\]|\\.)*"\s*:\s*)?\[\s*\{', head)
        if not (is_comet and '"src"' in head and '"mt"' in head):
            return NO
        return CERTAIN if '"COMET"' in head else LIKELY

    def read(self, path: Path) -> tuple[Campaign, ...]:
        text, notes = read_text(path)
        shown = shown_path(path)
        content = parse_json(text, path=shown, allow_nan=True)
        files = {path.name: content} if isinstance(content, list) else content
        if not isinstance(files, dict) or not files:
            raise InputError("expected a list of segments, or an object of such lists by system", path=shown)
        names = systems_of_files(list(files), path=shown)
        systems = {name: _segments(items, name, shown) for name, items in zip(names, files.values(), strict=True)}
        _check_lengths(systems, shown)
        testset = _testset(systems, shown, notes)
        tables = tuple(_tables(systems, testset, path))
        return (
            Campaign(
                name="",
                lp="",
                segments=len(testset),
                systems=testset.systems,
                references=tuple(testset.references),
                testset=testset,
                scores=tables,
                notes=(*notes, *_notes(systems, tables, testset, shown)),
            ),
        )


def _segments(items: object, system: str, path: str) -> _Segments:
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise InputError(f"system '{system}' has no list of segments", path=path)
    if not items:
        raise EmptyInputError(f"system '{system}' has no segments", path=path)
    for number, item in enumerate(items, 1):
        for key, kind in _TEXTS.items():
            if not isinstance(item.get(key), str | None):
                raise InputError(f"system '{system}', segment {number:,}: the {kind} must be a text", path=path)
        if "mt" not in item:
            raise InputError(f"system '{system}', segment {number:,}: no output (mt)", path=path)
    return items


def _check_lengths(systems: Mapping[str, _Segments], path: str) -> None:
    first, segments = next(iter(systems.items()))
    for name, others in systems.items():
        if len(others) != len(segments):
            message = f"system '{name}' has {len(others):,} segments, but '{first}' has {len(segments):,}"
            raise AlignmentError(message, path=path)


def _testset(systems: Mapping[str, _Segments], path: str, notes: Iterable[Note]) -> TestSet:
    references = _shared("ref", systems, path)
    return TestSet(
        outputs={name: as_column(item["mt"] for item in segments) for name, segments in systems.items()},
        references={} if references is None else {"ref": references},
        sources=_shared("src", systems, path),
        notes=tuple(notes),
    )


def _shared(key: str, systems: Mapping[str, _Segments], path: str) -> Column | None:
    """The sources or references, which must be the same for all systems; None if there are none."""
    first, segments = next(iter(systems.items()))
    column = as_column(item.get(key) for item in segments)
    for name, others in systems.items():
        for number, (text, item) in enumerate(zip(column, others, strict=True), 1):
            if item.get(key) != text:
                message = f"segment {number:,}: '{name}' and '{first}' have a different {_TEXTS[key]}"
                raise AlignmentError(message, path=path, hint="score all systems in one run of comet-score")
    return column if any(text is not None for text in column) else None


def _tables(systems: Mapping[str, _Segments], testset: TestSet, path: Path) -> Iterator[ScoreTable]:
    """A table for each key with numbers; a segment without the key has no score."""
    keys = Counter(key for segments in systems.values() for item in segments for key in item)
    cells = len(keys) * len(systems) * len(testset)
    message = f"too many different keys ({len(keys):,}) with a few in each segment"
    check_cells(cells, keys.total(), message, path=shown_path(path))
    scores = [key for key in keys if _is_score(key, systems)]
    if not scores:
        raise EmptyInputError("no scores", path=shown_path(path))
    digest = digest_of(path)
    for key in scores:
        collector = ScoreCollector(key, "segment", str(path), digest, tuple(testset.references))
        for name, segments in systems.items():
            for i, item in enumerate(segments):
                label = f"score '{key}' of system '{name}', segment {i + 1:,}"
                collector.add(name, i, score_of(item.get(key), path=shown_path(path), name=label))
        yield collector.table(len(testset))


def _is_score(key: str, systems: Mapping[str, _Segments]) -> bool:
    if key in _TEXTS or key in _NO_SCORES:
        return False
    values = (item.get(key) for segments in systems.values() for item in segments)
    return any(isinstance(value, int | float) and not isinstance(value, bool) for value in values)


def _notes(
    systems: Mapping[str, _Segments], tables: Sequence[ScoreTable], testset: TestSet, path: str
) -> Iterator[Note]:
    kept = {*_TEXTS, *(table.name for table in tables)}
    others = Counter(key for segments in systems.values() for item in segments for key in item if key not in kept)
    if others:
        counts = ", ".join(f"{key} {count:,}" for key, count in sorted(others.items()))
        yield Note(NoteKind.UNREAD, f"unused values: {counts}", path, others.total())
    yield from table_gap_notes(tables)
    for name, column in testset.columns():
        if len(column) > _MAX_EQUAL and len(set(column)) == 1:
            text = (
                f"all {len(column):,} segments of {name} have the same text; some versions of COMET wrote the first "
                "text for all segments (Unbabel/COMET #31), so the texts may be wrong although the scores are right"
            )
            yield Note(NoteKind.SUSPECT, text, path, len(column))
