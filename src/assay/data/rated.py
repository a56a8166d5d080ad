"""Records of ratings as JSON objects, in the forms that campaigns and annotation tools publish."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from assay.data.fields import json_value
from assay.data.languages import language_pair
from assay.data.numbers import score_of
from assay.data.spans import inclusive_spans, mtme_errors
from assay.errors import InputError, printable
from assay.types import ErrorSpan

__all__ = ["READERS", "Rated", "Reader"]

_MAX_SEGMENT = 10**9
_PAIR_FIRST = re.compile(r"([a-z]{2,3}(?:_[A-Za-z]+)?-[a-z]{2,3}(?:_[A-Za-z]+)?)_#_")


@dataclass(frozen=True, slots=True)
class Rated:
    """One output that one rater rated; or, if `unread` says so, something that is no rating."""

    line: int
    rater: str = "unknown"
    system: str = ""
    segment: int | str = -1
    score: float = math.nan
    errors: tuple[ErrorSpan, ...] = ()
    lp: str = ""
    document: str = ""
    kind: str = "TGT"
    source: str | None = None
    output: str | None = None
    unread: str = ""


@dataclass(frozen=True, slots=True)
class Reader:
    """A form: the keys that tell it, others that are read, the protocol it is of by default, and how it is read."""

    keys: frozenset[str]
    others: frozenset[str]
    protocol: str
    read: Callable[[dict[str, Any], str, int], Iterator[Rated]]
    has_twins: bool = True
    """Whether one rater may rate the same output twice."""
    has_scores: bool = True
    """Whether people gave a score, and not only errors."""


def _standalone(record: dict[str, Any], path: str, line: int) -> Iterator[Rated]:
    """mt-metrics-eval: segments count from 0."""
    source, target = _text(record, "src_lang", path, line), _text(record, "tgt_lang", path, line)
    yield Rated(
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


def _wmt24(record: dict[str, Any], path: str, line: int) -> Iterator[Rated]:
    """WMT24's ESA, a rating a line: `line_id` counts from 0."""
    first, _, second = _needed(record, "langs", path, line).partition("-")
    yield Rated(
        line,
        rater=_needed(record, "annotator", path, line),
        system=_needed(record, "system", path, line),
        segment=_number(record, "line_id", path, line),
        score=_percent(record["esa_score"], path, line),
        errors=inclusive_spans(record["esa_spans"], path=path, line=line),
        lp=language_pair(first, second, path=path, line=line),
        document=_text(record, "doc_id", path, line) or "",
        source=_text(record, "src", path, line),
        output=_text(record, "tgt", path, line),
    )


def _by_segment(record: dict[str, Any], path: str, line: int) -> Iterator[Rated]:
    """WMT24 and WMT25, a segment a line with all its ratings."""
    segment, scores = _needed(record, "doc_id", path, line), record["scores"]
    outputs, source = record["tgt_text"], _text(record, "src_text", path, line)
    if not isinstance(scores, dict) or not isinstance(outputs, dict):
        raise InputError("scores or tgt_text are not JSON objects", path=path, line=line)
    pair = _PAIR_FIRST.match(segment)
    document = segment.rpartition("_#_")[0]
    for system, given in scores.items():
        for rater, score, errors in _given(given, path, line):
            yield Rated(
                line,
                rater=rater,
                system=system,
                segment=segment,
                score=_percent(score, path, line),
                errors=inclusive_spans(errors, path=path, line=line),
                lp=pair[1] if pair else "",
                document=document,
                source=source,
                output=_text(outputs, system, path, line),
            )
        if isinstance(given, dict):
            others = [key for key in given if not re.fullmatch(r"(human|errors|annotator|times)[0-9]?", key)]
            yield from (
                Rated(line, unread=f"scores '{printable(key)}' are not people's and were not read") for key in others
            )
    unrated = sum(system not in scores for system in outputs)
    yield from (Rated(line, unread="outputs were not rated, and not read") for _ in range(unrated))


def _given(given: object, path: str, line: int) -> Iterator[tuple[str, object, object]]:
    """Rater, score and errors: a list of ratings (WMT24), or one object with numbered keys (WMT25)."""
    if isinstance(given, list) and all(isinstance(one, dict) for one in given):
        for one in given:
            yield _text(one, "annotator", path, line) or "unknown", one.get("score"), one.get("errors", [])
    elif isinstance(given, dict):
        for key in given:
            if number := re.fullmatch(r"human([0-9]?)", key):
                rater = _text(given, f"annotator{number[1]}", path, line) or "unknown"
                yield rater, given[key], given.get(f"errors{number[1]}", [])
    else:
        raise InputError("the scores of a system are neither a list nor a JSON object", path=path, line=line)


