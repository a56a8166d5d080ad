"""What `comet-score --to_json` writes: every segment with its texts and its score.

    {"base.txt": [{"src": "…", "mt": "…", "ref": "…", "COMET": 0.83}, …], "big.txt": […]}

Older versions write the list of one system only, which is then named after the file; the oldest call the score
`predicted_score`. A metric without references has no "ref".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from assay.data.collecting import ScoreCollector, check_cells
from assay.data.formats import CERTAIN, LIKELY, NO, Format, form
from assay.data.formats.sacrebleu_json import named_after_files, number_of, read_json
from assay.data.text import digest_of, shown_path
from assay.errors import AlignmentError, EmptyInputError, InputError
from assay.types import Campaign, Column, ScoreTable, TestSet

__all__ = ["CometJson"]

_TEXTS = {"src": "source", "mt": "output", "ref": "reference"}
_NO_SCORES = ("errors", "variance")  # error spans of XCOMET, and how sure a model with dropout was
_FEW = 3  # so few segments may well have the same text
_Segments: TypeAlias = Sequence[Mapping[str, Any]]


@form("comet-json")
@dataclass(frozen=True)
class CometJson(Format):
    """Sources, outputs and the reference with segment scores."""

    suffixes = (".json",)

    def recognises(self, path: Path, head: str) -> int:
        head = head.removeprefix("\ufeff")
        form_of_comet = re.match(r'\s*(\{\s*"(?:[^"\\]|\\.)*"\s*:\s*)?\[\s*\{', head)
        if not (form_of_comet and '"src"' in head and '"mt"' in head):
            return NO
        return CERTAIN if '"COMET"' in head else LIKELY

    def read(self, path: Path) -> tuple[Campaign, ...]:
        content, notes = read_json(path)
        shown = shown_path(path)
        files = {path.name: content} if isinstance(content, list) else content
        if not isinstance(files, dict) or not files:
            raise InputError("no list of segments, nor an object of such lists by system", path=shown)
        names = named_after_files(list(files), shown)
        systems = {name: _segments(found, name, shown) for name, found in zip(names, files.values(), strict=True)}
        _check_lengths(systems, shown)
        testset = _testset(systems, shown, notes)
        tables = tuple(_tables(systems, testset, path))
        return (
            Campaign(
                name=Path(path.name.removesuffix(".gz")).stem,
                lp="",
                segments=len(testset),
                systems=testset.systems,
                references=tuple(testset.references),
                testset=testset,
                scores=tables,
                notes=(*notes, *_notes(systems, tables, testset)),
            ),
        )


def _segments(found: object, system: str, path: str) -> _Segments:
    if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
        raise InputError(f"system '{system}' has no list of segments", path=path)
    if not found:
        raise EmptyInputError(f"system '{system}' has no segments", path=path)
    for number, item in enumerate(found, 1):
        for key, what in _TEXTS.items():
            if not isinstance(item.get(key), str | None):
                raise InputError(f"the {what} of system '{system}', segment {number:,}, is not a text", path=path)
        if "mt" not in item:
            raise InputError(f"system '{system}', segment {number:,}, has no output (mt)", path=path)
    return found


def _check_lengths(systems: Mapping[str, _Segments], path: str) -> None:
    first, segments = next(iter(systems.items()))
    for name, others in systems.items():
        if len(others) != len(segments):
            what = f"system '{name}' has {len(others):,} segments, '{first}' has {len(segments):,}"
            raise AlignmentError(what, path=path)


def _testset(systems: Mapping[str, _Segments], path: str, notes: Iterable[str]) -> TestSet:
    references = _shared("ref", systems, path)
    return TestSet(
        outputs={name: tuple(item["mt"] for item in segments) for name, segments in systems.items()},
        references={} if references is None else {"ref": references},
        sources=_shared("src", systems, path),
        notes=tuple(notes),
    )


def _shared(key: str, systems: Mapping[str, _Segments], path: str) -> Column | None:
    """The sources or references, which have to be the same for all systems; None if there are none."""
    first, segments = next(iter(systems.items()))
    column = tuple(item.get(key) for item in segments)
    for name, others in systems.items():
        for number, (text, item) in enumerate(zip(column, others, strict=True), 1):
            if item.get(key) != text:
                what = f"segment {number:,}: the {_TEXTS[key]} of '{name}' is not that of '{first}'"
                raise AlignmentError(what, path=path, hint="score all systems in one run of comet-score")
    return column if any(text is not None for text in column) else None


def _tables(systems: Mapping[str, _Segments], testset: TestSet, path: Path) -> Iterator[ScoreTable]:
    """A table for each key that holds numbers; a segment without it is a gap."""
    keys = Counter(key for segments in systems.values() for item in segments for key in item)
    cells = len(keys) * len(systems) * len(testset)
    what = f"{len(keys):,} different keys, of which a segment has only a few"
    check_cells(cells, keys.total(), what, path=shown_path(path))
    scores = [key for key in keys if _is_score(key, systems)]
    if not scores:
        raise EmptyInputError("there is no score", path=shown_path(path))
    digest = digest_of(path)
    for key in scores:
        collector = ScoreCollector(key, "segment", str(path), digest, tuple(testset.references))
        for name, segments in systems.items():
            for i, item in enumerate(segments):
                what = f"the score '{key}' of system '{name}', segment {i + 1:,},"
                collector.add(name, i, number_of(item.get(key), what, shown_path(path)), line=0)
        yield collector.table(len(testset))


def _is_score(key: str, systems: Mapping[str, _Segments]) -> bool:
    if key in _TEXTS or key in _NO_SCORES:
        return False
    values = (item.get(key) for segments in systems.values() for item in segments)
    return any(isinstance(value, int | float) and not isinstance(value, bool) for value in values)


def _notes(systems: Mapping[str, _Segments], tables: Sequence[ScoreTable], testset: TestSet) -> Iterator[str]:
    kept = {*_TEXTS, *(table.name for table in tables)}
    others = Counter(key for segments in systems.values() for item in segments for key in item if key not in kept)
    if others:
        yield f"values that are not kept: {', '.join(f'{key} {count:,}' for key, count in sorted(others.items()))}"
    yield from (f"{table.name}: {table.gaps:,} gaps" for table in tables if table.gaps)
    for name, column in testset.columns():
        if len(column) > _FEW and len(set(column)) == 1:
            yield (
                f"{name}: all {len(column):,} segments have the same text; some versions of COMET wrote the first one "
                "for all (Unbabel/COMET #31), so the texts may be wrong and the scores right"
            )
