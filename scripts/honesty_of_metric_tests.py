"""Measure whether tests between metrics keep their promises: how often each rejects a true null hypothesis at .05.

    python -m scripts.honesty_of_metric_tests                 # 10,000 nulls for each row
    python -m scripts.honesty_of_metric_tests --nulls 400

- **Exchanged scores.** A null is made from two real metrics of WMT22 zh-en on some segments: their standardised scores
  are exchanged with probability 1/2 by cell, by segment, by system, or by both. Neither metric is better. A test is
  exact for the null that exchanges what its coins swap, if it takes the scores as they are (`standardise=no`). Other
  rows show what it costs to standardise the exchanged scores again, as one must with metrics on different scales, and
  what it costs to swap cells or segments where only whole systems are exchangeable.
- **Noise with a system-level part.** Two metrics are the human scores plus independent noise of the same kind. A share
  of its variance belongs to the system: a metric favours some systems for no good reason. Neither is better.
- **Normal scores.** Williams' test assumes that scores are normal; there its null is a common correlation.

Seeds are fixed below. 99 resamples are enough for a level of .05: p = (b + 1) / 100.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

import assay
from assay.agreement import statistic
from assay.metric_tests import MetricCells, MetricTest, metric_test
from assay.metric_tests.pair_outcomes import outcome_p
from assay.types import FloatArray
from scripts import archives

SEED = 20221208
CAMPAIGN, LP, GOLD, REFERENCE = "wmt22", "zh-en", "mqm", "refA"
SEGMENTS = 200  # of a null, drawn from those that were judged
RESAMPLES = 99
ALPHA = 0.05
FULL = 10_000  # nulls from which on the limits are judged; fewer leave too much to chance
LIMITS = (0.038, 0.056)
SHARES = (0.02, 0.1)  # of the variance of the noise of a metric that belongs to the system

EXCHANGES = ("cell", "segment", "system", "both")


@dataclass(frozen=True)
class Case:
    """A statistic, and what it is computed from."""

    statistic: str
    level: str = "segment"
    grouping: str = "none"

    @property
    def label(self) -> str:
        """As the documentation names it."""
        name = self.statistic.partition(":")[0]
        return f"{name} of systems" if self.level == "system" else f"{name} by {self.grouping}".replace(" by none", "")


POOLED, BY_ITEM = Case("pearson"), Case("kendall", grouping="item")
SYSTEMS, KENDALL_SYSTEMS = Case("pearson", "system"), Case("kendall", "system")
ACCURACY, SOFT = Case("acc-star", grouping="item"), Case(f"spa:resamples={RESAMPLES}", "system")

CASES = {
    "perm-cells": (POOLED, BY_ITEM, SOFT),
    "perm-segments": (POOLED, BY_ITEM, ACCURACY, SOFT),
    "perm-systems": (SYSTEMS, KENDALL_SYSTEMS, POOLED, SOFT),
    "perm-both": (POOLED, BY_ITEM, SYSTEMS),
    "williams": (SYSTEMS,),
    "pair-outcomes": (ACCURACY,),
}
"""What each test is tried on."""

EXACT_FOR = {"perm-cells": "cell", "perm-segments": "segment", "perm-systems": "system", "perm-both": "both"}
"""What must be exchanged for a test to be exact."""

REASONS = {
    ("perm-systems", "kendall of systems"): "Kendall's tau of a dozen systems has few values, so resamples tie",
    ("pair-outcomes", "outcomes"): "a binomial has few values",
}
"""Why a test may reject less than the lower limit."""


@dataclass(frozen=True)
class Rate:
    """How often a test rejected."""

    test: str
    case: str
    null: str
    rate: float
    nulls: int
    is_exact: bool
    """Whether the test promises its level for this null."""

    @property
    def holds(self) -> bool:
        """Whether the rate is within its limits, if it has any."""
        low = 0.0 if (self.test, self.case) in REASONS else LIMITS[0]
        return not self.is_exact or low <= self.rate <= LIMITS[1]


@dataclass(frozen=True)
class Pool:
    """Standardised scores of the judged segments: of metrics (metric, system, segment), and of people."""

    metrics: FloatArray
    human: FloatArray

    def draw(self, random: np.random.Generator, segments: int) -> tuple[FloatArray, FloatArray]:
        """Two metrics and the human scores of some segments."""
        pair = random.choice(len(self.metrics), size=2, replace=False)
        columns = random.permutation(self.human.shape[1])[:segments]
        return self.metrics[pair][:, :, columns], self.human[:, columns]


def load_pool() -> Pool:
    """All metrics that scored every judged segment of every judged system."""
    (campaign,) = assay.load_campaigns(str(archives.unpacked(CAMPAIGN)), lps=[LP])
    human = next(table for table in campaign.human if table.name == GOLD and table.level == "segment")
    systems = [name for name in human.systems if not name.startswith("ref")]
    judged = human.take(systems).oriented
    columns = ~np.isnan(judged).any(axis=0)
    tables = []
    for table in campaign.metrics:
        if table.level == "segment" and set(systems) <= set(table.systems) and table.references in ((), (REFERENCE,)):
            scores = table.take(systems).oriented[:, columns]
            if not np.isnan(scores).any() and scores.std() > 0:
                tables.append((scores - scores.mean()) / scores.std())
    gold = judged[:, columns]
    return Pool(np.stack(tables), (gold - gold.mean()) / gold.std())


def standardised(pair: FloatArray) -> FloatArray:
    """Each metric with mean 0 and standard deviation 1."""
    centred = pair - pair.mean(axis=(1, 2), keepdims=True)
    scores: FloatArray = centred / centred.std(axis=(1, 2), keepdims=True)
    return scores


def exchanged(pair: FloatArray, by: str, random: np.random.Generator) -> FloatArray:
    """Two metrics with scores exchanged between them by cell, segment, system, or system and then segment."""
    _, systems, segments = pair.shape
    shapes = {"cell": [(systems, segments)], "segment": [(1, segments)], "system": [(systems, 1)]}
    swaps: npt.NDArray[np.bool_] = np.zeros((systems, segments), dtype=np.bool_)
    for shape in shapes.get(by, [(systems, 1), (1, segments)]):
        swaps = swaps ^ (random.random(shape) < 0.5)
    return np.where(swaps, pair[::-1], pair)


def noisy(human: FloatArray, share: float, random: np.random.Generator) -> FloatArray:
    """Two metrics: the human scores plus noise, of which a share of the variance is one number per system."""
    shape = (2, *human.shape)
    by_system = random.normal(size=(*shape[:2], 1))
    noise = np.sqrt(share) * by_system + np.sqrt(1 - share) * random.normal(size=shape)
    scores: FloatArray = 0.5 * human + noise
    return scores


def uses_means(test: str, case: Case) -> bool:
    """Whether a test sees the mean of each system only."""
    return test in ("williams", "perm-systems") and case in (SYSTEMS, KENDALL_SYSTEMS)


def p_value(test: MetricTest, case: Case, pair: FloatArray, human: FloatArray) -> float:
    """The p-value of "the first metric is better"."""
    if uses_means(test.name, case):
        pair, human = pair.mean(axis=2, keepdims=True), human.mean(axis=1, keepdims=True)
    cells = MetricCells(("first", "second"), pair, human, np.ones(pair.shape, dtype=np.bool_))
    tested = test.compare(statistic.create(case.statistic), cells, level=case.level, grouping=case.grouping)
    return float(tested.p_values[0, 1])


def rates(
    pool: Pool, test: str, case: Case, count: int, nulls: tuple[str, ...], *, standardise: bool = True
) -> Iterator[Rate]:
    """The share of nulls of each kind that a test rejects."""
    options = "" if standardise else ",standardise=no"
    for null in nulls:
        kind = sorted((*EXCHANGES, *(f"noise:{share}" for share in SHARES))).index(null)
        rejected = 0
        for number in range(count):
            random = np.random.default_rng([SEED, kind, number])  # the same nulls for all tests
            pair, human = pool.draw(random, SEGMENTS)
            if null.startswith("noise"):
                made = noisy(human, float(null.partition(":")[2]), random)
            else:
                is_of_means = null == "system" and uses_means(test, case)
                made = exchanged(standardised(pair.mean(axis=2, keepdims=True) if is_of_means else pair), null, random)
            spec = test if test == "williams" else f"{test}:resamples={RESAMPLES},seed={number}{options}"
            rejected += p_value(metric_test.create(spec), case, made, human) <= ALPHA
        is_exact = not standardise and null == EXACT_FOR[test]
        yield Rate(test, case.label, null, rejected / count, count, is_exact)


def outcome_rate(count: int) -> Rate:
    """Pair outcomes themselves exchanged: every pair of outputs that one metric gets right has its own coin."""
    random = np.random.default_rng([SEED, 100])
    sizes = random.integers(500, 5000, count)
    wins = random.binomial(sizes, 0.5)
    rejected = (outcome_p(wins, sizes - wins) <= ALPHA).mean()
    return Rate("pair-outcomes", "outcomes", "outcomes", float(rejected), count, True)


def normal_rate(systems: int, agreement: float, between: float, count: int) -> Rate:
    """Williams' test on normal scores with equal correlations."""
    covariance = np.array([[1, agreement, agreement], [agreement, 1, between], [agreement, between, 1]])
    random = np.random.default_rng([SEED, 101, systems])
    scores = random.multivariate_normal(np.zeros(3), covariance, size=(count, systems))
    test = metric_test.create("williams")
    rejected = 0
    for human, first, second in scores.transpose(0, 2, 1):
        pair = np.stack([first, second])[:, :, np.newaxis]
        rejected += p_value(test, SYSTEMS, pair, human[:, np.newaxis]) <= ALPHA
    return Rate("williams", f"{systems} systems, r {agreement}", "normal", rejected / count, count, True)


