"""What a set of test sets contains: texts, human scores, metric scores and judgements."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from assay.results.columns import ResultColumn, Shown
from assay.results.result import Listed, Result
from assay.types.record import Record

__all__ = ["Holding", "Holdings"]


@dataclass(frozen=True, slots=True)
class Holding(Record):
    """One language pair of a test set."""

    testset: str
    lp: str
    systems: int
    """With an output, a score or a judgement."""
    segments: int
    outputs: int
    references: int
    human_system: tuple[str, ...]
    """Names of the human scores by system."""
    human_segment: Mapping[str, int]
    """Names of the human scores by segment, and how many scores each has."""
    metrics_system: int
    metrics_segment: int
    judgements: Mapping[str, int]
    """Names of the sets of single judgements and of predicted errors, and how many outputs each is of."""


def _counted(name: str) -> Callable[[Holding], str]:
    """Names with counts, in a text with spaces between them."""
    return lambda holding: " ".join(f"{each}:{count}" for each, count in getattr(holding, name).items())


_LISTED = Shown.FILE | Shown.TABLE


@dataclass(frozen=True, slots=True, repr=False)
class Holdings(Listed[Holding], Result):
    """Every test set and language pair."""

    holds = "campaigns"

    campaigns: tuple[Holding, ...]

    made_by: ClassVar[str] = "data list"
    columns: ClassVar[tuple[ResultColumn, ...]] = (
        ResultColumn("testset", label="test set", shown=_LISTED),
        ResultColumn("lp", label="pair", shown=_LISTED),
        ResultColumn("systems", int, shown=_LISTED),
        ResultColumn("segments", int, shown=_LISTED),
        ResultColumn("outputs", int, shown=_LISTED),
        ResultColumn("references", int, shown=_LISTED),
        ResultColumn("human_system", label="human by system", shown=_LISTED),
        ResultColumn("human_segment", read=_counted("human_segment"), label="human by segment", shown=_LISTED),
        ResultColumn("metrics_system", int, label="metrics by system", shown=_LISTED),
        ResultColumn("metrics_segment", int, label="metrics by segment", shown=_LISTED),
        ResultColumn("judgements", read=_counted("judgements"), shown=_LISTED),
    )

    def __repr__(self) -> str:
        return f"Holdings({', '.join(f'{each.testset} {each.lp}'.strip() for each in self.campaigns)})"

    def records(self) -> tuple[Holding, ...]:
        """One per language pair of a test set."""
        return self.campaigns
