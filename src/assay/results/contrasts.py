"""Where two systems differ: single segments, groups of segments, n-grams and groups of words.

`better_by` is positive where the first system is better, also for metrics whose lower scores are better. (A
`difference` is always the score of the first system minus that of the second.)
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self, TypeAlias

from assay.results.estimate import none_if_nan
from assay.types import FrozenDict, Note

__all__ = [
    "Contrast",
    "DiffSpan",
    "Example",
    "Examples",
    "GroupDifference",
    "GroupDifferences",
    "NgramDifference",
    "NgramDifferences",
    "PairContrast",
    "TokenContrast",
    "WordCounts",
    "WordDiff",
    "WordGroup",
    "WordGroups",
]


@dataclass(frozen=True, slots=True)
class PairContrast(ABC):
    """What all views of where two systems differ have: the systems, and notes."""

    first: str
    second: str
    notes: tuple[Note, ...] = field(default=(), kw_only=True)
    """What was left out."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {"first": self.first, "second": self.second, **self.tree()}

    @abstractmethod
    def tree(self) -> dict[str, Any]:
        """The part of `to_dict` that differs between contrasts."""

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

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", FrozenDict(self.settings))


@dataclass(frozen=True, slots=True)
class DiffSpan:
    """A piece of a text."""

    text: str
    is_same: bool
    """Whether the other text has these words, too, in the same order."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {"text": self.text, "same": self.is_same}


@dataclass(frozen=True, slots=True)
class WordDiff:
    """Two texts in spans of words that are the same and words that differ. The spans of a text make up the text."""

    first: tuple[DiffSpan, ...]
    second: tuple[DiffSpan, ...]

    def reversed(self) -> WordDiff:
        """The same with the second text first."""
        return WordDiff(self.second, self.first)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "first": [span.to_dict() for span in self.first],
            "second": [span.to_dict() for span in self.second],
        }


@dataclass(frozen=True, slots=True)
class Example:
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

    def __post_init__(self) -> None:
        object.__setattr__(self, "references", FrozenDict(self.references))

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

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "segment": self.segment,
            "name": self.name,
            "document": self.document,
            "source": self.source,
            "references": dict(self.references),
            "first_output": self.first_output,
            "second_output": self.second_output,
            "first_score": none_if_nan(self.first_score),
            "second_score": none_if_nan(self.second_score),
            "better_by": none_if_nan(self.better_by),
            "diff": self.diff.to_dict(),
        }


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

    def tree(self) -> dict[str, Any]:
        """The metric and the segments."""
        return {
            "metric": self.metric,
            "n": self.n,
            "best": [example.to_dict() for example in self.best],
            "worst": [example.to_dict() for example in self.worst],
        }

    def reversed(self) -> Self:
        """The same with the second system first."""
        best, worst = (tuple(example.reversed() for example in side) for side in (self.worst, self.best))
        return replace(self, first=self.second, second=self.first, best=best, worst=worst)


@dataclass(frozen=True, slots=True)
class GroupDifference:
    """The scores of two systems in a group of segments, under one aggregation. Undefined scores are NaN."""

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

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "group": self.group,
            "aggregation": self.aggregation,
            "first_score": none_if_nan(self.first_score),
            "second_score": none_if_nan(self.second_score),
            "better_by": none_if_nan(self.better_by),
            "n": self.n,
            "small": self.is_small,
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class GroupDifferences(PairContrast):
    """Differences between two systems by groups of segments: for each grouping and aggregation, the largest first."""

    metric: str
    groups: tuple[GroupDifference, ...]
    min_segments: int
    """Groups with fewer segments are small."""

    def tree(self) -> dict[str, Any]:
        """The metric and the groups."""
        return {
            "metric": self.metric,
            "min_segments": self.min_segments,
            "groups": [group.to_dict() for group in self.groups],
        }

    def reversed(self) -> Self:
        """The same with the second system first, and its largest difference first."""
        tables: dict[tuple[str, str], list[GroupDifference]] = {}
        for group in self.groups:
            tables.setdefault((group.grouping, group.aggregation), []).append(group.reversed())
        ordered = (group for table in tables.values() for group in sorted(table, key=_largest_first))
        return replace(self, first=self.second, second=self.first, groups=tuple(ordered))


def _largest_first(group: GroupDifference) -> float:
    return math.inf if math.isnan(group.better_by) else -group.better_by


@dataclass(frozen=True, slots=True)
class NgramDifference:
    """An n-gram that two systems match with the references to a different extent."""

    tokens: tuple[str, ...]
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

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "ngram": self.text,
            "order": self.order,
            "first_matches": self.first_matches,
            "second_matches": self.second_matches,
            "reference_count": self.reference_count,
            "score": none_if_nan(self.score),
            "first_segments": list(self.first_segments),
            "second_segments": list(self.second_segments),
        }


@dataclass(frozen=True, slots=True)
class NgramDifferences(TokenContrast):
    """N-grams that one system gets right more often than the other."""

    best: tuple[NgramDifference, ...]
    """N-grams that the first system gets right more often, the most unbalanced first."""
    worst: tuple[NgramDifference, ...]
    """N-grams that the second system gets right more often, the most unbalanced first."""

    def tree(self) -> dict[str, Any]:
        """The settings and the n-grams."""
        return {
            "n": self.n,
            "settings": dict(self.settings),
            "best": [ngram.to_dict() for ngram in self.best],
            "worst": [ngram.to_dict() for ngram in self.worst],
        }

    def reversed(self) -> Self:
        """The same with the second system first."""
        best, worst = (tuple(ngram.reversed() for ngram in side) for side in (self.worst, self.best))
        return replace(self, first=self.second, second=self.first, best=best, worst=worst)


@dataclass(frozen=True, slots=True)
class WordCounts:
    """Words of a group in the outputs of a system and in the references, and how many of them match."""

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

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "precision": none_if_nan(self.precision),
            "recall": none_if_nan(self.recall),
            "f_measure": none_if_nan(self.f_measure),
            "matches": self.matches,
            "output_words": self.output_words,
            "reference_words": self.reference_words,
        }


@dataclass(frozen=True, slots=True)
class WordGroup:
    """How well two systems translate the words of a group."""

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

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "group": self.group,
            "first": self.first.to_dict(),
            "second": self.second.to_dict(),
            "better_by": none_if_nan(self.better_by),
            "reason": self.reason,
            "first_segments": list(self.first_segments),
            "second_segments": list(self.second_segments),
        }


@dataclass(frozen=True, slots=True)
class WordGroups(TokenContrast):
    """Precision, recall and F-measure of groups of words for two systems."""

    groups: tuple[WordGroup, ...]

    def tree(self) -> dict[str, Any]:
        """The settings and the groups."""
        return {
            "n": self.n,
            "settings": dict(self.settings),
            "groups": [group.to_dict() for group in self.groups],
        }

    def reversed(self) -> Self:
        """The same with the second system first."""
        groups = tuple(group.reversed() for group in self.groups)
        return replace(self, first=self.second, second=self.first, groups=groups)


Contrast: TypeAlias = Examples | GroupDifferences | NgramDifferences | WordGroups
"""One view of where the two systems differ."""
