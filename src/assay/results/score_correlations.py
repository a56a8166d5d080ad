"""How scores of the same systems correlate with each other: metrics, aggregations, test sets cut to fewer segments."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from assay.errors import UnknownNameError
from assay.results.columns import ResultColumn, estimate_columns, text_columns
from assay.results.distribution import Distribution, summary_columns
from assay.results.estimate import Estimate
from assay.results.result import Listed, Result
from assay.types import FloatArray
from assay.types.note import listed, plural
from assay.types.record import OMITTED, Record

__all__ = ["SampledCorrelation", "ScoreCorrelation", "ScoreCorrelations"]

_OF_BOTH = ("standard_deviation", "n", "reason")


def _columns() -> Iterator[ResultColumn]:
    """Those of an estimate, of which samples have some as well, then those of samples, which only an option fills."""
    for column in estimate_columns("estimate"):
        yield replace(column, read=_either(column.name)) if column.name in _OF_BOTH else column
    yield ResultColumn("sample_size", int, "sampled.sample_size", optional=True)
    yield ResultColumn("unsampled", read=_unsampled, optional=True)
    for column in summary_columns("sampled", "sample"):
        if column.name not in _OF_BOTH:
            yield replace(column, optional=True)


def _either(name: str) -> Callable[[dict[str, Any]], Any]:
    return lambda record: getattr(record.get("estimate", record.get("sampled")), name)


def _unsampled(record: dict[str, Any]) -> str | None:
    return "+".join(record["sampled"].unsampled) if "sampled" in record else None


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
    why_undefined: str = field(default="", metadata=OMITTED)


@dataclass(frozen=True, slots=True, eq=False)
class ScoreCorrelation(Record):
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
class ScoreCorrelations(Listed[ScoreCorrelation], Result):
    """Every two scores compared, and the scores themselves."""

    holds = "correlations"

    settings: Mapping[str, str]
    systems: tuple[tuple[str, str], ...]
    """Language pair, with its test set, and system; one for each value of a score."""
    scores: Mapping[str, FloatArray]
    """The values of each score, NaN where there is none."""
    correlations: tuple[ScoreCorrelation, ...]

    made_by: ClassVar[str] = "correlate"
    columns: ClassVar[tuple[ResultColumn, ...]] = (
        *text_columns(("first", "second")),
        ResultColumn("row", help="Which value it is: pooled, mean, lp for a language pair, or samples."),
        ResultColumn("lp"),
        *_columns(),
    )

    def __getitem__(self, pair: tuple[str, str]) -> ScoreCorrelation:
        for each in self.correlations:
            if {each.first, each.second} == set(pair):
                return each
        message = f"no correlation between {' and '.join(map(repr, pair))}"
        raise UnknownNameError(message, hint=f"two of: {', '.join(self.scores)}")

    def __repr__(self) -> str:
        return f"ScoreCorrelations({plural(len(self.scores), 'score')} of {plural(len(self.systems), 'system')})"

    @property
    def nothing_computed(self) -> str:
        """That no system has a score; empty if one has."""
        if any(not math.isnan(value) for values in self.scores.values() for value in values.tolist()):
            return ""
        return f"nothing was scored: no system has a score by {listed(self.scores)}"

    def records(self) -> Iterator[dict[str, Any]]:
        """One for each value of two scores. `row` says which: pooled, mean, lp or samples."""
        for each in self.correlations:
            names = {"first": each.first, "second": each.second}
            yield {**names, "row": "pooled", "estimate": each.pooled}
            yield {**names, "row": "mean", "estimate": each.mean}
            for lp, estimate in each.by_lp.items():
                yield {**names, "row": "lp", "lp": lp, "estimate": estimate}
            for sampled in each.samples:
                yield {**names, "row": "samples", "sampled": sampled}
