"""Where two systems differ: single segments, groups of segments, n-grams and groups of words.

`better_by` is positive where the first system is better, also for metrics whose lower scores are better. (A
`difference` is always the score of the first system minus that of the second.)
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self, TypeAlias

from assay.results.columns import ResultColumn, Shown, Unit
from assay.results.estimate import Estimate
from assay.results.order import best_first
from assay.types import Note
from assay.types.record import OMITTED, Record, in_tree

__all__ = [
    "Contrast",
    "DiffSpan",
    "ErrorKind",
    "Example",
    "Examples",
    "GroupDifference",
    "GroupDifferences",
    "MarkedErrors",
    "MarkedExample",
    "NgramDifference",
    "NgramDifferences",
    "PairContrast",
    "TokenContrast",
    "WordCounts",
    "WordDiff",
    "WordGroup",
    "WordGroups",
    "in_order",
]

_SEGMENTS = 5  # that a table names
_BETTER_BY = ResultColumn(
    "better_by",
    float,
    label="better by",
    unit=Unit.DIFFERENCE,
    reason="reason",
    help="Positive where the first system is better, also where lower scores are.",
    shown=Shown.TABLE,
)


@dataclass(frozen=True, slots=True)
class PairContrast(Record, ABC):
    """What all views of where two systems differ have: the systems, and notes."""

    derived: ClassVar[tuple[str, ...]] = ("kind",)

    first: str
    second: str
    notes: tuple[Note, ...] = field(default=(), kw_only=True)
    """What was left out."""

    @property
    def kind(self) -> str:
        """What the view is of."""
        return type(self).__name__

    @abstractmethod
    def reversed(self) -> Self:
        """The same with the second system first."""


@dataclass(frozen=True, slots=True)
class TokenContrast(PairContrast):
    """A view that counts tokens of outputs and references."""

    n: int
    """Number of segments with both outputs and a reference."""
    settings: Mapping[str, str]
    """The tokeniser and other options."""


@dataclass(frozen=True, slots=True)
class DiffSpan(Record):
    """A piece of a text."""

    text: str
    is_same: bool = field(metadata=in_tree(key="same"))
    """Whether the other text has these words, too, in the same order."""


@dataclass(frozen=True, slots=True)
class WordDiff(Record):
    """Two texts in spans of words that are the same and words that differ. The spans of a text make up the text."""

    first: tuple[DiffSpan, ...]
    second: tuple[DiffSpan, ...]

    def reversed(self) -> WordDiff:
        """The same with the second text first."""
        return WordDiff(self.second, self.first)


@dataclass(frozen=True, slots=True)
class Example(Record):
    """A segment with the outputs of both systems and their scores."""

    segment: int
    """From 1."""
    name: str | None
    """If the test set names its segments."""
    document: str | None
    source: str | None
    references: Mapping[str, str]
    """By name, without those that are absent."""
    first_output: str
    second_output: str
    first_score: float
    second_score: float
    better_by: float
    diff: WordDiff

    def reversed(self) -> Example:
        """The same with the second system first."""
        return replace(
            self,
            first_output=self.second_output,
            second_output=self.first_output,
            first_score=self.second_score,
            second_score=self.first_score,
            better_by=-self.better_by,
            diff=self.diff.reversed(),
        )


@dataclass(frozen=True, slots=True)
class Examples(PairContrast):
    """The segments in which two systems differ most by a metric."""

    metric: str
    best: tuple[Example, ...]
    """Segments in which the first system is better, the largest difference first."""
    worst: tuple[Example, ...]
    """Segments in which the second system is better, the largest difference first."""
    n: int
    """Number of segments with an output and a score of both systems."""

    def reversed(self) -> Self:
        """The same with the second system first."""
        best, worst = (tuple(example.reversed() for example in side) for side in (self.worst, self.best))
        return replace(self, first=self.second, second=self.first, best=best, worst=worst)


@dataclass(frozen=True, slots=True)
class GroupDifference(Record):
    """The scores of two systems in a group of segments, under one aggregation. Undefined scores are NaN."""

    derived: ClassVar[tuple[str, ...]] = ("group",)

    grouping: str
    """Such as domain."""
    label: str
    """Such as news."""
    aggregation: str
    first_score: float
    second_score: float
    better_by: float
    n: int
    """Number of segments of the group that were scored: `assay.compare` scores those with a score of every system."""
    is_small: bool
    """Whether these are too few for a statement about the group."""
    reason: str | None = None
    """Why `better_by` is undefined."""

    @property
    def group(self) -> str:
        """Such as `domain:news`."""
        return f"{self.grouping}:{self.label}"

    def reversed(self) -> GroupDifference:
        """The same with the second system first."""
        return replace(self, first_score=self.second_score, second_score=self.first_score, better_by=-self.better_by)


@dataclass(frozen=True, slots=True)
class GroupDifferences(PairContrast):
    """Differences between two systems by groups of segments: for each grouping and aggregation, the largest first.

    Groups by length stay in the order of their lengths.
    """

    columns: ClassVar[tuple[ResultColumn, ...]] = (
        ResultColumn("group", shown=Shown.TABLE),
        ResultColumn("aggregation", shown=Shown.TABLE),
        ResultColumn("n", int, label="segments", shown=Shown.TABLE),
        ResultColumn("first_score", float, label="{first}", unit=Unit.SCORE, shown=Shown.TABLE),
        ResultColumn("second_score", float, label="{second}", unit=Unit.SCORE, shown=Shown.TABLE),
        _BETTER_BY,
    )

    metric: str
    groups: tuple[GroupDifference, ...]
    min_segments: int
    """Groups with fewer segments are small."""

    def reversed(self) -> Self:
        """The same with the second system first, and its largest difference first."""
        tables: dict[tuple[str, str], list[GroupDifference]] = {}
        for group in self.groups:
            tables.setdefault((group.grouping, group.aggregation), []).append(group.reversed())
        ordered = (group for table in tables.values() for group in in_order(table))
        return replace(self, first=self.second, second=self.first, groups=tuple(ordered))


def in_order(differences: Sequence[GroupDifference]) -> list[GroupDifference]:
    """Groups of one grouping: the largest difference in favour of the first system first, undefined ones last.

    Groups by length have an order of their own, in which they were made.
    """
    if all(group.grouping == "length" for group in differences):
        return list(differences)
    return [differences[place] for place in best_first({k: each.better_by for k, each in enumerate(differences)})]


@dataclass(frozen=True, slots=True)
class NgramDifference(Record):
    """An n-gram that two systems match with the references to a different extent."""

    derived: ClassVar[tuple[str, ...]] = ("text", "order")

    tokens: tuple[str, ...] = field(metadata=OMITTED)
    first_matches: int
    second_matches: int
    reference_count: int
    """Number of times that the references have it, which is the largest possible number of matches."""
    score: float
    """The first system's share of the matches, smoothed: above 0.5 if it has more of them."""
    first_segments: tuple[int, ...]
    """Segments (from 1) in which the first system has more matches."""
    second_segments: tuple[int, ...]
    """Segments (from 1) in which the second system has more matches."""

    @property
    def text(self) -> str:
        """The tokens with spaces between them."""
        return " ".join(self.tokens)

    @property
    def some_segments(self) -> str:
        """The first of the segments in which one system has more matches."""
        return ", ".join(map(str, (*self.first_segments, *self.second_segments)[:_SEGMENTS]))

    @property
    def order(self) -> int:
        """Number of tokens."""
        return len(self.tokens)

    def reversed(self) -> NgramDifference:
        """The same with the second system first."""
        return replace(
            self,
            first_matches=self.second_matches,
            second_matches=self.first_matches,
            score=1 - self.score,
            first_segments=self.second_segments,
            second_segments=self.first_segments,
        )