def _pearmut(record: dict[str, Any], path: str, line: int) -> Iterator[Rated]:
    """Pearmut, a document a line: for each item what was said of each model."""
    items, annotations = record["item"], record["annotation"]
    if not isinstance(items, list) or not isinstance(annotations, list) or len(items) != len(annotations):
        raise InputError("item and annotation are not lists of one length", path=path, line=line)
    rater = _needed(record, "user_id", path, line)
    is_extra = isinstance(record.get("item_i"), str)  # welcome_0, random_0
    for place, (item, annotation) in enumerate(zip(items, annotations, strict=True)):
        if not isinstance(item, dict) or not isinstance(item.get("tgt"), dict) or not isinstance(annotation, dict):
            yield Rated(line, unread="items are not translations, and were not read")
            continue
        name = _text(item, "item_id", path, line) or f"{_whole_or_text(record, 'item_i', path, line)}:{place}"
        kind = "CHK" if is_extra or item.get("validation") is not None else "TGT"
        yield from _of_item(item, annotation, (rater, name, kind), path, line)


def _of_item(
    item: dict[str, Any], annotation: dict[str, Any], who: tuple[str, str, str], path: str, line: int
) -> Iterator[Rated]:
    rater, name, kind = who
    pair = _PAIR_FIRST.match(name)
    for system, given in annotation.items():
        if not isinstance(given, dict) or system not in item["tgt"]:
            raise InputError(f"what was said of '{printable(system)}' is not a rating", path=path, line=line)
        yield Rated(
            line,
            rater=rater,
            system=system,
            segment=name,
            score=_percent(given.get("score"), path, line),
            errors=inclusive_spans(given.get("error_spans", []), path=path, line=line),
            lp=pair[1] if pair else "",
            kind=kind,
            source=_text(item, "src", path, line),
            output=_text(item["tgt"], system, path, line),
        )


def _appraise(record: dict[str, Any], path: str, line: int) -> Iterator[Rated]:
    """Appraise's export to JSONL of document tasks. Items are named by their document."""
    document = _text(record, "document_id", path, line) or ""
    item = _whole_or_text(record, "item_id", path, line)
    marked = record["mqm_annotations"]
    if isinstance(marked, str):
        marked = json_value(marked, path=path, line=line)
    is_whole = record.get("is_complete_document") is True
    yield Rated(
        line,
        rater=_needed(record, "annotator", path, line),
        system=_needed(record, "target_id", path, line),
        segment=-1 if is_whole else f"{document}:{item}",
        score=_percent(record["score"], path, line),
        errors=inclusive_spans(marked, path=path, line=line),
        lp=language_pair(
            _needed(record, "source_language", path, line),
            _needed(record, "target_language", path, line),
            path=path,
            line=line,
        ),
        document=document,
        kind=_text(record, "item_type", path, line) or "TGT",
        source=_text(record, "source_text", path, line),
        output=_text(record, "target_text", path, line),
    )


def _text(record: dict[str, Any], key: str, path: str, line: int) -> str | None:
    value = record.get(key)
    if value is not None and not isinstance(value, str):
        raise InputError(f"{key} is not text", path=path, line=line)
    return value


def _needed(record: dict[str, Any], key: str, path: str, line: int) -> str:
    value = _text(record, key, path, line)
    if not value:
        raise InputError(f"{key} is not given", path=path, line=line)
    return value


def _whole_or_text(record: dict[str, Any], key: str, path: str, line: int) -> int | str:
    value = record.get(key)
    if not isinstance(value, int | str) or isinstance(value, bool):
        raise InputError(f"the {key} is neither a number nor a text", path=path, line=line)
    return value


def _number(record: dict[str, Any], key: str, path: str, line: int) -> int:
    value = record.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < _MAX_SEGMENT:
        raise InputError(f"{key} is not a whole number from 0", path=path, line=line)
    return value


def _percent(value: object, path: str, line: int) -> float:
    score = score_of(value, path=path, line=line)
    if score < 0 or score > 100:
        raise InputError(f"the score {score:g} is not between 0 and 100", path=path, line=line)
    return score


def _form(keys: str, others: str, protocol: str, read: Callable[..., Iterator[Rated]], **rest: bool) -> Reader:
    return Reader(frozenset(keys.split()), frozenset(others.split()), protocol, read, **rest)


READERS = (
    _form("esa_score esa_spans", "annotator system line_id langs doc_id src tgt", "ESA", _wmt24),
    _form("scores tgt_text doc_id", "src_text", "ESA", _by_segment),
    _form("annotation item", "user_id item_i", "ESA", _pearmut),
    _form(
        "mqm_annotations target_id score",
        "annotator document_id item_id item_type is_complete_document source_language target_language source_text "
        "target_text",
        "ESA",
        _appraise,
    ),
    _form(
        "hypothesis errors system_id",
        "rater_id segment_id document_id src_lang tgt_lang source",
        "MQM",
        _standalone,
        has_twins=False,
        has_scores=False,
    ),
)
