"""Where two systems differ: examples, groups of segments, n-grams and groups of words, as far as asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from assay.comparison.differences import ComparisonOptions
from assay.comparison.examples import examples
from assay.comparison.groups import group_differences
from assay.comparison.marked_errors import marked_errors
from assay.comparison.metrics import distinct_aggregations
from assay.comparison.ngrams import ngram_differences
from assay.comparison.word_groups import word_groups
from assay.measurement import Measurements
from assay.measurement.segment_groups import Group
from assay.options.checks import check_count
from assay.options.option import Option
from assay.options.parameters import check_fields
from assay.results import Contrast
from assay.types import Ratings
from assay.types.runtime import Runtime

__all__ = ["CONTRASTS", "ContrastOptions", "Examples", "NgramCount"]

CONTRASTS = "Where they differ"
"""The group of options on help pages."""
Examples = Annotated[
    int,
    Option(
        "Number of best and worst segments to show for each metric.", group=CONTRASTS, metavar="N", check=check_count
    ),
]
NgramCount = Annotated[
    int,
    Option(
        "Number of n-grams to show that one system gets right more often.",
        group=CONTRASTS,
        metavar="N",
        check=check_count,
    ),
]


@dataclass(frozen=True, slots=True)
class ContrastOptions:
    """Which contrasts to make. `assay.compare` describes the options."""

    examples: Examples = 0
    groups: Sequence[Group] = ()
    ngrams: NgramCount = 0
    words: bool = False
    errors: tuple[Ratings, ...] = ()
    """Those with marked errors to compare."""
    drawn: ComparisonOptions = field(default_factory=ComparisonOptions)
    """How intervals and tests of marked errors are drawn."""

    def __post_init__(self) -> None:
        check_fields(self)

    @property
    def names(self) -> tuple[str, ...]:
        """The options of `assay.compare` that ask for contrasts."""
        options = {"examples": self.examples, "by": self.groups, "ngrams": self.ngrams, "words": self.words}
        options |= {"errors": self.errors}
        return tuple(name for name, value in options.items() if value)

    def contrasts(
        self,
        measurements: Measurements,
        pairs: Sequence[tuple[str, str]],
        aggregations: Sequence[str],
        runtime: Runtime,
    ) -> tuple[Contrast, ...]:
        """The contrasts of every pair of systems."""
        testset = measurements.testset

        def of_pair(first: str, second: str) -> Iterator[Contrast]:
            for spec, measured in measurements.metrics.items():
                higher_is_better = measured.metric.higher_is_better
                if self.examples:
                    scores = dict(zip(measured.statistics.systems, measured.segment_scores, strict=True))
                    yield examples(
                        testset,
                        first,
                        second,
                        scores,
                        self.examples,
                        metric=spec,
                        higher_is_better=higher_is_better,
                    )
                if self.groups:
                    yield group_differences(
                        {
                            name: measured.scorable(name)
                            for name in distinct_aggregations(measured, aggregations, runtime)
                        },
                        first,
                        second,
                        [group._replace(segments=measured.common(group.segments)) for group in self.groups],
                        metric=spec,
                        higher_is_better=higher_is_better,
                        runtime=runtime,
                    )
            if self.ngrams:
                yield ngram_differences(testset, first, second, count=self.ngrams)
            if self.words:
                yield word_groups(testset, first, second)
            for ratings in self.errors:
                yield marked_errors(ratings, testset, first, second, options=self.drawn, runtime=runtime)

        return tuple(contrast for first, second in pairs for contrast in of_pair(first, second)) if self.names else ()
