"""Scores computed by another program, as a metric like the others."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from assay.contracts import Metric
from assay.errors import InputError
from assay.lazily import numpy as np
from assay.types import FloatArray, ScoreTable, Table, TestSet, ratio_of_sums
from assay.types.note import plural
from assay.types.runtime import Runtime

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["ExternalScores"]


@dataclass(frozen=True)
class ExternalScores(Metric):
    """A table of segment scores as a metric: the statistics of a segment are its score and 1.

    The fields say where the scores come from. The scores belong to the segments of one test set, so no spec can create
    this metric; use `ExternalScores.of(table)`.
    """

    name = "external"
    needs = frozenset()
    default_aggregation = "segment"
    undefined = "the score table has no score"

    scores: str
    references: str
    protocol: str
    origin: str
    digest: str
    better: str
    table: ScoreTable = field(compare=False, repr=False)

    @classmethod
    def of(cls, table: ScoreTable) -> ExternalScores:
        """A score table as a metric."""
        return cls(
            scores=table.name,
            references="+".join(table.references),
            protocol=table.protocol or "",
            origin=", ".join(Path(path).name for path in table.origin.split(", ")),  # one for each file
            digest=table.digest,
            better="" if table.higher_is_better else "lower",
            table=table,
        )

    @property
    def higher_is_better(self) -> bool:
        return self.table.higher_is_better

    @property
    def columns(self) -> tuple[str, ...]:
        return ("score", "count")

    def scorable(self, testset: TestSet) -> npt.NDArray[np.bool_]:
        return ~np.isnan(self._values(testset))

    def reference_count(self, testset: TestSet) -> str:
        return str(len(self.table.references))

    def statistics(self, testset: TestSet, runtime: Runtime) -> Table:
        values = self._values(testset)
        available = ~np.isnan(values)
        return np.stack([np.where(available, values, 0.0), available.astype(np.float64)], axis=-1)

    def _values(self, testset: TestSet) -> FloatArray:
        """The scores (system, segment) of the test set's systems; NaN where the table has none."""
        table = self.table
        path = table.origin or None
        if table.level != "segment":
            raise InputError(f"'{table.name}' holds {table.level} scores; segment scores are needed", path=path)
        if table.values.shape[1] != len(testset):
            raise InputError(
                f"{plural(table.values.shape[1], 'score')} per system, but the test set has "
                f"{plural(len(testset), 'segment')}",
                path=path,
            )
        if table.items:
            raise InputError(
                f"the scores '{table.name}' are for named segments ({table.items[0]}, …), which cannot be matched with "
                "the lines of the test set",
                path=path,
                hint="number the segments like the lines, from 1",
            )
        return table.take(testset.systems).values

    def score(self, totals: Table) -> FloatArray:
        return ratio_of_sums(totals)
