"""The value of a statistic over subsets of the systems: the best N, windows of neighbours, all but one, random ones.

After Mathur et al. 2020, "Tangled up in BLEU": a correlation over all systems may be due to one system far from the
others, and may vanish among the good ones. Everything here is at the system level.

Subsets are of all systems that people judged, so that they are the same for every metric. A metric that lacks some of
these systems is evaluated on the others of the subset, never on systems from outside of it.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, TypeAlias

from assay.aggregate.resample import MAX_RESAMPLES, MAX_SEED, RESAMPLES, SEED
from assay.agreement import Statistic
from assay.agreement import statistic as statistic_registry
from assay.agreement.tie_classes import merge_ties
from assay.errors import ConfigError, UnknownNameError, nearest, option_name
from assay.lazily import numpy as np
from assay.metaeval.alignment import Aligned, align, system_means
from assay.metaeval.gold import SignificantPairs
from assay.metaeval.replicates import values_of_subsets
from assay.options.checks import check_integer
from assay.results import Curve, Estimate, Point, Subsamples
from assay.types import ScoreTable, select

__all__ = [
    "KINDS",
    "RandomSubsets",
    "Subsets",
    "Top",
    "Windows",
    "WithoutOne",
    "all_systems",
    "best_first",
    "leave_one_out",
    "rolling",
    "subsample",
    "subsets_of_kind",
    "system_statistic",
    "top_n",
]

_DEFAULT_SIZE = 4  # as in Mathur et al.
_MIN_SYSTEMS = 2  # needed for a comparison
_BLOCK = 1 << 14  # resamples held at a time

HumanScores: TypeAlias = Mapping[str, float]
"""The human score of every judged system; NaN: not judged."""


class _Curves(ABC):
    """Subsets that follow from the order of the systems by human score."""

    __slots__ = ()
    kind: ClassVar[str]
    follows_order: ClassVar[bool] = True
    """Whether a subset is a part of that order, so that it can cut through a tie."""

    @property
    @abstractmethod
    def smallest(self) -> int:
        """The number of systems that a value needs."""

    @abstractmethod
    def check(self, systems: int) -> None:
        """Raise if there are too few systems."""

    @abstractmethod
    def members(self, order: tuple[str, ...], scored: Collection[str]) -> list[tuple[str, tuple[str, ...]]]:
        """The label and the systems of each subset, of all judged systems; `scored` are those with metric scores."""

    def curve(
        self,
        statistic: Statistic,
        aligned: Aligned,
        significant: SignificantPairs | None = None,
        *,
        judged: HumanScores | None = None,
    ) -> Curve:
        """The value over each subset. `judged`: human scores of all systems; None: those that the metric scored."""
        self.check(len(aligned.systems))
        judged = judged or dict(zip(aligned.systems, aligned.cells.human[:, 0].tolist(), strict=True))
        order = best_first(judged)
        members = self.members(order, aligned.systems)
        cuts = _cuts(judged, order) if self.follows_order else ()
        estimates = _estimates(statistic, aligned, [names for _, names in members], self.smallest)
        points = []
        for (label, names), estimate in zip(members, estimates, strict=True):
            systems, missing = _split(names, aligned.systems)
            told_apart = None if significant is None else significant.among(systems)
            cuts_tie = any((one in names) != (other in names) for one, other in cuts)
            points.append(Point(label, systems, estimate, told_apart, cuts_tie, missing))
        spec, over_all = statistic_registry.spec(statistic), all_systems(statistic, aligned)
        missing = _split(order, aligned.systems)[1]
        return Curve(self.kind, aligned.metric, aligned.human, spec, over_all, tuple(points), missing)


@dataclass(frozen=True, slots=True)
class Top(_Curves):
    """The N systems with the best human scores, for N from all systems down to `min_systems`."""

    kind: ClassVar[str] = "top"
    min_systems: int = _DEFAULT_SIZE

    @property
    def smallest(self) -> int:
        """The number of systems that a value needs."""
        return self.min_systems

    @property
    def required_systems(self) -> int:
        """The number of systems a metric must have scored."""
        return self.min_systems

    def check(self, systems: int) -> None:
        """Raise if there are too few systems."""
        _check_size("min_systems", self.min_systems, systems)

    def members(self, order: tuple[str, ...], scored: Collection[str]) -> list[tuple[str, tuple[str, ...]]]:
        """From all systems to the best."""
        return [(f"top {size}", order[:size]) for size in range(len(order), self.min_systems - 1, -1)]


@dataclass(frozen=True, slots=True)
class Windows(_Curves):
    """`subset_size` neighbours in the order of the human scores."""

    kind: ClassVar[str] = "windows"
    subset_size: int = _DEFAULT_SIZE

    @property
    def smallest(self) -> int:
        """The number of systems that a value needs."""
        return self.subset_size

    @property
    def required_systems(self) -> int:
        """The number of systems a metric must have scored."""
        return self.subset_size

    def check(self, systems: int) -> None:
        """Raise if there are too few systems."""
        _check_size("subset_size", self.subset_size, systems)

    def members(self, order: tuple[str, ...], scored: Collection[str]) -> list[tuple[str, tuple[str, ...]]]:
        """From the worst systems to the best."""
        size = self.subset_size
        starts = range(len(order) - size, -1, -1)
        return [(f"ranks {start + 1}-{start + size}", order[start : start + size]) for start in starts]


@dataclass(frozen=True, slots=True)
class WithoutOne(_Curves):
    """All systems but one."""

    kind: ClassVar[str] = "without-one"
    follows_order: ClassVar[bool] = False
    required_systems: ClassVar[int] = _MIN_SYSTEMS + 1

    @property
    def smallest(self) -> int:
        """The number of systems that a value needs."""
        return _MIN_SYSTEMS

    def check(self, systems: int) -> None:
        """Raise if there are too few systems."""
        if systems < self.required_systems:
            raise ConfigError(f"leaving one out needs at least {self.required_systems} systems, not {systems}")

    def members(self, order: tuple[str, ...], scored: Collection[str]) -> list[tuple[str, tuple[str, ...]]]:
        """Without the best system first, without the worst last. Leaving out what the metric lacks changes nothing."""
        left_out = [name for name in order if name in scored]
        return [(f"without {gone}", tuple(name for name in order if name != gone)) for gone in left_out]


@dataclass(frozen=True, slots=True)
class RandomSubsets:
    """Random subsets of `subset_size` systems: without the outliers, with each of them, and with all of them.

    Defaults: the outliers by median and MAD, and half of the other systems.
    """

    kind: ClassVar[str] = "subsamples"
    subset_size: int | None = None
    outliers: tuple[str, ...] | None = None
    resamples: int = RESAMPLES
    seed: int = SEED

    def resolve(self, systems: tuple[str, ...], outliers: tuple[str, ...]) -> RandomSubsets:
        """Replace the defaults that depend on the systems and outliers by their values."""
        named = tuple(dict.fromkeys(outliers if self.outliers is None else self.outliers))
        _check_names(named, systems)
        half = max((len(systems) - len(named)) // 2, _MIN_SYSTEMS + 1, len(named) + 1)  # r of two systems is 1 or -1
        size = half if self.subset_size is None else self.subset_size
        return RandomSubsets(size, named, self.resamples, self.seed)

    @property
    def required_systems(self) -> int:
        """The number of systems a metric must have scored."""
        return (self.subset_size or 0) + len(self.outliers or ())

    def check(self, systems: int) -> None:
        """Raise if there are too few systems."""
        outliers = self.outliers or ()
        check_integer("resamples", self.resamples, 1, MAX_RESAMPLES)
        check_integer("seed", self.seed, 0, MAX_SEED)
        limit = "the number of systems that are not outliers" if outliers else "the number of systems"
        smallest = max(_MIN_SYSTEMS, len(outliers) + 1)
        _check_size("subset_size", self.subset_size or 0, systems - len(outliers), smallest=smallest, limit=limit)

    def draw(self, statistic: Statistic, aligned: Aligned) -> tuple[Subsamples, ...]:
        """The same seed draws the same subsets for every metric that scored the same systems."""
        outliers = self.outliers or ()
        _check_names(outliers, aligned.systems)
        self.check(len(aligned.systems))
        combinations = dict.fromkeys([(), *((name,) for name in outliers), outliers])
        return tuple(self._draw_with(included, statistic, aligned) for included in combinations)

    def _draw_with(self, included: tuple[str, ...], statistic: Statistic, aligned: Aligned) -> Subsamples:
        others = [i for i, name in enumerate(aligned.systems) if name not in (self.outliers or ())]
        size = self.subset_size or 0
        random = np.random.Generator(np.random.PCG64(self.seed))
        blocks = []
        for first in range(0, self.resamples, _BLOCK):
            count = min(_BLOCK, self.resamples - first)
            order = np.argsort(random.random((count, len(others))), axis=1, kind="stable")
            subsets = np.zeros((count, len(aligned.systems)), dtype=np.bool_)
            np.put_along_axis(subsets, np.array(others)[order[:, : size - len(included)]], True, axis=1)
            subsets[:, [aligned.systems.index(name) for name in included]] = True
            blocks.append(values_of_subsets(statistic, aligned, subsets))
        return Subsamples(
            aligned.metric,
            aligned.human,
            statistic_registry.spec(statistic),
            included,
            tuple(aligned.systems[i] for i in others),
            size,
            np.concatenate([block.values for block in blocks]),
            self.seed,
            blocks[0].reason,
        )


Subsets: TypeAlias = Top | Windows | WithoutOne | RandomSubsets
KINDS: dict[str, type[Subsets]] = {cls.kind: cls for cls in (Top, Windows, WithoutOne, RandomSubsets)}


def subsets_of_kind(kind: str, **options: Any) -> Subsets:
    """The subsets of a kind. Options that are None have their defaults; raise for one that does not apply."""
    if kind not in KINDS:
        raise ConfigError(f"unknown kind '{kind}'", hint=nearest(kind, KINDS))
    values = {name: value for name, value in options.items() if value is not None}
    accepted = {kind: [field.name for field in fields(cls)] for kind, cls in KINDS.items()}
    for name in values:
        if name not in accepted[kind]:
            kinds = " or ".join(other for other, names in accepted.items() if name in names)
            raise ConfigError(
                f"{option_name(name)} does not apply to {option_name('kind', kind)}", hint=f"it applies to {kinds}"
            )
    return KINDS[kind](**values)


def top_n(
    scores: ScoreTable,
    human: ScoreTable,
    statistic: str | Statistic = "pearson",
    *,
    min_systems: int = _DEFAULT_SIZE,
    **options: Any,
) -> Curve:
    """The value over the N best systems, for N from all down to `min_systems`. `options` are those of `align`."""
    aligned = align(scores, human, level="system", **options)
    return Top(min_systems).curve(system_statistic(statistic), aligned, judged=_judged(scores, human, **options))


def rolling(
    scores: ScoreTable,
    human: ScoreTable,
    statistic: str | Statistic = "pearson",
    *,
    subset_size: int = _DEFAULT_SIZE,
    **options: Any,
) -> Curve:
    """The value over `subset_size` neighbours in the order of the human scores, from the worst to the best."""
    aligned = align(scores, human, level="system", **options)
    return Windows(subset_size).curve(system_statistic(statistic), aligned, judged=_judged(scores, human, **options))


def leave_one_out(
    scores: ScoreTable, human: ScoreTable, statistic: str | Statistic = "pearson", **options: Any
) -> Curve:
    """The value without each system in turn; the difference from all systems is the system's influence."""
    aligned = align(scores, human, level="system", **options)
    return WithoutOne().curve(system_statistic(statistic), aligned, judged=_judged(scores, human, **options))