@dataclass(frozen=True, slots=True)
class NgramDifferences(TokenContrast):
    """N-grams that one system gets right more often than the other."""

    columns: ClassVar[tuple[ResultColumn, ...]] = (
        ResultColumn("text", label="n-gram", shown=Shown.TABLE),
        ResultColumn("first_matches", int, label="{first}", shown=Shown.TABLE),
        ResultColumn("second_matches", int, label="{second}", shown=Shown.TABLE),
        ResultColumn("reference_count", int, label="in references", shown=Shown.TABLE),
        ResultColumn("segments", read="some_segments", unit=Unit.LIST, shown=Shown.TABLE),
    )

    best: tuple[NgramDifference, ...]
    """N-grams that the first system gets right more often, the most unbalanced first."""
    worst: tuple[NgramDifference, ...]
    """N-grams that the second system gets right more often, the most unbalanced first."""

    def reversed(self) -> Self:
        """The same with the second system first."""
        best, worst = (tuple(ngram.reversed() for ngram in side) for side in (self.worst, self.best))
        return replace(self, first=self.second, second=self.first, best=best, worst=worst)


@dataclass(frozen=True, slots=True)
class WordCounts(Record):
    """Words of a group in the outputs of a system and in the references, and how many of them match."""

    derived: ClassVar[tuple[str, ...]] = ("precision", "recall", "f_measure")

    matches: int
    output_words: int
    reference_words: int

    @property
    def precision(self) -> float:
        """The share of the output words that match; NaN if there are none."""
        return self.matches / self.output_words if self.output_words else math.nan

    @property
    def recall(self) -> float:
        """The share of the reference words that match; NaN if there are none."""
        return self.matches / self.reference_words if self.reference_words else math.nan

    @property
    def f_measure(self) -> float:
        """The harmonic mean of precision and recall; NaN if there are no reference words, 0 without output words."""
        if not self.reference_words:
            return math.nan
        return 2 * self.matches / (self.output_words + self.reference_words)


