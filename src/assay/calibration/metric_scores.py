"""The metric scores of a campaign: computed from its texts, or stored in files."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from assay.aggregate import mean_of_resamples
from assay.aggregate.resample import RESAMPLES, Bootstrap
from assay.calibration.options import STORED, STORED_SEGMENT, STORED_TEST, Key, PairOptions
from assay.calibration.populations import is_unspaced_language
from assay.comparison.differences import ComparisonOptions, PairedScores, paired_scores
from assay.lazily import numpy as np
from assay.measurement import Measured, measure
from assay.metrics import metric as metric_registry
from assay.significance import test as test_registry
from assay.types import Campaign, FloatArray, Note, NoteKind, Scorable, ScoreTable
from assay.types.metric_names import spell_out
from assay.types.note import listed
from assay.types.runtime import Runtime

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["DOCUMENTED", "MetricScores", "OwnTest", "StoredScores"]

DOCUMENTED: Mapping[str, Mapping[str, tuple[str, float]]] = {
    "wmt20": {"BLEU": ("bleu", 1.0), "chrF": ("chrf", 100.0), "TER": ("ter", 100.0)}
}
"""Stored system scores that are known to be corpus scores of a metric, by campaign, and their factor.

The organisers of WMT20 computed them with sacreBLEU (Mathur et al. 2020, Results of the WMT20 Metrics Shared Task);
the tokeniser that sacreBLEU chooses by target language is one setting.
"""
_NEEDS_SPACES = frozenset({"ter"})
"""Metrics that are left out for target languages without spaces between words: the organisers did not segment texts, so
their TER takes a sentence for a single word (up to 3,257 % on Chinese)."""

_BOOTSTRAP_SIZE = 1000  # as in Cavalin et al. 2024
_OWN_TEST_RESAMPLES = 2000  # enough for p < .001


@dataclass(frozen=True, slots=True, eq=False)
class StoredScores:
    """Scores from files, higher is better: of systems, of their segments, or both."""

    systems: Mapping[str, float]
    segments: Mapping[str, FloatArray]

    def values(self, segments: npt.NDArray[np.intp] | None) -> Mapping[str, float]:
        """The score of each system, on some segments or (None) on all.

        Without system scores, they are means over the segments that are scored for all systems.
        """
        if self.systems:
            return self.systems if segments is None else {}
        if not self.segments:
            return {}
        scores = np.array([*self.segments.values()])[:, slice(None) if segments is None else segments]
        common = ~np.isnan(scores).any(axis=0)
        means = scores[:, common].mean(axis=1) if common.any() else np.full(len(scores), math.nan)
        return dict(zip(self.segments, means.tolist(), strict=True))

    def p_values(self, systems: Sequence[tuple[str, str]]) -> FloatArray:
        """Two-sided, by a paired t-test of segment scores; NaN without them."""
        test = test_registry.create(STORED_TEST)
        p_values = np.full(len(systems), math.nan)
        for place, pair in enumerate(systems):
            if all(name in self.segments for name in pair):
                values = np.stack([self.segments[name] for name in pair])
                values = values[:, ~np.isnan(values).any(axis=0)]
                first, second = (Scorable.of_segments(row, (name,)) for row, name in zip(values, pair, strict=True))
                p_values[place] = min(1.0, 2 * min(each.p for each in test.both_p_values(first, second)))
        return p_values


@dataclass(frozen=True, slots=True, eq=False)
class OwnTest:
    """A test of differences of a metric itself."""

    name: str
    is_of_stored: bool
    """Whether it is of segment scores from files."""
    p_values: FloatArray
    """Of each pair of systems, two-sided; NaN without segment scores."""


@dataclass(frozen=True, slots=True, eq=False)
class MetricScores:
    """The metrics of a campaign: computed from its texts, and stored scores."""

    measured: tuple[Measured, ...]
    stored: Mapping[Key, StoredScores]
    notes: tuple[Note, ...]
    """On texts and scores, and on what is left out."""

    @property
    def is_empty(self) -> bool:
        """Whether there is no score."""
        return not (self.measured or self.stored)

    @classmethod
    def of(
        cls, campaign: Campaign, options: PairOptions, factors: Mapping[tuple[str, str], float], runtime: Runtime
    ) -> MetricScores:
        """Scores against the first reference, as calibrations of metrics with one reference need.

        `factors` bring stored scores on one scale, by campaign and metric.
        """
        stored = dict(_find_stored(campaign, options, factors))
        if campaign.testset is None or not options.metrics or not options.agg:
            return cls((), stored, tuple(_unspaced(campaign, options)))
        reference = next(iter(campaign.testset.references), None)
        testset = campaign.select_texts(
            references=() if reference is None else (reference,), keep_references=options.keep_references
        )
        metrics, notes = _computable(options.metrics, has_reference=reference is not None)
        if not metrics:
            return cls((), stored, notes)
        measurements = measure(testset, metrics, runtime)
        return cls(tuple(measurements.metrics.values()), stored, (*notes, *measurements.notes))

    def values(
        self, segments: npt.NDArray[np.intp] | None, options: PairOptions, runtime: Runtime
    ) -> dict[Key, Mapping[str, float]]:
        """The score of each system by metric and aggregation, higher is better; on some segments or (None) on all."""
        found = {key: stored.values(segments) for key, stored in self.stored.items()}
        values = {key: scores for key, scores in found.items() if scores}
        for measured in self.measured:
            sign = 1.0 if measured.metric.higher_is_better else -1.0
            for aggregation, scorable in _scorables(measured, segments, options.agg):
                scores = _aggregated(aggregation, scorable, options.seed, runtime) * sign
                values[measured.spec, aggregation] = dict(zip(scorable.systems, scores.tolist(), strict=True))
        return values

    def own_tests(
        self, systems: Sequence[tuple[str, str]], test: str, options: PairOptions, runtime: Runtime
    ) -> dict[Key, OwnTest]:
        """Tests of differences of the metrics themselves."""
        tests = {
            key: OwnTest(STORED_TEST, True, stored.p_values(systems))
            for key, stored in self.stored.items()
            if stored.segments
        }
        for measured in self.measured:
            name = _own_test(test, measured)
            for aggregation, scorable in _scorables(measured, None, options.agg):
                if aggregation != "bootstrap":  # a mean over resamples has no test of its own
                    of_means = test == "mathur2020" and name == "paired-t"
                    used = measured.mean if of_means else scorable
                    tested = _tested_scores(measured, used, name, options.seed, runtime)
                    tests[measured.spec, aggregation] = OwnTest(name, False, _p_values(tested, systems))
        return tests


def _computable(metrics: Sequence[str], *, has_reference: bool) -> tuple[list[str], tuple[Note, ...]]:
    """The metrics that a test set has enough for, and a note on the others: some have no reference."""
    lacking = [each for each in metrics if not has_reference and "reference" in metric_registry.create(each).needs]
    text = f"left out: {listed(lacking)} (there is no reference)"
    notes = (Note(NoteKind.EXCLUDED, text),) if lacking else ()
    return [each for each in metrics if each not in lacking], notes


def _own_test(test: str, measured: Measured) -> str:
    """The test of a metric, where it depends on the metric."""
    if test != "mathur2020":
        return test
    return "bootstrap" if measured.metric.name == "bleu" else "paired-t"


def _tested_scores(measured: Measured, scorable: Scorable, test: str, seed: int, runtime: Runtime) -> PairedScores:
    """The scores of all systems with what a test needs of them."""
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
    return mean_of_resamples(scorable, Bootstrap(RESAMPLES, _BOOTSTRAP_SIZE, seed), runtime)


def _find_stored(
    campaign: Campaign, options: PairOptions, factors: Mapping[tuple[str, str], float]
) -> Iterator[tuple[Key, StoredScores]]:
    """Stored scores that match by name or are documented as a metric: reference-free, or with the first reference."""
    tables = [table for table in campaign.metrics if _is_of_first_reference(table, campaign)]
    systems, segments = (
        {table.name: table for table in reversed(tables) if table.level == level} for level in ("system", "segment")
    )
    for name in dict.fromkeys(table.name for table in tables):
        if (name in systems or name in segments) and any(fnmatchcase(name, pattern) for pattern in options.stored):
            aggregation = STORED if name in systems else STORED_SEGMENT
            factor = factors.get((campaign.name, name), 1.0)
            yield (name, aggregation), _scores_of(systems.get(name), segments.get(name), factor)
    documented = {spec: (name, factor) for name, (spec, factor) in _documented(campaign, options).items()}
    for spec in options.specs:
        name, factor = documented.get(spec, ("", 1.0))
        if name in systems and not _is_unspaced(spec, campaign):
            yield (spec, "corpus"), _scores_of(systems[name], segments.get(name), factor)


def _documented(campaign: Campaign, options: PairOptions) -> Mapping[str, tuple[str, float]]:
    """Names of stored system scores that are corpus scores of a metric. With texts, they are computed instead."""
    is_used = campaign.testset is None and "corpus" in options.agg
    return DOCUMENTED.get(campaign.name, {}) if is_used else {}


def _unspaced(campaign: Campaign, options: PairOptions) -> Iterator[Note]:
    """Notes on documented scores that are left out."""
    for name, (spec, _) in _documented(campaign, options).items():
        if spec in options.specs and _is_unspaced(spec, campaign):
            text = f"the stored {name} is left out: it takes a sentence without spaces for one word"
            yield Note(NoteKind.EXCLUDED, text)


def _is_unspaced(spec: str, campaign: Campaign) -> bool:
    return spec in _NEEDS_SPACES and is_unspaced_language(campaign.lp)


def _is_of_first_reference(table: ScoreTable, campaign: Campaign) -> bool:
    return spell_out(table.references, campaign.references) in ((), campaign.references[:1])


def _scores_of(systems: ScoreTable | None, segments: ScoreTable | None, factor: float) -> StoredScores:
    """The scores of both levels, without those of references."""

    def rows(table: ScoreTable | None) -> dict[str, FloatArray]:
        if table is None:
            return {}
        values = zip(table.systems, factor * table.oriented, strict=True)
        return {name: row for name, row in values if name not in table.references and not np.isnan(row).all()}

    return StoredScores({name: float(row[0]) for name, row in rows(systems).items()}, rows(segments))
