"""The numbers of a paper beside ours, as documents."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from assay.reports.cells import BLANK, Cell, Count, Flag, Number, Text
from assay.reports.documents import Caption, Document, Grid, Section, columns
from assay.reports.record_grid import record_columns
from assay.results import ReproducedNumber, Reproduction
from assay.results.columns import Shown
from assay.results.reproduction import VERDICTS

__all__ = ["document"]

_DECIMALS = 3


def document(result: Reproduction) -> Document:
    """The counts, and a grid of the numbers with the reasons below it."""
    return Document.of(
        result,
        lambda: [_section(result)],
        lists=Shown.TABLE | Shown.PAPER,
        paper=lambda: [_paper(result)],
    )


def _section(result: Reproduction) -> Section:
    grid = _grid(result, tuple(result), Shown.TABLE)
    grid = replace(grid, captions=(*grid.captions, *_remarks(result)))
    return Section((_counts(result), grid), result.citation, (result.signature,))


def _paper(result: Reproduction) -> Section:
    """The numbers that we have; the caption counts the others, and recommendations and remarks are comments."""
    counts = ", ".join(f"{count} {verdict}" for verdict, count in result.counts.items() if count)
    grid = _grid(result, [each for each in result if not math.isnan(each.ours.value)], Shown.PAPER)
    captions = (
        Caption("{}", (Text(f"{result.published} published numbers: {counts}"),)),
        *grid.captions,
        *(replace(caption, role="remark") for caption in _remarks(result)),
    )
    title = f"Reproduction of {result.citation}"
    return Section((replace(grid, captions=captions),), title, (result.signature,))


def _counts(result: Reproduction) -> Grid:
    titles = ("published", *result.counts)
    meanings = "; ".join(f"{verdict}: {VERDICTS[verdict]}" for verdict, count in result.counts.items() if count)
    return Grid(
        columns(titles),
        ((Text(str(result.published)), *map(Count, result.counts.values())),),
        (Caption("{}", (Text(f"{meanings}."),)),),
    )


def _grid(result: Reproduction, numbers: Sequence[ReproducedNumber], form: Shown) -> Grid:
    reasons = dict.fromkeys(each.reason for each in numbers if each.reason)
    places = {reason: place for place, reason in enumerate(reasons, 1)}
    own = columns(("where", "quantity", "published", "ours", "difference", "verdict", "reason"), labels=2)
    declared = record_columns(result.columns, numbers, forms=form)
    return Grid(
        (*own, *(column for column, _ in declared)),
        tuple((*_row(each, places), *cells) for each, *cells in zip(numbers, *(c for _, c in declared), strict=True)),
        tuple(Caption("{}: {}", (Text(str(place)), Text(reason))) for reason, place in places.items()),
    )


def _row(each: ReproducedNumber, places: Mapping[str, int]) -> tuple[Cell, ...]:
    decimals = _decimals(each)
    flags = frozenset({Flag.DIFFERENT} if each.verdict in ("differs", "width differs") else ())
    ours = Number.of(each.ours, decimals, flags=flags)
    reason = Text(str(places[each.reason]) if each.reason else "")
    quantity = each.quantity if each.count <= 1 else f"{each.quantity} ({each.count} numbers)"
    where = Text(each.where or "–")
    return (
        where,
        Text(quantity),
        Text(each.published.text),
        ours,
        _difference(each, decimals),
        Text(each.verdict),
        reason,
    )


def _difference(each: ReproducedNumber, decimals: int) -> Cell:
    if math.isnan(each.difference):
        return BLANK
    if round(each.difference, decimals) == 0:
        return Text("0")
    return Number(each.difference, decimals, style="signed")


def _decimals(each: ReproducedNumber) -> int:
    """As many as were printed, at least three for numbers below 10 and four below .1; none for counts."""
    size, printed = abs(each.ours.value), each.published.decimals
    if printed == 0 and each.is_published and float(size).is_integer():
        return 0
    return max(printed, 1 if size >= 10 else _DECIMALS + (printed > 0 and size < 0.1))


def _remarks(result: Reproduction) -> Iterator[Caption]:
    for each in result.recommendations:
        yield Caption("The paper: {} These data: {}", (Text(each.recommended), Text(each.found)))
    for remark in result.remarks:
        yield Caption("{}", (Text(remark),))
