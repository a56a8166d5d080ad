"""The lines of a test set that named items belong to.

An item has the name of a segment, or a document and a number from 0 in it, or in an excerpt of it: `news.12#3-13:0` is
item 0 of lines 3 to 13 of the document `news.12`, that is, its third line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from assay.lazily import numpy as np
from assay.types import IntArray, TestSet

__all__ = ["lines_of_items"]

_ITEM = re.compile(r"(?P<document>.+?)(?:#(?P<first>\d+)-(?P<last>\d+))?:(?P<number>\d+)")


def lines_of_items(items: Iterable[str], testset: TestSet) -> IntArray:
    """The line of each item, from 0; -1 if it has none."""
    named = {name: line for line, name in enumerate(testset.items)}
    documents: dict[str, list[int]] = {}
    for line, document in enumerate(testset.documents or ()):
        if document is not None:
            documents.setdefault(document, []).append(line)
    return np.array([named.get(item, _line_in_document(item, documents)) for item in items], dtype=np.int64)


def _line_in_document(item: str, documents: Mapping[str, list[int]]) -> int:
    match = _ITEM.fullmatch(item)
    lines = documents.get(match["document"], []) if match else []
    if match is None or not lines:
        return -1
    first, last = (int(match["first"]), int(match["last"])) if match["first"] else (1, len(lines))
    position = first - 1 + int(match["number"])
    return lines[position] if first - 1 <= position < min(last, len(lines)) else -1
