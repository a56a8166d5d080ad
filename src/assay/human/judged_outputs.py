"""The ratings of a language pair whose marked errors can be used, their documents, and who else rated their outputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from assay.aggregate.unit_intervals import unit_sizes
from assay.human.marks import document_units, usable_marks
from assay.measurement.units import ResamplingUnits
from assay.types import Campaign, FloatArray, Note, Ratings

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["JudgedOutputs"]


@dataclass(frozen=True, slots=True, eq=False)
class JudgedOutputs:
    """Ratings, each of an output; several may be of the same one."""

    ratings: Ratings
    units: ResamplingUnits
    """The document of each rating, or its segment where documents are not known."""
    notes: tuple[Note, ...]

    @classmethod
    def of(cls, ratings: Ratings, campaign: Campaign, systems: Sequence[str]) -> Self:
        """The usable ratings of these systems, and notes on those that are left out."""
        usable, notes = usable_marks(ratings, campaign.testset)
        kept = usable.take(systems)
        return cls(kept, document_units(kept, campaign.testset), notes)

    def __len__(self) -> int:
        return len(self.ratings)

    def sizes(self, rows: npt.NDArray[np.bool_] | None = None) -> FloatArray:
        """How many of these ratings each document has, of those that have any."""
        return unit_sizes(self.units.number if rows is None else self.units.number[rows])

    @property
    def outputs(self) -> list[tuple[int, int]]:
        """System and segment of each rating."""
        return list(zip(self.ratings.system.tolist(), self.ratings.segment.tolist(), strict=True))

    def others(self, *, by_same_rater: bool) -> list[tuple[int, ...]]:
        """For each rating, the rows of the other ratings of its output: those by the same rater, or by others."""
        rows: dict[tuple[int, int], list[int]] = {}
        for row, output in enumerate(self.outputs):
            rows.setdefault(output, []).append(row)
        rater = self.ratings.rater.tolist()
        return [
            tuple(k for k in rows[output] if k != row and (rater[k] == rater[row]) == by_same_rater)
            for row, output in enumerate(self.outputs)
        ]
