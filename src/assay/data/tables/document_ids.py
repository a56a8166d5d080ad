"""Identifiers of the WMT general task since 2025, which say the language pair and the domain.

Of documents:

    cs-uk_UA_#_edu_#_edu02176
    WMT26_###_news_###_eng_Latn_###_isl_Latn_###_brisbanetimes.com.au.377358

Of segments, as in the evaluation task of 2026, where `official` or `challenge` may stand before the languages:

    official_###_eng_Latn_###_deu_Latn_###_social_###_116262294091035303_###_0
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from assay.errors import InputError, NameClashError, printable
from assay.types.language_codes import is_language_pair

__all__ = ["ITEM", "DocumentId", "ItemId", "document_id", "item_of", "parse_document_id", "parse_item_id"]

ITEM = "item_id"
"""The field of a segment's identifier."""

_LAYOUTS = (
    re.compile(r"(?P<lp>[^#]+)_#_(?P<domain>[^#]+)_#_(?P<name>.+)", re.DOTALL),
    re.compile(
        r"WMT\d\d_###_(?P<domain>[^#]+)_###_(?P<source>[^#]+)_###_(?P<target>[^#]+)_###_(?P<name>.+)", re.DOTALL
    ),
)
_SEPARATOR = "_###_"
_OFFICIAL, _CHALLENGE = "official", "challenge"


@dataclass(frozen=True, slots=True)
class DocumentId:
    """The parts of an identifier."""

    lp: str
    domain: str
    name: str


@dataclass(frozen=True, slots=True)
class ItemId:
    """The parts of the identifier of a segment. `dataset` is empty for the test set of the general task."""

    dataset: str
    lp: str
    domain: str
    document: str
    name: str
    """What follows the languages: the name of the segment in its language pair, and in the human evaluation."""


@lru_cache(maxsize=1 << 16)
def parse_document_id(text: str) -> DocumentId | None:
    """The parts of an identifier; None for any other name of a document."""
    for layout in _LAYOUTS:
        if match := layout.fullmatch(text):
            parts = match.groupdict()
            lp = parts.get("lp") or f"{parts['source']}-{parts['target']}"
            return DocumentId(lp, parts["domain"], parts["name"]) if is_language_pair(lp) else None
    return None


def parse_item_id(text: str) -> ItemId | None:
    """The parts of the identifier of a segment; None for any other name.

    A segment has the name of its document and a number. That of a document may have several parts in a challenge set.
    """
    first, *rest = text.split(_SEPARATOR)
    is_named = first in (_OFFICIAL, _CHALLENGE)
    source, target, *parts = (rest if is_named else [first, *rest]) + [""] * 2
    lp, parts = f"{source}-{target}", parts[:-2]
    if len(parts) < 2 or not all(parts) or not is_language_pair(lp):
        return None
    dataset = _CHALLENGE if first == _CHALLENGE else ""
    domain = parts[0] if len(parts) > 2 else ""
    return ItemId(dataset, lp, domain, _SEPARATOR.join(parts[:-1]), _SEPARATOR.join(parts))


def item_of(content: Mapping[str, Any], seen: set[str], *, path: str, line: int) -> ItemId:
    """The segment of a line, which no earlier line has `seen`."""
    name = content.get(ITEM)
    item = parse_item_id(name) if isinstance(name, str) else None
    if item is None or not isinstance(name, str):
        hint = "write SOURCE_###_TARGET_###_DOMAIN_###_DOCUMENT_###_NUMBER, perhaps with official_###_ before it"
        message = f"no {ITEM}" if name is None else f"'{printable(str(name)[:60])}' does not name a segment"
        raise InputError(message, path=path, line=line, hint=hint)
    if name in seen:
        raise NameClashError(f"a second line of the segment '{printable(name[:80])}'", path=path, line=line)
    seen.add(name)
    return item


def document_id(lp: str, domain: str, name: str) -> str:
    """The identifier of 2025 with these parts."""
    return f"{lp}_#_{domain}_#_{name}"
