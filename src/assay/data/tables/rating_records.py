"""Rating records: JSON objects in the layouts that campaigns and annotation tools publish."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from assay.data.tables.error_spans import inclusive_spans, mtme_errors
from assay.data.tables.languages import language_pair
from assay.data.tables.names import domain_in
from assay.data.tables.numbers import check_scale, score_of
from assay.errors import InputError, printable
from assay.files.strict_json import parse_json
from assay.types import ErrorSpan
from assay.types.language_codes import LANGUAGE_PAIR

__all__ = ["LAYOUTS", "RatingLayout", "RatingRecord", "Unread", "item_kind"]

_MAX_SEGMENT = 10**9
_PAIR_FIRST = re.compile(rf"({LANGUAGE_PAIR})_#_")


@dataclass(frozen=True, slots=True)
class RatingRecord:
    """The rating of one output by one rater."""

    line: int
    rater: str = "unknown"
    system: str = ""
    segment: int | str = -1
    score: float = math.nan
    errors: tuple[ErrorSpan, ...] | None = None
    """None if the record has none: errors were not marked."""
    lp: str = ""
    document: str = ""
    domain: str = ""
    kind: str = "TGT"
    source: str | None = None
    output: str | None = None


@dataclass(frozen=True, slots=True)
class Unread:
    """Something in a record that is not a rating: `1 output …`, `2 outputs …`."""

    noun: str
    reason: str


@dataclass(frozen=True, slots=True)
class RatingLayout:
    """A layout: the keys that identify it, other keys that are read, its default protocol, and its reader."""

    keys: frozenset[str]
    others: frozenset[str]
    protocol: str
    read: Callable[[dict[str, Any], str, int], Iterator[RatingRecord | Unread]]
    allows_repeats: bool = True
    """Whether a rater may rate the same output twice."""
    has_scores: bool = True
    """Whether raters gave scores, not only errors."""


def _standalone(record: dict[str, Any], path: str, line: int) -> Iterator[RatingRecord]:
    """mt-metrics-eval; segments are numbered from 0."""
    source, target = _text(record, "src_lang", path, line), _text(record, "tgt_lang", path, line)
    yield RatingRecord(
        line,
        rater=_text(record, "rater_id", path, line) or "unknown",
        system=_needed(record, "system_id", path, line),
        segment=_number(record, "segment_id", path, line),
        errors=mtme_errors(record["errors"], path=path, line=line),
        lp=language_pair(source, target, path=path, line=line) if source and target else "",
        document=_text(record, "document_id", path, line) or "",
        source=_text(record, "source", path, line),
        output=_text(record, "hypothesis", path, line),
    )


def _wmt24(record: dict[str, Any], path: str, line: int) -> Iterator[RatingRecord | Unread]:
    """ESA of WMT24, one rating per line; `line_id` counts from 0."""
    first, _, second = _needed(record, "langs", path, line).partition("-")
    yield RatingRecord(
        line,
        rater=_needed(record, "annotator", path, line),
        system=_needed(record, "system", path, line),
        segment=_number(record, "line_id", path, line),
        score=_percent(record["esa_score"], path, line),
        errors=inclusive_spans(record["esa_spans"], path=path, line=line, text=_text(record, "tgt", path, line)),
        lp=language_pair(first, second, path=path, line=line),
        document=_text(record, "doc_id", path, line) or "",
        domain=_text(record, "domain", path, line) or domain_in(_text(record, "doc_id", path, line) or ""),
        source=_text(record, "src", path, line),
        output=_text(record, "tgt", path, line),
    )


def _by_segment(record: dict[str, Any], path: str, line: int) -> Iterator[RatingRecord | Unread]:
    """WMT24 and WMT25: one segment per line, with all its ratings."""
    segment, scores = _needed(record, "doc_id", path, line), record["scores"]
    outputs, source = record["tgt_text"], _text(record, "src_text", path, line)
    if not isinstance(scores, dict) or not isinstance(outputs, dict):
        raise InputError("scores and tgt_text must be JSON objects", path=path, line=line)
    pair = _PAIR_FIRST.match(segment)
    document = segment.rpartition("_#_")[0]
    for system, ratings in scores.items():
        for rater, score, errors in _ratings(ratings, path, line):
            yield RatingRecord(
                line,
                rater=rater,
                system=system,
                segment=segment,
                score=_percent(score, path, line),
                errors=None
                if errors is None
                else inclusive_spans(errors, path=path, line=line, text=_text(outputs, system, path, line)),
                lp=pair[1] if pair else "",
                document=document,
                domain=domain_in(segment),
                source=source,
                output=_text(outputs, system, path, line),
            )
        if isinstance(ratings, dict):
            others = [key for key in ratings if not re.fullmatch(r"(human|errors|annotator|times)[0-9]?", key)]
            yield from (Unread(f"'{printable(key)}' score", "not read: not a human score") for key in others)
    unrated = sum(system not in scores for system in outputs)
    yield from (Unread("output", "not read: not rated") for _ in range(unrated))


def _ratings(ratings: object, path: str, line: int) -> Iterator[tuple[str, object, object]]:
    """Rater, score and errors, from a list of ratings (WMT24) or one object with numbered keys (WMT25)."""
    if isinstance(ratings, list) and all(isinstance(rating, dict) for rating in ratings):
        for rating in ratings:
            yield _text(rating, "annotator", path, line) or "unknown", rating.get("score"), rating.get("errors")
    elif isinstance(ratings, dict):
        for key in ratings:
            if number := re.fullmatch(r"human([0-9]?)", key):
                rater = _text(ratings, f"annotator{number[1]}", path, line) or "unknown"
                yield rater, ratings[key], ratings.get(f"errors{number[1]}")
    else:
        raise InputError("the scores of a system must be a list or a JSON object", path=path, line=line)


def _appraise(record: dict[str, Any], path: str, line: int) -> Iterator[RatingRecord | Unread]:
    """Appraise's JSONL export of document tasks; items are named after their document."""
    document = _text(record, "document_id", path, line) or ""
    item = _whole_or_text(record, "item_id", path, line)
    marked = record["mqm_annotations"]
    if isinstance(marked, str):
        marked = parse_json(marked, path=path, line=line)
    is_whole = record.get("is_complete_document") is True
    yield RatingRecord(
        line,
        rater=_needed(record, "annotator", path, line),
        system=_needed(record, "target_id", path, line),
        segment=-1 if is_whole else f"{document}:{item}",
        score=_percent(record["score"], path, line),
        errors=inclusive_spans(marked, path=path, line=line, text=_text(record, "target_text", path, line)),
        lp=language_pair(
            _needed(record, "source_language", path, line),
            _needed(record, "target_language", path, line),
            path=path,
            line=line,
        ),
        document=document,
        domain=domain_in(document),
        kind=item_kind(_text(record, "item_type", path, line) or "", path=path, line=line),
        source=_text(record, "source_text", path, line),
        output=_text(record, "target_text", path, line),
    )


