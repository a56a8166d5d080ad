"""The values of a meta-evaluation that a chart is about: one statistic, on one language pair or in the average."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assay.charts import find
from assay.errors import UnknownNameError, nearest
from assay.results import (
    Agreement,
    Estimate,
    EvaluatedMetric,
    LanguagePair,
    Measure,
    MetaColumn,
    MetaEvaluation,
    Result,
)
from assay.results.meta import lacks_systems, usual_systems
from assay.results.metric_differences import usual
from assay.types.note import plural

__all__ = ["Evaluated", "select_evaluated", "select_pair"]


@dataclass(frozen=True, slots=True)
class Evaluated:
    """A statistic on a language pair (None: the average over all)."""

    meta: MetaEvaluation
    statistic: str
    pair: LanguagePair | None

    def measure(self, outliers: str) -> Measure:
        """The statistic with outliers `kept` or `dropped`."""
        return Measure(self.statistic, outliers)

    def has(self, outliers: str) -> bool:
        """Whether the statistic was computed so."""
        return self.measure(outliers) in self.meta.measures

    def value(self, metric: EvaluatedMetric, outliers: str) -> Estimate | None:
        """The value of a metric, or None."""
        if self.pair is None:
            return metric.averages.get(self.measure(outliers))
        agreement = self.agreement(metric, outliers)
        return None if agreement is None else agreement.estimate

    def agreement(self, metric: EvaluatedMetric, outliers: str) -> Agreement | None:
        """The agreement of a metric on the language pair; on the only one, if the chart is about the average."""
        pair = self.single_pair
        return None if pair is None else metric.agreements.get(MetaColumn(pair.lp, self.measure(outliers)))

    @property
    def single_pair(self) -> LanguagePair | None:
        """The language pair of the chart, or the only one that there is."""
        pairs = self.meta.language_pairs
        return self.pair or (pairs[0] if len(pairs) == 1 else None)

    @property
    def where(self) -> str:
        """The language pair and the human scores, or how many of them are averaged."""
        pair, gold = self.single_pair, self.meta.settings.get("gold", "human scores")
        if pair is None:
            return f"average over {plural(len(self.meta.language_pairs), 'language pair')}, {gold}"
        return f"{pair.lp}, {pair.gold}"

    @property
    def outliers(self) -> tuple[str, ...]:
        """The outlier systems of the language pair."""
        pair = self.single_pair
        return () if pair is None else tuple(name for name in pair.outliers.systems if name in pair.systems)

    def systems(self, outliers: str) -> int:
        """The number of systems that most metrics have on the language pair; 0 for an average."""
        agreements = (self.agreement(metric, outliers) for metric in self.meta.metrics)
        return usual(len(each.systems) for each in agreements if each is not None)

    def lacking(self, outliers: str) -> dict[str, int]:
        """The metrics with fewer systems than most have, on the language pair or on some pair of an average.

        With the number of their systems; 0 for an average.
        """
        pairs = self.meta.language_pairs if self.single_pair is None else (self.single_pair,)
        columns = [MetaColumn(pair.lp, self.measure(outliers)) for pair in pairs]
        systems = {column: usual_systems(self.meta, column) for column in columns}
        return {
            row.metric: 0 if self.single_pair is None else len(row.agreements[columns[0]].systems)
            for row in self.meta
            if lacks_systems(row.agreements, systems)
        }


def select_evaluated(results: Sequence[Result], statistic: str = "", lp: str = "") -> Evaluated | None:
    """The first statistic and the average over language pairs, unless others are named."""
    meta = find(MetaEvaluation, results)
    if meta is None or not meta.metrics or not meta.measures:
        return None
    statistics = list(dict.fromkeys(measure.statistic for measure in meta.measures))
    if statistic and statistic not in statistics:
        raise UnknownNameError(f"'{statistic}' was not computed", hint=nearest(statistic, statistics))
    pairs: Mapping[str, LanguagePair] = {pair.lp: pair for pair in meta.language_pairs}
    if lp and lp not in pairs:
        raise UnknownNameError(f"'{lp}' was not evaluated", hint=nearest(lp, pairs))
    return Evaluated(meta, statistic or statistics[0], pairs[lp] if lp else None)


def select_pair(results: Sequence[Result], statistic: str = "", lp: str = "") -> Evaluated | None:
    """The first statistic on the first language pair, unless others are named."""
    average = select_evaluated(results)
    return average and select_evaluated(results, statistic, lp or average.meta.language_pairs[0].lp)
