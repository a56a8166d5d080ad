"""Challenge sets of pairs: a good and an incorrect translation of one source, and the phenomenon that they differ in.

ACES has tab-separated or JSON lines with `source`, `good-translation`, `incorrect-translation`, `reference`,
`phenomena` and `langpair`; `METRIC-good` and `METRIC-bad` are scores. DEMETR has a JSON array of objects with
`src_sent`, `eng_sent` (the reference), `mt_sent`, `pert_sent`, `lang_tag` and `pert_name`; where `pert_check` is false,
nothing was changed.

The two translations are the outputs of the systems `good` and `incorrect`, and the phenomenon is the domain.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.data import CERTAIN, NO
from assay.data.formats import Format, data_format, json_keys
from assay.data.tables.names import stem_of
from assay.data.tables.numbers import parse_score, score_of
from assay.data.tables.rows import Row, ScoreKind, campaigns_from_rows
from assay.data.text_files import digest_of, read_lines, read_text, shown_path
from assay.errors import EmptyInputError, InputError
from assay.files.strict_json import parse_json, parse_object
from assay.types import Campaign, Note, NoteKind
from assay.types.campaign import GOOD, INCORRECT
from assay.types.metric_names import UNKNOWN
from assay.types.note import plural

__all__ = ["ChallengePairs"]

_ACES = ("source", "good-translation", "incorrect-translation", "phenomena")
_DEMETR = ("src_sent", "eng_sent", "mt_sent", "pert_sent")
_LANGUAGES = {
    "chinese": "zh",
    "czech": "cs",
    "french": "fr",
    "german": "de",
    "hindi": "hi",
    "italian": "it",
    "japanese": "ja",
    "polish": "pl",
    "russian": "ru",
    "spanish": "es",
}
"""The source languages of DEMETR by the first word of their tag."""
_SCORED = re.compile(r"(?P<metric>.+)-(?P<side>good|bad)")
_SIDES = {"good": GOOD, "bad": INCORRECT}


@data_format("challenge-pairs")
@dataclass(frozen=True)
class ChallengePairs(Format):
    """Good and incorrect translations by phenomenon, with or without scores of metrics."""

    suffixes = (".tsv", ".jsonl", ".json")

    def recognises(self, path: Path, head: str) -> int:
        first = head.removeprefix("\ufeff").partition("\n")[0].rstrip("\r").split("\t")
        if {*_ACES} <= set(first) or {*_ACES} <= json_keys(head):
            return CERTAIN
        return CERTAIN if all(f'"{key}"' in head for key in _DEMETR) else NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        shown = shown_path(path)
        found = list(_rows(path, shown))
        rows = [row for row in found if row is not None]
        if not rows:
            raise EmptyInputError("no pairs of translations", path=shown)
        notes = []
        if unchanged := len(found) - len(rows):
            text = f"{plural(unchanged, 'pair')} left out: nothing was changed (pert_check is false)"
            notes.append(Note(NoteKind.EXCLUDED, text, shown, unchanged))
        notes += _odd_pairs(rows, shown)
        names = dict.fromkeys(metric for row in rows for _, metric in row.scores)
        kinds = {name: ScoreKind(name, references=(UNKNOWN,)) for name in names}
        return campaigns_from_rows(rows, path=shown, digest=digest_of(path), kinds=kinds, notes=notes)


def _odd_pairs(rows: Sequence[Row], path: str) -> Iterator[Note]:
    """Notes on pairs that say nothing of a metric, that count twice, and of an unnamed phenomenon; they stay."""
    seen: set[tuple[str | None, ...]] = set()
    lines: dict[str, list[int]] = {}
    for row in rows:
        content = row.lp, row.domain, row.source, *row.outputs.values()
        for is_odd, oddity in (
            (row.outputs[GOOD] == row.outputs[INCORRECT], "with two equal translations, which no metric can order"),
            (content in seen, "given before, with the same phenomenon"),
            (not (row.domain or "").strip(), "without a phenomenon"),
        ):
            if is_odd:
                lines.setdefault(oddity, []).append(row.line)
        seen.add(content)
    for oddity, found in lines.items():
        yield Note(NoteKind.SUSPECT, f"{plural(len(found), 'pair')} {oddity}", path, len(found), "warning", found[0])


def _rows(path: Path, shown: str) -> Iterator[Row | None]:
    text, _ = read_text(path)
    start = text.removeprefix("\ufeff").lstrip()[:1]
    if start == "[":
        items = parse_json(text, path=shown)
        for number, item in enumerate(items, 1):
            yield _demetr(item, stem_of(path), shown, number)
        return
    lines, _ = read_lines(path)
    if start == "{":
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield _aces(parse_object(line, path=shown, line=number, allow_nan=True), shown, number)
        return
    names = lines[0].removeprefix("\ufeff").split("\t")
    for number, line in enumerate(lines[1:], 2):
        fields = line.split("\t")
        if len(fields) != len(names):
            message = f"{len(fields):,} fields, but the header has {len(names):,}"
            raise InputError(message, path=shown, line=number)
        yield _aces(dict(zip(names, fields, strict=True)), shown, number)


def _aces(item: Mapping[str, Any], path: str, line: int) -> Row:
    source, good, incorrect, phenomenon = (_text(item, key, path, line) for key in _ACES)
    reference = item.get("reference")
    return Row(
        line=line,
        lp=str(item["langpair"]) if item.get("langpair") else None,
        segment=f"line {line}",
        source=source,
        document=f"line {line}",
        domain=phenomenon,
        references={"ref": reference} if isinstance(reference, str) and reference else {},
        outputs={GOOD: good, INCORRECT: incorrect},
        scores=dict(_scores(item, path, line)),
    )


def _scores(item: Mapping[str, Any], path: str, line: int) -> Iterator[tuple[tuple[str, str], float]]:
    for name, value in item.items():
        scored = _SCORED.fullmatch(name)
        if scored is not None:
            read = parse_score if isinstance(value, str) else score_of
            yield (_SIDES[scored["side"]], scored["metric"]), read(value, path=path, line=line)


def _demetr(item: object, file: str, path: str, number: int) -> Row | None:
    """A pair; None if nothing was changed. The name of the file is that of the phenomenon."""
    if not isinstance(item, Mapping):
        raise InputError(f"item {number:,} is no object", path=path)
    if item.get("pert_check") is False:
        return None
    source, reference, good, incorrect = (_text(item, key, path, None, f"item {number:,}: ") for key in _DEMETR)
    language = _LANGUAGES.get(str(item.get("lang_tag", "")).lower().partition("_")[0])
    if language is None:
        message = f"item {number:,}: the language '{str(item.get('lang_tag'))[:30]}' is unknown"
        raise InputError(message, path=path, hint=f"known: {', '.join(_LANGUAGES)}")
    place = f"{item.get('id', number)}"
    return Row(
        line=number,
        lp=f"{language}-en",
        segment=f"{item.get('pert_name') or file}:{place}",
        source=source,
        document=place,
        domain=str(item.get("pert_name") or file),
        references={"ref": reference},
        outputs={GOOD: good, INCORRECT: incorrect},
    )


def _text(item: Mapping[str, Any], key: str, path: str, line: int | None, where: str = "") -> str:
    value = item.get(key)
    if not isinstance(value, str):
        found = "is missing" if value is None else f"is {json.dumps(value)[:30]}, no text"
        raise InputError(f"{where}'{key}' {found}", path=path, line=line)
    return value