@dataclass(frozen=True, slots=True)
class WordGroup(Record):
    """How well two systems translate the words of a group."""

    derived: ClassVar[tuple[str, ...]] = ("better_by", "reason")

    group: str
    """A label like `case:capitalised`."""
    first: WordCounts
    second: WordCounts
    first_segments: tuple[int, ...] = ()
    """Segments (from 1) in which the first system gets more words of the group right: up to 100, the most first."""
    second_segments: tuple[int, ...] = ()
    """Segments (from 1) in which the second system gets more words of the group right: up to 100, the most first."""

    @property
    def better_by(self) -> float:
        """The F-measure of the first system minus that of the second; NaN if one is undefined."""
        return self.first.f_measure - self.second.f_measure

    @property
    def reason(self) -> str | None:
        """Why `better_by` is undefined."""
        return "no such word in the references" if math.isnan(self.better_by) else None

    def reversed(self) -> WordGroup:
        """The same with the second system first."""
        return WordGroup(self.group, self.second, self.first, self.second_segments, self.first_segments)


@dataclass(frozen=True, slots=True)
class WordGroups(TokenContrast):
    """Precision, recall and F-measure of groups of words for two systems."""

    columns: ClassVar[tuple[ResultColumn, ...]] = (
        ResultColumn("group", label="words", shown=Shown.TABLE),
        ResultColumn("reference_words", int, "first.reference_words", label="in references", shown=Shown.TABLE),
        ResultColumn("first", float, "first.f_measure", label="{first}", unit=Unit.SCORE, shown=Shown.TABLE),
        ResultColumn("second", float, "second.f_measure", label="{second}", unit=Unit.SCORE, shown=Shown.TABLE),
        _BETTER_BY,
    )

    groups: tuple[WordGroup, ...]

    def reversed(self) -> Self:
        """The same with the second system first."""
        groups = tuple(group.reversed() for group in self.groups)
        return replace(self, first=self.second, second=self.first, groups=groups)


