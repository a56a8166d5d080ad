"""The JSON output of sacreBLEU: scores of one system, or of several, with or without paired tests.

One system: one object per metric, `{"name": "BLEU", "score": 27.3, "signature": "nrefs:1|…", …}`, alone or in a list;
the system is named after the file. Several: a list of `{"system": FILE, "BLEU": "27.3", …}`, in paired tests with
`{"score": 27.3, "p_value": …, "mean": …, "ci": …}` instead of "27.3"; this layout has no signatures.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.data import CERTAIN, LIKELY, NO
from assay.data.formats import Format, data_format
from assay.data.tables.collectors import ScoreCollector
from assay.data.tables.names import checked_name, stem_of, systems_of_files
from assay.data.tables.notes import table_gap_notes
from assay.data.tables.numbers import score_of
from assay.data.text_files import digest_of, read_text, shown_path
from assay.errors import InputError, printable
from assay.files.strict_json import parse_json
from assay.types import Campaign, Note, NoteKind

__all__ = ["SacrebleuJson"]

_BASELINE = "Baseline: "
_SEVERAL = re.compile(r'\s*\[\s*\{\s*"system"\s*:\s*"[^"]*"\s*,\s*"[^"]+"\s*:\s*("[-\d]|\{\s*"score")')


@data_format("sacrebleu-json")
@dataclass(frozen=True)
class SacrebleuJson(Format):
    """System scores, with their signatures as notes."""

    suffixes = (".json",)

    def recognises(self, path: Path, head: str) -> int:
        head = head.removeprefix("\ufeff")
        if re.match(r"\s*[\[{]", head) and all(f'"{key}"' in head for key in ("name", "score", "signature", "nrefs")):
            return CERTAIN
        return LIKELY if _SEVERAL.match(head) else NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        text, notes = read_text(path)
        shown = shown_path(path)
        content = parse_json(text, path=shown, allow_nan=True)
        objects = content if isinstance(content, list) else [content]
        if not objects or not all(isinstance(item, dict) for item in objects):
            raise InputError("expected an object with a score, or a list of such objects", path=shown)
        rows = _Rows(shown)
        if "system" in objects[0]:
            rows.add_systems(objects)
        else:
            rows.add_metrics(checked_name("system", stem_of(path), path=shown), objects)
        tables = tuple(collector.table(1) for collector in rows.collectors(str(path), digest_of(path)))
        systems = tuple(dict.fromkeys(system for table in tables for system in table.systems))
        name = rows.testset or stem_of(path)
        all_notes = (*notes, *rows.notes, *table_gap_notes(tables))
        return (Campaign(name, rows.lp, 0, systems, (), None, tables, notes=all_notes),)


class _Rows:
    """Scores by metric and system, with notes on them."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.scores: dict[str, dict[str, float]] = {}
        self.testset = ""
        self.lp = ""
        self.notes: list[Note] = []

    def add_metrics(self, system: str, objects: Iterable[Mapping[str, Any]]) -> None:
        for item in objects:
            name, signature = item.get("name"), item.get("signature", "")
            if not isinstance(name, str) or not name or not isinstance(signature, str) or "score" not in item:
                raise InputError("an object needs the name and score of a metric", path=self.path)
            self._add(name, system, item["score"])
            self._note(NoteKind.PROVENANCE, f"{name}: {signature}" if signature else f"{name}: no signature")
            if "confidence" in item:
                self._note(NoteKind.UNREAD, f"{name}: unused interval {str(item['confidence'])[:60]}", 1)
            self._place(item)

    def add_systems(self, objects: Collection[Mapping[str, Any]]) -> None:
        files = [name for item in objects if isinstance(name := item.get("system"), str) and name]
        if len(files) < len(objects):
            raise InputError("a system has no name", path=self.path)
        baselines = [name.removeprefix(_BASELINE) for name in files if name.startswith(_BASELINE)]
        names = systems_of_files([name.removeprefix(_BASELINE) for name in files], path=self.path)
        unused: Counter[str] = Counter()
        for item, name in zip(objects, names, strict=True):
            if len(item) < 2:
                raise InputError(f"system '{name}' has no score", path=self.path)
            for metric in item:
                if metric != "system":
                    unused.update(self._add_detail(metric, name, item[metric]))
        for name in baselines:
            self._note(NoteKind.PROVENANCE, f"baseline of the paired tests: {name}")
        if counts := ", ".join(f"{key} {count}" for key, count in sorted(unused.items())):
            self._note(NoteKind.UNREAD, f"unused values: {counts}", unused.total())
        self._note(NoteKind.PROVENANCE, "no signatures: sacreBLEU does not write them for several systems")

    def _add_detail(self, metric: str, system: str, value: object) -> list[str]:
        """Add the score of a metric; returns the names of the other values, which are not used."""
        detail = value if isinstance(value, dict) else {"score": value}
        if "score" not in detail:
            raise InputError(f"'{printable(metric)}' of system '{system}' has no score", path=self.path)
        self._add(metric, system, detail["score"])
        return [key for key, value in detail.items() if key != "score" and value is not None]

    def _note(self, kind: NoteKind, text: str, count: int | None = None) -> None:
        self.notes.append(Note(kind, text, self.path, count))

    def _add(self, metric: str, system: str, value: object) -> None:
        number = value.partition(" (")[0] if isinstance(value, str) else value  # "27.3 (μ = 27.3 ± 0.5)"
        scores = self.scores.setdefault(metric, {})
        if system in scores:
            raise InputError(f"duplicate score '{metric}' of system '{system}'", path=self.path)
        scores[system] = score_of(number, path=self.path, name=f"score '{metric}' of system '{system}'")

    def _place(self, item: Mapping[str, Any]) -> None:
        """The test set and language pair, if sacreBLEU was called with -t and -l."""
        for key, attribute, label in (("test", "testset", "test set"), ("lang", "lp", "language pair")):
            value = item.get(key)
            if isinstance(value, str) and getattr(self, attribute) not in ("", value):
                raise InputError(
                    f"scores of two {label}s: '{getattr(self, attribute)[:40]}' and '{value[:40]}'", path=self.path
                )
            if isinstance(value, str):
                setattr(self, attribute, value)

    def collectors(self, origin: str, digest: str) -> Iterator[ScoreCollector]:
        for metric, scores in self.scores.items():
            better = not metric.upper().startswith("TER")
            collector = ScoreCollector(metric, "system", origin, digest, higher_is_better=better)
            for system, score in scores.items():
                collector.add(system, 0, score)
            yield collector
