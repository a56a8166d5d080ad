"""The scores of a campaign's systems on all segments, and on random samples of them."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from assay import _core
from assay.checks import check_choice, check_integer
from assay.errors import ConfigError, option
from assay.metaeval.computed_metrics import Aggregated
from assay.metaeval.scores_by_level import ScoresByLevel
from assay.resample import MAX_RESAMPLES, SEED, Bootstrap
from assay.runtime import Runtime
from assay.types import FloatArray, FrozenDict, Note, NoteKind, Scorable, Table, mean_of_defined
from assay.types.note import listed

__all__ = ["SMALL_SETS", "Samples", "ScoredSystems", "left_out_sets"]

SMALL_SETS = ("leave-out", "whole", "draw")
"""What happens to a test set with fewer segments than a sample: it is left out, used whole, or (with replacement) drawn
from all the same."""


@dataclass(frozen=True, slots=True)
class Samples:
    """`count` random samples of segments, of each of the sizes."""

    sizes: tuple[int, ...] = ()
    count: int = 100
    without_replacement: bool = False
    small_sets: str = "leave-out"
    seed: int = SEED

    def __post_init__(self) -> None:
        check_integer("samples", self.count, 1, MAX_RESAMPLES)
        for size in self.sizes:
            check_integer("sample_sizes", size, 1, 2**32 - 1)
        check_choice("small_sets", self.small_sets, SMALL_SETS)
        if self.small_sets == "draw" and self.without_replacement:
            message = "without replacement, a sample cannot have more segments than the test set"
            raise ConfigError(
                message, hint=f"choose {option('small_sets', 'leave-out')} or {option('small_sets', 'whole')}"
            )

    @property
    def settings(self) -> dict[str, str]:
        """What the values on samples depend on; nothing if there are none."""
        if not self.sizes:
            return {}
        return {
            "sample_sizes": "+".join(map(str, self.sizes)),
            "samples": str(self.count),
            "replacement": "no" if self.without_replacement else "yes",
            "small_sets": self.small_sets,
        }

    def sums(self, tables: Sequence[Table], size: int, label: str, runtime: Runtime) -> list[Table] | None:
        """Sums (system, sample, column) over samples of a test set; None if it is left out.

        The draws depend on the label, so that test sets are sampled independently of each other.
        """
        segments = tables[0].shape[1]
        if segments < size and self.small_sets == "leave-out":
            return None
        if segments < size and self.small_sets == "whole":
            weights = np.ones((self.count, segments), dtype=np.uint32)
            return [_core.Summable(table).sums(weights, runtime.threads) for table in tables]
        seed = np.random.SeedSequence([self.seed, size, zlib.crc32(label.encode())])
        if not self.without_replacement:
            draws = Bootstrap(self.count, size, int(seed.generate_state(1, np.uint64)[0]))
            return draws.sums(tables, runtime)
        weights = _without_replacement(np.random.default_rng(seed), self.count, segments, size)
        return [_core.Summable(table).sums(weights, runtime.threads) for table in tables]


def _without_replacement(
    generator: np.random.Generator, count: int, segments: int, size: int
) -> npt.NDArray[np.uint32]:
    weights = np.zeros((count, segments), dtype=np.uint32)
    for row in weights:
        row[generator.choice(segments, size, replace=False, shuffle=False)] = 1
    return weights


@dataclass(frozen=True, slots=True, eq=False)
class ScoredSystems:
    """The systems of a campaign and their scores."""

    label: str
    systems: tuple[str, ...]
    scores: Mapping[str, FloatArray]
    """The values of each score, NaN where there is none."""
    scorables: Mapping[str, Scorable]
    """Scores that can be computed on a part of the segments: corpus scores and means of segment scores."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "scores", FrozenDict(self.scores))
        object.__setattr__(self, "scorables", FrozenDict(self.scorables))

    @classmethod
    def of(cls, label: str, systems: tuple[str, ...], metrics: Sequence[ScoresByLevel]) -> ScoredSystems:
        """The scores of these systems; means of segment scores where a metric has no system scores."""
        taken = {metric.name: metric.take(systems) for metric in metrics}
        scorables = {metric.name: _scorable(metric) for metric in metrics}
        return cls(
            label,
            systems,
            {name: _system_scores(metric) for name, metric in taken.items()},
            {name: scorable for name, scorable in scorables.items() if scorable is not None},
        )

    @property
    def common(self) -> npt.NDArray[np.intp]:
        """The segments that all of the scores have for all systems; samples are drawn from these."""
        masks = [scorable.mask.all(axis=0) for scorable in self.scorables.values()]
        return np.flatnonzero(np.logical_and.reduce(masks))

    def sampled(self, samples: Samples, size: int, runtime: Runtime) -> dict[str, FloatArray] | None:
        """The scores (sample, system) on samples of the segments; None if the campaign is left out.

        Scores that cannot be computed on a part of the segments, and bootstrap scores, stay those of all segments.
        """
        whole = {name: np.broadcast_to(values, (samples.count, len(values))) for name, values in self.scores.items()}
        if not self.scorables:
            return whole
        parts = [scorable.take(self.common) for scorable in self.scorables.values()]
        sums = samples.sums([part.table for part in parts], size, self.label, runtime)
        if sums is None:
            return None
        for name, part, totals in zip(self.scorables, parts, sums, strict=True):
            rows = [part.systems.index(system) for system in self.systems]
            with np.errstate(invalid="ignore", divide="ignore"):
                whole[name] = part.score(totals)[rows].T
        return whole


def left_out_sets(test_sets: Iterable[ScoredSystems], samples: Samples) -> Iterator[Note]:
    """A note for each size of samples that some test sets are too small for."""
    sizes = {each.label: len(each.common) for each in test_sets if each.scorables}
    for size in samples.sizes:
        small = [label for label, segments in sizes.items() if segments < size]
        if small and samples.small_sets != "draw":
            done = "left out of" if samples.small_sets == "leave-out" else "used whole in"
            text = f"{done} samples of {size:,} segments, because they have fewer: {listed(small)}"
            yield Note(NoteKind.EXCLUDED, text, count=len(small))


def _system_scores(metric: ScoresByLevel) -> FloatArray:
    """Higher is better."""
    if metric.system is not None:
        return metric.system.oriented[:, 0]
    table = metric.at("segment")
    return mean_of_defined(table.oriented, axis=1)


def _scorable(metric: ScoresByLevel) -> Scorable | None:
    """What scores a part of the segments, higher is better; None for bootstrap scores and stored system scores."""
    if not isinstance(metric.aggregate, Aggregated):
        table = metric.segment
        return None if table is None else Scorable.of_segments(table.oriented, table.systems)
    if metric.aggregate.bootstrap is not None:
        return None
    scorable = metric.aggregate.scorable
    if metric.at("system").higher_is_better:
        return scorable
    return replace(scorable, score=lambda sums: -scorable.score(sums))
