"""Where two systems differ: single segments, groups of segments, n-grams and groups of words.

Differences are positive where the first system is better, also for metrics whose lower scores are better.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from assay.results.estimate import none_if_nan
from assay.results.result import Result, settings_line
from assay.types import FrozenDict

__all__ = [
    "DiffSpan",
    "Example",
    "Examples",
    "GroupDifference",
    "GroupDifferences",
    "NgramDifference",
    "NgramDifferences",
    "WordCounts",
    "WordDiff",
    "WordGroup",
    "WordGroups",
]


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
    difference: float
    diff: WordDiff

    def __post_init__(self) -> None:
        object.__setattr__(self, "references", FrozenDict(self.references))

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
            "difference": none_if_nan(self.difference),
            "diff": self.diff.to_dict(),
        }


@dataclass(frozen=True, slots=True, repr=False)
class Examples(Result):
    """The segments in which two systems differ most by a metric."""

    metric: str
    first: str
    second: str
    best: tuple[Example, ...]
    """Segments in which the first system is better, the largest difference first."""
    worst: tuple[Example, ...]
    """Segments in which the second system is better, the largest difference first."""
    n: int
    """Number of segments with an output and a score of both systems."""

    columns: ClassVar[Mapping[str, type]] = {
        "metric": str,
        "first": str,
        "second": str,
        "better": str,
        "segment": int,
        "name": str,
        "document": str,
        "source": str,
        "references": str,
        "first_output": str,
        "second_output": str,
        "first_score": float,
        "second_score": float,
        "difference": float,
    }

    def __repr__(self) -> str:
        counts = f"{len(self.best)} best and {len(self.worst)} worst of {self.n} segments"
        return f"Examples({self.first} against {self.second} by {self.metric}: {counts})"

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row per example: the best, then the worst. Several references stand between ` ||| `."""
        for better, examples in ((self.first, self.best), (self.second, self.worst)):
            for example in examples:
                pair = {"metric": self.metric, "first": self.first, "second": self.second, "better": better}
                references = " ||| ".join(example.references.values()) or None
                yield self._row({**example.to_dict(), **pair, "references": references})

    def tree(self) -> dict[str, Any]:
        """The systems, and the examples with word diffs."""
        return {
            "metric": self.metric,
            "first": self.first,
            "second": self.second,
            "n": self.n,
            "best": [example.to_dict() for example in self.best],
            "worst": [example.to_dict() for example in self.worst],
        }


@dataclass(frozen=True, slots=True)
class GroupDifference:
    """The scores of two systems in a group of segments, under one aggregation. Undefined scores are NaN."""

    group: str
    """A label like `domain:news`."""
    aggregation: str
    first_score: float
    second_score: float
    difference: float
    n: int
    """Number of segments of the group that are scored for both systems."""
    is_small: bool
    """Whether these are too few for a statement about the group."""
    reason: str | None = None
    """Why the difference is undefined."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "group": self.group,
            "aggregation": self.aggregation,
            "first_score": none_if_nan(self.first_score),
            "second_score": none_if_nan(self.second_score),
            "difference": none_if_nan(self.difference),
            "n": self.n,
            "small": self.is_small,
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True, repr=False)
class GroupDifferences(Result):
    """Differences between two systems by groups of segments: for each grouping and aggregation, the largest first."""

    metric: str
    first: str
    second: str
    groups: tuple[GroupDifference, ...]
    min_segments: int
    """Groups with fewer segments are small."""

    columns: ClassVar[Mapping[str, type]] = {
        "metric": str,
        "first": str,
        "second": str,
        "group": str,
        "aggregation": str,
        "first_score": float,
        "second_score": float,
        "difference": float,
        "n": int,
        "small": str,
        "reason": str,
    }

    def __repr__(self) -> str:
        return f"GroupDifferences({self.first} against {self.second} by {self.metric}: {len(self.groups)} rows)"

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row per group and aggregation."""
        for group in self.groups:
            pair = {"metric": self.metric, "first": self.first, "second": self.second}
            yield self._row({**pair, **group.to_dict(), "small": "yes" if group.is_small else "no"})

    def tree(self) -> dict[str, Any]:
        """The systems, and the groups."""
        return {
            "metric": self.metric,
            "first": self.first,
            "second": self.second,
            "min_segments": self.min_segments,
            "groups": [group.to_dict() for group in self.groups],
        }


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


