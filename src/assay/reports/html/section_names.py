"""How sections of several results of one kind are told apart: their ids, and what they are about."""

from __future__ import annotations

from collections.abc import Sequence

from assay.types import TestSet, TestSetRecord

__all__ = ["distinct_names", "numbered", "pairs_data"]


def numbered(place: int) -> str:
    """The end of the id of a section: nothing for the first of its kind, so that links to it always hold."""
    return f"-{place + 1}" if place else ""


def pairs_data(place: int) -> str:
    """The id of the data on the pairs of a comparison, which its table and the viewer of segments read."""
    return f"matrix{numbered(place)}-data"


def distinct_names(inputs: Sequence[TestSet | TestSetRecord]) -> list[str]:
    """What tells test sets apart, as short as may be: name, language pair, references, or else a number.

    A single one needs no name.
    """
    if len(inputs) < 2:
        return [""] * len(inputs)
    parts = (
        [each.name or "" for each in inputs],
        [each.lp or "" for each in inputs],
        [f"against {' and '.join(each.references)}" if each.references else "" for each in inputs],
    )
    names = [""] * len(inputs)
    for part in parts:
        if len(set(part)) > 1 and len(set(names)) < len(names):
            names = [" ".join(filter(None, both)) for both in zip(names, part, strict=True)]
    return [
        name if name and names.count(name) == 1 else f"{name} {place}".strip() for place, name in enumerate(names, 1)
    ]
