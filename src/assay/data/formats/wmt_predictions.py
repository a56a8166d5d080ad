"""Predictions in the WMT26 evaluation task: JSON lines, one segment each, with the errors and scores of all systems.

    {"item_id": "official_###_eng_Latn_###_deu_Latn_###_news_###_d1_###_0",
     "task1_pred": {"A": {"errors": [{"start": 3, "end": 7, "severity": "major"}], "omission": "minor",
                          "instruction_fault": null}},
     "task2_pred": {"A": 60.0}}

`end` is exclusive. `omission` and `instruction_fault` are the severity of an error that has no position, or null. The
metric has the name of the file. A system without `task1_pred` has scores only.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assay.data import CERTAIN, NO
from assay.data.formats import Format, data_format, json_keys
from assay.data.tables.languages import language_code
from assay.data.tables.names import stem_of
from assay.data.tables.numbers import score_of
from assay.data.tables.predicted_errors import PredictionCollector, errors_in_objects, severity_in
from assay.data.tables.skipped import SkippedRows
from assay.data.text_files import digest_of, read_lines, shown_path
from assay.errors import EmptyInputError, InputError
from assay.files.strict_json import parse_object
from assay.lazily import numpy as np
from assay.types import Campaign, ErrorSpan, ScoreTable

__all__ = ["WmtPredictions"]

_ERRORS, _SCORES = "task1_pred", "task2_pred"
_SEPARATOR = "_###_"
_OFFICIAL = "official"
_WITHOUT_POSITION = ("omission", "instruction_fault")


@data_format("wmt-predictions")
@dataclass(frozen=True)
class WmtPredictions(Format):
    """Errors and scores by a metric."""

    suffixes = (".jsonl",)

    def recognises(self, path: Path, head: str) -> int:
        keys = json_keys(head)
        return CERTAIN if "item_id" in keys and keys & {_ERRORS, _SCORES} else NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        lines, notes = read_lines(path)
        shown = shown_path(path)
        if not lines:
            raise EmptyInputError("empty file", path=shown)
        collected = _Collected(stem_of(path), shown, digest_of(path))
        skipped = SkippedRows(shown, rows=len(lines))
        for number, text in enumerate(lines, 1):
            try:
                collected.add(parse_object(text, path=shown, line=number, allow_nan=True), number)
            except InputError as error:
                skipped.add_error(error, number)
        return tuple(collected.campaigns((*notes, *skipped.notes())))


@dataclass
class _Collected:
    """The errors and scores of a metric, by test set and language pair."""

    metric: str
    path: str
    digest: str
    scores: dict[tuple[str, str], dict[str, dict[str, float]]] = field(default_factory=dict)
    """By place: system, item → score."""
    items: dict[tuple[str, str], dict[str, str]] = field(default_factory=dict)
    """By place: item → document."""
    errors: PredictionCollector = field(init=False)

    def __post_init__(self) -> None:
        self.errors = PredictionCollector(self.path, self.digest)

    def add(self, record: Mapping[str, Any], line: int) -> None:
        """Add a line, or nothing of it."""
        item = record.get("item_id")
        if not isinstance(item, str) or not item:
            raise InputError("no item_id", path=self.path, line=line)
        place, domain, document = self._place(item, line)
        marked = {name: self._errors(value, line) for name, value in self._by_system(record, _ERRORS, line).items()}
        scores = {
            name: score_of(value, path=self.path, line=line)
            for name, value in self._by_system(record, _SCORES, line).items()
        }
        self.items.setdefault(place, {})[item] = document
        for system, score in scores.items():
            self.scores.setdefault(place, {}).setdefault(system, {})[item] = score
        for system, errors in marked.items():
            score = scores.get(system, math.nan)
            about: dict[str, Any] = {"document": document, "domain": domain, "score": score, "line": line}
            self.errors.add((*place, self.metric), system, item, errors, **about)

    def _place(self, item: str, line: int) -> tuple[tuple[str, str], str, str]:
        """Test set and language pair, domain and document in the name of a segment; empty where it has other parts."""
        parts = item.split(_SEPARATOR)
        if len(parts) < 5:
            return ("", ""), "", ""
        kind, source, target, domain, document = parts[:5]
        codes = (language_code(code.partition("_")[0], path=self.path, line=line) for code in (source, target))
        return ("" if kind == _OFFICIAL else kind, "-".join(codes)), domain, document

    def _by_system(self, record: Mapping[str, Any], key: str, line: int) -> dict[str, Any]:
        value = record.get(key) or {}
        if not isinstance(value, dict):
            raise InputError(f"{key} must be an object of systems", path=self.path, line=line)
        return value

    def _errors(self, value: Any, line: int) -> tuple[ErrorSpan, ...]:
        if not isinstance(value, dict):
            raise InputError(f"{_ERRORS} of a system must be a JSON object", path=self.path, line=line)
        found = errors_in_objects(value.get("errors") or [], path=self.path, line=line)
        others = [
            ErrorSpan(kind, severity_in(str(value[kind]), self.path, line))
            for kind in _WITHOUT_POSITION
            if value.get(kind) is not None
        ]
        return (*found, *others)

    def campaigns(self, notes: tuple[Any, ...]) -> Iterator[Campaign]:
        marked = {(campaign.name, campaign.lp): campaign for campaign in self.errors.campaigns(notes)}
        for place, items in self.items.items():
            tables = tuple(self._tables(place, tuple(items)))
            predicted = marked.get(place)
            systems = dict.fromkeys((*self.scores.get(place, ()), *(() if predicted is None else predicted.systems)))
            predictions = () if predicted is None else predicted.predictions
            yield Campaign(
                *place,
                len(items),
                tuple(systems),
                (),
                None,
                scores=tables,
                predictions=predictions,
                notes=notes if predicted is None else predicted.notes,
            )

    def _tables(self, place: tuple[str, str], items: tuple[str, ...]) -> Iterator[ScoreTable]:
        scores = self.scores.get(place)
        if not scores or all(math.isnan(score) for of_system in scores.values() for score in of_system.values()):
            return
        values = np.array([[of_system.get(item, math.nan) for item in items] for of_system in scores.values()])
        yield ScoreTable(
            self.metric, "segment", tuple(scores), values, origin=self.path, digest=self.digest, items=items
        )
