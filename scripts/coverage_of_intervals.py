"""Measure how often the 95 % intervals of `assay meta` cover the truth.

    python -m scripts.coverage_of_intervals                # 1,000 trials a row; writes build/coverage_of_intervals.json
    python -m scripts.coverage_of_intervals --trials 200

- **Systems** (a model): the human score and the metric score of a system are bivariate normal with correlation ρ. The
  truth is the value over infinitely many systems.
- **Segments** (real scores): segments are drawn with replacement from all judged segments of a language pair, whose
  value is the truth. In one more row whole documents are drawn.
- **System scores from drawn segments** (real scores): the same, with systems scored by the means of drawn segments.
- **Systems and segments** (a model): a system has two normal effects with correlation ρ, and each segment adds noise.
  The truth is the correlation over infinitely many systems on as many segments.
- **Judgements** (a model): judges rank five of twelve systems, with Gumbel noise (Plackett-Luce). The systems and the
  metric are fixed; the truth is the value with infinitely many judgements.
- **Averages** (a model): the average over three language pairs of the values over systems.

Values without an interval are counted apart. The seed is fixed below, and each trial has its own; `--first 1000` draws
other data.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

import assay
from assay.agreement import statistic
from assay.metaeval.alignment import align
from assay.metaeval.averages import average_over_pairs
from assay.metaeval.grouped_statistic import GroupedStatistic
from assay.metaeval.intervals import IntervalOptions
from assay.results import Agreement, Estimate
from assay.types import UNRANKED, FloatArray, Rankings, ScoreTable
from assay.types.runtime import Runtime
from scripts import archives

SEED = 20231206
TRIALS = 1000
LIMITS = (0.93, 0.97)
CAMPAIGN, LP, GOLD = "wmt22", "zh-en", "mqm"
METRICS = {"COMET-22": ("refA",), "BLEU": ("refA",)}
CORRELATIONS = (0.5, 0.8, 0.95)
MODERATE = 0.8  # above it, some intervals cover a little too little
SYSTEMS = (8, 12, 16, 24)
SEGMENTS = (200, 1000)
DOCUMENTS = (60, 200)
NOISE = 3.0  # of a segment, in standard deviations of systems
RUNTIME = Runtime(threads=1)


@dataclass(frozen=True)
class Coverage:
    """How often intervals covered the truth."""

    method: str
    statistic: str
    setting: str
    n: int
    """The number of units that vary: systems, segments, documents or judgements."""
    rate: float
    trials: int
    without: int
    """Trials without an interval, which do not count."""
    is_claimed: bool

    @property
    def holds(self) -> bool:
        """Whether the rate is within the limits, if the documentation claims it."""
        return not self.is_claimed or LIMITS[0] <= self.rate <= LIMITS[1]


@dataclass(frozen=True)
class Case:
    """A statistic with an interval, and whether it is claimed to cover."""

    spec: str
    ci: str
    grouping: str = "none"
    is_claimed: bool = False

    def evaluate(
        self, metric: FloatArray, human: FloatArray, level: str, seed: int, **labels: Sequence[str]
    ) -> Agreement:
        """The agreement of scores (system, segment)."""
        names = tuple(f"{k:04}" for k in range(len(metric)))
        given = "segment" if metric.shape[1] > 1 else "system"
        documents = tuple(labels.get("documents", ()))
        tables = (
            ScoreTable("metric", given, names, metric, documents=documents),
            ScoreTable("human", given, names, human, protocol="other", documents=documents),
        )
        options = IntervalOptions.from_spec(self.ci, None, seed, 0.95)
        grouped = GroupedStatistic(statistic.create(self.spec), level, self.grouping, "macro", options)
        return grouped.evaluate(align(*tables, level=level), runtime=RUNTIME)


def tally(case: Case, setting: str, n: int, found: Sequence[Estimate], truth: float | Sequence[float]) -> Coverage:
    """The share of intervals that cover."""
    truths = np.broadcast_to(np.asarray(truth), len(found))
    has_interval = np.array([not math.isnan(each.low) for each in found])
    covers = np.array([each.low <= value <= each.high for each, value in zip(found, truths, strict=True)])
    rate = float(covers[has_interval].mean()) if has_interval.any() else math.nan
    without = int((~has_interval).sum())
    return Coverage(case.ci, case.spec, setting, n, rate, len(found), without, case.is_claimed)


def generators(trials: range, *kind: int) -> Iterator[tuple[int, np.random.Generator]]:
    """A seed for the intervals and a generator for the data of each trial."""
    for trial in trials:
        seeds = np.random.SeedSequence([SEED, *kind, trial])
        yield int(seeds.generate_state(1)[0]), np.random.default_rng(seeds)


def bivariate(random: np.random.Generator, rho: float, shape: tuple[int, ...]) -> tuple[FloatArray, FloatArray]:
    """Standard normal scores with correlation ρ."""
    human = random.normal(size=shape)
    return rho * human + math.sqrt(1 - rho**2) * random.normal(size=shape), human


# --- systems ---


def truths(rho: float) -> dict[str, float]:
    """The population values of statistics for bivariate normal scores."""
    return {"pearson": rho, "spearman": 6 / math.pi * math.asin(rho / 2), "kendall": 2 / math.pi * math.asin(rho)}


def system_cases(n: int, rho: float) -> tuple[Case, ...]:
    """Pearson's interval is claimed everywhere, Spearman's for at least 12 systems and moderate correlations."""
    return (
        Case("pearson", "fisher", is_claimed=True),
        Case("spearman", "fisher", is_claimed=n >= 12 and rho <= MODERATE),
        Case("kendall", "fisher"),
        *(Case(spec, "systems") for spec in ("pearson", "spearman", "kendall")),
    )


def over_systems(n: int, rho: float, trials: range) -> Iterator[Coverage]:
    """Systems drawn from the model."""
    for case in system_cases(n, rho):
        found = [
            case.evaluate(*bivariate(random, rho, (n, 1)), "system", seed).estimate
            for seed, random in generators(trials, 1, n, round(100 * rho))
        ]
        yield tally(case, f"ρ = {rho:g}", n, found, truths(rho)[case.spec])


def over_averages(n: int, rho: float, trials: range) -> Iterator[Coverage]:
    """The average over three language pairs."""
    for case in (Case("pearson", "fisher", is_claimed=rho <= MODERATE), Case("kendall", "systems")):
        found = []
        for seed, random in generators(trials, 2, n, round(100 * rho)):
            pairs = {str(k): case.evaluate(*bivariate(random, rho, (n, 1)), "system", seed) for k in range(3)}
            found.append(average_over_pairs(pairs, is_pooled=False))
        yield tally(case, f"ρ = {rho:g}, average over 3 pairs", n, found, truths(rho)[case.spec])


def over_systems_and_segments(n: int, rho: float, segments: int, trials: range) -> Iterator[Coverage]:
    """Systems and segments drawn from the model; Fisher's z and drawn systems see the same noise."""
    truth = rho / (1 + NOISE**2 / segments)
    for case in (Case("pearson", "both"), Case("pearson", "systems"), Case("pearson", "fisher")):
        found = []
        for seed, random in generators(trials, 3, n, round(100 * rho)):
            effects = bivariate(random, rho, (n, 1))
            metric, human = (effect + NOISE * random.normal(size=(n, segments)) for effect in effects)
            found.append(case.evaluate(metric, human, "system", seed).estimate)
        yield tally(case, f"ρ = {rho:g}, means of {segments} segments", n, found, truth)


