"""Measure whether the tests and intervals of differences keep their promises on real data.

    python scripts/honesty.py                  # 10,000 nulls for each row; writes build/honesty.json
    python scripts/honesty.py --nulls 400

- **False positives.** A null is made from the outputs of two real systems: n segments are drawn, and each is swapped
  between the two systems with probability 1/2. Neither is better, so a test at .05 must reject about 5 %.
- **Documents.** In one more null, whole documents are swapped, so that the segments of a document depend on each other.
- **Coverage.** Test sets are drawn with replacement from the segments of a real pair, whose difference is the truth.
- **Power.** A pilot test set says how many segments a known difference needs; test sets of that size must show it in
  80 % of the cases. The difference is made smaller by giving one system some of the outputs of the other.

Outputs are scored once; a null is only a choice of rows. Nulls are compared by the code that compares systems: a group
of them is a table of many systems, which share their swaps and draws. Seeds are fixed below.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

import assay
from assay.comparison.differences import ComparisonOptions, PairedScores, paired_scores
from assay.comparison.power import POWER, power_analysis
from assay.measurement.units import by_document
from assay.metrics import metric
from assay.types import FloatArray, Scorable, Table
from assay.types.runtime import Runtime
from scripts import archives

SEED = 20221207
CAMPAIGN, LP, REFERENCE = "wmt22", "en-de", "refA"
METRICS = ("bleu", "chrf", "ter")
SIZES = (200, 1000, 2000)
RESAMPLES = 1000
ALPHA = 0.05
GROUP = 50  # nulls that share their swaps and draws
PILOT = 1000  # segments in the test sets from which the size needed is computed
FULL = 10_000  # trials from which on the limits are judged; fewer leave too much to chance
POWER_CASES = (  # two systems, and the share of segments in which the outputs of the second are used
    ("Online-B", "OpenNMT", 1.0),
    ("Online-B", "OpenNMT", 0.5),
    ("Online-B", "OpenNMT", 0.25),
    ("JDExploreAcademy", "PROMT", 0.5),
)
LIMITS = {
    "randomisation": (0.044, 0.056),
    "bootstrap": (0.0, 0.065),
    "paired-t": (0.0, 0.065),
    "signed-rank": (0.0, 0.065),
    "coverage": (0.93, 0.97),
    "power": (POWER - 0.05, POWER + 0.05),
}

SUM_TESTS = ("randomisation", "bootstrap", "koehn")
MEAN_TESTS = ("paired-t", "signed-rank")
OPTIONS = ComparisonOptions(resamples=RESAMPLES, alpha=ALPHA)
RUNTIME = Runtime(threads=1)


@dataclass(frozen=True)
class Pool:
    """All systems, from whose rows nulls and test sets are drawn."""

    corpus: Mapping[str, Scorable]
    segment: Mapping[str, Scorable]
    documents: tuple[str, ...]

    @property
    def size(self) -> int:
        """The number of segments."""
        return len(self.documents)

    @property
    def systems(self) -> tuple[str, ...]:
        """Their names."""
        return self.corpus["bleu"].systems

    @property
    def scorables(self) -> Iterator[tuple[str, str, Scorable]]:
        """Each metric and aggregation."""
        for aggregation, scorables in (("corpus", self.corpus), ("segment", self.segment)):
            for name, scorable in scorables.items():
                yield name, aggregation, scorable


def load_pool() -> Pool:
    """Score all systems of the campaign once."""
    references, outputs = archives.texts(CAMPAIGN, LP, (REFERENCE,))
    documents = archives.lines(archives.unpacked(CAMPAIGN) / "documents" / f"{LP}.docs")
    machine = {name: column for name, column in outputs.items() if not name.startswith("ref")}
    run = assay.score(assay.load(references=references, outputs=machine, lp=LP), METRICS, resamples=0)
    statistics = {name: run[name].statistics for name in METRICS}
    return Pool(
        corpus={
            name: Scorable(s.table, metric.create(name).score, s.scored, s.systems) for name, s in statistics.items()
        },
        segment={
            name: Scorable.of_segments(np.stack(list(run[name].segments.values())), tuple(machine)) for name in METRICS
        },
        documents=tuple(documents),
    )


# --- what is drawn ---


@dataclass(frozen=True)
class Draw:
    """A group of pairs of systems on drawn segments; `swapped` are exchanged between the two."""

    pairs: npt.NDArray[np.intp]  # (pair, 2)
    segments: npt.NDArray[np.intp]  # (pair, segment)
    swapped: npt.NDArray[np.bool_]  # (pair, segment)
    seed: int

    def of(self, scorable: Scorable) -> Scorable:
        """The drawn systems: the first and second of the first pair, of the second pair, …"""
        first, second = (scorable.table[self.pairs[:, [side]], self.segments] for side in (0, 1))
        exchanged = self.swapped[..., np.newaxis]
        table = np.stack([np.where(exchanged, second, first), np.where(exchanged, first, second)], axis=1)
        return _systems(scorable, table.reshape(-1, *table.shape[2:]))


def _systems(scorable: Scorable, table: Table) -> Scorable:
    """Other systems with the same score. Every segment of the campaign is scored, so every cell counts."""
    names = tuple(map(str, range(len(table))))
    return Scorable(table, scorable.score, np.ones(table.shape[:2], dtype=np.bool_), names, scorable.is_mean)


def nulls(pool: Pool, n: int, count: int) -> Iterator[Draw]:
    """Random pairs on n different segments, each swapped or not."""
    for seed, generator, size in _groups(count, 1, n):
        segments = np.stack([generator.permutation(pool.size)[:n] for _ in range(size)])
        yield Draw(_pairs(pool, generator, size), segments, generator.random((size, n)) < 0.5, seed)


def document_nulls(pool: Pool, count: int) -> Iterator[Draw]:
    """The two systems that differ most, on all segments; whole documents are swapped or not.

    The more two systems differ, the more the segments of a swapped document have in common.
    """
    scores = pool.corpus["bleu"].values(RUNTIME)
    pair = np.array([scores.argmax(), scores.argmin()])
    documents = np.unique(pool.documents, return_inverse=True)[1]
    for seed, generator, size in _groups(count, 2, pool.size):
        swapped = generator.random((size, documents.max() + 1)) < 0.5
        yield Draw(np.tile(pair, (size, 1)), _all_segments(pool, size), swapped[:, documents], seed)


def test_sets(pool: Pool, n: int, count: int) -> Iterator[Draw]:
    """Random pairs on n segments drawn with replacement."""
    for seed, generator, size in _groups(count, 3, n):
        segments = generator.integers(pool.size, size=(size, n))
        yield Draw(_pairs(pool, generator, size), segments, np.zeros((size, n), dtype=np.bool_), seed)


def _groups(count: int, kind: int, n: int) -> Iterator[tuple[int, np.random.Generator, int]]:
    for number, first in enumerate(range(0, count, GROUP)):
        seeds = np.random.SeedSequence([SEED, kind, n, number])
        yield int(seeds.generate_state(1)[0]), np.random.default_rng(seeds), min(GROUP, count - first)


def _pairs(pool: Pool, generator: np.random.Generator, size: int) -> npt.NDArray[np.intp]:
    return generator.choice(list(itertools.combinations(range(len(pool.systems)), 2)), size)


def _all_segments(pool: Pool, size: int) -> npt.NDArray[np.intp]:
    return np.tile(np.arange(pool.size), (size, 1))


# --- how it is judged ---


def compared(drawn: Scorable, seed: int, *, test: str = "randomisation", resamples: int = RESAMPLES) -> PairedScores:
    """The drawn systems, resampled as `assay compare` does; randomisation also draws what the others need."""
    options = replace(OPTIONS, test=test, seed=seed, resamples=resamples)
    return paired_scores({"drawn": drawn}, options, RUNTIME, higher_is_better=True)["drawn"]


def p_values(scores: PairedScores, test: str) -> FloatArray:
    """The p-value of each drawn pair."""
    scores = replace(scores, options=replace(scores.options, test=test))
    return np.array([scores.p_value(first, first + 1)[0] for first in range(0, len(scores.scores), 2)])


def sacrebleu_p_values(scores: PairedScores) -> FloatArray:
    """The rule of sacreBLEU's paired bootstrap on our draws: absolute values are taken before they are centred."""
    resampled = np.abs(scores.replicates[::2] - scores.replicates[1::2])
    observed = np.abs(scores.scores[::2] - scores.scores[1::2])
    extreme = resampled - resampled.mean(axis=1, keepdims=True) > observed[:, np.newaxis]
    p: FloatArray = (1 + extreme.sum(axis=1)) / (1 + extreme.shape[1])
    return p


