"""Metrics in order of how far they agree with people, over several language pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from assay.errors import UnknownNameError, nearest
from assay.results.agreement import Agreement
from assay.results.outliers import Outliers
from assay.results.scores import SCHEMA_VERSION, Estimate, html_table
from assay.types import FrozenDict

__all__ = ["EvaluatedMetric", "EvaluatedPair", "Measure", "MetaColumn", "MetaEvaluation"]

_COUNTS = ("systems", "segments", "groups", "groups_undefined", "hits", "pairs")


class Measure(NamedTuple):
    """A statistic, over all systems (`kept`) or without outliers (`dropped`)."""

    statistic: str
    outliers: str


class MetaColumn(NamedTuple):
    """A measure on one language pair."""

    pair: str
    measure: Measure


@dataclass(frozen=True, slots=True)
class EvaluatedPair:
    """A language pair of the table: who took part, and who is an outlier."""

    label: str
    human: str
    systems: tuple[str, ...]
    left_out: Mapping[str, str]
    outliers: Outliers

    def __post_init__(self) -> None:
        object.__setattr__(self, "left_out", FrozenDict(self.left_out))

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "pair": self.label,
            "human": self.human,
            "systems": list(self.systems),
            "left_out": dict(self.left_out),
            "outliers": self.outliers.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class EvaluatedMetric:
    """A row: a metric's values in all columns, and its averages over the language pairs."""

    metric: str
    agreements: Mapping[MetaColumn, Agreement]
    averages: Mapping[Measure, Estimate]
    """Over all language pairs; NaN with a reason where one has no value. `n` counts the pairs that have one."""

    def __post_init__(self) -> None:
        for name in ("agreements", "averages"):
            object.__setattr__(self, name, FrozenDict(getattr(self, name)))


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class MetaEvaluation:
    """The table: metrics by language pairs, best first."""

    settings: Mapping[str, str]
    pairs: tuple[EvaluatedPair, ...]
    measures: tuple[Measure, ...]
    metrics: tuple[EvaluatedMetric, ...]
    notes: tuple[str, ...] = ()
    yardsticks: tuple[EvaluatedMetric, ...] = ()
    """What the values are to be held against: other people's judgements, and metrics that know nothing."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", FrozenDict(self.settings))

    def __getitem__(self, metric: str) -> EvaluatedMetric:
        rows = {row.metric: row for row in (*self.metrics, *self.yardsticks)}
        if metric not in rows:
            raise UnknownNameError(f"'{metric}' is not in the table", hint=nearest(metric, rows))
        return rows[metric]

    def __iter__(self) -> Iterator[EvaluatedMetric]:
        return iter(self.metrics)

    def __len__(self) -> int:
        return len(self.metrics)

    def __repr__(self) -> str:
        best = ", ".join(row.metric for row in self.metrics[:3])
        return f"MetaEvaluation({len(self)} metrics on {len(self.pairs)} language pairs; {best}, …)"

    @property
    def columns(self) -> tuple[MetaColumn, ...]:
        """All columns: for each measure, the language pairs."""
        return tuple(MetaColumn(pair.label, measure) for measure in self.measures for pair in self.pairs)

    def signature(self, statistic: str) -> str:
        """A statistic and the settings in a line."""
        others = (f"{key}:{value}" for key, value in self.settings.items() if key != "statistics")
        return "|".join((f"statistic:{statistic}", *others))

    def rows(self) -> Iterator[dict[str, Any]]:
        """A flat row for each average (pair None) and each value; NaN is None. Yardsticks have no place."""
        for place, row in (*enumerate(self.metrics, 1), *((None, row) for row in self.yardsticks)):
            start = {"place": place, "metric": row.metric}
            for measure, average in row.averages.items():
                yield {**start, "pair": None, **measure._asdict(), **average.to_dict(), **dict.fromkeys(_COUNTS)}
            for column, found in row.agreements.items():
                told = found.row()
                counts = {name: told[name] for name in _COUNTS}
                yield {**start, "pair": column.pair, **column.measure._asdict(), **found.estimate.to_dict(), **counts}

    def to_dict(self) -> dict[str, Any]:
        """The JSON document, without NaN."""
        return {
            "version": SCHEMA_VERSION,
            "settings": dict(self.settings),
            "pairs": [pair.to_dict() for pair in self.pairs],
            "metrics": [_metric_tree(place, row) for place, row in enumerate(self.metrics, 1)],
            "yardsticks": [_metric_tree(None, row) for row in self.yardsticks],
            "notes": list(self.notes),
        }

    def _repr_html_(self) -> str:
        first = self.measures[0]
        columns = [column for column in self.columns if column.measure == first]
        rows = [
            [
                row.metric,
                row.averages[first].value,
                *(row.agreements[c].value if c in row.agreements else "–" for c in columns),
            ]
            for row in self.metrics
        ]
        return html_table(["metric", "average", *(column.pair for column in columns)], rows)


def _metric_tree(place: int | None, row: EvaluatedMetric) -> dict[str, Any]:
    return {
        "place": place,
        "metric": row.metric,
        "averages": [{**measure._asdict(), **average.to_dict()} for measure, average in row.averages.items()],
        "values": [
            {
                "pair": column.pair,
                **column.measure._asdict(),
                **found.estimate.to_dict(),
                "systems": list(found.systems),
                "left_out": dict(found.left_out),
                "segments": found.segments,
                "groups": found.groups,
                "groups_undefined": found.groups_undefined,
                "weight": found.weight,
                "hits": found.hits,
                "pairs": found.pairs,
                "source": found.source,
                "details": dict(found.details),
            }
            for column, found in row.agreements.items()
        ],
    }