@dataclass(frozen=True, slots=True)
class ErrorKind(Record):
    """Errors of a severity or a category in the outputs of two systems, in 100 words."""

    by: str
    """What errors of this kind have in common: `severity` or `category`; empty for all errors."""
    kind: str
    first: Estimate
    second: Estimate
    difference: Estimate
    """Of the first system minus the second: positive where the first has more errors."""
    p: float
    """Of the difference, two-sided: each document's share in it changes its sign at random."""
    p_corrected: float
    """Corrected by Holm for all kinds."""
    first_only: int
    """In how many segments only the first system has such an error."""
    second_only: int
    first_segments: tuple[int, ...] = ()
    """These segments (from 1), up to 100."""
    second_segments: tuple[int, ...] = ()

    def corrected(self, p: float) -> ErrorKind:
        """The same with a corrected p-value."""
        return replace(self, p_corrected=p)

    def reversed(self) -> ErrorKind:
        """The same with the second system first."""
        return replace(
            self,
            first=self.second,
            second=self.first,
            difference=self.difference.negated(),
            first_only=self.second_only,
            second_only=self.first_only,
            first_segments=self.second_segments,
            second_segments=self.first_segments,
        )


@dataclass(frozen=True, slots=True)
class MarkedExample(Record):
    """An error in a segment in which the other system has none."""

    system: str
    segment: int
    severity: str
    category: str
    text: str

    columns: ClassVar[tuple[ResultColumn, ...]] = (
        ResultColumn("system", label="only", shown=Shown.TABLE),
        ResultColumn("segment", int, unit=Unit.ORDINAL, shown=Shown.TABLE),
        ResultColumn("severity", shown=Shown.TABLE),
        ResultColumn("category", shown=Shown.TABLE, optional=True),
        ResultColumn("text", shown=Shown.TABLE),
    )


@dataclass(frozen=True, slots=True)
class MarkedErrors(PairContrast):
    """Errors that people, or a metric, marked in the outputs of two systems, by severity and category."""

    columns: ClassVar[tuple[ResultColumn, ...]] = (
        ResultColumn("by", shown=Shown.TABLE),
        ResultColumn("kind", label="errors in 100 {length_unit}", shown=Shown.TABLE),
        ResultColumn("first", float, label="{first}", unit=Unit.SCORE, shown=Shown.TABLE),
        ResultColumn("second", float, label="{second}", unit=Unit.SCORE, shown=Shown.TABLE),
        ResultColumn("difference", float, unit=Unit.DIFFERENCE, shown=Shown.TABLE),
        ResultColumn("p", float, "p_corrected", unit=Unit.P_VALUE, shown=Shown.TABLE),
        ResultColumn("first_only", int, label="segments: only {first}", shown=Shown.TABLE),
        ResultColumn("second_only", int, label="only {second}", shown=Shown.TABLE),
    )

    name: str
    """Of the judgements or of the metric."""
    length_unit: str
    """`words`, or `characters` of languages without spaces."""
    n: int
    """Segments rated of both systems."""
    units: int
    """Documents, which are resampled and swapped; segments where these are not known."""
    unit: str
    """`document` or `segment`."""
    kinds: tuple[ErrorKind, ...]
    only_first: tuple[MarkedExample, ...]
    """The worst errors of the first system where none of the second were marked."""
    only_second: tuple[MarkedExample, ...]
    settings: Mapping[str, str]
    is_human: bool = True
    """False: a metric marked the errors, and `name` is that of the metric."""

    @property
    def marked_by(self) -> str:
        """Who marked the errors, and under which name."""
        return f"people marked ('{self.name}')" if self.is_human else f"{self.name} marked"

    def reversed(self) -> Self:
        """The same with the second system first."""
        kinds = tuple(kind.reversed() for kind in self.kinds)
        return replace(
            self,
            first=self.second,
            second=self.first,
            kinds=kinds,
            only_first=self.only_second,
            only_second=self.only_first,
        )


Contrast: TypeAlias = Examples | GroupDifferences | NgramDifferences | WordGroups | MarkedErrors
"""One view of where the two systems differ."""
