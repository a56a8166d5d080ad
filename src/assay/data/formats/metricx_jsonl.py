"""The output of Google's MetricX program: one segment per line, with its texts and its score.

    {"source": "…", "hypothesis": "…", "reference": "…", "prediction": 3.2}

A file holds one system and is named after it. The score counts errors, so lower is better.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from assay.data.certainty import CERTAIN, NO
from assay.data.formats import Format, data_format, json_keys
from assay.data.tables.names import checked_name, stem_of
from assay.data.tables.notes import table_gap_notes, unread_notes
from assay.data.tables.numbers import score_of
from assay.data.text_files import digest_of, read_lines, shown_path
from assay.errors import EmptyInputError, InputError
from assay.strict_json import parse_object
from assay.types import Campaign, Column, ScoreTable, TestSet, as_column

__all__ = ["MetricxJsonl"]

_SOURCE, _OUTPUT, _REFERENCE, _SCORE = _FIELDS = ("source", "hypothesis", "reference", "prediction")


@data_format("metricx-jsonl")
@dataclass(frozen=True)
class MetricxJsonl(Format):
    """Sources, outputs and the reference of one system with its segment scores."""

    suffixes = (".jsonl",)

    def recognises(self, path: Path, head: str) -> int:
        return CERTAIN if {_OUTPUT, _SCORE} <= json_keys(head) else NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        lines, notes = read_lines(path)
        shown = shown_path(path)
        if not lines:
            raise EmptyInputError("empty file", path=shown)
        system = checked_name("system", stem_of(path), path=shown)
        rows = [parse_object(line, path=shown, line=number, allow_nan=True) for number, line in enumerate(lines, 1)]
        source, output, reference = (_column(rows, name, shown) for name in (_SOURCE, _OUTPUT, _REFERENCE))
        references = {"ref": reference} if _has_texts(reference) else {}
        testset = TestSet(
            outputs={system: output},
            references=references,
            sources=source if _has_texts(source) else None,
            notes=tuple(notes),
        )
        values = [score_of(row.get(_SCORE), path=shown, line=number) for number, row in enumerate(rows, 1)]
        scores = ScoreTable(
            name="MetricX",
            level="segment",
            systems=(system,),
            values=np.array([values]),
            references=tuple(references),
            higher_is_better=False,
            origin=str(path),
            digest=digest_of(path),
        )
        others = dict.fromkeys(name for row in rows for name in row if name not in _FIELDS)
        all_notes = (*notes, *unread_notes(shown, others, "field"), *table_gap_notes((scores,)))
        names = (system,), tuple(references)
        return (Campaign("", "", len(rows), *names, testset, (scores,), notes=all_notes),)


def _column(rows: Sequence[Mapping[str, object]], name: str, path: str) -> Column:
    """The texts of a field."""
    for number, row in enumerate(rows, 1):
        if not isinstance(row.get(name), str | None):
            raise InputError(f"the field '{name}' must be a text", path=path, line=number)
    return as_column(None if row.get(name) is None else str(row[name]) for row in rows)


def _has_texts(column: Column) -> bool:
    return any(text is not None for text in column)