@dataclass(frozen=True, slots=True, repr=False)
class NgramDifferences(Result):
    """N-grams that one system gets right more often than the other."""

    first: str
    second: str
    best: tuple[NgramDifference, ...]
    """N-grams that the first system gets right more often, the most unbalanced first."""
    worst: tuple[NgramDifference, ...]
    """N-grams that the second system gets right more often, the most unbalanced first."""
    n: int
    """Number of segments with both outputs and a reference."""
    settings: Mapping[str, str]
    """The tokeniser and other options."""

    columns: ClassVar[Mapping[str, type]] = {
        "first": str,
        "second": str,
        "better": str,
        "ngram": str,
        "order": int,
        "first_matches": int,
        "second_matches": int,
        "reference_count": int,
        "score": float,
        "first_segments": str,
        "second_segments": str,
    }

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", FrozenDict(self.settings))

    def __repr__(self) -> str:
        counts = f"{len(self.best)} best and {len(self.worst)} worst n-grams in {self.n} segments"
        return f"NgramDifferences({self.first} against {self.second}: {counts})"

    @property
    def signature(self) -> str:
        """The tokeniser and other options."""
        return settings_line(self.settings)

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row per n-gram: the best, then the worst. Segments are separated by spaces."""
        for better, ngrams in ((self.first, self.best), (self.second, self.worst)):
            for ngram in ngrams:
                segments = {
                    name: " ".join(map(str, getattr(ngram, name))) or None
                    for name in ("first_segments", "second_segments")
                }
                pair = {"first": self.first, "second": self.second, "better": better}
                yield self._row({**ngram.to_dict(), **pair, **segments})

    def tree(self) -> dict[str, Any]:
        """The systems, and the n-grams."""
        return {
            "first": self.first,
            "second": self.second,
            "n": self.n,
            "best": [ngram.to_dict() for ngram in self.best],
            "worst": [ngram.to_dict() for ngram in self.worst],
        }


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

    @property
    def difference(self) -> float:
        """The F-measure of the first system minus that of the second; NaN if one is undefined."""
        return self.first.f_measure - self.second.f_measure

    @property
    def reason(self) -> str | None:
        """Why the difference is undefined."""
        return "no such word in the references" if math.isnan(self.difference) else None

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "group": self.group,
            "first": self.first.to_dict(),
            "second": self.second.to_dict(),
            "difference": none_if_nan(self.difference),
            "reason": self.reason,
        }


_COUNT_COLUMNS: Mapping[str, type] = {
    "precision": float,
    "recall": float,
    "f_measure": float,
    "matches": int,
    "output_words": int,
    "reference_words": int,
}


@dataclass(frozen=True, slots=True, repr=False)
class WordGroups(Result):
    """Precision, recall and F-measure of groups of words for two systems."""

    first: str
    second: str
    groups: tuple[WordGroup, ...]
    n: int
    """Number of segments with both outputs and a reference."""
    settings: Mapping[str, str]
    """The tokeniser."""

    columns: ClassVar[Mapping[str, type]] = {
        "group": str,
        "system": str,
        **_COUNT_COLUMNS,
        "difference": float,
        "reason": str,
    }

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", FrozenDict(self.settings))

    def __repr__(self) -> str:
        return f"WordGroups({self.first} against {self.second}: {len(self.groups)} groups in {self.n} segments)"

    @property
    def signature(self) -> str:
        """The tokeniser."""
        return settings_line(self.settings)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Two rows per group, one for each system; the difference stands in the first."""
        for group in self.groups:
            difference = {"difference": none_if_nan(group.difference), "reason": group.reason}
            yield self._row({"group": group.group, "system": self.first, **group.first.to_dict(), **difference})
            yield self._row({"group": group.group, "system": self.second, **group.second.to_dict()})

    def tree(self) -> dict[str, Any]:
        """The systems, and the groups."""
        return {
            "first": self.first,
            "second": self.second,
            "n": self.n,
            "groups": [group.to_dict() for group in self.groups],
        }
