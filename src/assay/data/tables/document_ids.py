"""Identifiers of documents of the WMT general task since 2025, which say the language pair and the domain.

cs-uk_UA_#_edu_#_edu02176
WMT26_###_news_###_eng_Latn_###_isl_Latn_###_brisbanetimes.com.au.377358
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from assay.data.tables.languages import is_language_pair

__all__ = ["DocumentId", "document_id", "parse_document_id"]

_LAYOUTS = (
    re.compile(r"(?P<lp>[^#]+)_#_(?P<domain>[^#]+)_#_(?P<name>.+)", re.DOTALL),
    re.compile(
        r"WMT\d\d_###_(?P<domain>[^#]+)_###_(?P<source>[^#]+)_###_(?P<target>[^#]+)_###_(?P<name>.+)", re.DOTALL
    ),
)


@dataclass(frozen=True, slots=True)
class DocumentId:
    """The parts of an identifier."""

    lp: str
    domain: str
    name: str


@lru_cache(maxsize=1 << 16)
def parse_document_id(text: str) -> DocumentId | None:
    """The parts of an identifier; None for any other name of a document."""
    for layout in _LAYOUTS:
        if match := layout.fullmatch(text):
            parts = match.groupdict()
            lp = parts.get("lp") or f"{parts['source']}-{parts['target']}"
            return DocumentId(lp, parts["domain"], parts["name"]) if is_language_pair(lp) else None
    return None


def document_id(lp: str, domain: str, name: str) -> str:
    """The identifier of 2025 with these parts."""
    return f"{lp}_#_{domain}_#_{name}"
