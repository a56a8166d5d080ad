"""Metrics ranked by their agreement with human scores on several language pairs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

from assay.errors import UnknownNameError, nearest
from assay.results.agreement import (
    CELLS,
    EPSILON,
    MONTE_CARLO_ERROR,
    NOT_ON_COMMON_CELLS,
    PRECISION,
    RECALL,
    Agreement,
    agreement_columns,
)
from assay.results.columns import ResultColumn, Shown, Unit, estimate_columns
from assay.results.estimate import Estimate, interval_settings
from assay.results.metric_differences import MetricDifferences, usual
from assay.results.result import Listed, Result, settings_line
from assay.types import FrozenDict
from assay.types.note import plural
from assay.types.record import OMITTED, Record, in_tree

__all__ = [
    "EvaluatedMetric",
    "LanguagePair",
    "Measure",
    "MetaColumn",
    "MetaEvaluation",
    "Outliers",
    "lacks_systems",
    "usual_systems",
]

_DETAILS: Mapping[str, type] = {CELLS: int, EPSILON: float, MONTE_CARLO_ERROR: float, NOT_ON_COMMON_CELLS: bool}


def _detail(name: str, kind: type) -> Callable[[Mapping[str, Any]], Any]:
    """Reads what an agreement of a record has besides its value."""

    def read(record: Mapping[str, Any]) -> Any:
        details = record["agreement"].details if "agreement" in record else {}
        return kind(details[name]) if name in details else None

    return read


def usual_systems(rows: Iterable[EvaluatedMetric], column: MetaColumn) -> int:
    """How many systems most metrics have in a column."""
    return usual(len(row.agreements[column].systems) for row in rows if column in row.agreements)


def lacks_systems(agreements: Mapping[MetaColumn, Agreement], usual_systems: Mapping[MetaColumn, int]) -> bool:
    """Whether a metric has fewer systems than most in some column: its values are not of the same systems."""
    return any(
        column in agreements and len(agreements[column].systems) < count for column, count in usual_systems.items()
    )


class Measure(NamedTuple):
    """A statistic, over all systems (`kept`) or without outliers (`dropped`), on one domain or on all (None)."""

    statistic: str
    outliers: str
    domain: str | None = None


class MetaColumn(NamedTuple):
    """A measure on one language pair."""

    lp: str
    measure: Measure


@dataclass(frozen=True, slots=True)
class Outliers(Record):
    """Systems with human scores far from the others."""

    systems: tuple[str, ...]
    distances: Mapping[str, float]
    """|score - center| / scale of each system; NaN if it has no score or the scale is 0."""
    rule: str
    """`mad`: by median and median absolute deviation; `z`: by mean and standard deviation."""
    center: float
    """The median or the mean."""
    scale: float
    """The median absolute deviation times 1.4826, or the standard deviation."""
    cutoff: float
    reason: str | None = None
    """Why no system can be an outlier."""


@dataclass(frozen=True, slots=True)
class LanguagePair(Record):
    """A language pair: its systems, and which of them are outliers."""

    lp: str
    """With the name of the test set if there are several."""
    gold: str
    """The name of the human scores."""
    systems: tuple[str, ...]
    left_out: Mapping[str, str]
    outliers: Outliers


@dataclass(frozen=True, slots=True)
class EvaluatedMetric(Record):
    """A metric's agreement in every column, and its averages over the language pairs."""

    metric: str
    derived: ClassVar[tuple[str, ...]] = ("rank",)

    agreements: Mapping[MetaColumn, Agreement] = field(
        metadata=in_tree(key="values", without=("metric", "human", "settings", "without_outliers"))
    )
    averages: Mapping[Measure, Estimate]
    """Over all language pairs; NaN with a reason if a pair has no value. `n` counts the pairs that have one."""
    ranks: Mapping[str, int] = field(default_factory=FrozenDict)
    """By statistic: the place of the metric, the same for tied metrics; empty for baselines."""
    without_references: str = field(default="", metadata=OMITTED)
    """The name of the metric without the references that its name ends in; empty if it ends in none."""

    @property
    def rank(self) -> int | None:
        """The place by the first statistic, which orders the metrics; None for baselines."""
        return next(iter(self.ranks.values()), None)

    def missing_outliers(self, pair: LanguagePair) -> tuple[str, ...]:
        """Outliers of a language pair that the metric never had: its change without outliers is not of all of them."""
        kept = (
            agreement.systems
            for (lp, measure), agreement in self.agreements.items()
            if (lp, measure.outliers) == (pair.lp, "kept")
        )
        systems = next(kept, pair.outliers.systems)
        return tuple(name for name in pair.outliers.systems if name not in systems)

    @property
    def average(self) -> Estimate:
        """The average by the first statistic, which orders the metrics."""
        return next(iter(self.averages.values()))


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class MetaEvaluation(Listed[EvaluatedMetric], Result):
    """A table of metrics by language pairs, best metric first."""

    holds = "metrics"

    settings: Mapping[str, str]
    language_pairs: tuple[LanguagePair, ...]
    measures: tuple[Measure, ...]
    metrics: tuple[EvaluatedMetric, ...]
    baselines: tuple[EvaluatedMetric, ...] = ()
    """Values to compare the metrics with: other human scores, and random metrics."""
    tests: tuple[MetricDifferences, ...] = ()
    """Tests between the metrics by the first statistic: on the average over language pairs, and on each of them."""

    made_by: ClassVar[str] = "meta"
    derived: ClassVar[tuple[str, ...]] = ("missing_outliers", "metrics_not_tested")
    columns: ClassVar[tuple[ResultColumn, ...]] = (
        ResultColumn(
            "rank", int, unit=Unit.ORDINAL, help="The place by the statistic of the row; baselines have none."
        ),
        ResultColumn("metric"),
        ResultColumn("lp", help="The language pair; an average over language pairs has none."),
        ResultColumn("statistic", read="measure.statistic"),
        ResultColumn("outliers", read="measure.outliers"),
        ResultColumn("domain", read="measure.domain", optional=True),
        *estimate_columns("estimate"),
        ResultColumn("ci", read="estimate.basis.method", help="The method of the interval."),
        *agreement_columns("agreement."),
        *(ResultColumn(name, kind, _detail(name, kind), optional=True) for name, kind in _DETAILS.items()),
        *(
            ResultColumn(
                name,
                float,
                _detail(name, float),
                unit=Unit.RATE,
                direction="higher",
                shown=Shown.FILE | Shown.TABLE | Shown.PAPER,
                optional=True,
            )
            for name in (PRECISION, RECALL)
        ),
        ResultColumn("tested_rank", int, unit=Unit.ORDINAL, help="The rank among the tested metrics.", optional=True),
        ResultColumn("is_winner", bool, help="Whether no metric is significantly better.", optional=True),
    )

    def __getitem__(self, metric: str) -> EvaluatedMetric:
        """The row of a metric. Its references can be left out while it has one row: `table["bleu"]` is `bleu-refA`."""
        rows = {row.metric: row for row in (*self.metrics, *self.baselines)}
        versions = [row for row in self.metrics if row.without_references == metric]
        if metric in rows:
            return rows[metric]
        if len(versions) == 1:
            return versions[0]
        if versions:
            names = " or ".join(row.metric for row in versions)
            raise UnknownNameError(f"'{metric}' has {plural(len(versions), 'row')}", hint=f"use {names}")
        raise UnknownNameError(f"'{metric}' is not in the table", hint=nearest(metric, rows))

    def agreement(
        self,
        metric: str,
        *,
        lp: str | None = None,
        statistic: str | None = None,
        outliers: str | None = None,
        domain: str | None = None,
    ) -> Agreement:
        """The agreement of a metric on a language pair, by a statistic, with outliers `kept` or `dropped`, on a domain.

        What is not given: the only language pair, the first statistic, outliers as they are treated first, all domains.
        """
        pairs = [pair.lp for pair in self.language_pairs]
        if lp is None and len(pairs) > 1:
            raise UnknownNameError("there are several language pairs", hint=f"lp is one of {', '.join(pairs)}")
        first = self.measures[0]
        wanted = MetaColumn(lp or pairs[0], Measure(statistic or first.statistic, outliers or first.outliers, domain))
        row = self[metric]
        if wanted in row.agreements:
            return row.agreements[wanted]
        for name, value, known in (
            ("lp", wanted.lp, pairs),
            ("statistic", wanted.measure.statistic, [measure.statistic for measure in self.measures]),
            ("outliers", wanted.measure.outliers, [measure.outliers for measure in self.measures]),
            ("domain", wanted.measure.domain, [measure.domain for measure in self.measures]),
        ):
            if value not in known:
                names = [str(each) for each in dict.fromkeys(known) if each is not None]
                raise UnknownNameError(f"{name} '{value}' is not in the table", hint=nearest(str(value), names))
        raise UnknownNameError(f"'{row.metric}' has no value on {wanted.lp}")

    def by_statistic(self, statistic: str) -> tuple[EvaluatedMetric, ...]:
        """The metrics, best first by one of the statistics."""
        return tuple(sorted(self.metrics, key=lambda row: (row.ranks[statistic], row.metric)))

    def __repr__(self) -> str:
        best = ", ".join(row.metric for row in self.metrics[:3])
        pairs = plural(len(self.language_pairs), "language pair")
        return f"MetaEvaluation({plural(len(self), 'metric')} on {pairs}; {best}, …)"

    @property
    def covers(self) -> tuple[str, tuple[str, ...]]:
        """The test set and the language pairs."""
        return self.settings.get("data", ""), tuple(pair.lp for pair in self.language_pairs)

    def signature_of(self, statistic: str) -> str:
        """The signature of one statistic; only the first one is tested."""
        bases = (
            agreement.estimate.basis
            for row in (*self.metrics, *self.baselines)
            for column, agreement in row.agreements.items()
            if column.measure.statistic == statistic
        )
        of_intervals = interval_settings(bases)
        left_out = {"statistics", "ci", "resamples", "confidence", "version", *of_intervals}
        if statistic != self.measures[0].statistic:
            left_out |= {"sig", "sig_resamples", "sig_seed", "alpha", "correction"}
        others = {key: value for key, value in self.settings.items() if key not in left_out}
        version = {key: value for key, value in self.settings.items() if key == "version"}
        return settings_line({"statistic": statistic} | others | of_intervals | version)

    @property
    def signature(self) -> str:
        """The signatures of all statistics."""
        return "; ".join(map(self.signature_of, dict.fromkeys(measure.statistic for measure in self.measures)))

    def records(self) -> Iterator[dict[str, Any]]:
        """One for each average (lp None) and each value, with the rank by its statistic. Baselines have no rank."""
        for row in (*self.metrics, *self.baselines):
            for measure, average in row.averages.items():
                yield {**self._place(row, None, measure), "estimate": average}
            for (lp, measure), agreement in row.agreements.items():
                found = {"estimate": agreement.estimate, "agreement": agreement}
                yield {**self._place(row, lp, measure), **found}

    def _place(self, row: EvaluatedMetric, lp: str | None, measure: Measure) -> dict[str, Any]:
        """Where a value of a metric stands, and its rank among the tested metrics."""
        start = {"rank": row.ranks.get(measure.statistic), "metric": row.metric, "lp": lp, "measure": measure}
        return start | self._tested(row, lp, measure)

    def _tested(self, row: EvaluatedMetric, lp: str | None, measure: Measure) -> dict[str, Any]:
        """The rank of a metric among the tested ones, and whether it is a winner; empty if it was not tested."""
        tested = self.test_of(lp, measure)
        if tested is None or row.metric not in tested.ranks:
            return {}
        return {"tested_rank": tested.ranks[row.metric], "is_winner": row.metric in tested.winners}

    def test_of(self, lp: str | None, measure: Measure) -> MetricDifferences | None:
        """The tests between the metrics on a language pair, or on the average (None), by a measure; None: no tests."""
        if measure.domain is not None:
            return None
        wanted = (lp, measure.statistic, measure.outliers)
        return next((test for test in self.tests if (test.lp, test.statistic, test.outliers) == wanted), None)

    def averaged(self, measure: Measure | None = None) -> tuple[EvaluatedMetric, ...]:
        """The metrics that have an average over all language pairs by a measure, by default the first: only these can
        be compared by it, and counted among "the others"."""
        measure = measure or self.measures[0]
        has_average = (row for row in self.by_statistic(measure.statistic) if measure in row.averages)
        return tuple(row for row in has_average if not math.isnan(row.averages[measure].value))

    def not_tested(self, test: MetricDifferences) -> tuple[str, ...]:
        """The metrics that have a value where others were tested, on a language pair or the average, but no test."""
        measure = Measure(test.statistic, test.outliers)
        if test.lp is None:
            names = [row.metric for row in self.averaged(measure)]
        else:
            column = MetaColumn(test.lp, measure)
            rows = (row for row in self.metrics if column in row.agreements)
            names = [row.metric for row in rows if not math.isnan(row.agreements[column].value)]
        return tuple(name for name in names if name not in test.tested)

    @property
    def metrics_not_tested(self) -> tuple[tuple[str, ...], ...]:
        """For each of the tests, the metrics that have a value there, but no test."""
        return tuple(self.not_tested(test) for test in self.tests)

    @property
    def missing_outliers(self) -> dict[str, dict[str, tuple[str, ...]]]:
        """By metric and language pair, the outliers that the metric never had; only those that lack some."""
        found = {
            row.metric: {pair.lp: row.missing_outliers(pair) for pair in self.language_pairs}
            for row in (*self.metrics, *self.baselines)
        }
        lacking = {metric: {lp: names for lp, names in pairs.items() if names} for metric, pairs in found.items()}
        return {metric: pairs for metric, pairs in lacking.items() if pairs}
