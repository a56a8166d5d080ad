"""Tests of whether one metric agrees better with the human scores than another, on each language pair and on average.

What is tested is what is shown. A test that swaps segment scores sees means of segment scores at the system level, so
it tests only metrics whose system scores in the table are these means. Others, such as corpus BLEU, are left out with a
note; tests that swap or correlate system scores test all metrics.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated

from assay.aggregate.resample import SEED
from assay.errors import ConfigError, option_name
from assay.lazily import numpy as np
from assay.metaeval.alignment import ROUNDED, Aligned
from assay.metaeval.averages import pair_weights
from assay.metaeval.evaluation import OUTLIER, Plan
from assay.metaeval.grouped_statistic import GroupedStatistic
from assay.metaeval.pair_scores import PairScores
from assay.metaeval.ranking_alignment import AlignedRankings
from assay.metaeval.scores_by_level import ScoresByLevel
from assay.metaeval.settings import test_settings
from assay.metric_tests import DEFAULT, MetricCells, MetricPairs, MetricTest, create_test, default_test, metric_test
from assay.metric_tests.cells import are_equal_up_to
from assay.metric_tests.pooling import pool
from assay.metric_tests.problem import means
from assay.metric_tests.ranks import ranked
from assay.options.checks import check_share, no_effect
from assay.options.option import Option
from assay.options.parameters import check_fields
from assay.registry import split_spec
from assay.results import Measure, MetaColumn, MetaEvaluation, MetricDifferences
from assay.results.metric_differences import usual
from assay.significance import ALPHA
from assay.significance.corrections import CORRECTIONS
from assay.significance.resolution import out_of_reach
from assay.types import Note, NoteKind
from assay.types.note import listed, plural

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = [
    "TESTING",
    "SigChoice",
    "SignificanceOptions",
    "TestedAlpha",
    "TestedCorrection",
    "compare_metrics",
    "compare_on_pair",
    "test_limits",
]

_NO_MEANS = "{} swaps segment scores, but their system scores are not means of these (perm-systems swaps system scores)"
_MAX_NAMES = 4


TESTING = "Tests between metrics"
"""The group of options on help pages."""


def _check_sig(_: str, spec: str) -> None:
    if split_spec(spec)[0] != DEFAULT:  # its options depend on the statistic
        metric_test.check(spec, (DEFAULT,))


SigChoice = Annotated[
    str | None,
    Option(
        "Test whether metrics differ; with options: default:resamples=10000. default is williams for Pearson's r of "
        "systems, perm-systems for their other statistics and perm-segments for segments.",
        group=TESTING,
        metavar="[SPEC]",
        flag_value=DEFAULT,
        check=_check_sig,
        names=lambda: (DEFAULT, *metric_test.names()),
        lists_names=True,
    ),
]
TestedAlpha = Annotated[float, Option(f"Significance level of {option_name('sig')}.", group=TESTING, check=check_share)]
TestedCorrection = Annotated[
    str,
    Option(
        "Correction for the pairs of metrics: none, bonferroni, holm, benjamini-hochberg or benjamini-yekutieli.",
        group=TESTING,
        choices=tuple(CORRECTIONS),
        metavar="NAME",
    ),
]


@dataclass(frozen=True, slots=True)
class SignificanceOptions:
    """Which test compares metrics, and from which p-value on they differ."""

    test: MetricTest
    alpha: TestedAlpha = ALPHA
    correction: TestedCorrection = "none"

    def __post_init__(self) -> None:
        check_fields(self)

    @classmethod
    def from_spec(
        cls,
        sig: str | None,
        statistic: GroupedStatistic,
        *,
        default_spec: str | None = None,
        alpha: float = ALPHA,
        correction: str = "none",
        seed: int = SEED,
    ) -> SignificanceOptions | None:
        """By a test, or by `default_spec`, else that of the statistic; None: no test was requested.

        A test that draws uses `seed` unless its spec has one.
        """
        if sig is None:
            for name, value, default in (("alpha", alpha, ALPHA), ("correction", correction, "none")):
                if value != default:
                    raise no_effect(name, f"without {option_name('sig')}, metrics are not tested")
            return None
        test = create_test(sig, default_spec or default_test(statistic.statistic, statistic.level), seed)
        test.check(statistic.statistic, statistic.level, statistic.grouping)
        return cls(test, alpha, correction)

    @property
    def settings(self) -> dict[str, str]:
        """What the ranks and winners depend on."""
        return test_settings([self.test], alpha=self.alpha, correction=self.correction)


def compare_metrics(
    options: SignificanceOptions,
    plan: Plan,
    compared: Mapping[str, PairScores],
    evaluation: MetaEvaluation,
    *,
    is_pooled: bool,
) -> tuple[tuple[MetricDifferences, ...], tuple[Note, ...]]:
    """The tests by the first statistic, with outliers kept, dropped or both; and notes on what was not tested.

    First those of the average over language pairs, weighted as in the evaluation, then those of each language pair.
    """
    statistic, test = plan.statistics[0], options.test
    tested: dict[Measure, dict[str, MetricPairs]] = {}
    notes: dict[Note, None] = {}
    for label, scores in compared.items():
        compare = partial(compare_on_pair, test, statistic, scores, threads=plan.runtime.threads)
        for kind, (found, found_notes) in plan.by_outliers(compare, bool(scores.pair.outliers.systems)).items():
            tested.setdefault(Measure(statistic.spec, kind), {})[label] = found
            notes |= dict.fromkeys(found_notes)

    def result_of(measure: Measure, lp: str | None, pairs: MetricPairs) -> MetricDifferences:
        return ranked(
            pairs,
            lp=lp,
            statistic=measure.statistic,
            outliers=measure.outliers,
            alpha=options.alpha,
            correction=options.correction,
        )

    averages = []
    if len(compared) > 1 and test.resamples:
        for measure, by_pair in tested.items():
            weights = _weights(evaluation, measure, by_pair, is_pooled)
            averages.append(result_of(measure, None, pool(list(by_pair.values()), weights)))
    elif len(compared) > 1:
        text = f"no test of the average over language pairs: {test.name} does not draw (perm-systems does)"
        notes[Note(NoteKind.UNDEFINED, text)] = None
    each = [result_of(measure, lp, found) for measure, by_pair in tested.items() for lp, found in by_pair.items()]
    results = (*averages, *each)
    notes |= dict.fromkeys(note for result in results for note in test_limits(result))
    return tuple(result for result in results if len(result.metrics) > 1), tuple(notes)


def test_limits(tested: MetricDifferences) -> Iterator[Note]:
    """If there is nothing to test, or pairs cannot be significant, however much the metrics differ."""
    if len(tested.metrics) < 2:
        yield Note(NoteKind.UNDEFINED, "no tests between metrics: fewer than two can be tested", tested.lp or "")
    is_pair = np.triu(tested.out_of_reach)
    pairs = int((~np.isnan(tested.p_values)).sum()) // 2
    for is_exact in (True, False):
        smallest = tested.smallest_p[is_pair & (tested.is_exact == is_exact)]
        if not len(smallest):
            continue
        cause, needed = "p is a share of all ways to swap the scores, which are few", ""
        if not is_exact:
            reach = out_of_reach(1 / (1 + tested.resamples), pairs, tested.correction, tested.alpha)
            cause = f"there are {plural(tested.resamples, 'resample')}"
            needed = "" if reach is None else f"; at least {reach.resamples:,} resamples are needed"
        corrected = "" if tested.correction == "none" else f" after the correction for {plural(pairs, 'pair')}"
        text = (
            f"{plural(len(smallest), 'pair')} of metrics cannot differ significantly: {cause}, so that p is at least "
            f"{smallest.min():.2g}{corrected}{needed}"
        )
        yield Note(NoteKind.ADVICE, text, tested.lp or "", len(smallest))


def _weights(evaluation: MetaEvaluation, measure: Measure, labels: Iterable[str], is_pooled: bool) -> list[float]:
    """The weight of each language pair in the average; pooled averages use those of the best metric of each pair."""
    columns = [MetaColumn(label, measure) for label in labels]
    best = [next(row.agreements[column] for row in evaluation if column in row.agreements) for column in columns]
    weights = pair_weights(best, is_pooled=is_pooled)
    return [weight / math.fsum(weights) for weight in weights]


def compare_on_pair(
    test: MetricTest,
    statistic: GroupedStatistic,
    scores: PairScores,
    outliers: str = "kept",
    *,
    stream: str | None = None,
    threads: int = 1,
) -> tuple[MetricPairs, tuple[Note, ...]]:
    """The tests of all pairs of metrics on a language pair, with outliers kept or dropped; and what was not tested.

    Tests with the same `stream` (default: the language pair) share their coins.
    """
    label = scores.pair.lp
    without = scores.pair.outliers.systems if outliers == "dropped" else ()
    cells, notes = _cells(test, statistic, scores, without)
    pairs = test.compare(
        statistic.statistic,
        cells,
        level=statistic.level,
        grouping=statistic.grouping,
        is_weighted=statistic.average == "micro",
        stream=label if stream is None else stream,
        threads=threads,
    )
    for reason, count in pairs.untested.items():
        text = f"no test of {plural(count, 'pair')} of metrics: {reason}"
        notes.append(Note(NoteKind.UNDEFINED, text, label, count))
    return pairs, tuple(notes)


def _cells(
    test: MetricTest, statistic: GroupedStatistic, scores: PairScores, outliers: Sequence[str]
) -> tuple[MetricCells, list[Note]]:
    """The scores of all metrics on one grid of systems and segments, and notes on metrics that are left out."""
    by_segment = statistic.statistic.reads_segments or (test.needs_segments and statistic.level == "system")
    if by_segment and scores.gold.by_level.segment is None:
        raise ConfigError(
            f"{test.name} needs segment scores, which '{scores.gold.options.name}' does not have",
            hint="use perm-systems, which swaps system scores",
        )
    aligned: dict[str, Aligned] = {}
    left_out: dict[str, list[str]] = {}
    for metric in scores.metrics:
        reason = _why_untested(test, statistic, scores, metric) if by_segment else None
        if reason is None:
            found = scores.gold.align(metric, statistic.level, by_segment=by_segment)
            aligned[metric.name] = found.without(outliers, OUTLIER)
        else:
            left_out.setdefault(reason, []).append(metric.name)
    most = usual(map(_columns, aligned.values()))
    if others := [name for name, each in aligned.items() if _columns(each) != most]:
        left_out["their scores are of other segments"] = others
    notes = [
        Note(NoteKind.EXCLUDED, f"not tested, because {why}: {listed(names, _MAX_NAMES)}", scores.pair.lp, len(names))
        for why, names in left_out.items()
    ]
    return _on_grid({name: each for name, each in aligned.items() if name not in others}), notes


def _why_untested(
    test: MetricTest, statistic: GroupedStatistic, scores: PairScores, metric: ScoresByLevel
) -> str | None:
    """Why the segment scores of a metric cannot be used to test what the table shows; None: they can."""
    if metric.segment is None:
        return "they have no segment scores"
    if statistic.statistic.reads_segments:
        return None
    shown, by_segment = (scores.gold.align(metric, "system", by_segment=each) for each in (False, True))
    return None if _are_means(shown, by_segment) else _NO_MEANS.format(test.name)


def _are_means(shown: Aligned, by_segment: Aligned) -> bool:
    """Whether the system scores of both sides, which the table shows, are means of the segment scores."""
    if shown.systems != by_segment.systems:
        return False
    mask = by_segment.cells.mask
    sides = ((shown.cells.metric, by_segment.cells.metric), (shown.cells.human, by_segment.cells.human))
    return all(are_equal_up_to(ROUNDED, stored[:, 0], means(of_segments, mask)) for stored, of_segments in sides)


def _columns(aligned: Aligned) -> int:
    return len(aligned.cells.mask) if isinstance(aligned, AlignedRankings) else len(aligned.cells.mask.T)


def _on_grid(by_name: Mapping[str, Aligned]) -> MetricCells:
    names, aligned = tuple(by_name), list(by_name.values())
    if not aligned:
        nothing = np.zeros((0, 0, 0))
        return MetricCells((), nothing, nothing, nothing.astype(np.bool_))
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


def _pairs(aligned: Sequence[Aligned], systems: Sequence[str]) -> npt.NDArray[np.bool_] | None:
    """The pairs of systems that count: the same for all metrics that have both systems."""
    if aligned[0].pairs is None:
        return None
    pairs = np.zeros((len(systems), len(systems)), dtype=np.bool_)
    for each in aligned:
        rows = [systems.index(name) for name in each.systems]
        pairs[np.ix_(rows, rows)] |= False if each.pairs is None else each.pairs
    return pairs
