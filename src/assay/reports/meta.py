"""Metrics against people on several language pairs, as a document."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from assay.reports.document import Document, Grid, Section
from assay.results import Estimate, EvaluatedMetric, Measure, MetaColumn, MetaEvaluation

__all__ = ["MetaDocument"]


@dataclass(frozen=True)
class MetaDocument(Document):
    """A grid for each statistic. With outliers kept and dropped, pairs that have outliers take two columns."""

    evaluation: MetaEvaluation

    columns: ClassVar = {
        "place": int,
        "metric": str,
        "pair": str,
        "statistic": str,
        "outliers": str,
        "value": float,
        "reason": str,
        "low": float,
        "high": float,
        "standard_error": float,
        "n": int,
        "systems": int,
        "segments": int,
        "groups": int,
        "groups_undefined": int,
        "hits": int,
        "pairs": int,
    }
    sheet: ClassVar = "statistic"

    def sections(self) -> Iterator[Section]:
        """A section for each statistic, with the outliers below."""
        for statistic in dict.fromkeys(measure.statistic for measure in self.evaluation.measures):
            yield Section((self._grid(statistic),), (self.evaluation.signature(statistic),))

    def rows(self) -> Iterator[dict[str, Any]]:
        """A row for each average and each value."""
        return self.evaluation.rows()

    def tree(self) -> dict[str, Any]:
        """The schema is in docs/formats.md."""
        return self.evaluation.to_dict()

    def _grid(self, statistic: str) -> Grid:
        measures = [measure for measure in self.evaluation.measures if measure.statistic == statistic]
        columns = self._shown(measures)
        usual = {column: self._usual(column, "n") for column in columns}
        pairs = [self._usual(column, "pairs") for column in columns]
        averaged = measures if len(self.evaluation.pairs) > 1 else []  # the average of one is that one
        header = (statistic, *map(_average_name, averaged), *(self._name(column) for column in columns))
        blank = ("",) * len(averaged)
        counts = [("n", *blank, *(f"{usual[column]:,}" for column in columns))]
        if any(pairs):
            counts.append(("pairs", *blank, *(f"{count:,}" for count in pairs)))
        held_against = [row for row in self.evaluation.yardsticks if any(c.measure in measures for c in row.agreements)]
        rows = [
            (
                row.metric,
                *(_number(row.averages[measure].value) for measure in averaged),
                *(self._cell(row, column, usual[column]) for column in columns),
            )
            for row in (*self.evaluation, *held_against)
        ]
        return Grid(header, (*counts, *rows), remarks=tuple(self._remarks(measures)))

    def _shown(self, measures: list[Measure]) -> list[MetaColumn]:
        """Each pair once for each measure; where there is no outlier to drop, once."""
        return [
            MetaColumn(pair.label, measure)
            for pair in self.evaluation.pairs
            for measure in measures
            if measure == measures[0] or pair.outliers.systems
        ]

    def _usual(self, column: MetaColumn, count: str) -> int:
        """What most metrics have; of n, the others say theirs."""
        there = (getattr(row.agreements[column], count) for row in self.evaluation if column in row.agreements)
        found = Counter(each for each in there if each is not None)
        return max(found, key=lambda n: (found[n], n)) if found else 0

    def _name(self, column: MetaColumn) -> str:
        if column.measure.outliers == "kept":
            return column.pair
        pair = next(each for each in self.evaluation.pairs if each.label == column.pair)
        return f"{column.pair} -{len(pair.outliers.systems)}"

    def _cell(self, row: EvaluatedMetric, column: MetaColumn, usual: int) -> str:
        if column not in row.agreements:
            return ""
        found = row.agreements[column].estimate
        return _number(found.value) + _spread(found) + ("" if found.n == usual else f" ({found.n:,})")

    def _remarks(self, measures: list[Measure]) -> Iterator[str]:
        if any(measure.outliers == "dropped" for measure in measures):
            for pair in self.evaluation.pairs:
                if pair.outliers.systems:
                    yield f"outliers in {pair.label}: {', '.join(pair.outliers.systems)}"


def _average_name(measure: Measure) -> str:
    return "average" if measure.outliers == "kept" else "without outliers"


def _number(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.3f}"


def _spread(found: Estimate) -> str:
    """The interval or, of a mean over random metrics, their standard deviation."""
    if not math.isnan(found.low):
        return f" [{_number(found.low)}, {_number(found.high)}]"
    return "" if math.isnan(found.standard_error) else f" ± {_number(found.standard_error)}"