def subsample(
    scores: ScoreTable,
    human: ScoreTable,
    statistic: str | Statistic = "pearson",
    *,
    subset_size: int,
    outliers: Iterable[str] = (),
    resamples: int = RESAMPLES,
    seed: int = SEED,
    **options: Any,
) -> tuple[Subsamples, ...]:
    """The value over random subsets of `subset_size` systems: without the named outliers, with each of them, with all.

    An included outlier is in every subset; the rest is drawn from the systems that are not outliers.
    """
    subsets = RandomSubsets(subset_size, tuple(dict.fromkeys(outliers)), resamples, seed)
    return subsets.draw(system_statistic(statistic), align(scores, human, level="system", **options))


def system_statistic(statistic: str | Statistic) -> Statistic:
    """The statistic; raise if it cannot be computed from system scores."""
    created = statistic_registry.create(statistic)
    if "system" not in created.levels:
        raise ConfigError(f"{created.name} is not defined at the system level")
    if created.reads_segments:
        raise ConfigError(f"{created.name} reads segment scores, so it has no value over subsets of the systems")
    return created


def all_systems(statistic: Statistic, aligned: Aligned) -> Estimate:
    """The value over all systems."""
    values = values_of_subsets(statistic, aligned, np.ones((1, len(aligned.systems)), dtype=np.bool_))
    return _estimate(values.values[0], len(aligned.systems), values.reason)