def rejections(drawn: Scorable, seed: int) -> dict[str, int]:
    """How many of the drawn pairs each test rejects."""
    if drawn.is_mean:
        scores = compared(drawn, seed, test=MEAN_TESTS[0], resamples=1)
        found = {test: p_values(scores, test) for test in MEAN_TESTS}
    else:
        scores = compared(drawn, seed)
        found = {test: p_values(scores, test) for test in SUM_TESTS} | {"sacrebleu": sacrebleu_p_values(scores)}
    return {test: int((p <= ALPHA).sum()) for test, p in found.items()}


# --- what is measured ---


@dataclass(frozen=True)
class Rate:
    """How often something happened in `trials` trials."""

    what: str
    metric: str
    aggregation: str
    n: int
    rate: float
    trials: int
    unit: str = "segment"
    swapped: str = "segment"
    """What was swapped to make the nulls; the promises are about units that do not depend on each other."""

    @property
    def limits(self) -> tuple[float, float] | None:
        """What the documentation promises."""
        return LIMITS.get(self.what) if self.unit == self.swapped else None

    @property
    def holds(self) -> bool:
        """Whether the rate is within its limits, if it has any."""
        return self.limits is None or self.limits[0] <= self.rate <= self.limits[1]


def false_positives(pool: Pool, n: int, count: int) -> list[Rate]:
    """The share of nulls that each test rejects at .05."""
    draws = list(nulls(pool, n, count))
    rates = []
    for name, aggregation, scorable in pool.scorables:
        rejected = _total(rejections(draw.of(scorable), draw.seed) for draw in draws)
        rates += [Rate(test, name, aggregation, n, times / count, count) for test, times in rejected.items()]
    return rates


