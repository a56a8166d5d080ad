"""What a result has to say, before it takes a form.

Every result is told three ways: as sections of grids for people (table, Markdown, LaTeX), as flat rows for programs
(TSV, CSV, JSON lines, spreadsheets, Parquet), and as one tree (JSON). A form picks the way it needs.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

__all__ = ["Document", "Grid", "Section", "decimals_for", "number"]

_SMALL = 2.0


@dataclass(frozen=True, slots=True)
class Grid:
    """A header and rows of cells, the first `labels` of them text and the others numbers; and lines to say below.

    `charts` are a heading and a small chart for each row, in characters that not every form has a font for.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    labels: int = 1
    remarks: tuple[str, ...] = ()
    charts: tuple[str, ...] = ()

    def with_charts(self) -> Grid:
        """The charts as a column after the labels."""
        if not self.charts:
            return self
        lines = (self.header, *self.rows)
        wider = [(*line[: self.labels], c, *line[self.labels :]) for line, c in zip(lines, self.charts, strict=True)]
        return Grid(wider[0], tuple(wider[1:]), self.labels + 1, self.remarks)


@dataclass(frozen=True, slots=True)
class Section:
    """Grids that belong together, and the signatures they can be made again from."""

    grids: tuple[Grid, ...]
    signatures: tuple[str, ...] = ()


class Document(ABC):
    """A result, told three ways."""

    columns: ClassVar[Mapping[str, type]]
    """Names of the columns of `rows`, and the type of what is in them where it is not None."""
    sheet: ClassVar[str] = ""
    """The column whose values name the sheets of a workbook; none: one sheet."""

    @abstractmethod
    def sections(self) -> Iterator[Section]:
        """For people."""

    @abstractmethod
    def rows(self) -> Iterator[dict[str, Any]]:
        """For programs: a flat row for each fact, None where there is no value."""

    @abstractmethod
    def tree(self) -> dict[str, Any]:
        """For JSON, without NaN."""


def number(value: float, decimals: int = 2) -> str:
    """So many decimals, or a dash for what is undefined."""
    return "–" if math.isnan(value) else f"{value:.{decimals}f}"


def decimals_for(values: Iterable[float]) -> int:
    """Two, and four where all values are of the order of 1."""
    return 4 if max((abs(value) for value in values if not math.isnan(value)), default=100.0) < _SMALL else 2
