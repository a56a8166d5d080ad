"""The metric scores of a campaign: computed from its texts, or stored in files."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

import numpy as np
import numpy.typing as npt

from assay.aggregate import resampled_scores
from assay.calibration.options import STORED, Key, PairOptions
from assay.comparison.differences import ComparisonOptions, PairedScores, paired_scores
from assay.measurement import Measured, measure
from assay.metrics import metric as metric_registry
from assay.resample import RESAMPLES, Bootstrap
from assay.runtime import Runtime
from assay.significance import test as test_registry
from assay.types import Campaign, FloatArray, Scorable, ScoreTable, mean_of_defined
from assay.types.metric_names import spell_out

__all__ = ["DOCUMENTED", "MetricScores", "StoredScores"]

DOCUMENTED: Mapping[str, Mapping[str, tuple[str, float]]] = {
    "wmt20": {"BLEU": ("bleu", 1.0), "chrF": ("chrf", 100.0), "TER": ("ter", 100.0)}
}
"""Stored system scores that are known to be corpus scores of a metric, by campaign, and their factor.

The organisers of WMT20 computed them with sacreBLEU (Mathur et al. 2020, Results of the WMT20 Metrics Shared Task);
the tokeniser that sacreBLEU chooses by target language is one setting.
"""

_BOOTSTRAP_SIZE = 1000  # as in Cavalin et al. 2024
_OWN_TEST_RESAMPLES = 2000  # enough for p < .001


@dataclass(frozen=True, slots=True, eq=False)
class StoredScores:
    """Scores from files, higher is better: of systems and, where there are any, of their segments."""

    systems: Mapping[str, float]
    segments: Mapping[str, FloatArray]

    def p_values(self, systems: Sequence[tuple[str, str]]) -> FloatArray:
        """Two-sided, by a paired t-test of segment scores; NaN without them."""
        test = test_registry.create("paired-t")
        p_values = np.full(len(systems), math.nan)
        for place, pair in enumerate(systems):
            if all(name in self.segments for name in pair):
                values = np.stack([self.segments[name] for name in pair])
                values = values[:, ~np.isnan(values).any(axis=0)]
                first, second = (Scorable.of_segments(row, (name,)) for row, name in zip(values, pair, strict=True))
                p_values[place] = min(1.0, 2 * min(each.p for each in test.both_p_values(first, second)))
        return p_values


@dataclass(frozen=True, slots=True, eq=False)
class MetricScores:
    """The metrics of a campaign: computed from its texts, and stored scores."""

    measured: tuple[Measured, ...]
    stored: Mapping[Key, StoredScores]

    @property
    def is_empty(self) -> bool:
        """Whether there is no score."""
        return not (self.measured or self.stored)

    @classmethod
    def of(cls, campaign: Campaign, options: PairOptions, runtime: Runtime) -> MetricScores:
        """Scores against the first reference, as calibrations of metrics with one reference need."""
        stored = dict(_find_stored(campaign, options))
        if campaign.testset is None or not options.metrics or not options.aggregations:
            return cls((), stored)
        reference = next(iter(campaign.testset.references), None)
        testset = campaign.select_texts(
            references=() if reference is None else (reference,), keep_references=options.keep_references
        )
        return cls(tuple(measure(testset, options.metrics, runtime).metrics.values()), stored)

    def values(
        self, segments: npt.NDArray[np.intp] | None, options: PairOptions, runtime: Runtime
    ) -> dict[Key, Mapping[str, float]]:
        """The score of each system by metric and aggregation, higher is better; on some segments or (None) on all."""
        values = {key: stored.systems for key, stored in self.stored.items() if segments is None}
        for measured in self.measured:
            sign = 1.0 if measured.metric.higher_is_better else -1.0
            for aggregation, scorable in _scorables(measured, segments, options.aggregations):
                scores = _aggregated(aggregation, scorable, options.seed, runtime) * sign
                values[measured.spec, aggregation] = dict(zip(scorable.systems, scores.tolist(), strict=True))
        return values

    def own_p_values(
        self, systems: Sequence[tuple[str, str]], test: str, options: PairOptions, runtime: Runtime
    ) -> dict[Key, FloatArray]:
        """The two-sided p-values of differences of the metrics themselves."""
        p_values = {key: stored.p_values(systems) for key, stored in self.stored.items() if stored.segments}
        for measured in self.measured:
            for aggregation, scorable in _scorables(measured, None, options.aggregations):
                if aggregation != "bootstrap":  # a mean over resamples has no test of its own
                    tested = _tested_scores(measured, scorable, test, options.seed, runtime)
                    p_values[measured.spec, aggregation] = _p_values(tested, systems)
        return p_values


def _tested_scores(measured: Measured, scorable: Scorable, test: str, seed: int, runtime: Runtime) -> PairedScores:
    """The scores of all systems with what a test needs of them."""
    if test == "mathur2020":
        is_bleu = measured.metric.name == "bleu"
        test, scorable = ("bootstrap", scorable) if is_bleu else ("paired-t", measured.mean)
    resamples = 2 if test == "paired-t" else _OWN_TEST_RESAMPLES
    options = ComparisonOptions(test=test, resamples=resamples, seed=seed)
    higher_is_better = measured.metric.higher_is_better
    return paired_scores({"": scorable}, options, runtime, higher_is_better=higher_is_better)[""]


def _p_values(scores: PairedScores, systems: Sequence[tuple[str, str]]) -> FloatArray:
    place = {name: i for i, name in enumerate(scores.scorable.systems)}
    return np.array(
        [scores.p_value(place[a], place[b])[0] if a in place and b in place else math.nan for a, b in systems]
    )


def _scorables(
    measured: Measured, segments: npt.NDArray[np.intp] | None, aggregations: Iterable[str]
) -> Iterator[tuple[str, Scorable]]:
    """The scorable of each aggregation, over the segments that are scored for all systems."""
    scored = measured.statistics.scored
    wanted = np.arange(scored.shape[1]) if segments is None else segments
    common = wanted[scored[:, wanted].all(axis=0)]
    for aggregation in aggregations:
        yield aggregation, (measured.mean if aggregation == "segment" else measured.corpus).take(common)


def _aggregated(aggregation: str, scorable: Scorable, seed: int, runtime: Runtime) -> FloatArray:
    if aggregation != "bootstrap":
        return scorable.values(runtime)
    (replicates,) = resampled_scores([scorable], Bootstrap(RESAMPLES, _BOOTSTRAP_SIZE, seed), runtime)
    return mean_of_defined(replicates, axis=1)


def _find_stored(campaign: Campaign, options: PairOptions) -> Iterator[tuple[Key, StoredScores]]:
    """Stored scores that match by name or are documented as a metric: reference-free, or with the first reference."""
    documented = {} if campaign.testset is not None else DOCUMENTED.get(campaign.name, {})
    specs = [metric_registry.spec(metric_registry.create(metric)) for metric in options.metrics if documented]
    found: dict[str, StoredScores] = {}
    tables = [table for table in campaign.metrics if _is_of_first_reference(table, campaign)]
    for table in tables:
        if table.level == "system":
            segments = [other for other in tables if other.level == "segment" and other.name == table.name]
            if any(fnmatchcase(table.name, pattern) for pattern in options.stored):
                yield (table.name, STORED), _scores_of(table, segments, 1.0)
            spec, factor = documented.get(table.name, ("", 1.0))
            if spec in specs and "corpus" in options.aggregations:
                found[spec] = _scores_of(table, segments, factor)
    for spec in specs:
        if spec in found:
            yield (spec, "corpus"), found[spec]


def _is_of_first_reference(table: ScoreTable, campaign: Campaign) -> bool:
    return spell_out(table.references, campaign.references) in ((), campaign.references[:1])


def _scores_of(table: ScoreTable, segments: Sequence[ScoreTable], factor: float) -> StoredScores:
    values = zip(table.systems, (factor * table.oriented[:, 0]).tolist(), strict=True)
    return StoredScores(
        {name: value for name, value in values if name not in table.references},
        {name: row for other in segments[:1] for name, row in zip(other.systems, other.oriented, strict=True)},
    )
