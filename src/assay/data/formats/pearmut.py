"""Campaigns of Pearmut, the tool of the WMT human evaluation since 2025: what raters were shown, and what they said.

| a file has | is |
|---|---|
| `{"annotation": […], "item": […], "user_id": …, "item_i": …}` in each line | a log, `annotations/CAMPAIGN.jsonl` |
| `{"CAMPAIGN": [{"annotation": …}, …], …}` | logs of several campaigns, downloaded as `annotations.json` |
| `{"campaign_id": …, "info": {…}, "data": […]}`, or a list of such | campaigns: texts, and names of special tokens |

The language pair is in the name of the campaign, or in those of the segments (`item_id`). Errors of special tokens,
such as `[missing]`, have a category and no position. Items of attention checks and tutorials are CHK, outputs that were
damaged for a check BAD; their ratings are kept if the outputs are of systems that were rated elsewhere, too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from assay.data import CERTAIN, NO
from assay.data.formats import Format, data_format, json_keys
from assay.data.joined import join_campaigns
from assay.data.tables.collectors import CampaignCollector, RatingCollector, TextCollector
from assay.data.tables.error_spans import INSTRUCTION_FAULT, MISSING
from assay.data.tables.names import stem_of
from assay.data.tables.pearmut_log import Log, PearmutRating, pair_in, split_name
from assay.data.tables.pearmut_spans import TOKENS
from assay.data.tables.pearmut_texts import PearmutCampaign
from assay.data.tables.skipped import SkippedRows
from assay.data.text_files import digest_of, read_lines, read_text, shown_path
from assay.errors import ConfigError, EmptyInputError, InputError, printable
from assay.files.strict_json import parse_json, parse_object
from assay.types import Campaign, Note, NoteKind
from assay.types.note import listed, plural

__all__ = ["Pearmut"]

_LOG_KEYS = {"annotation", "user_id"}
_RESET = re.compile(r'"annotation"\s*:\s*"__RESET__"')
_LOG = r'\s*"(?:[^"\\]|\\.)+"\s*:\s*\[\s*'
_NO_ENTRIES = rf"{_LOG}\]\s*"
_DOWNLOAD = re.compile(rf'\s*\{{(?:{_NO_ENTRIES},)*+{_LOG}\{{\s*"(?:annotation|user_id)"\s*:')
_EMPTY = re.compile(rf"\s*\{{{_NO_ENTRIES}(?:,{_NO_ENTRIES})*+\}}\s*")
"""Logs of campaigns that nobody has annotated yet."""
_CAMPAIGN = re.compile(r"\s*+(?:\[\s*+)?\{")
_UNUSED = "has anyone annotated this campaign?"
_NO_CATEGORY = ("", MISSING, INSTRUCTION_FAULT)


@data_format("pearmut")
@dataclass(frozen=True)
class Pearmut(Format):
    """Ratings with marked errors, and the texts that were rated, of one output or of several side by side.

    `max_failed` leaves out raters who failed more attention checks than this; by default, all raters count.
    """

    protocol: Literal["auto", "MQM", "ESA", "DA"] = "auto"
    max_failed: int | None = None

    suffixes = (".jsonl", ".json")

    def __post_init__(self) -> None:
        if self.max_failed is not None and self.max_failed < 0:
            raise ConfigError(f"max_failed must be a number from 0, not {self.max_failed}")

    def recognises(self, path: Path, head: str) -> int:
        head = head.removeprefix("\ufeff")
        keys = json_keys(head)
        first = head.partition("\n")[0]
        is_log = keys >= _LOG_KEYS | {"item"} or (keys >= {"annotation", "actions"}) or _RESET.search(first)
        if first.startswith("{") and is_log and not _DOWNLOAD.match(head):
            return CERTAIN
        is_campaign = _CAMPAIGN.match(head) and '"info"' in head and '"assignment"' in head
        if _EMPTY.fullmatch(head) and pair_in(head):
            return CERTAIN
        return CERTAIN if _DOWNLOAD.match(head) or is_campaign else NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        return self.read_together((path,))

    def read_together(self, paths: Sequence[Path]) -> tuple[Campaign, ...]:
        """The ratings and texts of each language pair. Logs take the names of special tokens from their campaigns."""
        contents = [_Content.of(path) for path in paths]
        shown = {campaign.name: campaign for content in contents for campaign in content.campaigns}
        of_pairs: dict[str, list[Campaign]] = {}
        for content in contents:
            for campaign in (*self._ratings(content, shown), *_texts(content)):
                of_pairs.setdefault(campaign.lp, []).append(campaign)
        return tuple(join_campaigns(group, group[0].name) for group in of_pairs.values())

    def _ratings(self, content: _Content, shown: Mapping[str, PearmutCampaign]) -> Iterator[Campaign]:
        used = {name: entries for name, entries in content.logs.items() if entries} or content.logs
        unused = [
            Note(NoteKind.MISSING, f"no ratings in the campaign '{printable(name)}'", content.shown)
            for name in content.logs
            if name not in used
        ]
        for name, entries in used.items():
            known = shown.get(name)
            where = content.shown if len(content.logs) == 1 else f"{content.shown}, '{name}'"
            log = Log(where, TOKENS if known is None else known.tokens)
            skipped = SkippedRows(where, rows=len(entries))
            for line, entry in enumerate(entries, 1):
                try:
                    log.add(parse_object(entry, path=where, line=line) if isinstance(entry, str) else entry, line)
                except InputError as error:
                    skipped.add_error(error, line)
            kept = _Kept.of(log, self.max_failed)
            notes = (*content.notes, *unused, *skipped.notes(), *log.notes(), *kept.notes(where))
            protocol = self.protocol if self.protocol != "auto" or known is None else known.protocol
            yield from _campaigns(kept.ratings, name, protocol, content, notes)


@dataclass(frozen=True, slots=True)
class _Content:
    """What a file has: logs, as lines or as objects, or campaigns; by name."""

    path: Path
    logs: Mapping[str, Sequence[str | Mapping[str, Any]]]
    campaigns: tuple[PearmutCampaign, ...]
    notes: tuple[Note, ...]

    @classmethod
    def of(cls, path: Path) -> _Content:
        text, notes = read_text(path)
        shown = shown_path(path)
        head = text.lstrip("\ufeff")
        if not head.strip():
            raise EmptyInputError("empty file", path=shown)
        if _EMPTY.fullmatch(head):
            raise EmptyInputError("no ratings", path=shown, hint=_UNUSED)
        if not _DOWNLOAD.match(head) and not ('"info"' in head and '"assignment"' in head and _is_whole(head)):
            lines, notes = read_lines(path)
            return cls(path, {stem_of(path): lines}, (), tuple(notes))
        content = parse_json(head, path=shown)
        if _DOWNLOAD.match(head):
            return cls(path, _checked_logs(content, shown), (), tuple(notes))
        found = content if isinstance(content, list) else [content]
        return cls(path, {}, tuple(PearmutCampaign.of(each, shown) for each in found), tuple(notes))

    @property
    def shown(self) -> str:
        return shown_path(self.path)


def _is_whole(text: str) -> bool:
    """Whether a text is one JSON value, not lines of them: a log repeats what was shown, and may have any words."""
    first = text.partition("\n")[0]
    return not json_keys(first) >= _LOG_KEYS


def _checked_logs(content: object, path: str) -> dict[str, list[Mapping[str, Any]]]:
    if not isinstance(content, dict) or not all(
        isinstance(log, list) and all(isinstance(entry, dict) for entry in log) for log in content.values()
    ):
        raise InputError("expected an object of logs by campaign, each a list of objects", path=path)
    return content


@dataclass(frozen=True, slots=True)
class _Kept:
    """The ratings that count, and how many do not."""

    ratings: list[PearmutRating]
    foreign: int
    """Ratings of checks and tutorials, of outputs that no system made."""
    excluded: Counter[str]
    """Ratings by raters who failed too many checks."""
    repeated: int
    widest: int
    """The largest number of outputs side by side."""

    @classmethod
    def of(cls, log: Log, max_failed: int | None) -> _Kept:
        failed = log.failed if max_failed is not None else {}
        banned = {rater for rater, (count, _) in failed.items() if max_failed is not None and count > max_failed}
        excluded = Counter({entry.rater: 0 for entry in log.entries if entry.rater in banned})
        found = []
        for entry in log.entries:
            if entry.rater in banned:
                excluded[entry.rater] += len(entry.ratings)
            else:
                found += entry.ratings
        systems = {rating.system for rating in found if rating.kind == "TGT"}
        ratings = [rating for rating in found if rating.system in systems]
        cells = Counter((rating.rater, rating.segment, rating.system) for rating in ratings)
        screens = Counter((rating.rater, rating.line, rating.segment) for rating in ratings)
        widest = max(screens.values(), default=0)
        return cls(ratings, len(found) - len(ratings), excluded, sum(cells.values()) - len(cells), widest)

    def notes(self, path: str) -> Iterator[Note]:
        if self.excluded:
            text = (
                f"{plural(self.excluded.total(), 'rating')} left out, by raters who failed too many attention checks: "
            )
            yield Note(NoteKind.EXCLUDED, text + listed(self.excluded, 10), path, self.excluded.total())
        if self.foreign:
            text = f"{plural(self.foreign, 'rating')} of attention checks and tutorials left out"
            yield Note(NoteKind.EXCLUDED, text, path, self.foreign)
        if self.repeated:
            text = f"{plural(self.repeated, 'rating')} of an output that the same rater rated before; all of them count"
            yield Note(NoteKind.SUSPECT, text, path, self.repeated)
        if self.widest > 1:
            text = f"outputs were rated side by side, up to {self.widest} on a screen: ratings of one screen depend on "
            yield Note(NoteKind.PROVENANCE, text + "each other", path, self.widest)


def _campaigns(
    ratings: Iterable[PearmutRating], name: str, protocol: str, content: _Content, notes: Sequence[Note]
) -> Iterator[Campaign]:
    """The ratings of a log, by language pair. One that only some segments name is that of all."""
    found = list(ratings)
    lp = pair_in(name)
    pairs = {rating.segment: pair_in(rating.segment) for rating in found} if not lp else {}
    named = {pair for pair in pairs.values() if pair}
    only = next(iter(named)) if len(named) == 1 else ""
    groups: dict[str, list[PearmutRating]] = {}
    for rating in found:
        groups.setdefault(lp or pairs[rating.segment] or only, []).append(rating)
    if not groups:
        raise EmptyInputError("no ratings", path=content.shown, hint=_UNUSED)
    for pair, group in groups.items():
        yield _campaign(group, "" if lp else name, pair, protocol, content, notes)


def _campaign(
    ratings: Sequence[PearmutRating], name: str, lp: str, protocol: str, content: _Content, notes: Iterable[Note]
) -> Campaign:
    has_categories = any(error.category not in _NO_CATEGORY for rating in ratings for error in rating.errors)
    chosen = protocol if protocol != "auto" else "MQM" if has_categories else "ESA"
    collected = RatingCollector(chosen.lower(), chosen, content.shown, digest_of(content.path))
    texts = TextCollector(content.shown, hint="give every segment an item_id of its own")
    for rating in ratings:
        document, domain = split_name(rating.segment)
        number = collected.add(
            rating.rater,
            rating.system,
            rating.segment,
            rating.score,
            kind=rating.kind,
            errors=rating.errors,
            document=document,
            domain=domain,
            time=rating.time,
        )
        if rating.kind != "TGT":
            continue  # texts of quality-control items may be altered
        for kind, text in (("source", rating.source), ("document", document or None), ("domain", domain or None)):
            if text is not None:
                texts.add(kind, number, text, line=rating.line)
        texts.add("output", number, rating.output, line=rating.line, system=rating.system)
    all_notes = [*notes, *_missing_scores(ratings, content.shown)]
    return CampaignCollector(name, lp, collected, texts, all_notes).campaign()


def _missing_scores(ratings: Sequence[PearmutRating], path: str) -> Iterator[Note]:
    if unscored := sum(rating.score != rating.score for rating in ratings):
        yield Note(NoteKind.MISSING, f"{plural(unscored, 'rating')} without a score", path, unscored)


def _texts(content: _Content) -> Iterator[Campaign]:
    """The texts of campaigns, which name no test set if they name their language pair."""
    for campaign in content.campaigns:
        lp = pair_in(campaign.name)
        for found in campaign.texts(lp, content.shown, digest_of(content.path), content.notes):
            yield replace(found, name="" if found.lp else campaign.name)
