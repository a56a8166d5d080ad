"""Metrics over parts of the systems, as documents."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from assay.reports.document import Document, Grid, Section, number
from assay.reports.sparkline import BLOCKS, sparkline
from assay.results import Casts, Curves, Robustness, Subsamples
from assay.results.robustness import QUANTILES

__all__ = ["CastsDocument", "CurvesDocument"]

_DECIMALS = 3
_HEADINGS = {"top": "top ", "windows": "ranks ", "without-one": "without "}
"""What every label of a kind begins with: said once, at the head of the labels."""


@dataclass(frozen=True)
class CurvesDocument(Document):
    """Metrics by parts; of all but one, systems by metrics, the most influential first."""

    table: Curves

    columns: ClassVar = {
        "place": int,
        "kind": str,
        "metric": str,
        "part": str,
        "value": float,
        "reason": str,
        "change": float,
        "n": int,
    }

    def sections(self) -> Iterator[Section]:
        """One grid, with the outliers below."""
        grid = self._by_system() if self.table.kind == "without-one" else self._by_metric()
        yield Section((grid,), (self.table.signature,))

    def rows(self) -> Iterator[dict[str, Any]]:
        """A row for each value, that over all systems first."""
        return self.table.rows()

    def tree(self) -> dict[str, Any]:
        """The schema is in docs/formats.md."""
        return self.table.to_dict()

    def _by_metric(self) -> Grid:
        """The best N begin with all systems; windows need a column for them."""
        labels = self.table.labels
        heading = _HEADINGS[self.table.kind]
        is_whole_shown = self.table.kind != "top"
        rows = []
        for curve in self.table:
            found = {point.label: number(point.value, _DECIMALS) for point in curve}
            whole = [number(curve.whole.value, _DECIMALS)] if is_whole_shown else []
            rows.append((curve.metric, str(curve.whole.n), *whole, *(found.get(label, "") for label in labels)))
        head = [f"{self.table.settings['statistic']}, {heading.strip()}", "n", *(["all"] if is_whole_shown else [])]
        return Grid(
            (*head, *(label.removeprefix(heading) for label in labels)),
            tuple(rows),
            remarks=tuple(_remarks(self.table)),
            charts=tuple(self._charts()),
        )

    def _charts(self) -> Iterator[str]:
        """The scale, and all curves on it: from the lowest value of the table to the highest."""
        values = [[round(point.value, _DECIMALS) for point in curve] for curve in self.table]  # no noise, as shown
        defined = [value for row in values for value in row if not math.isnan(value)]
        low, high = min(defined, default=math.nan), max(defined, default=math.nan)
        width = max(map(len, values))
        yield f"{BLOCKS[0]} {number(low)} {BLOCKS[-1]} {number(high)}"
        for row in values:
            yield " " * (width - len(row)) + sparkline(row, low, high)

    def _by_system(self) -> Grid:
        """A row for each system that is left out."""
        heading = _HEADINGS[self.table.kind]
        found = [{point.label: number(point.value, _DECIMALS) for point in curve} for curve in self.table]
        places = {f"{heading}{name}": str(rank) for rank, name in enumerate(self.table.order, 1)}
        rows = [
            (label.removeprefix(heading), places[label], *(values.get(label, "") for values in found))
            for label in self.table.labels
        ]
        top = [("n", "", *(str(curve.whole.n) for curve in self.table))]
        top.append(("(none)", "", *(number(curve.whole.value, _DECIMALS) for curve in self.table)))
        head = f"{self.table.settings['statistic']}, {heading.strip()}"
        header = (head, "rank", *(curve.metric for curve in self.table))
        return Grid(header, (*top, *rows), remarks=tuple(_remarks(self.table)))


@dataclass(frozen=True)
class CastsDocument(Document):
    """A grid for each cast: without outliers, with each of them, with all."""

    table: Casts

    columns: ClassVar = {
        "place": int,
        "metric": str,
        "always": str,
        "size": int,
        "drawn_from": int,
        "mean": float,
        "deviation": float,
        **{f"q{100 * share:g}": float for share in QUANTILES},
        "draws": int,
        "undefined": int,
        "reason": str,
        "all": float,
        "n": int,
    }

    def sections(self) -> Iterator[Section]:
        """The casts, with the outliers below the last."""
        casts = range(len(self.table.metrics[0].casts))
        yield Section(tuple(self._grid(cast, is_last=cast == casts[-1]) for cast in casts), (self.table.signature,))

    def rows(self) -> Iterator[dict[str, Any]]:
        """A row for each cast of each metric."""
        return self.table.rows()

    def tree(self) -> dict[str, Any]:
        """The schema is in docs/formats.md."""
        return self.table.to_dict()

    def _grid(self, cast: int, *, is_last: bool) -> Grid:
        found = [(row, row.casts[cast]) for row in self.table]
        name = _cast_name(max((drawn for _, drawn in found), key=lambda drawn: len(drawn.drawn_from)))
        rows = [
            (
                row.metric,
                str(row.whole.n),
                number(row.whole.value, _DECIMALS),
                *(number(value, _DECIMALS) for value in _summary(drawn)),
            )
            for row, drawn in found
        ]
        shares = (f"{100 * share:g}%" for share in QUANTILES)
        remarks = [f"{row.metric}: {drawn.reason}" for row, drawn in found if drawn.reason]
        return Grid(
            (f"{self.table.settings['statistic']}, {name}", "n", "all", "mean", "sd", *shares),
            tuple(rows),
            remarks=(*remarks, *(_remarks(self.table) if is_last else ())),
        )


def _cast_name(drawn: Subsamples) -> str:
    others = f"{drawn.size - len(drawn.always)} of {len(drawn.drawn_from)}"
    return " + ".join((*drawn.always, others))


def _summary(drawn: Subsamples) -> Iterator[float]:
    yield drawn.mean
    yield drawn.deviation
    yield from (drawn.quantile(share) for share in QUANTILES)


def _remarks(table: Robustness) -> Iterator[str]:
    """Who is an outlier, and how far away."""
    found = table.pair.outliers
    ranks = {name: rank for rank, name in enumerate(table.order, 1)}
    far = [f"{name} (rank {ranks[name]}, {found.distances[name]:.1f})" for name in found.systems]
    beyond = f"further than {found.cutoff:g} scaled median deviations from the median"
    yield f"outliers, {beyond}: {', '.join(far)}" if far else f"no outliers: {found.reason or f'none is {beyond}'}"
