"""Individual judgements as JSON lines: our own form, which holds everything that `Ratings` and `Rankings` hold.

A rating is one line, and so is a ranking:

    {"lp": "en-de", "name": "mqm", "protocol": "MQM", "rater": "r1", "system": "A", "segment": 1, "errors": […]}
    {"lp": "en-de", "name": "rr", "protocol": "RR", "judge": "j1", "segment": 1, "ranks": {"A": 1, "B": 2, "C": null}}

`dataset` is the test set. Segments are numbered from 1; a judged item with a name has `item` instead, and the score of
a whole document neither. A rating may have `score`, `kind` (default: TGT), `document`, `domain`, `wave` (a part of the
campaign), `time` (when it was finished, in seconds) and `errors`: `category`, `severity`, and where they are known
`start`, `end` (exclusive), `in_source`, `score` and `text`. `"better": "lower"` is for scores that are penalties,
`"is_human": false` for errors that a metric predicted, and `"offsets": "utf-16"` for places of errors that count the
units of a browser. A rating with `errors` may lack the protocol, which then is ESA if it has a score and MQM if not,
and the name, which is that of the protocol. Without `errors`, errors were not marked; an empty list says that there are
none. In a ranking, null is a system that was shown but not ranked; `outputs` numbers the outputs if systems with the
same output were judged together.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from assay.data import CERTAIN, NO
from assay.data.formats import Format, data_format, json_keys
from assay.data.tables.collectors import RankingCollector, RatingCollector
from assay.data.tables.long_table import encoded, write_packed
from assay.data.tables.misspelt import check_spelling
from assay.data.tables.notes import gap_notes, unread_notes
from assay.data.tables.numbers import ZeroSegmentError, check_scale, score_of
from assay.data.tables.rating_records import item_kind
from assay.data.tables.skipped import SkippedRows
from assay.data.text_files import digest_of, read_lines, shown_path
from assay.errors import ConfigError, EmptyInputError, InputError, NameClashError, printable
from assay.files.strict_json import parse_object
from assay.types import PROTOCOLS, UNRANKED, Campaign, ErrorSpan, Judgements, Note, Rankings, Ratings
from assay.types.judgements import CHARACTERS, UTF16
from assay.types.language_codes import is_language_pair, not_a_language_pair

__all__ = ["JudgementFile"]

_RATING = {"rater", "system", "protocol", "name"}
_RANKING = {"judge", "ranks", "name"}
_MARKED = {"rater", "system", "errors"}
_OPTIONAL = {
    "dataset",
    "lp",
    "segment",
    "item",
    "score",
    "kind",
    "document",
    "domain",
    "wave",
    "time",
    "errors",
    "better",
    "is_human",
    "offsets",
}
_KNOWN = _RATING | _RANKING | _OPTIONAL | {"outputs"}
_ERROR_KEYS = {"category", "severity", "start", "end", "in_source", "score", "text"}
_ERROR_TYPES: tuple[tuple[str, Any, object, str], ...] = (
    ("category", str, "", "text"),
    ("severity", str, None, "text"),
    ("start", int | None, None, "an integer or null"),
    ("end", int | None, None, "an integer or null"),
    ("in_source", bool, False, "true or false"),
    ("text", str | None, None, "text"),
)
"""The keys of an error: the types of their values, what counts without the key, and these types in words."""
_LARGEST_SEGMENT = 10**9


@data_format("judgements")
@dataclass(frozen=True)
class JudgementFile(Format):
    """Individual judgements, one per line."""

    suffixes = (".judgements.jsonl",)

    def recognises(self, path: Path, head: str) -> int:
        keys = json_keys(head)
        return CERTAIN if any(keys >= needed for needed in (_RATING, _RANKING, _MARKED)) else NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        lines, notes = read_lines(path)
        shown = shown_path(path)
        if not lines:
            raise EmptyInputError("empty file", path=shown)
        collected = _Collected(shown, digest_of(path))
        skipped = SkippedRows(shown, rows=len(lines))
        for line, text in enumerate(lines, 1):
            try:
                collected.add(_Line(parse_object(text, path=shown, line=line), shown, line))
            except InputError as error:
                skipped.add_error(error, line)
        for name, (absent, line) in collected.unread.items():
            check_spelling([name], sorted(absent), path=shown, line=line, noun="field")
        notes += (*skipped.notes(), *unread_notes(shown, sorted(collected.unread), "field"))
        return tuple(collected.campaigns(notes))

    def write(self, campaigns: Iterable[Campaign], path: Path) -> None:
        lines: list[str] = []
        for campaign in campaigns:
            label = f"{campaign.name} {campaign.lp}".strip() or "a campaign"
            if campaign.testset is not None or campaign.scores:
                hint = "write only the judgements: only=judgements"
                raise ConfigError(f"{label}: a file of judgements cannot hold texts and scores", hint=hint)
            names = [judged.name for judged in campaign.judged_or_predicted]
            if len(set(names)) < len(names):
                raise NameClashError(f"{label}: two kinds of judgements with the same name")
            about = {key: text for key, text in (("dataset", campaign.name), ("lp", campaign.lp)) if text}
            for judged in campaign.judged_or_predicted:
                records = _ratings(judged) if isinstance(judged, Ratings) else _rankings(judged)
                lines += (json.dumps(about | record, ensure_ascii=False) for record in records)
        if not lines:
            raise EmptyInputError("no judgements to write")
        write_packed(path, encoded("\n".join([*lines, ""])))


def _ratings(ratings: Ratings) -> Iterator[dict[str, Any]]:
    about: dict[str, Any] = {"name": ratings.name, "protocol": ratings.protocol}
    about |= {} if ratings.higher_is_better else {"better": "lower"}
    about |= {} if ratings.is_human else {"is_human": False}
    about |= {} if ratings.offsets == CHARACTERS else {"offsets": ratings.offsets}
    numbers = zip(ratings.rater.tolist(), ratings.system.tolist(), ratings.segment.tolist(), strict=True)
    scores = ratings.score.tolist()
    times = [math.nan] * len(ratings) if ratings.time is None else ratings.time.tolist()
    for row, (rater, system, segment) in enumerate(numbers):
        record = about | {"rater": ratings.raters[rater], "system": ratings.systems[system]}
        if segment >= 0:
            record |= {"item": ratings.items[segment]} if ratings.items else {"segment": segment + 1}
        for key, number in (("score", scores[row]), ("time", times[row])):
            record |= {} if math.isnan(number) else {key: number}
        for key, column, default in (
            ("kind", ratings.kind, "TGT"),
            ("document", ratings.document, ""),
            ("domain", ratings.domain, ""),
            ("wave", ratings.wave, ""),
        ):
            record |= {key: column[row]} if column and column[row] != default else {}
        if ratings.errors and (marked := ratings.errors[row]) is not None:
            record["errors"] = [_error(error) for error in marked]
        yield record


def _error(error: ErrorSpan) -> dict[str, Any]:
    record: dict[str, Any] = {"category": error.category, "severity": error.severity}
    if error.start is not None:
        record |= {"start": error.start, "end": error.end}
    if error.in_source:
        record["in_source"] = True
    if error.score is not None:
        record["score"] = error.score
    if error.text is not None:
        record["text"] = error.text
    return record


def _rankings(rankings: Rankings) -> Iterator[dict[str, Any]]:
    names = rankings.systems
    outputs = rankings.output
    for row, (judge, segment) in enumerate(zip(rankings.judge.tolist(), rankings.segment.tolist(), strict=True)):
        ranks = rankings.ranks[row]
        shown = np.flatnonzero(ranks if outputs is None else outputs[row]).tolist()
        record: dict[str, Any] = {
            "name": rankings.name,
            "protocol": "RR",
            "judge": rankings.judges[judge],
            "segment": segment + 1,
            "ranks": {names[i]: int(ranks[i]) if ranks[i] != UNRANKED else None for i in shown},
        }
        if outputs is not None:
            record["outputs"] = {names[i]: int(outputs[row, i]) for i in shown}
        yield record


@dataclass(frozen=True, slots=True)
class _Line:
    """A line as JSON, and its values by key."""

    record: dict[str, Any]
    path: str
    number: int

    def error(self, message: str) -> InputError:
        return InputError(message, path=self.path, line=self.number)

    def text(self, key: str, default: str | None = None) -> str:
        value = self.record.get(key, default)
        if not isinstance(value, str):
            raise self.error(f"the {key} must be text" if value is not None else f"no {key}")
        return value

    def name(self, key: str) -> str:
        """A text that is not empty."""
        if not (name := self.text(key)).strip():
            raise self.error(f"the {key} is empty")
        return name

    def number_of(self, key: str) -> float:
        return score_of(self.record.get(key), path=self.path, line=self.number, name=key)

    def segment(self) -> int | str:
        """A number from 0, a name, or -1 for a whole document."""
        value = self.record.get("segment")
        if "item" in self.record:
            if value is not None:
                raise self.error("a judgement has a segment or an item, not both")
            return self.text("item")
        if value is None:
            return -1
        if value == 0 and isinstance(value, int) and not isinstance(value, bool):
            raise ZeroSegmentError(path=self.path, line=self.number)
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= _LARGEST_SEGMENT:
            raise self.error("the segment must be a positive integer")
        return value - 1

    def errors(self) -> tuple[ErrorSpan, ...] | None:
        """The marked errors; None without the key, which says that errors were not marked."""
        if "errors" not in self.record:
            return None
        values = self.record["errors"]
        if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
            raise self.error("the errors must be a list of JSON objects")
        return tuple(map(self._error, values))

    def _error(self, value: dict[str, Any]) -> ErrorSpan:
        for name in value.keys() - _ERROR_KEYS:
            raise self.error(f"an error has {', '.join(sorted(_ERROR_KEYS))}, not '{printable(name[:40])}'")
        for key, kinds, default, needed in _ERROR_TYPES:
            if not isinstance(found := value.get(key, default), kinds) or isinstance(found, bool) != (kinds is bool):
                raise self.error(f"the {key} of an error must be {needed}, not {printable(json.dumps(found)[:40])}")
        score, start, end = value.get("score"), value.get("start"), value.get("end")
        number = None if score is None else score_of(score, path=self.path, line=self.number, name="score of an error")
        in_source, text = value.get("in_source", False), value.get("text")
        return ErrorSpan(value.get("category", ""), value["severity"], start, end, in_source, number, text)

    def by_system(self, key: str) -> dict[str, int]:
        """Ranks or numbers of outputs; null is UNRANKED."""
        values = self.record.get(key)
        if not isinstance(values, dict):
            raise self.error(f"the {key} must be an object of systems and integers")
        for value in values.values():
            if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 1):
                raise self.error(f"the {key} must be positive integers or null")
        return {name: UNRANKED if value is None else value for name, value in values.items()}


@dataclass
class _Collected:
    """Collectors by test set, language pair, name and protocol."""

    path: str
    digest: str
    ratings: dict[tuple[str, str, str, str], RatingCollector] = field(default_factory=dict)
    rankings: dict[tuple[str, str, str, str], RankingCollector] = field(default_factory=dict)
    unread: dict[str, tuple[set[str], int]] = field(default_factory=dict)
    """By unknown field: the known ones that a line with it does not have, and the first such line."""
    has_outputs: set[tuple[str, str, str, str]] = field(default_factory=set)

    def add(self, line: _Line) -> None:
        lp = line.text("lp", "")
        if lp and not is_language_pair(lp):
            raise not_a_language_pair(lp, path=line.path, line=line.number)
        is_ranking = "ranks" in line.record
        unnamed = ("ESA" if "score" in line.record else "MQM") if "errors" in line.record else None
        protocol = "RR" if is_ranking else line.text("protocol", unnamed)
        if protocol not in PROTOCOLS:
            raise line.error(f"unknown protocol '{printable(protocol[:40])}'; known: {', '.join(PROTOCOLS)}")
        key = line.text("dataset", ""), lp, line.text("name", unnamed and protocol.lower()), protocol
        if is_ranking:
            self._add_ranking(key, line)
        else:
            self._add_rating(key, line)
        for name in line.record.keys() - _KNOWN:
            absent, first = self.unread.get(name, (set(), line.number))
            self.unread[name] = absent | (_KNOWN - line.record.keys()), first

    def _add_rating(self, key: tuple[str, str, str, str], line: _Line) -> None:
        better, is_human = line.text("better", "higher"), line.record.get("is_human", True)
        offsets = line.text("offsets", CHARACTERS)
        collector = self.ratings.get(key)
        if collector is None:
            about = (self.path, self.digest, better == "higher", bool(is_human), offsets)
            collector = RatingCollector(key[2], key[3], *about)
        if better not in ("higher", "lower") or collector.higher_is_better != (better == "higher"):
            raise line.error("better must be higher or lower, the same for all ratings of a name")
        if is_human is not collector.is_human:
            raise line.error("is_human must be true or false, the same for all ratings of a name")
        if offsets not in (CHARACTERS, UTF16) or offsets != collector.offsets:
            raise line.error(f"offsets must be {CHARACTERS} or {UTF16}, the same for all ratings of a name")
        score, errors = check_scale(line.number_of("score"), key[3], path=self.path, line=line.number), line.errors()
        if errors is None and math.isnan(score) and (key[3] == "MQM" or not is_human):
            raise line.error('no score and no errors; if none were found, write "errors": []')
        collector.add(
            line.name("rater"),
            line.name("system"),
            line.segment(),
            score,
            kind=item_kind(line.text("kind", "TGT"), path=self.path, line=line.number),
            errors=errors,
            document=line.text("document", ""),
            domain=line.text("domain", ""),
            time=line.number_of("time"),
            wave=line.text("wave", ""),
        )
        self.ratings[key] = collector

    def _add_ranking(self, key: tuple[str, str, str, str], line: _Line) -> None:
        segment, ranks = line.segment(), line.by_system("ranks")
        outputs = line.by_system("outputs") if "outputs" in line.record else None
        if not isinstance(segment, int) or segment < 0:
            raise line.error("a ranking needs a segment")
        if outputs is not None and outputs.keys() != ranks.keys():
            raise line.error("the outputs must be of the systems in ranks")
        collector = self.rankings.setdefault(key, RankingCollector(key[2], self.path, self.digest))
        collector.add(line.text("judge"), segment, ranks, outputs)
        if outputs is not None:
            self.has_outputs.add(key)

    def campaigns(self, notes: list[Note]) -> Iterator[Campaign]:
        groups: dict[tuple[str, str], list[Judgements]] = {}
        for key, ratings in self.ratings.items():
            judged = ratings.ratings()
            self._check_scored(judged)
            groups.setdefault(key[:2], []).append(judged)
        for key, collector in self.rankings.items():
            rankings = collector.rankings()
            if key not in self.has_outputs:
                rankings = replace(rankings, output=None)
            groups.setdefault(key[:2], []).append(rankings)
        if not groups:
            raise EmptyInputError("no judgements", path=self.path)
        for (name, lp), judgements in groups.items():
            all_notes = (*notes, *(note for judged in judgements for note in gap_notes(judged)))
            systems = tuple(dict.fromkeys(name for judged in judgements for name in judged.systems))
            segments = max(map(_segments, judgements))
            yield Campaign(name, lp, segments, systems, (), None, notes=all_notes, **_by_kind(judgements))

    def _check_scored(self, ratings: Ratings) -> None:
        """Refuse ratings that must have scores and have none: errors marked for ESA must not be counted as for MQM."""
        has_penalties = any(error.score is not None for errors in ratings.errors for error in errors or ())
        is_scored = not np.isnan(ratings.score).all()
        if ratings.protocol in ("MQM", "other") or has_penalties or is_scored or not ratings.is_human:
            return
        message = f"{len(ratings):,} of {len(ratings):,} {ratings.protocol} ratings have no score"
        raise InputError(message, path=self.path)


def _by_kind(judgements: Iterable[Judgements]) -> dict[str, Any]:
    """What people judged and what metrics predicted, as fields of a campaign."""
    judged = list(judgements)
    predicted = [each for each in judged if isinstance(each, Ratings) and not each.is_human]
    return {"judgements": tuple(each for each in judged if each not in predicted), "predictions": tuple(predicted)}


def _segments(judged: Judgements) -> int:
    named = len(judged.items) if isinstance(judged, Ratings) else 0
    return named or int(judged.segment.max(initial=-1)) + 1
