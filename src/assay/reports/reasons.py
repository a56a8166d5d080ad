"""Captions that say why numbers of a table, or their intervals, are missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assay.reports.cells import Text
from assay.reports.documents import Caption
from assay.reports.labelled import listed_text

__all__ = ["reason_captions"]

_NAMED = 5  # of those that share a reason


def reason_captions(reasons: Iterable[tuple[Text, str | None]]) -> Iterator[Caption]:
    """For each reason, a caption that names what it is about; None: nothing is missing."""
    names: dict[str, dict[Text, None]] = {}
    for name, reason in reasons:
        if reason is not None:
            names.setdefault(reason, {})[name] = None
    for reason, named in names.items():
        yield Caption("{}: {}", (listed_text(named, _NAMED), Text(reason)))
