"""How scores of the same systems correlate with each other: metrics, aggregations, test sets cut to fewer segments."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from assay.errors import UnknownNameError
from assay.results.distribution import Distribution, summary_columns
from assay.results.estimate import Estimate, none_if_nan
from assay.results.result import ESTIMATE_COLUMNS, Result, settings_line
from assay.types import FloatArray, FrozenDict
from assay.types.note import listed

__all__ = ["SampledCorrelation", "ScoreCorrelation", "ScoreCorrelations"]

_SAMPLE_COLUMNS = {"sample_size": int, "unsampled": str, **summary_columns("sample")}


@dataclass(frozen=True, slots=True, eq=False)
class SampledCorrelation(Distribution):
    """The pooled value on random samples of `sample_size` segments of each language pair."""

    drawn: ClassVar[str] = "sample"
    sample_size: int
    values: FloatArray
    n: int
    """Number of systems with both scores in the language pairs that were sampled."""
    unsampled: tuple[str, ...] = ()
    """Which of the scores stay those of all segments: bootstrap scores, and stored scores without segment scores."""
    why_undefined: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON: None for NaN."""
        values = [none_if_nan(value) for value in self.values.tolist()]
        names = list(self.unsampled)
        return {"sample_size": self.sample_size, "n": self.n, "unsampled": names, **self.summary(), "values": values}


@dataclass(frozen=True, slots=True, eq=False)
class ScoreCorrelation:
    """Two scores: over all systems of all language pairs, over those of each, and on samples of the segments."""

    first: str
    second: str
    pooled: Estimate
    mean: Estimate
    """Of the language pairs that have a value; `n` counts them."""
    by_lp: Mapping[str, Estimate]
    """By test set and language pair, e.g. `wmt22 zh-en`."""
    samples: tuple[SampledCorrelation, ...] = ()
    """One for each size of samples; none if neither score can be computed on samples."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_lp", FrozenDict(self.by_lp))

    @property
    def lowest(self) -> tuple[str, Estimate] | None:
        """The language pair with the lowest value; None if none has a value."""
        return min(self._defined, key=lambda item: item[1].value, default=None)

    @property
    def highest(self) -> tuple[str, Estimate] | None:
        """The language pair with the highest value; None if none has a value."""
        return max(self._defined, key=lambda item: item[1].value, default=None)

    @property
    def unsampled(self) -> tuple[str, ...]:
        """Which of the two stay those of all segments when segments are sampled, in some language pairs or all."""
        return tuple(dict.fromkeys(name for sampled in self.samples for name in sampled.unsampled))

    @property
    def _defined(self) -> list[tuple[str, Estimate]]:
        return [(label, each) for label, each in self.by_lp.items() if not math.isnan(each.value)]


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class ScoreCorrelations(Result):
    """Every two scores compared, and the scores themselves."""

    settings: Mapping[str, str]
    systems: tuple[tuple[str, str], ...]
    """Language pair, with its test set, and system; one for each value of a score."""
    scores: Mapping[str, FloatArray]
    """The values of each score, NaN where there is none."""
    correlations: tuple[ScoreCorrelation, ...]

    columns: ClassVar[Mapping[str, type]] = {
        "first": str,
        "second": str,
        "row": str,
        "lp": str,
        **ESTIMATE_COLUMNS,
        **{name: kind for name, kind in _SAMPLE_COLUMNS.items() if name not in ESTIMATE_COLUMNS},
    }
    optional_columns: ClassVar[frozenset[str]] = frozenset(_SAMPLE_COLUMNS.keys() - {"reason"})

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
        message = f"no correlation between {' and '.join(map(repr, pair))}"
        raise UnknownNameError(message, hint=f"two of: {', '.join(self.scores)}")

    def __repr__(self) -> str:
        return f"ScoreCorrelations({len(self.scores)} scores of {len(self.systems)} systems)"

    @property
    def nothing_computed(self) -> str:
        """That no system has a score; empty if one has."""
        if any(not math.isnan(value) for values in self.scores.values() for value in values.tolist()):
            return ""
        return f"nothing was scored: no system has a score by {listed(self.scores)}"

    @property
    def signature(self) -> str:
        """The settings in a line."""
        return settings_line(self.settings)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Two scores: a row for each value. The column `row` says which: pooled, mean, lp or samples."""
        for each in self.correlations:
            names = {"first": each.first, "second": each.second}
            yield self._row({**names, "row": "pooled", **each.pooled.to_dict()})
            yield self._row({**names, "row": "mean", **each.mean.to_dict()})
            for lp, estimate in each.by_lp.items():
                yield self._row({**names, "row": "lp", "lp": lp, **estimate.to_dict()})
            for sampled in each.samples:
                size = {"sample_size": sampled.sample_size, "unsampled": "+".join(sampled.unsampled)}
                yield self._row({**names, "row": "samples", **size, "n": sampled.n, **sampled.summary()})

    def tree(self) -> dict[str, Any]:
        """The settings, the scores of all systems, and every two scores compared."""
        return {
            "settings": dict(self.settings),
            "systems": [
                {
                    "lp": lp,
                    "system": system,
                    "scores": {name: none_if_nan(float(values[place])) for name, values in self.scores.items()},
                }
                for place, (lp, system) in enumerate(self.systems)
            ],
            "correlations": [
                {
                    "first": each.first,
                    "second": each.second,
                    "pooled": each.pooled.to_dict(),
                    "mean": each.mean.to_dict(),
                    "by_lp": {lp: estimate.to_dict() for lp, estimate in each.by_lp.items()},
                    "samples": [sampled.to_dict() for sampled in each.samples],
                }
                for each in self.correlations
            ],
        }