def document_false_positives(pool: Pool, count: int) -> list[Rate]:
    """The same where whole documents are swapped, with segments and with documents as units."""
    draws = list(document_nulls(pool, count))
    rates = []
    for name, scorable in pool.corpus.items():
        for unit, n in (("segment", pool.size), ("document", len(set(pool.documents)))):
            drawn = ((draw.of(scorable), draw.seed) for draw in draws)
            units = ((by_document(d, pool.documents) if unit == "document" else d, seed) for d, seed in drawn)
            rejected = _total(rejections(each, seed) for each, seed in units)
            rates += [
                Rate(t, name, "corpus", n, times / count, count, unit, "document") for t, times in rejected.items()
            ]
    return rates


def _total(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: dict[str, int] = {}
    for group in counts:
        for name, times in group.items():
            total[name] = total.get(name, 0) + times
    return total


def coverage(pool: Pool, n: int, count: int) -> list[Rate]:
    """The share of test sets whose 95 % interval of the difference has the difference of all segments."""
    draws = list(test_sets(pool, n, count))
    rates = []
    for name, aggregation, scorable in pool.scorables:
        truth = scorable.values(RUNTIME)
        covered = 0
        for draw in draws:
            scores = compared(draw.of(scorable), draw.seed, test="bootstrap")
            for number, (first, second) in enumerate(draw.pairs):
                found = scores.difference(2 * number, 2 * number + 1)
                covered += bool(found.low <= truth[first] - truth[second] <= found.high)
        rates.append(Rate("coverage", name, aggregation, n, covered / count, count))
    return rates


def achieved_power(pool: Pool, systems: tuple[str, str], share: float, count: int, pilots: int = 20) -> list[Rate]:
    """The share of test sets of the size needed that show a known difference, in the mean over pilot test sets.

    The second system has the outputs of the first for all segments but `share`, so the difference is about that share
    of the difference between the two.
    """
    pair = [pool.systems.index(name) for name in systems]
    generator = np.random.default_rng([SEED, 4, *pair, round(100 * share)])
    mixed = generator.random(pool.size) < share
    each = max(1, count // pilots)
    rates = []
    for name, aggregation, scorable in pool.scorables:
        first, second = scorable.table[pair]
        two = _systems(scorable, np.stack([first, np.where(mixed[:, np.newaxis], second, first)]))
        sizes = [_size_needed(two, generator) for _ in range(pilots)]
        shown = sum(_times_shown(two, size, each, generator) for size in sizes)
        typical = int(np.median(sizes))
        rates.append(Rate("power", name, aggregation, typical, shown / (each * pilots), each * pilots))
    return rates


def _size_needed(two: Scorable, generator: np.random.Generator) -> int:
    """The segments that the difference between two systems needs, according to one pilot test set."""
    pilot = _systems(two, two.table[:, generator.integers(two.table.shape[1], size=PILOT)])
    resampled = compared(pilot, int(generator.integers(2**32)), test="bootstrap")
    delta = abs(float(np.subtract(*two.values(RUNTIME))))
    return power_analysis(resampled.difference(0, 1).standard_error, PILOT, delta=delta).needed or sys.maxsize


def _times_shown(two: Scorable, size: int, count: int, generator: np.random.Generator) -> int:
    """How many of `count` test sets show the difference."""
    shown = 0
    for begin in range(0, count, GROUP):
        sets = min(GROUP, count - begin)
        segments = generator.integers(two.table.shape[1], size=(sets, size))
        draw = Draw(np.tile([0, 1], (sets, 1)), segments, np.zeros((sets, size), dtype=np.bool_), 0)
        scores = compared(draw.of(two), int(generator.integers(2**32)))
        shown += int((p_values(scores, "randomisation") <= ALPHA).sum())
    return shown


# --- the command ---


def main() -> int:
    """Print a table, write it to a file, and return exit code 1 if a rate of the full form is out of its limits."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--nulls", type=int, default=FULL, help="nulls and test sets for each row")
    parser.add_argument("-o", "--output", type=Path, default=Path("build/honesty.json"))
    options = parser.parse_args()
    pool, rates = load_pool(), list[Rate]()
    for rate in _all_rates(pool, options.nulls):
        rates.append(rate)
        print(_line(rate), flush=True)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    rows = [vars(rate) | {"limits": rate.limits, "holds": rate.holds} for rate in rates]
    result = {"seed": SEED, "resamples": RESAMPLES, "cpu_s": round(time.process_time()), "rates": rows}
    options.output.write_text(json.dumps(result, indent=1) + "\n")
    return int(options.nulls >= FULL and not all(rate.holds for rate in rates))


def _all_rates(pool: Pool, count: int) -> Iterator[Rate]:
    for n in SIZES:
        yield from false_positives(pool, n, count)
    yield from document_false_positives(pool, count)
    for n in SIZES:
        yield from coverage(pool, n, count)
    for first, second, share in POWER_CASES:
        yield from achieved_power(pool, (first, second), share, count // 5)


def _line(rate: Rate) -> str:
    limits = "" if rate.limits is None else f"  [{rate.limits[0]:.3f}, {rate.limits[1]:.3f}]"
    outside = "" if rate.holds else "  outside"
    return (
        f"{rate.what:14}{rate.metric:6}{rate.aggregation:9}{rate.n:6,} {rate.unit + 's':10} {100 * rate.rate:5.2f} %"
        f" of {rate.trials:,}{limits}{outside}"
    )


if __name__ == "__main__":
    sys.exit(main())
