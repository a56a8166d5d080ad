"""All pairs of systems under one metric: differences, corrected p-values, clusters, and what could have been shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from assay.aggregate import estimate_from_replicates
from assay.comparison.differences import ComparisonOptions, PairedScores, paired_scores, win_counts
from assay.comparison.power import power_analysis
from assay.comparison.units import by_document
from assay.errors import InputError
from assay.measurement import Measured, naming_metric, signature_of
from assay.results import ComparedMetric, ComparedPair, Comparison
from assay.runtime import Runtime
from assay.significance.clusters import clusters_by_test
from assay.significance.corrections import corrected
from assay.significance.rank_distribution import rank_shares
from assay.types import Column, Scorable

__all__ = ["MetricComparer"]


@dataclass(frozen=True, slots=True)
class MetricComparer:
    """What is the same for all metrics: the pairs, the options, and the units of resampling."""

    pairs: Sequence[tuple[str, str]]
    options: ComparisonOptions
    correction: str
    delta: float | None
    documents: Column | None
    """The document of each segment, if documents are the units."""
    has_all_pairs: bool

    def compare(self, measured: Measured, aggregations: Sequence[str], runtime: Runtime) -> Iterator[ComparedMetric]:
        """The comparison of all pairs under each aggregation."""
        with naming_metric(measured.spec, measured.metric):
            scorables = {name: self._scorable(measured, name) for name in aggregations}
            resampled = paired_scores(
                scorables, self.options, runtime, higher_is_better=measured.metric.higher_is_better
            )
        for name, scores in resampled.items():
            yield self._compared(measured, name, scores)

    def _scorable(self, measured: Measured, aggregation: str) -> Scorable:
        """The table of an aggregation, over the segments that are scored for all systems, or their documents."""
        common = np.flatnonzero(measured.statistics.scored.all(axis=0))
        if not len(common):
            raise InputError(f"{measured.spec}: no segment was scored for all systems")
        scorable = (measured.corpus if aggregation == "corpus" else measured.mean).take(common)
        documents = self.documents
        return scorable if documents is None else by_document(scorable, [documents[i] for i in common])

    def _compared(self, measured: Measured, aggregation: str, scores: PairedScores) -> ComparedMetric:
        index = {name: i for i, name in enumerate(scores.scorable.systems)}
        outcomes = [scores.p_value(index[first], index[second]) for first, second in self.pairs]
        adjusted = corrected(np.array([p for p, _ in outcomes]), self.correction).tolist()
        pairs = tuple(
            self._pair(measured, scores, index[first], index[second], p, p_corrected)
            for (first, second), (p, _), p_corrected in zip(self.pairs, outcomes, adjusted, strict=True)
        )
        options, n = self.options, scores.scorable.table.shape[1]
        resampling = (("resamples", str(options.resamples)), ("seed", str(options.seed)))
        oriented = scores.replicates if scores.higher_is_better else -scores.replicates
        return ComparedMetric(
            metric=measured.spec,
            aggregation=aggregation,
            higher_is_better=scores.higher_is_better,
            signature=str(signature_of(measured.metric, measured.references, aggregation, resampling)),
            scores={
                name: estimate_from_replicates(scores.scores[i], scores.replicates[i], n, options.confidence)
                for name, i in index.items()
            },
            pairs=pairs,
            clusters=self._clusters(scores, pairs) if self.has_all_pairs else {},
            rank_shares=rank_shares(oriented.T),
        )

    def _pair(
        self, measured: Measured, scores: PairedScores, first: int, second: int, p: float, p_corrected: float
    ) -> ComparedPair:
        difference, systems = scores.difference(first, second), scores.scorable.systems
        segment_scores = measured.segment_scores
        counts = win_counts(segment_scores[first], segment_scores[second], higher_is_better=scores.higher_is_better)
        test = self.options.test
        if self.options.alternative != "two-sided":
            test = f"{test}, {self.options.alternative}"
        power = power_analysis(
            difference.standard_error,
            difference.n,
            delta=self.delta,
            alpha=self.options.alpha,
            sides=2 if self.options.alternative == "two-sided" else 1,
            degrees_of_freedom=None if self.documents is None else difference.n - 1,
        )
        return ComparedPair(
            Comparison(systems[first], systems[second], difference, p, test),
            p_corrected,
            *counts,
            power.smallest_difference,
            power.n_needed,
        )

    def _clusters(self, scores: PairedScores, pairs: Sequence[ComparedPair]) -> dict[str, int]:
        """Systems from best to worst with the number of their cluster."""
        oriented = scores.scores if scores.higher_is_better else -scores.scores
        order = np.argsort(-np.nan_to_num(oriented, nan=-np.inf), kind="stable")
        names = [scores.scorable.systems[i] for i in order]
        place = {name: i for i, name in enumerate(names)}
        differs = np.zeros((len(names), len(names)), dtype=np.bool_)
        for pair in pairs:
            i, j = sorted((place[pair.first], place[pair.second]))
            differs[i, j] = pair.p_corrected < self.options.alpha
        return dict(zip(names, clusters_by_test(differs).tolist(), strict=True))
