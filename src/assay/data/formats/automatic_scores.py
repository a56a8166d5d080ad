"""The automatic scores of the WMT general task since 2025: one document per line, with scores of its paragraphs.

    {"language_pair": "cs-de_DE", "domain": "edu", "document_id": "edu02", "metric_scores": {"XCOMET-XL": [0.81, 0.2]}}

A file holds one system, after which it is called: `SYSTEM.jsonl` or `automatic_scores-SYSTEM.jsonl`. Segments are named
by the identifier of the document, as outputs have it, and the number of the paragraph: `cs-de_DE_#_edu_#_edu02:1`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from assay.data import CERTAIN, NO
from assay.data.formats import Format, data_format, json_keys
from assay.data.tables.collectors import check_cells
from assay.data.tables.document_ids import document_id
from assay.data.tables.names import checked_name, stem_of
from assay.data.tables.notes import table_gap_notes, unread_notes
from assay.data.tables.numbers import score_of
from assay.data.tables.skipped import SkippedRows
from assay.data.text_files import digest_of, read_lines, shown_path
from assay.errors import EmptyInputError, InputError
from assay.files.strict_json import parse_object
from assay.types import Campaign, Note, ScoreTable
from assay.types.language_codes import is_language_pair
from assay.types.note import plural

__all__ = ["AutomaticScores"]

_LABELS = ("language_pair", "domain", "document_id")
_SCORES = "metric_scores"
_PREFIX = "automatic_scores-"


@data_format("automatic-scores")
@dataclass(frozen=True)
class AutomaticScores(Format):
    """Metric scores of one system by paragraph, a campaign for each language pair."""

    suffixes = (".jsonl",)

    def recognises(self, path: Path, head: str) -> int:
        return CERTAIN if {*_LABELS, _SCORES} <= json_keys(head) else NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        lines, notes = read_lines(path)
        shown = shown_path(path)
        if not lines:
            raise EmptyInputError("empty file", path=shown)
        system = checked_name("system", stem_of(path).removeprefix(_PREFIX), path=shown)
        pairs: dict[str, _Pair] = {}
        skipped, others = SkippedRows(shown, rows=len(lines)), dict[str, None]()
        for number, line in enumerate(lines, 1):
            try:
                row = _Row.of(parse_object(line, path=shown, line=number, allow_nan=True), shown, number)
                pairs.setdefault(row.lp, _Pair()).add(row, shown, number)
            except InputError as error:
                skipped.add_error(error, number)
            else:
                others |= dict.fromkeys(row.others)
        notes += (*skipped.notes(), *unread_notes(shown, others, "field"))
        digest = digest_of(path)
        return tuple(pair.campaign(lp, system, str(path), digest, notes) for lp, pair in pairs.items() if pair.items)


@dataclass(frozen=True, slots=True)
class _Row:
    """The scores of a document, by metric and paragraph."""

    lp: str
    document: str
    domain: str
    scores: Mapping[str, list[float]]
    others: tuple[str, ...]

    @classmethod
    def of(cls, tree: Mapping[str, object], path: str, line: int) -> _Row:
        labels = [tree.get(name) for name in _LABELS]
        lp, domain, document = (label if isinstance(label, str) else "" for label in labels)
        if not (document and domain and is_language_pair(lp)):
            raise InputError("the language pair, domain or document is missing", path=path, line=line)
        scores = tree.get(_SCORES)
        if not isinstance(scores, dict) or not scores or not all(isinstance(row, list) for row in scores.values()):
            raise InputError("the metric scores must be an object of lists", path=path, line=line)
        lengths = {len(values) for values in scores.values()}
        if len(lengths) > 1 or 0 in lengths:
            raise InputError("metrics have different numbers of scores, or none", path=path, line=line)
        numbers = {
            name: [score_of(value, path=path, line=line, name=f"score '{name}'") for value in values]
            for name, values in scores.items()
        }
        others = tuple(tree.keys() - {*_LABELS, _SCORES})
        return cls(lp, document_id(lp, domain, document), domain, numbers, others)


@dataclass
class _Pair:
    """The scores of one language pair."""

    items: dict[str, str] = field(default_factory=dict)
    """Domain by segment."""
    scores: dict[str, dict[str, float]] = field(default_factory=dict)
    """By metric and segment."""

    def add(self, row: _Row, path: str, line: int) -> None:
        for name, values in row.scores.items():
            for number, value in enumerate(values, 1):
                item = f"{row.document}:{number}"
                if item in self.scores.setdefault(name, {}):
                    raise InputError(f"a second line of document '{row.document}'", path=path, line=line)
                self.items[item] = row.domain
                self.scores[name][item] = value

    def campaign(self, lp: str, system: str, origin: str, digest: str, notes: list[Note]) -> Campaign:
        cells, values = len(self.items) * len(self.scores), sum(map(len, self.scores.values()))
        check_cells(cells, values, f"{plural(cells, 'cell')}, but only {plural(values, 'score')}", path=origin)
        tables = tuple(
            ScoreTable(
                name=name,
                level="segment",
                systems=(system,),
                values=np.array([[scores.get(item, np.nan) for item in self.items]]),
                origin=origin,
                digest=digest,
                items=tuple(self.items),
                domains=tuple(self.items.values()),
            )
            for name, scores in self.scores.items()
        )
        all_notes = (*notes, *table_gap_notes(tables))
        return Campaign("", lp, len(self.items), (system,), (), None, tables, notes=all_notes)
