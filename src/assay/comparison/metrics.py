"""All pairs of systems under one metric: differences, corrected p-values, clusters, and what could have been shown."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from assay.aggregate import estimate_from_replicates, unless_single
from assay.comparison.differences import ComparisonOptions, PairedScores, PairOutcome, paired_scores, win_counts
from assay.comparison.power import power_analysis
from assay.comparison.sacrebleu.paired_tests import p_values
from assay.errors import ConfigError
from assay.lazily import numpy as np
from assay.measurement import Measured, naming_metric, no_common_segments
from assay.measurement.units import by_document
from assay.results import ComparedMetric, ComparedPair, Estimate, Outcome, Power
from assay.significance.clusters import clusters_by_test
from assay.significance.corrections import corrected
from assay.significance.rank_distribution import rank_ranges, rank_shares
from assay.types import Column, Scorable
from assay.types.runtime import Runtime

__all__ = ["MetricComparer", "distinct_aggregations"]


def distinct_aggregations(measured: Measured, aggregations: Sequence[str], runtime: Runtime) -> tuple[str, ...]:
    """Without corpus where it is the segment mean under another name, as for scores from elsewhere."""
    if not {"corpus", "segment"} <= set(aggregations):
        return tuple(aggregations)
    corpus, mean = measured.corpus, measured.mean
    is_same = np.array_equal(corpus.table, mean.table) and np.array_equal(
        corpus.values(runtime), mean.values(runtime), equal_nan=True
    )
    return tuple(name for name in aggregations if name != "corpus" or not is_same)


@dataclass(frozen=True, slots=True)
class MetricComparer:
    """What is the same for all metrics: the pairs, the options, and the units of resampling."""

    pairs: Sequence[tuple[str, str]]
    options: ComparisonOptions
    documents: Column | None
    """The document of each segment, if documents are the units."""
    all_pairs: bool

    def compare(self, measured: Measured, aggregations: Sequence[str], runtime: Runtime) -> Iterator[ComparedMetric]:
        """The comparison of all pairs under each aggregation."""
        with naming_metric(measured.spec, measured.metric):
            distinct = distinct_aggregations(measured, aggregations, runtime)
            scorables = {name: self._scorable(measured, name) for name in distinct}
            resampled = paired_scores(
                scorables, self.options, runtime, higher_is_better=measured.metric.higher_is_better
            )
        for name, scores in resampled.items():
            yield self._compared(measured, name, scores, runtime)

    def _scorable(self, measured: Measured, aggregation: str) -> Scorable:
        """The table of an aggregation, over the segments that are scored for all systems, or their documents."""
        common = measured.common()
        if not len(common) or not measured.has_scores.all():
            raise no_common_segments(measured)
        scorable = measured.scorable(aggregation).take(common)
        documents = self.documents
        return scorable if documents is None else by_document(scorable, [documents[i] for i in common])

    def _compared(self, measured: Measured, aggregation: str, scores: PairedScores, runtime: Runtime) -> ComparedMetric:
        index = {name: i for i, name in enumerate(scores.scorable.systems)}
        numbers = [(index[first], index[second]) for first, second in self.pairs]
        outcomes = self._tested(measured, scores, numbers, runtime)
        adjusted = corrected(np.array([outcome.p for outcome in outcomes]), self.options.correction).tolist()
        pairs = tuple(
            self._pair(measured, scores, (index[first], index[second]), outcome, p_corrected)
            for (first, second), outcome, p_corrected in zip(self.pairs, outcomes, adjusted, strict=True)
        )
        options, counts = self.options, np.count_nonzero(scores.scorable.mask, axis=1).tolist()
        resampling = (("resamples", str(options.resamples)), ("seed", str(options.seed)))
        oriented = scores.replicates if scores.higher_is_better else -scores.replicates
        low, high = rank_ranges(oriented, options.confidence)
        return ComparedMetric(
            metric=measured.spec,
            aggregation=aggregation,
            higher_is_better=scores.higher_is_better,
            signature=str(measured.signature(aggregation, resampling)),
            scores={
                name: unless_single(
                    estimate_from_replicates(scores.scores[i], scores.replicates[i], counts[i], options.confidence),
                    "unit",
                )
                for name, i in index.items()
            },
            pairs=pairs,
            clusters=self._clusters(scores, pairs) if self.all_pairs else {},
            rank_shares=rank_shares(oriented),
            rank_ranges=dict(zip(index, zip(low.tolist(), high.tolist(), strict=True), strict=True)),
        )

    def _tested(
        self, measured: Measured, scores: PairedScores, pairs: Sequence[tuple[int, int]], runtime: Runtime
    ) -> list[PairOutcome]:
        """The p-value of each pair; NaN with a reason where it is undefined."""
        if self.options.compat is None:
            return scores.test(pairs, runtime)
        if measured.metric.sacrebleu_signature(measured.references) is None:
            raise ConfigError(f"sacreBLEU does not have {measured.spec}", hint="it has bleu, chrf and ter")
        options = self.options
        found = p_values(measured.metric, scores.scorable.table, pairs, options.test, options.resamples, options.seed)
        return [PairOutcome(p, resamples=options.resamples) for p in found]

    def _pair(
        self,
        measured: Measured,
        scores: PairedScores,
        pair: tuple[int, int],
        outcome: PairOutcome,
        p_corrected: float,
    ) -> ComparedPair:
        options = self.options
        difference = scores.difference(*pair)
        if outcome.reason is not None:
            difference = replace(difference, reason=outcome.reason)
        first, second = (scores.scorable.systems[i] for i in pair)
        test = options.test if options.is_two_sided else f"{options.test}, {options.alternative}"
        if options.compat is not None:
            test = f"{options.compat} {test}"
        won = win_counts(
            *measured.segment_scores[list(pair)][:, measured.is_common], higher_is_better=scores.higher_is_better
        )
        return ComparedPair(
            first,
            second,
            difference,
            outcome.p,
            test,
            p_corrected,
            *won,
            self._power(difference),
            self._outcome(scores, pair, p_corrected, won),
            resamples=outcome.resamples,
        )

    def _outcome(self, scores: PairedScores, pair: tuple[int, int], p: float, won: tuple[int, int, int]) -> Outcome:
        difference, (wins, ties, losses) = float(scores.scores[pair[0]] - scores.scores[pair[1]]), won
        return Outcome.of(
            difference if scores.higher_is_better else -difference,
            p,
            self.options.alpha,
            is_tied=difference == 0 and ties > 0 and wins == losses == 0,
            is_opposed=scores.is_opposed(*pair),
        )

    def _power(self, difference: Estimate) -> Power:
        """What the test could show, where the standard error of the difference tells."""
        options = self.options
        if options.power_reason is not None:
            return Power(math.nan, reason=options.power_reason)
        return power_analysis(
            difference.standard_error,
            difference.n,
            delta=options.delta,
            alpha=options.alpha,
            is_two_sided=options.is_two_sided,
            degrees_of_freedom=None if self.documents is None else difference.n - 1,
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
            differs[i, j] = pair.shows_difference
        return dict(zip(names, clusters_by_test(differs).tolist(), strict=True))
