"""The output of Google's MetricX program: one segment per line, with its texts and its score.

    {"source": "…", "hypothesis": "…", "reference": "…", "prediction": 3.2}

Lines with a field `system` belong to that system. Otherwise a file holds one system and is named after it. The score
counts errors, from 0 to 25, so lower is better.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from assay.data import CERTAIN, NO
from assay.data.formats import Format, data_format, json_keys
from assay.data.tables.names import check_names_in_file, stem_of
from assay.data.tables.notes import table_gap_notes, unread_notes
from assay.data.tables.numbers import score_of
from assay.data.tables.scored_segments import TextKeys, texts_of_segments
from assay.data.text_files import digest_of, read_lines, shown_path
from assay.errors import EmptyInputError, InputError
from assay.files.strict_json import parse_object
from assay.types import Campaign, Note, NoteKind, ScoreTable
from assay.types.note import plural

__all__ = ["MetricxJsonl"]

_TEXTS = TextKeys(source="source", output="hypothesis", reference="reference")
_SYSTEM, _SCORE = "system", "prediction"
_FIELDS = (_SYSTEM, *_TEXTS, _SCORE)
_LOWEST, _HIGHEST = 0, 25


@data_format("metricx-jsonl")
@dataclass(frozen=True)
class MetricxJsonl(Format):
    """Sources, outputs and the reference of one or several systems with their segment scores."""

    suffixes = (".jsonl",)
    names_references = False

    def recognises(self, path: Path, head: str) -> int:
        return CERTAIN if {_TEXTS.output, _SCORE} <= json_keys(head) else NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        lines, notes = read_lines(path)
        shown = shown_path(path)
        if not lines:
            raise EmptyInputError("empty file", path=shown)
        rows = [_row(line, shown, number) for number, line in enumerate(lines, 1)]
        systems = _by_system(rows, stem_of(path), shown)
        testset = texts_of_segments(systems, _TEXTS, path=shown, notes=notes)
        scores = ScoreTable(
            name="MetricX",
            level="segment",
            systems=testset.systems,
            values=np.array([[row[_SCORE] for row in segments] for segments in systems.values()]),
            references=tuple(testset.references),
            higher_is_better=False,
            origin=str(path),
            digest=digest_of(path),
        )
        if scores.gaps == scores.values.size:
            raise EmptyInputError(f"no scores: no line has a number in the field {_SCORE}", path=shown)
        others = dict.fromkeys(name for row in rows for name in row if name not in _FIELDS)
        all_notes = (
            *notes,
            *unread_notes(shown, others, "field"),
            *table_gap_notes((scores,)),
            *_scale_notes(scores, shown),
        )
        names = testset.systems, tuple(testset.references)
        return (Campaign("", "", len(testset), *names, testset, (scores,), notes=all_notes),)


def _row(text: str, path: str, line: int) -> dict[str, Any]:
    """The fields of a line, with the score as a number."""
    row = parse_object(text, path=path, line=line, allow_nan=True)
    for name in (_SYSTEM, *_TEXTS):
        if not isinstance(row.get(name), str | None):
            raise InputError(f"the field '{name}' must be a text", path=path, line=line)
    return {**row, _SCORE: score_of(row.get(_SCORE), path=path, line=line)}


def _by_system(rows: Sequence[Mapping[str, Any]], default: str, path: str) -> dict[str, list[Mapping[str, Any]]]:
    """The rows of each system, in order; `default` is the system if no row names one."""
    if all(row.get(_SYSTEM) is None for row in rows):
        systems = {default: list(rows)}
    else:
        systems = {}
        for line, row in enumerate(rows, 1):
            if row.get(_SYSTEM) is None:
                raise InputError(f"no {_SYSTEM}, which other lines have", path=path, line=line)
            systems.setdefault(row[_SYSTEM], []).append(row)
    check_names_in_file("system", systems, path=path)
    return systems


def _scale_notes(scores: ScoreTable, path: str) -> Iterator[Note]:
    is_outside = (scores.values < _LOWEST) | (scores.values > _HIGHEST)
    if count := int(is_outside.sum()):
        text = (
            f"{count:,} of {plural(scores.values.size, 'score')} are outside {_LOWEST} to {_HIGHEST}: negated, or on "
            "another scale?"
        )
        yield Note(NoteKind.SUSPECT, text, path, count, "warning")
