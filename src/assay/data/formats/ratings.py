"""Ratings with marked errors as JSON: mt-metrics-eval, WMT24 and WMT25, and Appraise.

| a line has | comes from |
|---|---|
| `SYSTEM<tab>{"errors": […]}[<tab>RATER]` | mt-metrics-eval, `.seg.rating`; `None` is not rated; segments in order |
| `source, hypothesis, errors, segment_id, system_id, rater_id, …` | mt-metrics-eval, standalone |
| `esa_score, esa_spans, line_id, langs, system, annotator, src, tgt, …` | WMT24, `wmt24_esa.jsonl` |
| `scores, src_text, tgt_text, doc_id` | WMT24 and WMT25, `…-genmt-humeval.jsonl` |
| `annotator, target_id, score, mqm_annotations, item_id, …` | Appraise, export to JSONL |
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from assay.data import CERTAIN, NO
from assay.data.formats import Format, data_format, has_suffix, json_keys
from assay.data.tables.collectors import CampaignCollector, RatingCollector, TextCollector
from assay.data.tables.error_spans import MISSING, mtme_errors
from assay.data.tables.names import stem_of
from assay.data.tables.notes import unread_notes
from assay.data.tables.rating_records import LAYOUTS, RatingLayout, RatingRecord, Unread
from assay.data.tables.skipped import SkippedRows
from assay.data.text_files import digest_of, read_lines, shown_path
from assay.errors import EmptyInputError, InputError, printable
from assay.files.strict_json import parse_object
from assay.types import Campaign, Note, NoteKind
from assay.types.language_codes import LANGUAGE_PAIR
from assay.types.note import plural

__all__ = ["RatingFile"]

_SYSTEMS_AND_JSON = (".seg.rating",)
_PAIR = re.compile(rf"(?P<lp>{LANGUAGE_PAIR})\.(?P<name>.+)")


@data_format("ratings")
@dataclass(frozen=True)
class RatingFile(Format):
    """Ratings with marked errors, as JSON."""

    protocol: Literal["auto", "MQM", "ESA", "DA"] = "auto"

    suffixes = (".jsonl", *_SYSTEMS_AND_JSON)

    def recognises(self, path: Path, head: str) -> int:
        if has_suffix(path, _SYSTEMS_AND_JSON):
            return CERTAIN
        return CERTAIN if _layout_of(json_keys(head)) else NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        lines, notes = read_lines(path)
        shown = shown_path(path)
        if not lines:
            raise EmptyInputError("empty file", path=shown)
        if has_suffix(path, _SYSTEMS_AND_JSON):
            return (self._blocks(path, lines, notes),)
        name = stem_of(path)
        collected = _Collected(name, shown, digest_of(path), self.protocol, notes)
        skipped = SkippedRows(shown, rows=len(lines))
        for line, text in enumerate(lines, 1):
            try:
                collected.add_line(parse_object(text, path=shown, line=line), line)
            except InputError as error:
                skipped.add_error(error, line)
        notes += skipped.notes()
        return collected.campaigns()

    def _blocks(self, path: Path, lines: Iterable[str], notes: list[Note]) -> Campaign:
        """A `.seg.rating` file: one block per system, with one line per segment."""
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
                record = parse_object(rated, path=shown, line=line)
                extra |= record.keys() - {"errors"}
                errors = mtme_errors(record.get("errors"), path=shown, line=line)
                ratings.add(rater[0] if rater else name, system, segment, errors=errors)
        if len(set(counts.values())) > 1:
            shown_counts = ", ".join(f"'{printable(system)}' {count:,}" for system, count in counts.items())
            raise InputError(f"systems have different numbers of segments: {shown_counts}", path=shown)
        notes += unread_notes(shown, sorted(extra), "field")
        if unrated := sum(counts.values()) - len(ratings):
            text = f"{unrated:,} of {plural(sum(counts.values()), 'output')} not rated"
            notes.append(Note(NoteKind.MISSING, text, shown, unrated))
        collector.systems |= dict.fromkeys(counts)
        return collector.campaign(segments=max(counts.values()))


def _three_fields(text: str, path: str, line: int) -> list[str]:
    row = text.split("\t")
    if len(row) not in (2, 3) or not all(part.strip() for part in row):
        hint = "write SYSTEM<tab>JSON, or SYSTEM<tab>JSON<tab>RATER"
        raise InputError(f"expected 2 or 3 fields, none empty, not {len(row)}", path=path, line=line, hint=hint)
    return row


def _layout_of(keys: Iterable[str]) -> RatingLayout | None:
    present = set(keys)
    return next((layout for layout in LAYOUTS if layout.keys <= present), None)


def _key(record: RatingRecord) -> tuple[object, ...]:
    return record.lp, record.rater, record.system, record.segment


@dataclass
class _Collected:
    """Campaigns by language pair."""

    name: str
    path: str
    digest: str
    protocol: str
    notes: list[Note]
    layout: RatingLayout | None = None
    """Of the first line."""
    unread: Counter[Unread] = field(default_factory=Counter)
    """Parts of records that are not ratings."""
    unscored: int = 0
    """Ratings without a score."""
    fields: dict[str, None] = field(default_factory=dict)
    """Unused fields."""
    seen: set[tuple[object, ...]] = field(default_factory=set)
    records: list[tuple[RatingRecord, str]] = field(default_factory=list)
    groups: dict[str, CampaignCollector] = field(default_factory=dict)

    def add_line(self, fields: dict[str, Any], line: int) -> None:
        """Add the ratings of a line, all or none."""
        layout = _layout_of(fields)
        if layout is None or self.layout not in (None, layout):
            message = "unrecognised layout of a rating" if layout is None else "not the layout of the first line"
            raise InputError(message, path=self.path, line=line, hint="see the section Ratings of docs/data.md")
        records = list(layout.read(fields, self.path, line))
        for record in records:
            if not layout.allows_repeats and isinstance(record, RatingRecord) and _key(record) in self.seen:
                names = f"'{printable(record.system)}' by '{printable(record.rater)}'"
                raise InputError(f"duplicate rating of {names} for a segment", path=self.path, line=line)
        self.layout = layout
        self.fields |= dict.fromkeys(fields.keys() - layout.keys - layout.others)
        self._add_all(records, layout)

    def _add_all(self, records: Iterable[RatingRecord | Unread], layout: RatingLayout) -> None:
        for record in records:
            if isinstance(record, Unread):
                self.unread[record] += 1
                continue
            self.seen.add(_key(record))
            self.unscored += layout.has_scores and math.isnan(record.score)
            self.records.append((record, layout.protocol))

    def _add(self, record: RatingRecord, protocol: str, lp: str) -> None:
        group = self.groups.get(lp)
        if group is None:
            ratings = RatingCollector("", protocol, self.path, self.digest)
            group = CampaignCollector(self.name, lp, ratings, TextCollector(self.path))
            self.groups[lp] = group
        if any(error.category not in ("", MISSING) for error in record.errors or ()):
            group.ratings.protocol = "MQM"  # the other protocols with errors have no categories
        segment = group.ratings.add(
            record.rater,
            record.system,
            record.segment,
            record.score,
            kind=record.kind,
            errors=record.errors,
            document=record.document,
            domain=record.domain,
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
            raise EmptyInputError("no ratings", path=self.path)
        pairs = {record.lp for record, _ in self.records if record.lp}
        only = next(iter(pairs)) if len(pairs) == 1 else ""  # tutorials do not name their language pair
        for record, protocol in self.records:
            self._add(record, protocol, record.lp or only)
        notes = [*self.notes, *unread_notes(self.path, sorted(self.fields), "field")]
        for item, count in self.unread.items():
            notes.append(Note(NoteKind.UNREAD, f"{plural(count, item.noun)} {item.reason}", self.path, count))
        if self.unscored:
            text = f"{plural(self.unscored, 'rating')} without a score"
            notes.append(Note(NoteKind.MISSING, text, self.path, self.unscored))
        for group in self.groups.values():
            group.notes += notes
            if self.protocol != "auto":
                group.ratings.protocol = self.protocol
            group.ratings.name = group.ratings.protocol.lower()
        return tuple(group.campaign() for group in self.groups.values())
