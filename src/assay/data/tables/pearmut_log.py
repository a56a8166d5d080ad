"""The log of a Pearmut campaign: a document in each entry, with the outputs that a rater saw side by side."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from assay.data.tables.names import domain_in
from assay.data.tables.numbers import check_scale, score_of
from assay.data.tables.pearmut_spans import pearmut_spans
from assay.errors import InputError, printable
from assay.types import ErrorSpan, Note, NoteKind
from assay.types.language_codes import is_language_code, is_language_pair
from assay.types.note import listed, plural

__all__ = ["Entry", "Log", "PearmutRating", "pair_in", "split_name"]

_RESET = "__RESET__"
_CODE = r"[a-z]{2,3}(?:_[A-Z][a-z]{3})?(?:_[A-Z]{2})?"
_PAIR = re.compile(rf"(?<![A-Za-z0-9])({_CODE})(?:---|-)({_CODE})(?![A-Za-z0-9])")
_CHECK = re.compile(r"attention_check_|.*_#_tutorial_#_")
_PARTS = ("_###_", "_#_")
_MAX_LISTED = 10  # raters


class Unread(NamedTuple):
    """What a log has that is no rating, and why it is none."""

    noun: str
    reason: str


_NO_TRANSLATION = Unread("item", "not read: not a translation")
_SKIPPED = Unread("item", "not read: skipped by the rater")
_NOT_SHOWN = Unread("rating", "left out: of an output that was not on the rater's screen")
_SLIDERS = Unread("rating", "has sliders of its own, which are not read")


def pair_in(name: str) -> str:
    """The language pair in the name of a campaign or segment, `eng_Latn---deu_Latn v3` or `cs-de_DE_#_edu_#_e1_#_0`."""
    for source, target in _PAIR.findall(name):
        pair = f"{source}-{target}"
        if is_language_pair(pair) and all(is_language_code(code.partition("_")[0]) for code in (source, target)):
            return pair
    return ""


def split_name(name: str) -> tuple[str, str]:
    """The document and the domain in the name of a segment, `social_###_DOCUMENT_###_0` in WMT26; else nothing."""
    for separator in _PARTS:
        document, _, number = name.rpartition(separator)
        if separator in document and number.isdigit():
            domain = domain_in(name) if separator == "_#_" else document.partition(separator)[0]
            return document, domain
    return "", domain_in(name)


@dataclass(frozen=True, slots=True)
class PearmutRating:
    """The rating of one output, with its texts."""

    line: int
    rater: str
    system: str
    segment: str
    score: float
    errors: tuple[ErrorSpan, ...]
    kind: str
    time: float
    source: str | None
    output: str


@dataclass
class Entry:
    """What a rater said of a document, and which attention checks the rater passed."""

    rater: str
    ratings: list[PearmutRating] = field(default_factory=list)
    checks: tuple[bool, ...] = ()
    unread: Counter[Unread] = field(default_factory=Counter)
    named: int = 0
    unnamed: int = 0
    """The number of rated items with an `item_id`, and without one."""


@dataclass
class Log:
    """The entries of a campaign that count: those of a rater before a reset do not."""

    path: str
    tokens: Sequence[str]
    entries: list[Entry] = field(default_factory=list)
    voided: Counter[str] = field(default_factory=Counter)
    """The number of documents that resets removed, by rater."""

    def add(self, content: Mapping[str, Any], line: int) -> None:
        """Add an entry, or do what a reset says."""
        rater = content.get("user_id")
        if not isinstance(rater, str) or not rater:
            raise InputError("no user_id, or one that is no text", path=self.path, line=line)
        if content.get("annotation") == _RESET:
            self.voided[rater] += sum(entry.rater == rater for entry in self.entries)
            self.entries = [entry for entry in self.entries if entry.rater != rater]
        else:
            self.entries.append(_Reader(content, rater, self.tokens, self.path, line).entry())

    def notes(self) -> Iterator[Note]:
        """What was not counted, and how raters did in attention checks."""
        if count := self.voided.total():
            text = f"{plural(count, 'document')} not counted: Pearmut reset {listed(sorted(self.voided), _MAX_LISTED)}"
            yield Note(NoteKind.EXCLUDED, text, self.path, count)
        unread = sum((entry.unread for entry in self.entries), Counter[Unread]())
        for what, count in unread.items():
            yield Note(NoteKind.UNREAD, f"{plural(count, what.noun)} {what.reason}", self.path, count)
        unnamed = sum(entry.unnamed for entry in self.entries)
        if unnamed and any(entry.named for entry in self.entries):
            text = (
                f"{plural(unnamed, 'rated item')} without an item_id, unlike others: counted as segments of their own, "
                "even if they were also rated under a name"
            )
            yield Note(NoteKind.SUSPECT, text, self.path, unnamed, "warning")
        yield from self._check_notes()

    @property
    def failed(self) -> dict[str, tuple[int, int]]:
        """By rater: the number of failed attention checks, and of all."""
        checks: dict[str, list[bool]] = {}
        for entry in self.entries:
            checks.setdefault(entry.rater, []).extend(entry.checks)
        return {rater: (passed.count(False), len(passed)) for rater, passed in checks.items() if passed}

    def _check_notes(self) -> Iterator[Note]:
        failed = self.failed
        total = sum(count for _, count in failed.values())
        if not total:
            return
        worst = sorted((rater for rater, (count, _) in failed.items() if count), key=lambda r: -failed[r][0])
        count = sum(failed[rater][0] for rater in worst)
        text = f"{total - count:,} of {plural(total, 'attention check')} passed"
        if worst:
            text += "; failed: " + listed((f"{r} {failed[r][0]} of {failed[r][1]}" for r in worst), _MAX_LISTED)
        yield Note(NoteKind.PROVENANCE, text, self.path, total)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads an entry."""

    content: Mapping[str, Any]
    rater: str
    tokens: Sequence[str]
    path: str
    line: int

    def entry(self) -> Entry:
        items, annotations = self.content.get("item"), self.content.get("annotation")
        if not isinstance(items, list) or not isinstance(annotations, list) or len(items) != len(annotations):
            raise self._error("item and annotation must be lists of the same length")
        entry = Entry(self.rater, checks=self._checks())
        for position, (item, annotation) in enumerate(zip(items, annotations, strict=True)):
            if not isinstance(item, dict) or not isinstance(item.get("tgt"), dict):
                entry.unread[_NO_TRANSLATION] += 1
            elif annotation is None:
                entry.unread[_SKIPPED] += 1
            elif isinstance(annotation, dict):
                if isinstance(self.content.get("item_i"), int):  # others are checks and tutorials: welcome_0
                    entry.named += bool(item.get("item_id"))
                    entry.unnamed += not item.get("item_id")
                entry.ratings += self._ratings(item, annotation, self._name(item, position), entry.unread)
            else:
                entry.unread[_NO_TRANSLATION] += 1
        return entry

    def _checks(self) -> tuple[bool, ...]:
        checks = self.content.get("validations") or []
        if not isinstance(checks, list) or not all(isinstance(check, bool) for check in checks):
            raise self._error("validations must be a list of true and false")
        return tuple(checks)

    def _name(self, item: Mapping[str, Any], position: int) -> str:
        name, place = item.get("item_id"), self.content.get("item_i")
        if not isinstance(name, str | None):
            raise self._error("item_id must be text")
        if name:
            return name
        if not isinstance(place, int | str) or isinstance(place, bool):
            raise self._error("item_i must be a number or text")
        return f"{place}:{position}"

    def _ratings(
        self, item: Mapping[str, Any], annotation: Mapping[str, Any], name: str, unread: Counter[Unread]
    ) -> Iterator[PearmutRating]:
        outputs, worse = item["tgt"], _worse_outputs(item.get("validation"))
        is_control = (
            isinstance(self.content.get("item_i"), str)  # welcome_0, random_0
            or item.get("validation") is not None
            or _CHECK.match(name) is not None
        )
        for system, rating in annotation.items():
            if not isinstance(rating, dict):
                raise self._error(f"the annotation of '{printable(system)}' is not a rating")
            if system not in outputs:
                unread[_NOT_SHOWN] += 1
                continue
            sliders = rating.get("sliders") or {}
            if not isinstance(sliders, dict):
                raise self._error(f"the sliders of '{printable(system)}' must be an object")
            if any(value is not None for value in sliders.values()):
                unread[_SLIDERS] += 1
            output = self._text(outputs.get(system), f"output of '{printable(system)}'")
            yield PearmutRating(
                self.line,
                self.rater,
                system,
                name,
                self._score(rating.get("score")),
                pearmut_spans(rating.get("error_spans"), output, self.tokens, path=self.path, line=self.line),
                "TGT" if not is_control else "BAD" if system in worse else "CHK",
                self._time(),
                self._source(item),
                output,
            )

    def _score(self, value: object) -> float:
        return check_scale(score_of(value, path=self.path, line=self.line), "ESA", path=self.path, line=self.line)

    def _time(self) -> float:
        """When the rater finished the document; NaN if that is not recorded."""
        actions = self.content.get("actions")
        times = (action.get("time") for action in actions or () if isinstance(action, dict))
        return max((float(time) for time in times if isinstance(time, int | float)), default=math.nan)

    def _source(self, item: Mapping[str, Any]) -> str | None:
        """The text of the source: `src` may be a video or a picture of it."""
        text = item.get("src_text", item.get("src"))
        return None if text is None else self._text(text, "source")

    def _text(self, value: object, label: str) -> str:
        if not isinstance(value, str):
            raise self._error(f"the {label} must be text")
        return value

    def _error(self, message: str) -> InputError:
        return InputError(message, path=self.path, line=self.line)


def _worse_outputs(rules: object) -> set[str]:
    """The outputs that a rater must score lower than others: damaged on purpose."""
    checks: Iterable[object] = rules.values() if isinstance(rules, dict) else ()
    listed_rules = (rule for check in checks for rule in (check if isinstance(check, list) else [check]))
    found = (rule.get("score_greaterthan") for rule in listed_rules if isinstance(rule, dict))
    return {name for name in found if isinstance(name, str)}
