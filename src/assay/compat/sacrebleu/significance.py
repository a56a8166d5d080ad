"""sacreBLEU's paired tests: the same p-values, means and intervals for the same seed, bit for bit.

They are offered because published results use them. The paired bootstrap rejects true null hypotheses about twice
as often as it should, and calls a system different from its own copy; `assay compare` has better tests.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.comparison.sacrebleu.arithmetic import Floats, scores_of_totals
from assay.comparison.sacrebleu.paired_tests import ComparedSystems, bootstrap_p
from assay.comparison.sacrebleu.resampling import SummableTable, resampled_sums, swap_blocks
from assay.compat.sacrebleu.errors import NoSystemsError, UnknownChoiceError
from assay.compat.sacrebleu.metrics.base import Metric, Signature
from assay.compat.sacrebleu.seed import seeded_generator
from assay.errors import ConfigError
from assay.runtime import Runtime, available_cores

__all__ = ["DEFAULT_SAMPLES", "PairedTest", "Result", "estimate_ci"]

DEFAULT_SAMPLES = {"ar": 10000, "bs": 1000}


@dataclass(repr=False)
class Result:
    """A score, its p-value against the baseline, and the mean and half the 95% interval of its resamples."""

    score: float
    p_value: float | None = None
    mean: float | None = None
    ci: float | None = None

    def __repr__(self) -> str:
        return ",".join(f"{name}={value}" for name, value in vars(self).items())


class PairedTest:
    """Tests every system against the first, by approximate randomisation ("ar") or the paired bootstrap ("bs").

    Call it to get the signature of each metric, and the names of the systems with the results of each metric. Metrics
    are those of `assay.compat.sacrebleu`; `references` may be None if they have references. 0 stands for the default
    number of trials or resamples (`n_samples`), of resamples for intervals in a randomisation test (`n_ar_confidence`,
    -1 for none), and for all cores (`n_jobs`, the number of threads).
    """

    def __init__(
        self,
        named_systems: Sequence[tuple[str, Sequence[str]]],
        metrics: Mapping[str, Metric],
        references: Sequence[Sequence[str | None]] | None,
        test_type: str = "ar",
        n_samples: int = 0,
        n_ar_confidence: int = -1,
        n_jobs: int = 1,
    ) -> None:
        if test_type not in DEFAULT_SAMPLES:
            raise UnknownChoiceError(f"test_type must be 'ar' or 'bs', not '{test_type}'")
        if not named_systems:
            raise NoSystemsError("no systems were given", hint="pass the baseline first, as (name, hypotheses)")
        self.named_systems = named_systems
        self.references = references
        self.test_type = test_type
        self.n_samples = n_samples if n_samples > 0 else DEFAULT_SAMPLES[test_type]
        self.n_ar_confidence = n_ar_confidence or DEFAULT_SAMPLES["bs"]
        self.n_jobs = n_jobs or available_cores()
        self.n_systems = len(named_systems) - 1
        self._seed, _ = seeded_generator()
        runtime = Runtime(threads=self.n_jobs)
        scorers = [_checked(scorer) for scorer in metrics.values()]
        hypotheses = [texts for _, texts in named_systems]
        self._compared = [
            ComparedSystems(scorer.metric, scorer.tables(hypotheses, references, runtime)) for scorer in scorers
        ]
        self.metrics = {
            scorer._compute_score_from_stats(compared.table.totals[0].tolist()).name: scorer
            for scorer, compared in zip(scorers, self._compared, strict=True)
        }
        if len(self.metrics) < len(metrics):
            raise ConfigError(
                f"two metrics are called {' or '.join(self.metrics)}",
                hint="test one of them at a time: names must differ",
            )

    def __call__(self) -> tuple[dict[str, Signature], dict[str, list[Any]]]:
        """Run the test."""
        test = self._bootstrap if self.test_type == "bs" else self._randomisation
        scores: dict[str, list[Any]] = {"System": [name for name, _ in self.named_systems]}
        scores |= zip(self.metrics, test(), strict=True)
        return {name: self._signature(scorer) for name, scorer in self.metrics.items()}, scores

    def _signature(self, scorer: Metric) -> Signature:
        signature = scorer.get_signature()
        signature.update("seed", str(self._seed).lower())
        signature.update(self.test_type, self.n_samples)
        if self.n_ar_confidence > 0:
            signature.update("bs", self.n_ar_confidence)
        return signature

    def _generator(self) -> np.random.Generator:
        """The generator of the test, which is random also if the seed is 0."""
        return np.random.default_rng(self._seed or None)

    def _bootstrap(self) -> list[list[Result]]:
        baselines, systems = self._resampled_scores(self._generator(), self.n_samples)
        return [
            [
                Result(compared.values[0], None, *estimate_ci(baseline)),
                *(
                    Result(value, bootstrap_p(scores, paired, abs(compared.values[0] - value)), *estimate_ci(scores))
                    for value, scores in zip(compared.values[1:], others, strict=True)
                ),
            ]
            for compared, baseline, (paired, *others) in zip(self._compared, baselines, systems, strict=True)
        ]

    def _randomisation(self) -> list[list[Result]]:
        generator = self._generator()
        exceeding = self._exceeding(generator)
        intervals = self._intervals(generator)
        return [
            [
                Result(value, p_value, *interval)
                for value, p_value, interval in zip(
                    compared.values, [None, *((count + 1) / (self.n_samples + 1) for count in counts)], ci, strict=True
                )
            ]
            for compared, counts, ci in zip(self._compared, exceeding, intervals, strict=True)
        ]

    def _exceeding(self, generator: np.random.Generator) -> list[list[int]]:
        """For each metric and system, the number of trials with a larger difference to the baseline."""
        counts = [np.zeros(self.n_systems, dtype=np.int64) for _ in self._compared]
        segments = len(self.named_systems[0][1])
        in_parts = all(compared.table.is_whole for compared in self._compared)
        for swaps in swap_blocks(generator, self.n_samples, segments, in_parts=in_parts):
            for compared, count in zip(self._compared, counts, strict=True):
                count += compared.larger_differences(swaps)
        return [count.tolist() for count in counts]

    def _intervals(self, generator: np.random.Generator) -> list[list[tuple[float, float] | tuple[()]]]:
        if self.n_ar_confidence <= 0:
            return [[()] * len(self.named_systems) for _ in self._compared]
        baselines, systems = self._resampled_scores(generator, self.n_ar_confidence)
        return [
            [estimate_ci(scores) for scores in (baseline, *others)]
            for baseline, (_, *others) in zip(baselines, systems, strict=True)
        ]

    def _resampled_scores(
        self, generator: np.random.Generator, resamples: int
    ) -> tuple[list[Floats], list[list[Floats]]]:
        """For each metric, the resampled scores of the baseline for its interval, and those of all systems."""
        tables = [compared.table for compared in self._compared]
        systems = [
            [scores_of_totals(compared.metric, sums) for sums in table]
            for compared, table in zip(self._compared, resampled_sums(generator, resamples, tables), strict=True)
        ]
        if self.test_type == "bs" and self._seed:
            return [scores[0] for scores in systems], systems
        first = [SummableTable(table.table[:1]) for table in tables]
        drawn = resampled_sums(np.random.default_rng(self._seed), resamples, first)
        return [scores_of_totals(c.metric, sums[0]) for c, sums in zip(self._compared, drawn, strict=True)], systems


def _checked(scorer: Metric) -> Metric:
    if not isinstance(scorer, Metric):
        raise ConfigError(
            f"{type(scorer).__name__} is not a metric of Assay", hint="import it from assay.compat.sacrebleu"
        )
    return scorer


def estimate_ci(scores: Floats) -> tuple[float, float]:
    """The mean and half the 95% interval of resampled scores."""
    scores = np.sort(scores)
    tail = len(scores) // 40
    return float(scores.mean()), float(0.5 * (scores[len(scores) - tail - 1] - scores[tail]))
