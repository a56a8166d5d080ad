"""Differences between systems: bootstrap intervals, p-values and counts of segments won.

Everything is a function of two sets of sums over the same tables: sums over bootstrap resamples, and sums over randomly
swapped segments. The sums are made once for each system and serve all of its pairs. Where many pairs are compared,
further sums follow for pairs whose difference few resamples reach; see `assay.significance.resolution`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple

from assay.aggregate import estimate_from_replicates, unless_single
from assay.aggregate.resample import CONFIDENCE, SEED, TEST_RESAMPLES, Bootstrap, Confidence, Swaps, resamples_option
from assay.errors import ConfigError, option_name
from assay.options.checks import check_choice, check_positive
from assay.options.option import TESTS, Option
from assay.options.parameters import check_fields
from assay.options.shared import Alpha
from assay.results import Estimate
from assay.results.outcome import Alternative
from assay.results.ties import score_differences
from assay.significance import ALPHA, SampleTest
from assay.significance import test as test_registry
from assay.significance.corrections import Correction
from assay.significance.randomisation import count_as_extreme, swapped_differences
from assay.significance.resolution import FEW_EXTREME, resample_limit
from assay.types import FloatArray, Scorable, Table, totals
from assay.types.runtime import Runtime

__all__ = [
    "COMPAT",
    "ComparisonOptions",
    "Compat",
    "Delta",
    "PairOutcome",
    "PairedScores",
    "TestChoice",
    "TestResamples",
    "paired_scores",
    "smallest_p",
    "test_names",
    "win_counts",
]

_RESAMPLING_TESTS = ("randomisation", "bootstrap", "koehn")
COMPAT = ("sacrebleu",)


def test_names() -> tuple[str, ...]:
    """The tests that compare systems: those of resampled scores, and the paired tests of segment values."""
    types = ((name, test_registry.type_of(name)[0]) for name in test_registry.names())
    of_samples = (name for name, kind in types if issubclass(kind, SampleTest) and kind.is_paired)
    return (*_RESAMPLING_TESTS, *of_samples)


def _check_test(_: str, name: str) -> None:
    if name not in _RESAMPLING_TESTS:  # else the other tests need not be imported
        check_choice("test", name, test_names())


TestChoice = Annotated[
    str,
    Option(
        "Test of a difference: bootstrap is centred on no difference, koehn is the share of resamples that the winner "
        "does not win; paired-t and signed-rank apply to segment means only.",
        group=TESTS,
        metavar="NAME",
        check=_check_test,
        names=test_names,
        lists_names=True,
    ),
]
Delta = Annotated[
    float | None,
    Option(
        "Also show how many segments or documents it takes to show a difference of this size.",
        group=TESTS,
        check=check_positive,
    ),
]
TestResamples = Annotated[
    int | None,
    resamples_option(
        "Number of resamples, for the test and the intervals.",
        default="10000; the test draws up to 1000000 where these are too few for the number of pairs",
    ),
]
Compat = Annotated[
    str | None,
    Option(
        "sacrebleu: the p-values of sacreBLEU's tests of corpus scores, bootstrap (its --paired-bs) or randomisation "
        "(its --paired-ar).",
        group=TESTS,
        noun="program",
        choices=COMPAT,
        metavar="NAME",
    ),
]


@dataclass(frozen=True, slots=True)
class ComparisonOptions:
    """How to compare. `assay.compare` describes the options."""

    test: TestChoice = "randomisation"
    alternative: Alternative = "two-sided"
    correction: Correction = "holm"
    alpha: Alpha = ALPHA
    delta: Delta = None
    compat: Compat = None
    resamples: int = TEST_RESAMPLES
    seed: int = SEED
    confidence: Confidence = CONFIDENCE
    may_draw_more: bool = False
    """Whether the test may draw more resamples than `resamples`, where these are too few for the number of pairs."""

    def __post_init__(self) -> None:
        check_fields(self)
        if self.compat is not None:
            self._check_compat()
        Swaps(self.resamples, self.seed)  # checks both

    def _check_compat(self) -> None:
        """sacreBLEU has two tests, both two-sided."""
        if self.test not in ("randomisation", "bootstrap") or not self.is_two_sided:
            raise ConfigError(
                f"sacreBLEU does not have the test {self.test}, {self.alternative}",
                hint="randomisation is its --paired-ar and bootstrap its --paired-bs, both two-sided",
            )

    @property
    def is_two_sided(self) -> bool:
        """Whether differences of both signs count."""
        return self.alternative == "two-sided"

    @property
    def power_reason(self) -> str | None:
        """Why the power that follows from the standard error of the difference is not that of the test."""
        if self.sample_test is not None and self.sample_test.compares != "means":
            return (
                f"power is computed for tests of the difference, and {self.test} compares {self.sample_test.compares}"
            )
        if self.rejects_too_often:
            return "power is computed for tests that keep their level, and this one rejects too often"
        return None

    @property
    def rejects_too_often(self) -> bool:
        """Whether the test rejects more true null hypotheses than alpha says."""
        return self.test == "koehn" or (self.test, self.compat) == ("bootstrap", "sacrebleu")

    def resample_limit(self, pairs: int, n: int) -> int:
        """Up to how many resamples the p-values of so many pairs on `n` units are drawn from."""
        if not self.may_draw_more or self.compat is not None or self.sample_test is not None:
            return self.resamples
        limit = resample_limit(self.resamples, pairs, self.correction, self.alpha)
        is_useful = smallest_p(replace(self, resamples=limit), n) < smallest_p(self, n)  # not if units are few
        return limit if is_useful else self.resamples

    @property
    def sample_test(self) -> SampleTest | None:
        """The test, if it is one of the values of segments, which applies to means of segment scores only."""
        test = None if self.test in _RESAMPLING_TESTS else test_registry.create(self.test)
        return test if isinstance(test, SampleTest) else None


class PairOutcome(NamedTuple):
    """A p-value; NaN where it is undefined, and then `reason` says why."""

    p: float
    reason: str | None = None
    resamples: int | None = None
    """How many resamples it comes from; None if the test draws none."""


@dataclass(frozen=True, slots=True, eq=False)
class PairedScores:
    """The scores of all systems, observed and resampled; `higher_is_better` orients one-sided alternatives."""

    scorable: Scorable
    options: ComparisonOptions
    higher_is_better: bool
    scores: FloatArray
    """(system)"""
    replicates: FloatArray
    """(system, resample): bootstrap scores."""
    sums: Table
    """(system, column): totals."""
    swapped: Table | None
    """(system, resample, column): sums over the swapped segments; None if the test swaps nothing."""

    def difference(self, first: int, second: int) -> Estimate:
        """The score of the first minus that of the second, with its bootstrap interval and standard error."""
        value = float(self.scores[first] - self.scores[second])
        reason = "a score is undefined" if math.isnan(value) else None
        replicates = self.replicates[first] - self.replicates[second]
        n = int((self.scorable.mask[first] & self.scorable.mask[second]).sum())
        estimate = estimate_from_replicates(value, replicates, n, self.options.confidence, reason=reason)
        return unless_single(estimate, "unit")

    def p_value(self, first: int, second: int) -> tuple[float, str | None]:
        """The p-value of the difference of one pair; NaN with a reason where it is undefined."""
        alone = replace(self, options=replace(self.options, may_draw_more=False))
        (outcome,) = alone.test([(first, second)], Runtime())
        return outcome.p, outcome.reason

    def test(self, pairs: Sequence[tuple[int, int]], runtime: Runtime) -> list[PairOutcome]:
        """The p-value of the difference of each pair."""
        if (sample_test := self.options.sample_test) is not None:
            return [self._test_samples(sample_test, *pair) for pair in pairs]
        is_defined = [not math.isnan(self.scores[first] - self.scores[second]) for first, second in pairs]
        drawn = {pair: self.options.resamples for pair, known in zip(pairs, is_defined, strict=True) if known}
        extreme = {pair: self._extreme(*pair, self.replicates, self.swapped) for pair in drawn}
        limit = self.options.resample_limit(len(drawn), self.scorable.table.shape[1])
        goes_on = any(count < FEW_EXTREME for count in extreme.values())
        blocks = range(self.options.resamples, limit if goes_on else 0, self.options.resamples)
        for begin in runtime.track(blocks, lambda begin: f"drawing more than {begin:,} resamples"):
            unsettled = [pair for pair in drawn if drawn[pair] == begin and extreme[pair] < FEW_EXTREME]
            if not unsettled:
                continue
            count = min(self.options.resamples, limit - begin)
            resampled = self._further_resamples(begin, count, runtime)
            for pair in unsettled:
                extreme[pair] += self._extreme(*pair, *resampled)
                drawn[pair] += count
        return [
            PairOutcome((1 + extreme[pair]) / (1 + drawn[pair]), resamples=drawn[pair])
            if pair in drawn
            else PairOutcome(math.nan, "a score is undefined")
            for pair in pairs
        ]

    def _extreme(self, first: int, second: int, replicates: FloatArray, swapped: Table | None) -> int:
        """The number of resamples, bootstrap or swapped, that are as extreme as the observed difference."""
        observed = float(self.scores[first] - self.scores[second])
        if self.options.test == "randomisation" and swapped is not None:
            sums, swapped_sums = (self.sums[first], self.sums[second]), (swapped[first], swapped[second])
            resampled = swapped_differences(self.scorable.score, sums, swapped_sums)
        else:
            resampled = replicates[first] - replicates[second]
        if self.options.test == "bootstrap":  # centred: the distribution under "no difference"
            resampled = resampled - observed
        sign = 1.0 if self.higher_is_better else -1.0
        scores = float(self.scores[first]), float(self.scores[second])
        count = _koehn_count if self.options.test == "koehn" else count_as_extreme
        return count(sign * resampled, sign * observed, scores, self.options.alternative)

    def _further_resamples(self, first: int, count: int, runtime: Runtime) -> tuple[FloatArray, Table | None]:
        """The bootstrap scores or the swapped sums of `count` resamples from number `first` on."""
        if self.options.test == "randomisation":
            (swapped,) = Swaps(count, self.options.seed, first).sums([self.scorable.table], runtime)
            return self.replicates, swapped
        (sums,) = Bootstrap(count, None, self.options.seed, first).sums([self.scorable.table], runtime)
        return self.scorable.score(sums), None

    def is_opposed(self, first: int, second: int) -> bool:
        """Whether the test points to the other system than the scores do: ranks of differences may, means cannot."""
        if (test := self.options.sample_test) is None:
            return False
        higher, lower = test.both_p_values(*self._samples(first, second))
        difference = float(self.scores[first] - self.scores[second])
        return (lower.p - higher.p) * difference < 0

    def _samples(self, first: int, second: int) -> tuple[Scorable, Scorable]:
        systems = self.scorable.systems
        return self.scorable.system(systems[first]), self.scorable.system(systems[second])

    def _test_samples(self, test: SampleTest, first: int, second: int) -> PairOutcome:
        if math.isnan(self.scores[first] - self.scores[second]):
            return PairOutcome(math.nan, "a score is undefined")
        better, worse = test.both_p_values(*self._samples(first, second))
        if not self.higher_is_better:
            better, worse = worse, better
        if reason := better.reason or worse.reason:
            return PairOutcome(math.nan, reason)
        two_sided = min(1.0, 2 * min(better.p, worse.p))
        return PairOutcome({"two-sided": two_sided, "better": better.p, "worse": worse.p}[self.options.alternative])


def _koehn_count(resampled: FloatArray, observed: float, _scores: tuple[float, float], alternative: Alternative) -> int:
    """The number of resamples that the winner does not win (Koehn 2004); two-sided: the winner is the observed one."""
    winner_is_first = observed >= 0 if alternative == "two-sided" else alternative == "better"
    return int((~(resampled > 0)).sum()) if winner_is_first else int((~(resampled < 0)).sum())


def smallest_p(options: ComparisonOptions, n: int) -> float:
    """The smallest p-value that the test can give for `n` units, however large the difference; 0 without a limit.

    Swapping `n` units gives 2^n differences, and each has a mirror image that is as extreme in a two-sided test.
    """
    if options.sample_test is not None:
        return 0.0
    smallest = 1 / (1 + options.resamples)
    if options.test == "randomisation" and options.compat is None:  # sacreBLEU counts larger differences only
        return max(smallest, math.ldexp(2 if options.is_two_sided else 1, -n))
    return smallest


def paired_scores(
    scorables: Mapping[str, Scorable], options: ComparisonOptions, runtime: Runtime, *, higher_is_better: bool
) -> dict[str, PairedScores]:
    """Resample scorables of one metric, with the same resamples for all of them."""
    for name, scorable in scorables.items():
        if options.sample_test is not None and not scorable.is_mean:
            raise ConfigError(
                f"{options.test} compares segments, but {name} scores are not means of segment scores",
                hint=f"{option_name('agg', 'segment')}, or another test: {option_name('test', 'randomisation')}",
            )
    tables = [scorable.table for scorable in scorables.values()]
    resampled = Bootstrap(options.resamples, None, options.seed).sums(tables, runtime)
    swapped: Sequence[Table | None] = [None] * len(tables)
    if options.test == "randomisation":
        swapped = Swaps(options.resamples, options.seed).sums(tables, runtime)
    results = {}
    for (name, scorable), sums, swapped_sums in zip(scorables.items(), resampled, swapped, strict=True):
        total = totals(scorable.table, runtime)
        scores, replicates = scorable.score(total), scorable.score(sums)
        results[name] = PairedScores(scorable, options, higher_is_better, scores, replicates, total, swapped_sums)
    return results


def win_counts(first: FloatArray, second: FloatArray, *, higher_is_better: bool) -> tuple[int, int, int]:
    """The numbers of segments that the first system wins, ties and loses, among those with both scores.

    Scores that differ by rounding only are tied.
    """
    difference = score_differences(first, second) if higher_is_better else score_differences(second, first)
    return int((difference > 0).sum()), int((difference == 0).sum()), int((difference < 0).sum())