def _text(record: dict[str, Any], key: str, path: str, line: int) -> str | None:
    value = record.get(key)
    if value is not None and not isinstance(value, str):
        raise InputError(f"{key} must be text", path=path, line=line)
    return value


def _needed(record: dict[str, Any], key: str, path: str, line: int) -> str:
    value = _text(record, key, path, line)
    if not value:
        raise InputError(f"{key} is missing", path=path, line=line)
    return value


def _whole_or_text(record: dict[str, Any], key: str, path: str, line: int) -> int | str:
    value = record.get(key)
    if not isinstance(value, int | str) or isinstance(value, bool):
        raise InputError(f"{key} must be a number or text", path=path, line=line)
    return value


def _number(record: dict[str, Any], key: str, path: str, line: int) -> int:
    value = record.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < _MAX_SEGMENT:
        raise InputError(f"{key} must be a non-negative integer", path=path, line=line)
    return value


def _percent(value: object, path: str, line: int) -> float:
    return check_scale(score_of(value, path=path, line=line), "ESA", path=path, line=line)


def _layout(
    keys: str, others: str, protocol: str, read: Callable[..., Iterator[RatingRecord | Unread]], **options: bool
) -> RatingLayout:
    return RatingLayout(frozenset(keys.split()), frozenset(others.split()), protocol, read, **options)


LAYOUTS = (
    _layout("esa_score esa_spans", "annotator system line_id langs doc_id domain src tgt", "ESA", _wmt24),
    _layout("scores tgt_text doc_id", "src_text", "ESA", _by_segment),
    _layout(
        "mqm_annotations target_id score",
        "annotator document_id item_id item_type is_complete_document source_language target_language source_text "
        "target_text",
        "ESA",
        _appraise,
    ),
    _layout(
        "hypothesis errors system_id",
        "rater_id segment_id document_id src_lang tgt_lang source",
        "MQM",
        _standalone,
        allows_repeats=False,
        has_scores=False,
    ),
)


_ORDINARY = ("", "TGT", "SYSTEM")
_KNOWN = re.compile(r"(TGT|REPEAT|BAD|REF|CHK|HOTW|TUTORIAL)(?![a-z])[\w.#-]*", re.IGNORECASE)


def item_kind(text: str, *, path: str, line: int | None) -> str:
    """TGT for an ordinary output, else the kind in the case that other code expects: `bad_ref` becomes `BAD_ref`.

    An unknown kind is an error: it would otherwise count as an ordinary output.
    """
    kind = text.strip()
    if kind.upper() in _ORDINARY:
        return "TGT"
    match = _KNOWN.fullmatch(kind)
    if match is None:
        hint = "known are TGT or SYSTEM, REPEAT, and for quality control BAD, REF, CHK, HOTW and TUTORIAL"
        raise InputError(f"unknown kind of item '{printable(kind[:40])}'", path=path, line=line, hint=hint)
    return match[1].upper() + kind[match.end(1) :]
