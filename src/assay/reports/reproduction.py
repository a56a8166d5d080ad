"""The numbers of a paper beside ours, as documents."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from assay.reports.cells import BLANK, Cell, Count, Flag, Number, Text
from assay.reports.documents import Caption, Document, Grid, Section, columns
from assay.results import Reproduced, Reproduction

__all__ = ["document"]

_DECIMALS = 3


def document(result: Reproduction) -> Document:
    """The counts, and a grid of the numbers with the reasons below it."""
    return Document.of(
        result, lambda: [Section((_counts(result), _grid(result)), result.citation, (result.signature,))]
    )


def _counts(result: Reproduction) -> Grid:
    titles = ("numbers", *result.counts)
    return Grid(columns(titles), ((Text(str(len(result))), *map(Count, result.counts.values())),))


def _grid(result: Reproduction) -> Grid:
    reasons = [each.reason for each in result if each.reason]
    places = {reason: place for place, reason in enumerate(dict.fromkeys(reasons), 1)}
    return Grid(
        columns(("where", "quantity", "published", "ours", "difference", "", "note"), labels=2),
        tuple(_row(each, places) for each in result),
        tuple(_captions(result, places)),
    )


def _row(each: Reproduced, places: Mapping[str, int]) -> tuple[Cell, ...]:
    decimals = _decimals(each)
    flags = frozenset({Flag.DIFFERENT} if each.is_met is False else ())
    ours = Number(each.ours.value, decimals, each.ours.low, each.ours.high, reason=each.ours.reason, flags=flags)
    difference: Cell = BLANK
    if not math.isnan(each.difference):
        difference = Number(each.difference, decimals, style="signed")
    note = Text(str(places[each.reason]) if each.reason else "")
    return Text(each.where), Text(each.quantity), Text(each.published), ours, difference, Text(each.verdict), note


def _decimals(each: Reproduced) -> int:
    """As many as were printed, at least three for numbers below 10 and four below .1; none for counts."""
    size = abs(each.ours.value)
    if each.decimals == 0 and each.published and float(size).is_integer():
        return 0
    return max(each.decimals, 1 if size >= 10 else _DECIMALS + (each.decimals > 0 and size < 0.1))


def _captions(result: Reproduction, places: Mapping[str, int]) -> Iterator[Caption]:
    for reason, place in places.items():
        yield Caption("{}: {}", (Text(str(place)), Text(reason)))
    for each in result.recommendations:
        yield Caption("The paper: {} These data: {}", (Text(each.paper), Text(each.data)))
    for remark in result.remarks:
        yield Caption("{}", (Text(remark),))