def _check_names(outliers: tuple[str, ...], systems: tuple[str, ...]) -> None:
    for name in outliers:
        if name not in systems:
            raise UnknownNameError(f"no system is called '{name}'", hint=nearest(name, systems))


def _check_size(
    name: str, size: int, systems: int, *, smallest: int = _MIN_SYSTEMS, limit: str = "the number of systems"
) -> None:
    """Raise if a subset has too few systems to compare, or more than there are."""
    if not smallest <= size <= systems:
        raise ConfigError(f"{option_name(name)} must be between {smallest} and {systems} ({limit}), not {size}")


def best_first(scores: HumanScores) -> tuple[str, ...]:
    """The judged systems by human score; ties in the order of the names."""
    judged = (name for name in scores if not math.isnan(scores[name]))
    return tuple(sorted(judged, key=lambda name: (-scores[name], name)))


def _judged(
    scores: ScoreTable,
    human: ScoreTable,
    *,
    systems: Iterable[str] = ("*",),
    exclude: Iterable[str] = (),
    averages_domains: bool = False,
    **_: Any,
) -> HumanScores:
    """The human scores of all systems that the options of `align` select, also of those that the metric lacks."""
    selected = select(sorted({*scores.systems, *human.systems}), systems=systems, exclude=exclude).systems
    means = system_means(human, averages_domains=averages_domains)
    return {name: means[name] for name in selected if name in means and name not in scores.references}


