"""Ratings with marked errors as JSON: of mt-metrics-eval, of WMT24 and WMT25, of Pearmut and of Appraise.

| a line has | comes from |
|---|---|
| `SYSTEM<tab>{"errors": […]}[<tab>RATER]` | mt-metrics-eval, `.seg.rating`; `None`: not rated; segments in order |
| `source, hypothesis, errors, segment_id, system_id, rater_id, …` | mt-metrics-eval, standalone |
| `esa_score, esa_spans, line_id, langs, system, annotator, src, tgt, …` | WMT24, `wmt24_esa.jsonl` |
| `scores, src_text, tgt_text, doc_id` | WMT24 and WMT25, `…-genmt-humeval.jsonl` |
| `annotation, item, user_id, item_i, …` | Pearmut |
| `annotator, target_id, score, mqm_annotations, item_id, …` | Appraise, export to JSONL |
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from assay.data.collecting import CampaignCollector, RatingCollector, TextCollector
from assay.data.fields import json_object
from assay.data.formats import CERTAIN, NO, Format, form, has_suffix
from assay.data.noting import unread_note
from assay.data.rated import READERS, Rated, Reader
from assay.data.spans import MISSING, mtme_errors
from assay.data.text import digest_of, read_lines, shown_path
from assay.errors import EmptyInputError, InputError, printable
from assay.types import Campaign

__all__ = ["RatingFile"]

_NO_SCORE = "ratings have no score"
_SYSTEMS_AND_JSON = (".seg.rating",)
_PAIR = re.compile(r"(?P<lp>[a-z]{2,3}(_[A-Za-z]+)?-[a-z]{2,3}(_[A-Za-z]+)?)\.(?P<name>.+)")


@form("ratings")
@dataclass(frozen=True)
class RatingFile(Format):
    """Ratings with marked errors, as JSON."""

    protocol: Literal["auto", "MQM", "ESA", "DA"] = "auto"

    suffixes = (".jsonl", *_SYSTEMS_AND_JSON)

    def recognises(self, path: Path, head: str) -> int:
        if has_suffix(path, _SYSTEMS_AND_JSON):
            return CERTAIN
        line = head.removeprefix("\ufeff").lstrip().partition("\n")[0]
        return CERTAIN if line.startswith("{") and _reader_of(re.findall(r'"(\w+)"\s*:', line)) else NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        lines, notes = read_lines(path)
        shown = shown_path(path)
        if not lines:
            raise EmptyInputError("an empty file", path=shown)
        if has_suffix(path, _SYSTEMS_AND_JSON):
            return (self._blocks(path, lines, notes),)
        name = path.name.removesuffix(".gz").removesuffix(".jsonl")
        collected = _Collected(name, shown, digest_of(path), self.protocol, notes)
        reader: Reader | None = None
        for line, text in enumerate(lines, 1):
            record = json_object(text, path=shown, line=line)
            found = _reader_of(record)
            if found is None or reader not in (None, found):
                what = "not a rating of any known form" if found is None else "of another form than the first line"
                raise InputError(what, path=shown, line=line, hint="known forms: docs/data.md, Ratings")
            reader = found
            collected.fields |= dict.fromkeys(record.keys() - reader.keys - reader.others)
            collected.add(reader.read(record, shown, line), reader)
        return collected.campaigns()

    def _blocks(self, path: Path, lines: Iterable[str], notes: list[str]) -> Campaign:
        """A `.seg.rating` file: systems with as many lines as there are segments."""
        shown = shown_path(path)
        stem = path.name.removesuffix(".gz").removesuffix(_SYSTEMS_AND_JSON[0])
        named = _PAIR.fullmatch(stem)
        name, lp = (named["name"], named["lp"]) if named else (stem, "")
        protocol = ("ESA" if "esa" in name.lower() else "MQM") if self.protocol == "auto" else self.protocol
        ratings = RatingCollector(name, protocol, shown, digest_of(path))
        collector = CampaignCollector(name, lp, ratings, TextCollector(shown), notes)
        counts: dict[str, int] = {}
        extra: set[str] = set()
        for line, text in enumerate(lines, 1):
            system, rated, *rater = _three_fields(text, shown, line)
            segment = counts.get(system, 0)
            counts[system] = segment + 1
            if rated.strip() != "None":
                given = json_object(rated, path=shown, line=line)
                extra |= given.keys() - {"errors"}
                errors = mtme_errors(given.get("errors"), path=shown, line=line)
                ratings.add(rater[0] if rater else name, system, segment, errors=errors)
        if len(set(counts.values())) > 1:
            shown_counts = ", ".join(f"'{printable(system)}' {count:,}" for system, count in counts.items())
            raise InputError(f"systems have different numbers of segments: {shown_counts}", path=shown)
        notes += unread_note(shown, sorted(extra), "fields")
        if unrated := sum(counts.values()) - len(ratings):
            notes.append(f"{shown}: {unrated:,} of {sum(counts.values()):,} outputs were not rated")
        collector.systems |= dict.fromkeys(counts)
        return collector.campaign(segments=max(counts.values()))


def _three_fields(text: str, path: str, line: int) -> list[str]:
    row = text.split("\t")
    if len(row) not in (2, 3) or not all(part.strip() for part in row):
        hint = "each line is SYSTEM<tab>JSON, and <tab>RATER may follow"
        raise InputError(f"{len(row)} fields, or an empty one", path=path, line=line, hint=hint)
    return row


def _reader_of(keys: Iterable[str]) -> Reader | None:
    there = set(keys)
    return next((reader for reader in READERS if reader.keys <= there), None)


@dataclass
class _Collected:
    """Campaigns by language pair."""

    name: str
    path: str
    digest: str
    protocol: str
    notes: list[str]
    unread: dict[str, int] = field(default_factory=dict)
    """What was no rating, or lacks something, and how often."""
    fields: dict[str, None] = field(default_factory=dict)
    """What lines have besides, and nobody reads."""
    seen: set[tuple[object, ...]] = field(default_factory=set)
    records: list[tuple[Rated, str]] = field(default_factory=list)
    groups: dict[str, CampaignCollector] = field(default_factory=dict)

    def add(self, records: Iterable[Rated], reader: Reader) -> None:
        for record in records:
            if record.unread:
                self.unread[record.unread] = self.unread.get(record.unread, 0) + 1
                continue
            key = record.lp, record.rater, record.system, record.segment
            if not reader.has_twins and key in self.seen:
                what = f"a second rating of '{printable(record.system)}' by '{printable(record.rater)}' for one segment"
                raise InputError(what, path=self.path, line=record.line)
            self.seen.add(key)
            if reader.has_scores and math.isnan(record.score):
                self.unread[_NO_SCORE] = self.unread.get(_NO_SCORE, 0) + 1
            self.records.append((record, reader.protocol))

    def _add(self, record: Rated, protocol: str, lp: str) -> None:
        group = self.groups.get(lp)
        if group is None:
            ratings = RatingCollector("", protocol, self.path, self.digest)
            group = CampaignCollector(self.name, lp, ratings, TextCollector(self.path))
            self.groups[lp] = group
        if any(error.category not in ("", MISSING) for error in record.errors):
            group.ratings.protocol = "MQM"  # the other protocols with errors have no categories
        segment = group.ratings.add(
            record.rater,
            record.system,
            record.segment,
            record.score,
            kind=record.kind,
            errors=record.errors,
            document=record.document,
        )
        if segment < 0 or record.kind != "TGT":
            return  # texts of quality-control items may be altered
        for kind, text in (("source", record.source), ("document", record.document or None)):
            if text is not None:
                group.texts.add(kind, segment, text, line=record.line)
        if record.output is not None:
            group.texts.add("output", segment, record.output, line=record.line, system=record.system)

    def campaigns(self) -> tuple[Campaign, ...]:
        if not self.records:
            raise EmptyInputError("there is no rating", path=self.path)
        pairs = {record.lp for record, _ in self.records if record.lp}
        only = next(iter(pairs)) if len(pairs) == 1 else ""  # tutorials do not say which pair they are of
        for record, protocol in self.records:
            self._add(record, protocol, record.lp or only)
        notes = [*self.notes, *unread_note(self.path, sorted(self.fields), "fields")]
        notes += (f"{self.path}: {count:,} {what}" for what, count in self.unread.items())
        for group in self.groups.values():
            group.notes += notes
            if self.protocol != "auto":
                group.ratings.protocol = self.protocol
            group.ratings.name = group.ratings.protocol.lower()
        return tuple(group.campaign() for group in self.groups.values())
