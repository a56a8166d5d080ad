"""The output of `comet-score --to_json`: every segment with its texts and its score.

    {"base.txt": [{"src": "…", "mt": "…", "ref": "…", "COMET": 0.83}, …], "big.txt": […]}

Older versions write the list of one system only, which is named after the file; the oldest call the score
`predicted_score`. A reference-free metric has no "ref". xCOMET also writes the errors that it found: "errors".
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.data import CERTAIN, LIKELY, NO
from assay.data.formats import Format, data_format
from assay.data.tables.collectors import RatingCollector, ScoreCollector, check_cells
from assay.data.tables.names import systems_of_files
from assay.data.tables.notes import table_gap_notes
from assay.data.tables.numbers import score_of
from assay.data.tables.scored_segments import Segments, TextKeys, texts_of_segments
from assay.data.tables.spans import errors_in_objects, is_error_object
from assay.data.text_files import digest_of, read_text, shown_path
from assay.errors import EmptyInputError, InputError, printable
from assay.files.strict_json import parse_json
from assay.types import Campaign, Note, NoteKind, Ratings, ScoreTable, TestSet
from assay.types.note import listed

__all__ = ["CometJson"]

_TEXTS = TextKeys(source="src", output="mt", reference="ref")
_SCORES = ("COMET", "predicted_score")
_ERRORS = "errors"  # of xCOMET
_NO_SCORES = (_ERRORS, "variance")  # the variance of a model with dropout
_MAX_LISTED = 10  # fields
_MAX_EQUAL = 3  # segments that may have the same text by chance


@data_format("comet-json")
@dataclass(frozen=True)
class CometJson(Format):
    """Sources, outputs and the reference with segment scores."""

    suffixes = (".json",)
    names_references = False

    def recognises(self, path: Path, head: str) -> int:
        head = head.removeprefix("\ufeff")
        start = re.match(r'\s*(?:\{\s*"(?:[^"\\]|\\.)*"\s*:\s*)?\[\s*(?=\{)', head)
        keys = _first_keys(head, start.end()) if start else {}
        if not {_TEXTS.source, _TEXTS.output} <= keys.keys():
            return NO
        if any(name in keys for name in _SCORES):
            return CERTAIN
        return LIKELY if any(isinstance(value, float) for value in keys.values()) else NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        text, notes = read_text(path)
        shown = shown_path(path)
        content = parse_json(text, path=shown, allow_nan=True)
        files = {path.name: content} if isinstance(content, list) else content
        if not isinstance(files, dict) or not files:
            raise InputError("expected a list of segments, or an object of such lists by system", path=shown)
        names = systems_of_files(list(files), path=shown)
        systems = {name: _segments(items, name, shown) for name, items in zip(names, files.values(), strict=True)}
        testset = texts_of_segments(systems, _TEXTS, path=shown, notes=notes)
        tables = tuple(_tables(systems, testset, path))
        predictions = _predictions(systems, tables[0].name, path)
        return (
            Campaign(
                name="",
                lp="",
                segments=len(testset),
                systems=testset.systems,
                references=tuple(testset.references),
                testset=testset,
                scores=tables,
                notes=(*notes, *_notes(systems, tables, testset, shown, has_errors=bool(predictions))),
                predictions=predictions,
            ),
        )


def _first_keys(head: str, start: int) -> dict[str, object]:
    """The first segment, as far as the head has it; of one that is cut, the names with 0.0 as their values."""
    try:
        segment, _ = json.JSONDecoder().raw_decode(head, start)
    except (ValueError, RecursionError):
        return dict.fromkeys(re.findall(r'"(\w+)"\s*:', head[start:]), 0.0)
    return segment if isinstance(segment, dict) else {}


def _segments(items: object, system: str, path: str) -> Segments:
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise InputError(f"system '{system}' has no list of segments", path=path)
    if not items:
        raise EmptyInputError(f"system '{system}' has no segments", path=path)
    for number, item in enumerate(items, 1):
        for kind, key in _TEXTS._asdict().items():
            if not isinstance(item.get(key), str | None):
                raise InputError(f"system '{system}', segment {number:,}: the {kind} must be a text", path=path)
        if _TEXTS.output not in item:
            raise InputError(f"system '{system}', segment {number:,}: no output ({_TEXTS.output})", path=path)
    return items


def _tables(systems: Mapping[str, Segments], testset: TestSet, path: Path) -> Iterator[ScoreTable]:
    """A table for each key with scores; a segment without the key has no score."""
    keys = Counter(key for segments in systems.values() for item in segments for key in item)
    cells = len(keys) * len(systems) * len(testset)
    message = f"too many different keys ({len(keys):,}) with a few in each segment"
    check_cells(cells, keys.total(), message, path=shown_path(path))
    scores = [key for key in keys if _is_score(key, systems)]
    if not scores:
        message = f"no scores: system '{testset.systems[0]}', segment 1 has no number in the field {_SCORES[0]}"
        fields = listed(map(printable, keys), _MAX_LISTED)
        raise EmptyInputError(message, path=shown_path(path), hint=f"the fields are {fields}")
    digest = digest_of(path)
    for key in scores:
        collector = ScoreCollector(key, "segment", str(path), digest, tuple(testset.references))
        for name, segments in systems.items():
            for i, item in enumerate(segments):
                label = f"score '{key}' of system '{name}', segment {i + 1:,}"
                collector.add(name, i, score_of(item.get(key), path=shown_path(path), name=label))
        yield collector.table(len(testset))


def _is_score(key: str, systems: Mapping[str, Segments]) -> bool:
    if key in _TEXTS or key in _NO_SCORES:
        return False
    values = (item.get(key) for segments in systems.values() for item in segments)
    if key in _SCORES:  # a text there is a score that was written as a text, or a mistake
        return any(value is not None for value in values)
    return any(isinstance(value, int | float) and not isinstance(value, bool) for value in values)


def _predictions(systems: Mapping[str, Segments], metric: str, path: Path) -> tuple[Ratings, ...]:
    """The errors that xCOMET writes beside its scores; none if no segment has the field."""
    collector = RatingCollector(metric, "other", str(path), digest_of(path), is_human=False)
    for name, segments in systems.items():
        for i, item in enumerate(segments):
            errors = item.get(_ERRORS)
            if errors is None:
                continue
            if not isinstance(errors, list) or not all(map(is_error_object, errors)):
                return ()  # not those of xCOMET: a note counts them among the unused values
            collector.add(metric, name, i, errors=errors_in_objects(errors, path=shown_path(path), line=None))
    return (collector.ratings(),) if len(collector) else ()


def _notes(
    systems: Mapping[str, Segments], tables: Sequence[ScoreTable], testset: TestSet, path: str, *, has_errors: bool
) -> Iterator[Note]:
    kept = {*_TEXTS, *(table.name for table in tables), *((_ERRORS,) if has_errors else ())}
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
