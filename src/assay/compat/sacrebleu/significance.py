"""sacreBLEU's paired tests: the same p-values, means and intervals for the same seed, bit for bit.

Use them to reproduce published results; `assay.comparison.sacrebleu.paired_tests` says what is wrong with them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.comparison.sacrebleu.arithmetic import Floats
from assay.comparison.sacrebleu.paired_tests import ComparedSystems, randomisation_p_values, resampled_scores
from assay.compat.sacrebleu.errors import NoSystemsError, UnknownChoiceError
from assay.compat.sacrebleu.metrics.base import Metric, Signature, half_interval
from assay.compat.sacrebleu.seed import seeded_generator
from assay.errors import ConfigError
from assay.types.runtime import Runtime, available_cores

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
        names, hypotheses = zip(*named_systems, strict=True)
        self._compared = [
            ComparedSystems(scorer.metric, scorer.tables(hypotheses, references, runtime, names=names))
            for scorer in scorers
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
        resampled = resampled_scores(self._generator(), self.n_samples, self._compared)
        p_values = [c.bootstrap_p_values(scores) for c, scores in zip(self._compared, resampled, strict=True)]
        if not self._seed:  # 0: the test is random, but not the interval of the baseline
            resampled = self._with_seeded_baseline(resampled)
        return self._results(p_values, resampled)

    def _randomisation(self) -> list[list[Result]]:
        generator = self._generator()
        p_values = randomisation_p_values(generator, self.n_samples, self._compared)
        if self.n_ar_confidence <= 0:
            return self._results(p_values)
        resampled = resampled_scores(generator, self.n_ar_confidence, self._compared)
        return self._results(p_values, self._with_seeded_baseline(resampled))

    def _with_seeded_baseline(self, resampled: list[list[Floats]]) -> list[list[Floats]]:
        """The scores of all systems, with those of the baseline resampled by a generator of their own."""
        baselines = [ComparedSystems(c.metric, c.table.table[:1]) for c in self._compared]
        drawn = resampled_scores(np.random.default_rng(self._seed), len(resampled[0][0]), baselines)
        return [[*baseline, *others] for baseline, (_, *others) in zip(drawn, resampled, strict=True)]

    def _results(self, p_values: list[list[float]], resampled: list[list[Floats]] | None = None) -> list[list[Result]]:
        """The results of each metric; their intervals are those of resampled scores."""
        return [
            [
                Result(value, p, *(() if scores is None else estimate_ci(scores)))
                for value, p, scores in zip(
                    compared.values,
                    [None, *p_values[k]],
                    [None] * len(compared.values) if resampled is None else resampled[k],
                    strict=True,
                )
            ]
            for k, compared in enumerate(self._compared)
        ]


def _checked(scorer: Metric) -> Metric:
    if not isinstance(scorer, Metric):
        raise ConfigError(
            f"{type(scorer).__name__} is not a metric of Assay", hint="import it from assay.compat.sacrebleu"
        )
    return scorer


def estimate_ci(scores: Floats) -> tuple[float, float]:
    """The mean and half the 95% interval of resampled scores."""
    scores = np.sort(scores)
    return float(scores.mean()), half_interval(scores)
