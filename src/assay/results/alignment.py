"""Outputs that were cut to the segments of a reference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from assay.results.columns import ResultColumn, Unit
from assay.results.result import Listed, Result
from assay.types.record import Record

__all__ = ["AlignedOutput", "AlignedSegment", "Alignment"]


@dataclass(frozen=True, slots=True)
class AlignedSegment(Record):
    """The words of an output that belong to a segment of the reference."""

    system: str
    segment: int
    """From 1."""
    reference_words: int
    """Words and punctuation marks, or characters."""
    words: int
    edits: int
    """The fewest words to insert, delete or replace to get the reference."""
    doubtful: bool
    """Whether other places for its start or its end need no more edits."""


@dataclass(frozen=True, slots=True)
class AlignedOutput(Record):
    """An output with one line for each segment of the reference."""

    system: str
    lines: tuple[str, ...]
    segments: tuple[AlignedSegment, ...]

    @property
    def words(self) -> int:
        """Those of the whole output."""
        return sum(each.words for each in self.segments)

    @property
    def edits(self) -> int:
        """Those of all segments."""
        return sum(each.edits for each in self.segments)

    @property
    def doubtful(self) -> int:
        """The number of segments whose start or end could be elsewhere."""
        return sum(each.doubtful for each in self.segments)

    @property
    def empty(self) -> int:
        """The number of segments without words, where the reference has words."""
        return sum(not each.words and each.reference_words > 0 for each in self.segments)


@dataclass(frozen=True, slots=True, repr=False)
class Alignment(Listed[AlignedOutput], Result):
    """Outputs with one line for each segment of the reference, and how well they fit."""

    holds = "outputs"

    settings: Mapping[str, str]
    outputs: tuple[AlignedOutput, ...]

    made_by: ClassVar[str] = "align"
    columns: ClassVar[tuple[ResultColumn, ...]] = (
        ResultColumn("system"),
        ResultColumn("segment", int, unit=Unit.ORDINAL),
        ResultColumn("reference_words", int),
        ResultColumn("words", int),
        ResultColumn("edits", int, help="The fewest words to insert, delete or replace to get the reference."),
        ResultColumn(
            "doubtful",
            read=lambda each: "yes" if each.doubtful else "no",
            help="Whether other places for its start or its end need no more edits.",
        ),
    )

    def __repr__(self) -> str:
        return f"Alignment({', '.join(f'{each.system}: {each.edits} edits' for each in self.outputs)})"

    def __getitem__(self, system: str) -> AlignedOutput:
        """The output of a system."""
        found = {each.system: each for each in self.outputs}
        return found[system]

    def records(self) -> Iterator[AlignedSegment]:
        """One for each segment of each output."""
        for output in self.outputs:
            yield from output.segments
