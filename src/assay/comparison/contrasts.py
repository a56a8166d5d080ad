"""Where two systems differ: examples, groups of segments, n-grams and groups of words, as far as asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from assay.comparison.examples import examples
from assay.comparison.groups import group_differences
from assay.comparison.ngrams import ngram_differences
from assay.comparison.words import word_groups
from assay.data.tables.segment_labels import read_segment_labels
from assay.errors import ConfigError
from assay.measurement import Measured, Measurements
from assay.results import Examples, GroupDifferences, NgramDifferences, WordGroups
from assay.runtime import Runtime
from assay.segment_groups import groups_of
from assay.types import Note, Scorable

__all__ = ["Contrast", "ContrastOptions"]

Contrast: TypeAlias = Examples | GroupDifferences | NgramDifferences | WordGroups


@dataclass(frozen=True, slots=True)
class ContrastOptions:
    """Which contrasts to make. `assay.compare` describes the options."""

    examples: int = 0
    by: tuple[str, ...] = ()
    labels: str | Path | None = None
    ngrams: int = 0
    words: bool = False

    def __post_init__(self) -> None:
        if self.labels is not None and not self.by:
            raise ConfigError("labels has no effect without by", hint="name a column of the file: by='COLUMN'")
        for option in ("examples", "ngrams"):
            if getattr(self, option) < 0:
                raise ConfigError(f"{option} must not be negative, not {getattr(self, option)}")

    @property
    def is_any(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.examples or self.by or self.ngrams or self.words)

    def contrasts(
        self,
        measurements: Measurements,
        pairs: Sequence[tuple[str, str]],
        aggregations: Sequence[str],
        runtime: Runtime,
    ) -> tuple[tuple[Contrast, ...], Sequence[Note]]:
        """The contrasts of every pair of systems, and notes on reading the labels."""
        testset = measurements.testset
        columns, notes = ({}, []) if self.labels is None else read_segment_labels(self.labels, len(testset))
        groups = groups_of(testset, self.by, columns)

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
                if groups:
                    tables = {name: _on_common(measured, name) for name in aggregations}
                    yield group_differences(
                        tables,
                        first,
                        second,
                        groups,
                        metric=spec,
                        higher_is_better=higher_is_better,
                        runtime=runtime,
                    )
            if self.ngrams:
                yield ngram_differences(testset, first, second, count=self.ngrams)
            if self.words:
                yield word_groups(testset, first, second)

        found = [contrast for first, second in pairs for contrast in of_pair(first, second)] if self.is_any else []
        return tuple(found), notes


def _on_common(measured: Measured, aggregation: str) -> Scorable:
    """The table of an aggregation in which only segments count that are scored for all systems."""
    scorable = measured.corpus if aggregation == "corpus" else measured.mean
    return replace(scorable, mask=scorable.mask & measured.statistics.scored.all(axis=0))
