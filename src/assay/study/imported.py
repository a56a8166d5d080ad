"""Scores computed elsewhere as statistics and scores of our own, so that they take part in everything."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from assay.contracts import Metric
from assay.errors import InputError
from assay.registry import option_text
from assay.results import Estimate, Scores
from assay.types import FloatArray, ScoreTable, Signature, Table, TestSet
from assay.version import __version__

__all__ = ["Imported", "scores_of"]


@dataclass(frozen=True)
class Imported(Metric):
    """A table of segment scores in the place of a metric: each segment's statistics are its score and 1.

    It is bound to the segments of one test set and therefore has no name in the registry.
    """

    name = "imported"
    needs = frozenset()
    default_aggregation = "segment"
    undefined = "no score was given"

    table: ScoreTable = field(compare=False)

    @property
    def higher_is_better(self) -> bool:
        """As the table says."""
        return self.table.higher_is_better

    @property
    def columns(self) -> tuple[str, ...]:
        """A sum and a count."""
        return ("score", "count")

    def statistics(self, testset: TestSet, *, threads: int) -> Table:
        """The table's values in the order of the test set's systems; a gap is two zeros."""
        if self.table.level != "segment":
            raise InputError(
                f"the scores '{self.table.name}' are by {self.table.level}, and segment scores are needed",
                path=self.table.origin or None,
            )
        if self.table.values.shape[1] != len(testset):
            raise InputError(
                f"{self.table.values.shape[1]:,} scores for a system, but the test set has {len(testset):,} segments",
                path=self.table.origin or None,
            )
        if self.table.items:
            raise InputError(
                f"the scores '{self.table.name}' are of segments with names ({self.table.items[0]}, …), and cannot be "
                "laid on the lines of the test set",
                path=self.table.origin or None,
                hint="number the segments as the lines are, from 1",
            )
        values = self.table.take(testset.systems).values
        given = ~np.isnan(values)
        return np.stack([np.where(given, values, 0.0), given.astype(np.float64)], axis=-1)

    def score(self, totals: Table) -> FloatArray:
        """The mean."""
        with np.errstate(invalid="ignore"):
            mean: FloatArray = totals[..., 0] / totals[..., 1]
        return mean

    @property
    def parameters(self) -> tuple[tuple[str, str], ...]:
        """Where the values came from."""
        return _parameters(self.table)


def scores_of(table: ScoreTable, segments: int) -> Scores:
    """System scores from a file as scores of our own; `segments` is how many they are said to be over."""
    if table.level != "system":
        raise InputError(f"the scores '{table.name}' are by {table.level}, not by system", path=table.origin or None)
    estimates = {
        name: Estimate(float(value), segments, reason="no score was given" if math.isnan(value) else None)
        for name, value in zip(table.systems, table.values[:, 0], strict=True)
    }
    return Scores("given", _signature(table, "given"), estimates)


def _signature(table: ScoreTable, aggregation: str) -> Signature:
    return Signature(
        metric="imported",
        parameters=_parameters(table),
        references=str(len(table.references)),
        aggregation=aggregation,
        version=__version__,
    )


def _parameters(table: ScoreTable) -> tuple[tuple[str, str], ...]:
    items = {
        "scores": table.name,
        "references": "+".join(table.references),
        "protocol": table.protocol or "",
        "origin": Path(table.origin).name,
        "digest": table.digest,
        "better": "" if table.higher_is_better else "lower",
    }
    return tuple((key, option_text(value)) for key, value in items.items() if value)