def all_rates(pool: Pool, count: int) -> Iterator[Rate]:
    """Every test under the null it is exact for, then under all others."""
    for systems, agreement, between in ((8, 0.6, 0.5), (14, 0.9, 0.9)):
        yield normal_rate(systems, agreement, between, count)
    yield outcome_rate(count)
    for test, cases in CASES.items():
        for case in cases:
            if test in EXACT_FOR:
                yield from rates(pool, test, case, count, (EXACT_FOR[test],), standardise=False)
    for test, cases in CASES.items():
        nulls = dict.fromkeys((EXACT_FOR.get(test, "system"), "system", *(f"noise:{share}" for share in SHARES)))
        for case in cases:
            yield from rates(pool, test, case, max(count // 10, 1), tuple(nulls))


def main() -> int:
    """Print a table, write it to a file, and return exit code 1 if a rate of the full form is out of its limits."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--nulls", type=int, default=FULL, help="nulls for each row; a tenth where nothing is promised")
    parser.add_argument("-o", "--output", type=Path, default=Path("build/honesty_of_metric_tests.json"))
    options = parser.parse_args()
    found = []
    for rate in all_rates(load_pool(), options.nulls):
        found.append(rate)
        mark = "" if rate.holds else "  outside"
        exact = f"  [{LIMITS[0]:.3f}, {LIMITS[1]:.3f}]" if rate.is_exact else ""
        line = f"{rate.test:14} {rate.case:24} {rate.null:11} {100 * rate.rate:5.2f} % of {rate.nulls:,}{exact}{mark}"
        print(line, flush=True)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    rows = [vars(rate) | {"is_exact": rate.is_exact, "holds": rate.holds} for rate in found]
    result = {"seed": SEED, "resamples": RESAMPLES, "cpu_s": round(time.process_time()), "rates": rows}
    options.output.write_text(json.dumps(result, indent=1) + "\n")
    return int(options.nulls >= FULL and not all(rate.holds for rate in found))


if __name__ == "__main__":
    sys.exit(main())
