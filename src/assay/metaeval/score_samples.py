"""The scores of the systems of a language pair on all segments, and on random samples of them."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assay.aggregate.resample import SEED, Bootstrap
from assay.errors import AlignmentError, ConfigError, InputError, option_name
from assay.lazily import numpy as np
from assay.measurement.segment_groups import groups_of
from assay.metaeval.computed_metrics import Aggregated
from assay.metaeval.scores_by_level import ScoresByLevel
from assay.options.checks import no_effect
from assay.types import (
    Campaign,
    FloatArray,
    FrozenDict,
    IntArray,
    Note,
    NoteKind,
    Scorable,
    ScoreTable,
    Table,
    mean_of_defined,
    summable,
)
from assay.types.note import listed, plural
from assay.types.runtime import Runtime

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["SAMPLES", "SMALL_SETS", "Samples", "ScoredSystems", "sample_notes"]

SAMPLES = 100
"""The default number of samples of each size."""
SMALL_SETS = ("leave-out", "whole", "draw")
"""What happens to a language pair with fewer segments than a sample: it is left out, used whole, or sampled like the
others, which needs replacement."""


@dataclass(frozen=True, slots=True)
class Samples:
    """`count` random samples of segments, of each of the sizes."""

    sizes: tuple[int, ...] = ()
    count: int = SAMPLES
    without_replacement: bool = False
    small_sets: str = "leave-out"
    seed: int = SEED
    stratify: str | None = None
    """The grouping of segments whose groups have their share of every sample, rounded up or down; None: no groups."""

    def __post_init__(self) -> None:
        self._check_effect()
        if self.small_sets == "draw" and self.without_replacement:
            message = "without replacement, a sample cannot have more segments than the test set"
            raise ConfigError(
                message, hint=f"choose {option_name('small_sets', 'leave-out')} or {option_name('small_sets', 'whole')}"
            )

    def _check_effect(self) -> None:
        """Raise for options that have no effect without samples."""
        given = {
            "samples": self.count != SAMPLES,
            "without_replacement": self.without_replacement,
            "small_sets": self.small_sets != SMALL_SETS[0],
            "stratify": self.stratify is not None,
        }
        for name in (name for name, is_given in given.items() if is_given and not self.sizes):
            raise no_effect(name, f"there are no samples without {option_name('sample_sizes')}")

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
            **({} if self.stratify is None else {"stratify": self.stratify}),
        }

    def sums(
        self, tables: Sequence[Table], size: int, label: str, runtime: Runtime, strata: IntArray | None = None
    ) -> list[Table] | None:
        """Sums (system, sample, column) over samples of a language pair; None if it is left out.

        The draws depend on the label, so that language pairs are sampled independently of each other. `strata` has the
        number of the group of each segment, if samples are stratified.
        """
        segments = tables[0].shape[1]
        if segments < size and self.small_sets == "leave-out":
            return None
        if segments < size and self.small_sets == "whole":
            weights = np.ones((self.count, segments), dtype=np.uint32)
            return [summable(table).sums(weights, runtime.threads) for table in tables]
        seed = np.random.SeedSequence([self.seed, size, zlib.crc32(label.encode())])
        if strata is None and not self.without_replacement:
            draws = Bootstrap(self.count, size, int(seed.generate_state(1, np.uint64)[0]))
            return draws.sums(tables, runtime)
        generator = np.random.default_rng(seed)
        weights = np.zeros((self.count, segments), dtype=np.uint32)
        for row in weights:
            drawn = (
                generator.choice(segments, size, replace=False, shuffle=False)
                if strata is None
                else _stratified(generator, strata, size, self.without_replacement)
            )
            np.add.at(row, drawn, 1)
        return [summable(table).sums(weights, runtime.threads) for table in tables]


def _stratified(
    generator: np.random.Generator, strata: IntArray, size: int, without_replacement: bool
) -> npt.NDArray[np.intp]:
    """The segments of a sample that has the share of every stratum, rounded up or down at random.

    The strata stand in random order on a line, each as long as its share, and each whole number (plus a random offset)
    falls into one of them (systematic sampling): every segment is drawn with the same probability.
    """
    order = generator.permutation(int(strata.max()) + 1)
    rank = np.argsort(order, kind="stable")[strata]
    shuffled = np.lexsort((generator.random(len(strata)), rank))  # segments in random order, one stratum after another
    lengths = np.bincount(rank)
    ends = np.cumsum(lengths)
    passed = np.floor(ends * size / len(strata) + generator.random()).astype(np.int64)
    taken: IntArray = passed - np.append(0, passed[:-1])
    within = np.arange(size) - np.repeat(np.cumsum(taken) - taken, taken)
    if not without_replacement:
        within = (generator.random(size) * np.repeat(lengths, taken)).astype(np.int64)
    return shuffled[np.repeat(ends - lengths, taken) + within]


@dataclass(frozen=True, slots=True, eq=False)
class ScoredSystems:
    """The systems of a language pair and their scores."""

    label: str
    systems: tuple[str, ...]
    scores: Mapping[str, FloatArray]
    """The values of each score, NaN for a system without it."""
    scorables: Mapping[str, Scorable]
    """Scores that can be computed on a part of the segments, with a row for each of the systems: corpus scores and
    means of segment scores."""
    strata: IntArray | None = None
    """The number of the group of each segment, if samples are stratified."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "scores", FrozenDict(self.scores))
        object.__setattr__(self, "scorables", FrozenDict(self.scorables))

    @classmethod
    def of(
        cls, campaign: Campaign, systems: tuple[str, ...], metrics: Iterable[ScoresByLevel], stratify: str | None = None
    ) -> ScoredSystems:
        """The scores of these systems; means of segment scores where a metric has no system scores.

        `stratify` is the grouping of segments that samples keep to, if any.
        """
        taken = [metric.take(systems) for metric in metrics]
        for metric in taken:
            if metric.segment is not None:
                _check_segments(metric.segment, campaign)
        scorables = {metric.name: _scorable(metric, systems) for metric in taken}
        return cls(
            campaign.label,
            systems,
            {metric.name: _system_scores(metric) for metric in taken},
            {name: scorable for name, scorable in scorables.items() if scorable is not None},
            None if stratify is None else _strata(campaign, stratify),
        )

    @property
    def segments(self) -> int:
        """The number of segments; 0 if no score can be computed on a part of them."""
        return max((scorable.mask.shape[1] for scorable in self.scorables.values()), default=0)

    @property
    def common(self) -> npt.NDArray[np.intp]:
        """The segments that samples are drawn from: those that all scores have, for all systems that have the score."""
        is_common = np.ones(self.segments, dtype=np.bool_)
        for scorable in self.scorables.values():
            is_common &= scorable.mask[_has_score(scorable)].all(axis=0)
        return np.flatnonzero(is_common)

    def sampled(self, samples: Samples, size: int, runtime: Runtime) -> dict[str, FloatArray]:
        """The scores (sample, system) that can be computed on samples of the segments; none if it is left out."""
        if not self.scorables:
            return {}
        parts = {name: scorable.take(self.common) for name, scorable in self.scorables.items()}
        strata = None if self.strata is None else np.unique(self.strata[self.common], return_inverse=True)[1]
        sums = samples.sums([part.table for part in parts.values()], size, self.label, runtime, strata)
        if sums is None:
            return {}
        with np.errstate(invalid="ignore", divide="ignore"):
            return {
                name: np.where(_has_score(part), part.score(totals).T, np.nan)
                for (name, part), totals in zip(parts.items(), sums, strict=True)
            }


