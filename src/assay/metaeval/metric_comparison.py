"""Tests of whether one metric agrees better with the human scores of a language pair than another."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from assay.checks import check_choice, check_share
from assay.errors import ConfigError, option
from assay.human.options import no_effect
from assay.metaeval.alignment import Aligned
from assay.metaeval.evaluation import OUTLIER, Plan
from assay.metaeval.grouped_statistic import GroupedStatistic
from assay.metaeval.pair_scores import PairScores
from assay.metaeval.ranking_alignment import AlignedRankings
from assay.metric_tests import MetricCells, MetricTest, Tested, create_test, default_test, metric_test
from assay.metric_tests.pooling import pool
from assay.metric_tests.ranks import metric_differences
from assay.registry import option_text
from assay.resample import SEED
from assay.results import Measure, MetaColumn, MetaEvaluation, MetricDifferences
from assay.significance import ALPHA
from assay.significance.corrections import CORRECTIONS
from assay.types import Note, NoteKind
from assay.types.note import listed

__all__ = ["MetricComparison", "metric_comparison"]


@dataclass(slots=True)
class MetricComparison:
    """Compares the metrics of each language pair by the first statistic, with outliers kept, dropped or both."""

    test: MetricTest
    alpha: float
    correction: str
    tested: dict[Measure, dict[str, Tested]] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)

    def __post_init__(self) -> None:
        check_share("alpha", self.alpha)
        check_choice("correction", self.correction, CORRECTIONS)

    def add(self, plan: Plan, scores: PairScores) -> None:
        """Compare the metrics of a language pair; those without outliers only if it has outliers."""
        statistic, label = plan.statistics[0], scores.pair.lp
        outliers = scores.pair.outliers.systems
        for kind in plan.outliers if outliers else plan.outliers[:1]:
            cells, notes = _cells(self.test, statistic, scores, outliers if kind == "dropped" else ())
            tested = self.test.compare(
                statistic.statistic,
                cells,
                level=statistic.level,
                grouping=statistic.grouping,
                is_weighted=statistic.average == "micro",
                stream=label,
                threads=plan.runtime.threads,
            )
            self.tested.setdefault(Measure(statistic.spec, kind), {})[label] = tested
            self.notes += [note for note in (*notes, *_untested_notes(tested, label)) if note not in self.notes]
        for kind in () if outliers else plan.outliers[1:]:  # no outlier: the same numbers
            kept = self.tested[Measure(statistic.spec, plan.outliers[0])][label]
            self.tested.setdefault(Measure(statistic.spec, kind), {})[label] = kept

    def differences(self, evaluation: MetaEvaluation, *, is_pooled: bool) -> tuple[MetricDifferences, ...]:
        """The results: those of the average over language pairs, weighted as in the evaluation, then those of each."""
        averages = []
        if self.test.resamples:
            averages = [
                self._result(measure, None, pool(list(pairs.values()), _weights(evaluation, measure, pairs, is_pooled)))
                for measure, pairs in self.tested.items()
                if len(pairs) > 1
            ]
        elif any(len(pairs) > 1 for pairs in self.tested.values()):
            text = f"no test of the average over language pairs: {self.test.name} does not draw (perm-systems does)"
            self.notes.append(Note(NoteKind.UNDEFINED, text))
        each = [
            self._result(measure, label, tested)
            for measure, pairs in self.tested.items()
            for label, tested in pairs.items()
        ]
        return (*averages, *each)

    def _result(self, measure: Measure, label: str | None, tested: Tested) -> MetricDifferences:
        return metric_differences(
            tested,
            lp=label,
            statistic=measure.statistic,
            outliers=measure.outliers,
            alpha=self.alpha,
            correction=self.correction,
        )

    @property
    def settings(self) -> dict[str, str]:
        """What the ranks and winners depend on."""
        return {
            "sig": metric_test.spec(self.test),
            "alpha": option_text(self.alpha),
            **({} if self.correction == "none" else {"correction": self.correction}),
            **({"seed": str(seed)} if (seed := getattr(self.test, "seed", None)) is not None else {}),
        }


def metric_comparison(
    sig: str | None, statistic: GroupedStatistic, *, alpha: float = ALPHA, correction: str = "none", seed: int = SEED
) -> MetricComparison | None:
    """The comparison by a test, or by the default test of the statistic; None: no test was requested.

    A test that draws uses `seed` unless its spec has one.
    """
    if sig is None:
        for name, value, default in (("alpha", alpha, ALPHA), ("correction", correction, "none")):
            if value != default:
                raise no_effect(name, f"without {option('sig')}, metrics are not tested")
        return None
    test = create_test(sig, default_test(statistic.statistic, statistic.level), seed)
    test.check(statistic.statistic, statistic.level, statistic.grouping)
    return MetricComparison(test, alpha, correction)


def _weights(evaluation: MetaEvaluation, measure: Measure, labels: Iterable[str], is_pooled: bool) -> list[float]:
    """The weight of each language pair in the average; pooled averages use those of the best metric of each pair."""
    columns = [MetaColumn(label, measure) for label in labels]
    if not is_pooled:
        return [1 / len(columns)] * len(columns)
    best = [next(row.agreements[column] for row in evaluation if column in row.agreements) for column in columns]
    weights = [float(agreement.pairs or agreement.weight) for agreement in best]
    return [weight / math.fsum(weights) for weight in weights]


def _cells(
    test: MetricTest, statistic: GroupedStatistic, scores: PairScores, outliers: Sequence[str]
) -> tuple[MetricCells, list[Note]]:
    """The scores of all metrics on one grid of systems and segments, and notes on metrics that are left out."""
    by_segment = statistic.statistic.reads_segments or (test.needs_segments and statistic.level == "system")
    usable = scores.metrics
    notes = []
    if by_segment:
        if scores.gold.by_level.segment is None:
            raise ConfigError(
                f"{test.name} needs segment scores, which '{scores.gold.options.name}' does not have",
                hint="use perm-systems or williams",
            )
        usable = tuple(metric for metric in scores.metrics if metric.segment is not None)
        if without := [metric.name for metric in scores.metrics if metric.segment is None]:
            text = f"not tested, because they have no segment scores: {', '.join(without)}"
            notes.append(Note(NoteKind.EXCLUDED, text, scores.pair.lp, len(without)))
        own = [metric.name for metric in usable if metric.system is not None]
        if own and not statistic.statistic.reads_segments:
            text = f"{test.name} tests means of segment scores, not the system scores in the table: {listed(own)}"
            notes.append(Note(NoteKind.SUSPECT, text, scores.pair.lp, len(own)))
    aligned = {
        metric.name: scores.gold.align(metric, statistic.level, by_segment=by_segment).without(outliers, OUTLIER)
        for metric in usable
    }
    sizes = Counter(map(_columns, aligned.values()))
    usual = max(sizes, key=lambda size: sizes[size], default=0)
    if others := [name for name, each in aligned.items() if _columns(each) != usual]:
        text = f"not tested, because their scores are of other segments: {', '.join(others)}"
        notes.append(Note(NoteKind.EXCLUDED, text, scores.pair.lp, len(others)))
    return _on_grid({name: each for name, each in aligned.items() if name not in others}), notes


def _columns(aligned: Aligned) -> int:
    return len(aligned.cells.mask) if isinstance(aligned, AlignedRankings) else len(aligned.cells.mask.T)


def _on_grid(by_name: Mapping[str, Aligned]) -> MetricCells:
    names, aligned = tuple(by_name), list(by_name.values())
    first = aligned[0]
    if isinstance(first, AlignedRankings):  # a column is a ranking
        arrays = [np.stack([getattr(each.cells, side).T for each in aligned]) for side in ("metric", "human", "mask")]
        return MetricCells(names, arrays[0], arrays[1], arrays[2], segment=first.segment)
    systems = sorted({name for each in aligned for name in each.systems})
    shape = (len(aligned), len(systems), _columns(first))
    metric, human, mask = np.zeros(shape), np.zeros(shape), np.zeros(shape, dtype=np.bool_)
    for k, each in enumerate(aligned):
        rows = [systems.index(name) for name in each.systems]
        metric[k, rows], human[k, rows], mask[k, rows] = each.cells.metric, each.cells.human, each.cells.mask
    return MetricCells(names, metric, human, mask, pairs=_pairs(aligned, systems))


def _pairs(
    aligned: Sequence[Aligned], systems: Sequence[str]
) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]] | None:
    """The pairs of systems that count: the same for all metrics that have both systems."""
    if aligned[0].pairs is None:
        return None
    pairs = np.zeros((len(systems), len(systems)), dtype=np.bool_)
    for each in aligned:
        rows = [systems.index(name) for name in each.systems]
        pairs[np.ix_(rows, rows)] |= False if each.pairs is None else each.pairs
    return pairs


def _untested_notes(tested: Tested, label: str) -> list[Note]:
    return [
        Note(
            NoteKind.UNDEFINED, f"no test of {count} pair{'s' if count > 1 else ''} of metrics: {reason}", label, count
        )
        for reason, count in tested.untested.items()
    ]
