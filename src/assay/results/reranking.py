"""Which of several candidates a metric chose for each segment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from assay.results.columns import ResultColumn, Unit
from assay.results.result import Listed, Result
from assay.types.record import OMITTED, Record

__all__ = ["RerankedSegment", "Reranking"]


@dataclass(frozen=True, slots=True)
class RerankedSegment(Record):
    """The candidates of a segment, and the one that was chosen."""

    segment: int
    """From 1."""
    text: str
    """The chosen text."""
    chosen: int
    """The place of the chosen text among the candidates, from 1."""
    candidates: int
    """The number of candidates."""
    value: float
    """The score or the mean utility of the chosen candidate; NaN if the metric is undefined for all."""
    first_value: float
    """The value of the first candidate."""
    mean_value: float
    """The mean of the defined values of all candidates."""
    ties: int
    """How many candidates with another text have the same value: the first of them was chosen."""
    values: tuple[float, ...] = field(metadata=OMITTED)
    """The value of each candidate; NaN where undefined."""


@dataclass(frozen=True, slots=True, repr=False)
class Reranking(Listed[RerankedSegment], Result):
    """The candidates that a metric chose: by its score, or as those with the least Bayes risk."""

    holds = "segments"

    settings: Mapping[str, str]
    rule: Literal["score", "mbr"]
    """By the score of each candidate, or by its mean utility (minimum Bayes risk)."""
    metric: str
    metric_signature: str
    higher_is_better: bool
    segments: tuple[RerankedSegment, ...]

    made_by: ClassVar[str] = "rerank"
    columns: ClassVar[tuple[ResultColumn, ...]] = (
        ResultColumn("segment", int, unit=Unit.ORDINAL),
        ResultColumn("candidates", int),
        ResultColumn(
            "chosen", int, unit=Unit.ORDINAL, help="The place of the chosen text among the candidates, from 1."
        ),
        ResultColumn(
            "value",
            float,
            unit=Unit.SCORE,
            help="The score or the mean utility of the chosen candidate; missing if undefined.",
        ),
        ResultColumn("first_value", float, unit=Unit.SCORE, help="The value of the first candidate."),
        ResultColumn("mean_value", float, unit=Unit.SCORE, help="The mean value of the candidates that have one."),
        ResultColumn(
            "ties", int, help="Candidates with another text and the same value, of which the first was chosen."
        ),
        ResultColumn("text"),
    )

    def __repr__(self) -> str:
        return f"Reranking({self.metric}, {len(self.segments):,} segments)"

    @property
    def texts(self) -> tuple[str, ...]:
        """The chosen texts, one for each segment."""
        return tuple(each.text for each in self.segments)

    @property
    def changed(self) -> int:
        """In how many segments another candidate than the first was chosen."""
        return sum(each.chosen > 1 for each in self.segments)

    def records(self) -> Iterator[RerankedSegment]:
        """One for each segment."""
        yield from self.segments