def sample_notes(language_pairs: Iterable[ScoredSystems], samples: Samples) -> Iterator[Note]:
    """A note for each size of samples that some language pairs are too small for."""
    available = {each: len(each.common) for each in language_pairs if each.scorables}
    for size in samples.sizes:
        small = [_with_segments(each, count) for each, count in available.items() if count < size]
        if small and samples.small_sets == "leave-out":
            text = f"samples of {plural(size, 'segment')} leave out language pairs that have fewer: {listed(small)}"
            yield Note(NoteKind.EXCLUDED, text, count=len(small))
        if small and samples.small_sets == "whole":
            text = f"samples of {size:,} segments are all segments of language pairs that have fewer: {listed(small)}"
            yield Note(NoteKind.PROVENANCE, text, count=len(small))
        same = [each.label for each, count in available.items() if count == size and samples.without_replacement]
        if same:
            text = f"all samples of {plural(size, 'segment')} without replacement are the same for {listed(same)}"
            yield Note(NoteKind.ADVICE, text, count=len(same))


def _with_segments(each: ScoredSystems, count: int) -> str:
    """A language pair and why it is small."""
    if count == each.segments:
        return f"{each.label} ({count:,})"
    return f"{each.label} ({count:,} of {each.segments:,} have all scores)"


def _strata(campaign: Campaign, grouping: str) -> IntArray:
    """The number of the group of each segment."""
    texts = campaign.testset
    known = texts is not None and (grouping == "length" or getattr(texts, f"{grouping}s") is not None)
    if texts is None or not known:
        message = f"{campaign.label}: the {grouping} of each segment is not known"
        raise InputError(message, hint=f"leave out {option_name('stratify')} or this language pair")
    numbers = np.zeros(len(texts), dtype=np.int64)
    for number, group in enumerate(groups_of(texts, [grouping])):
        numbers[group.segments] = number
    return numbers


def _check_segments(table: ScoreTable, campaign: Campaign) -> None:
    """Raise for scores that cannot be of the segments of the campaign."""
    count = table.values.shape[1]
    if count != campaign.segments:
        segments = plural(campaign.segments, "segment")
        message = f"'{table.name}' has {plural(count, 'score')} per system, but {campaign.label} has {segments}"
        raise AlignmentError(message, path=table.origin or None)


def _system_scores(metric: ScoresByLevel) -> FloatArray:
    """Higher is better."""
    if metric.system is not None:
        return metric.system.oriented[:, 0]
    table = metric.at("segment")
    return mean_of_defined(table.oriented, axis=1)


def _scorable(metric: ScoresByLevel, systems: tuple[str, ...]) -> Scorable | None:
    """What scores a part of the segments, higher is better; None for bootstrap scores and stored system scores."""
    if not isinstance(metric.aggregate, Aggregated):
        table = metric.segment
        return None if table is None else Scorable.of_segments(table.oriented, systems)
    if metric.aggregate.bootstrap is not None:
        return None
    scorable = _rows_of(metric.aggregate.scorable, systems)
    if metric.at("system").higher_is_better:
        return scorable
    return replace(scorable, score=lambda sums: -scorable.score(sums))


def _rows_of(scorable: Scorable, systems: tuple[str, ...]) -> Scorable:
    """The rows of these systems; a system without scores is a row that does not count."""
    places = {name: row for row, name in enumerate(scorable.systems)}
    rows = np.array([places.get(name, -1) for name in systems], dtype=np.intp)
    mask = scorable.mask[rows] & (rows >= 0)[:, np.newaxis]
    return replace(scorable, table=scorable.table[rows], mask=mask, systems=systems)


def _has_score(scorable: Scorable) -> npt.NDArray[np.bool_]:
    """Which systems have the score."""
    return np.asarray(scorable.mask.any(axis=1))