def _cuts(judged: HumanScores, order: Sequence[str]) -> list[tuple[str, str]]:
    """Neighbours in the order of the human scores that are tied: a subset with one of them is cut through a tie."""
    scores = np.array([[judged[name] for name in order]])
    merged = merge_ties(scores, np.ones(scores.shape, dtype=np.bool_))[0]
    return [(order[k], order[k + 1]) for k in np.flatnonzero(merged[1:] == merged[:-1]).tolist()]


def _split(names: Sequence[str], scored: Collection[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The systems that a metric scored, and those that it lacks."""
    return tuple(name for name in names if name in scored), tuple(name for name in names if name not in scored)


def _estimates(
    statistic: Statistic, aligned: Aligned, subsets: Sequence[Sequence[str]], smallest: int
) -> Iterator[Estimate]:
    """The value over the systems of each subset that the metric scored; undefined if it scored too few."""
    masks = np.array([[name in subset for name in aligned.systems] for subset in subsets], dtype=np.bool_)
    sizes = masks.sum(axis=1)
    values = values_of_subsets(statistic, aligned, masks[sizes >= smallest])
    defined = iter(values.values.tolist())
    for subset, size in zip(subsets, sizes.tolist(), strict=True):
        if size < smallest:
            yield Estimate(math.nan, size, reason=f"the metric scored {size} of these {len(subset)} systems")
        else:
            yield _estimate(next(defined), size, values.reason)


def _estimate(value: float, n: int, reason: str) -> Estimate:
    return Estimate(float(value), n, reason=reason if math.isnan(value) else None)