# --- segments and documents ---


@dataclass(frozen=True)
class Pool:
    """Real scores (system, segment) of metrics and people."""

    metrics: Mapping[str, FloatArray]
    human: FloatArray
    documents: npt.NDArray[np.str_]


def load_pool() -> Pool:
    """The scores of all systems but the references, on all judged segments."""
    campaign = assay.load_campaign(str(archives.unpacked(CAMPAIGN)), lp=LP)
    human = campaign.find(GOLD, "segment")
    systems = [name for name in human.systems if name not in campaign.references]
    tables = {name: campaign.find(name, "segment", references=used).take(systems) for name, used in METRICS.items()}
    judged = human.take(systems).values
    complete = ~np.isnan([judged, *(table.values for table in tables.values())]).any(axis=(0, 2))
    used = ~np.isnan(judged[complete]).any(axis=0)
    documents = np.array(campaign.testset.documents if campaign.testset else ())[used]
    metrics = {name: table.values[complete][:, used] for name, table in tables.items()}
    return Pool(metrics, judged[complete][:, used], documents)


def segment_cases() -> tuple[Case, ...]:
    """Means over segments are claimed; a correlation of all scores depends on few scores of bad translations."""
    return (
        Case("kendall", "segments", "item", is_claimed=True),
        Case("acc23", "segments", "item", is_claimed=True),
        Case("pearson", "segments", "none"),
        Case("acc-star", "segments", "item", is_claimed=True),
    )


def over_segments(pool: Pool, n: int, trials: range) -> Iterator[Coverage]:
    """Segments drawn with replacement from all segments."""
    for name, scores in pool.metrics.items():
        for case in segment_cases():
            truth = case.evaluate(scores, pool.human, "segment", 0).value
            found = []
            for seed, random in generators(trials, 4, n):
                drawn = random.integers(pool.human.shape[1], size=n)
                found.append(case.evaluate(scores[:, drawn], pool.human[:, drawn], "segment", seed).estimate)
            yield tally(case, name, n, found, truth)


def over_documents(pool: Pool, n: int, trials: range) -> Iterator[Coverage]:
    """Documents drawn with replacement. The truth is the mean over all segments."""
    members = [np.flatnonzero(pool.documents == name) for name in np.unique(pool.documents)]
    name, scores = next(iter(pool.metrics.items()))
    for case in (
        Case("kendall", "documents", "item", is_claimed=n >= 200),
        Case("kendall", "segments", "item"),
        Case("pearson", "documents", "none"),
        Case("pearson", "segments", "none"),
    ):
        truth = case.evaluate(scores, pool.human, "segment", 0).value
        found = []
        for seed, random in generators(trials, 5, n):
            drawn = [members[k] for k in random.integers(len(members), size=n)]
            columns = np.concatenate(drawn)
            labels = [str(k) for k, document in enumerate(drawn) for _ in document]
            human = pool.human[:, columns]
            found.append(case.evaluate(scores[:, columns], human, "segment", seed, documents=labels).estimate)
        yield tally(case, f"{name}, documents drawn", n, found, truth)


