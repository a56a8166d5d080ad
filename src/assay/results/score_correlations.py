"""How scores of the same systems correlate with each other: metrics, aggregations, test sets cut to fewer segments."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from assay.results.distribution import SUMMARY_COLUMNS, Distribution
from assay.results.estimate import Estimate, none_if_nan
from assay.results.result import ESTIMATE_COLUMNS, Result, settings_line
from assay.types import FloatArray, FrozenDict

__all__ = ["SampledCorrelation", "ScoreCorrelation", "ScoreCorrelations"]


@dataclass(frozen=True, slots=True, eq=False)
class SampledCorrelation(Distribution):
    """The pooled value on random samples of `size` segments of each test set."""

    size: int
    values: FloatArray
    n: int
    """Number of systems of the test sets that a sample was drawn from."""
    why_undefined: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON: None for NaN."""
        values = [none_if_nan(value) for value in self.values.tolist()]
        return {"size": self.size, "n": self.n, **self.summary(), "values": values}


@dataclass(frozen=True, slots=True, eq=False)
class ScoreCorrelation:
    """Two scores: over all systems of all test sets, over those of each test set, and on samples of the segments."""

    first: str
    second: str
    pooled: Estimate
    by_test_set: Mapping[str, Estimate]
    """By test set and language pair, e.g. `wmt22 zh-en`."""
    samples: tuple[SampledCorrelation, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_test_set", FrozenDict(self.by_test_set))

    @property
    def mean(self) -> float:
        """The mean over the test sets that have a value; NaN if none has."""
        defined = [each.value for each in self.by_test_set.values() if not math.isnan(each.value)]
        return math.fsum(defined) / len(defined) if defined else math.nan

    @property
    def lowest(self) -> tuple[str, Estimate] | None:
        """The test set with the lowest value; None if none has a value."""
        defined = [(name, each) for name, each in self.by_test_set.items() if not math.isnan(each.value)]
        return min(defined, key=lambda item: item[1].value, default=None)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class ScoreCorrelations(Result):
    """Every two scores compared, and the scores themselves."""

    settings: Mapping[str, str]
    systems: tuple[tuple[str, str], ...]
    """Test set with language pair, and system; one for each value of a score."""
    scores: Mapping[str, FloatArray]
    """The values of each score, NaN where there is none."""
    correlations: tuple[ScoreCorrelation, ...]

    columns: ClassVar[Mapping[str, type]] = {
        "first": str,
        "second": str,
        "test_set": str,
        "size": int,
        **ESTIMATE_COLUMNS,
        **{name: kind for name, kind in SUMMARY_COLUMNS.items() if name not in ESTIMATE_COLUMNS},
    }
    optional_columns: ClassVar[frozenset[str]] = frozenset({"size", *SUMMARY_COLUMNS} - {"reason"})

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", FrozenDict(self.settings))
        object.__setattr__(self, "scores", FrozenDict(self.scores))

    def __iter__(self) -> Iterator[ScoreCorrelation]:
        return iter(self.correlations)

    def __len__(self) -> int:
        return len(self.correlations)

    def __getitem__(self, pair: tuple[str, str]) -> ScoreCorrelation:
        for each in self.correlations:
            if {each.first, each.second} == set(pair):
                return each
        raise KeyError(pair)

    def __repr__(self) -> str:
        return f"ScoreCorrelations({len(self.scores)} scores of {len(self.systems)} systems)"

    @property
    def signature(self) -> str:
        """The settings in a line."""
        return settings_line(self.settings)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Two scores on all test sets together (no test set), on each, and on samples of each size."""
        for each in self.correlations:
            names = {"first": each.first, "second": each.second}
            yield self._row({**names, **each.pooled.to_dict()})
            for test_set, estimate in each.by_test_set.items():
                yield self._row({**names, "test_set": test_set, **estimate.to_dict()})
            for sampled in each.samples:
                yield self._row({**names, "size": sampled.size, "n": sampled.n, **sampled.summary()})

    def tree(self) -> dict[str, Any]:
        """The settings, the scores of all systems, and every two scores compared."""
        return {
            "settings": dict(self.settings),
            "systems": [
                {
                    "test_set": test_set,
                    "system": system,
                    "scores": {name: none_if_nan(float(values[place])) for name, values in self.scores.items()},
                }
                for place, (test_set, system) in enumerate(self.systems)
            ],
            "correlations": [
                {
                    "first": each.first,
                    "second": each.second,
                    "pooled": each.pooled.to_dict(),
                    "mean": none_if_nan(each.mean),
                    "by_test_set": {name: estimate.to_dict() for name, estimate in each.by_test_set.items()},
                    "samples": [sampled.to_dict() for sampled in each.samples],
                }
                for each in self.correlations
            ],
        }
