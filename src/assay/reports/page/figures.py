"""Charts of a page, by their names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.reports.blocks import Beside, Block, Figure
from assay.results import Result

__all__ = ["HALF", "Wanted", "beside", "drawn", "figures"]

HALF = 500
"""The width of a chart that stands beside another, in px."""
_WIDE, _NARROW = 1040, 368


@dataclass(frozen=True, slots=True)
class Wanted:
    """A chart by its name, how wide it is (the page or half of it), and what it shows."""

    name: str
    width: int = _WIDE
    options: Mapping[str, Any] = field(default_factory=dict)


def figures(wanted: Iterable[Wanted], *results: Result) -> tuple[Block, ...]:
    """Those of the charts that the results have the numbers for; two of half the width stand side by side."""
    return beside((each, figure) for each in wanted for figure in drawn(each, results))


def beside(shown: Iterable[tuple[Wanted, Figure]]) -> tuple[Block, ...]:
    """Figures below each other, and two of half the width beside each other."""
    blocks: list[Block] = []
    for wanted, figure in shown:
        last = blocks[-1] if blocks else None
        if wanted.width == _WIDE:
            blocks.append(figure)
        elif isinstance(last, Beside) and len(last.columns) == 1:
            blocks[-1] = Beside((*last.columns, (figure,)))
        else:
            blocks.append(Beside(((figure,),)))
    return tuple(blocks)


def drawn(wanted: Wanted, results: Sequence[Result]) -> Iterator[Figure]:
    """The chart, if the results have the numbers for it."""
    from assay import charts

    if charts.can_draw(wanted.name, *results, **wanted.options):
        sizes = (wanted.width, _NARROW)
        wide, narrow = (charts.draw(wanted.name, *results, width=width, **wanted.options) for width in sizes)
        yield Figure(wanted.name, wide, narrow)