def over_means_of_segments(pool: Pool, n: int, trials: range) -> Iterator[Coverage]:
    """Scores of fixed systems from drawn segments."""
    for name, scores in pool.metrics.items():
        case = Case("pearson", "segments")
        truth = case.evaluate(scores, pool.human, "system", 0).value
        found = []
        for seed, random in generators(trials, 6, n):
            drawn = random.integers(pool.human.shape[1], size=n)
            found.append(case.evaluate(scores[:, drawn], pool.human[:, drawn], "system", seed).estimate)
        yield tally(case, f"{name}, means of segments", n, found, truth)


# --- judgements ---


def over_judgements(n: int, trials: range, systems: int = 12, ranked: int = 5) -> Iterator[Coverage]:
    """Rankings by judges of fixed systems."""
    names = tuple(f"{k:02}" for k in range(systems))
    quality = np.linspace(-1, 1, systems)
    wins = 1 / (1 + np.exp(quality[np.newaxis] - quality[:, np.newaxis]))
    expected = (wins.sum(axis=1) - 0.5) / (systems - 1)
    metric = quality + 0.5 * np.random.default_rng(SEED).normal(size=systems)
    table = ScoreTable("metric", "system", names, metric[:, np.newaxis])
    true_human = ScoreTable("human", "system", names, expected[:, np.newaxis], protocol="other")
    for spec in ("pearson", "spearman"):
        case = Case(spec, "judgements")
        truth = assay.agree(table, true_human, spec, resamples=0, outliers="keep").value
        found = []
        for seed, random in generators(trials, 7, n):
            drawn = np.argsort(random.random((n, systems)), axis=1)[:, :ranked]
            utility = quality[drawn] + random.gumbel(size=drawn.shape)
            ranks = np.full((n, systems), UNRANKED)
            np.put_along_axis(ranks, drawn, np.argsort(np.argsort(-utility, axis=1), axis=1) + 1, axis=1)
            judged = Rankings("rr", names, ("judge",), np.zeros(n, np.int64), np.arange(n), ranks)
            agreement = assay.agree(
                table,
                judged,
                spec,
                level="system",
                outliers="keep",
                ci=case.ci,
                resamples=300,
                seed=seed,
                runtime=RUNTIME,
            )
            found.append(agreement.estimate)
        yield tally(case, f"{systems} fixed systems", n, found, truth)


# --- the command ---


def all_coverages(trials: range) -> Iterator[Coverage]:
    """Every row of the table."""
    fewer = trials[: len(trials) // 4]
    for n in SYSTEMS:
        for rho in CORRELATIONS:
            yield from over_systems(n, rho, trials)
    for rho in CORRELATIONS:
        yield from over_averages(12, rho, trials)
        yield from over_systems_and_segments(12, rho, 300, fewer)
    pool = load_pool()
    for n in SEGMENTS:
        yield from over_segments(pool, n, trials)
        yield from over_means_of_segments(pool, n, trials)
    for n in DOCUMENTS:
        yield from over_documents(pool, n, trials)
    for n in (500, 2000):
        yield from over_judgements(n, fewer)


def main() -> int:
    """Print a table, write it to a file, and return exit code 1 if a claim of the full form does not hold."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--trials", type=int, default=TRIALS, help="trials for each row")
    parser.add_argument("--first", type=int, default=0, help="number of the first trial")
    parser.add_argument("-o", "--output", type=Path, default=Path("build/coverage_of_intervals.json"))
    options = parser.parse_args()
    coverages = []
    for coverage in all_coverages(range(options.first, options.first + options.trials)):
        coverages.append(coverage)
        print(_line(coverage), flush=True)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    rows = [vars(coverage) | {"holds": coverage.holds} for coverage in coverages]
    result = {
        "seed": SEED,
        "first": options.first,
        "cpu_s": round(time.process_time()),
        "limits": LIMITS,
        "coverage": rows,
    }
    options.output.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    return int(options.trials >= TRIALS and not all(coverage.holds for coverage in coverages))


def _line(coverage: Coverage) -> str:
    limits = f"  [{LIMITS[0]}, {LIMITS[1]}]" if coverage.is_claimed else ""
    outside = "" if coverage.holds else "  outside"
    without = f", {coverage.without:,} without" if coverage.without else ""
    return (
        f"{coverage.method:11}{coverage.statistic:18}{coverage.setting:32}{coverage.n:6,} {100 * coverage.rate:5.1f} %"
        f" of {coverage.trials:,}{without}{limits}{outside}"
    )


if __name__ == "__main__":
    sys.exit(main())
