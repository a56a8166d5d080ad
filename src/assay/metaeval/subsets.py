"""The value of a statistic over subsets of the systems: the best N, windows of neighbours, all but one, random ones.

After Mathur et al. 2020, "Tangled up in BLEU": a correlation over all systems may be due to one system far from the
others, and may vanish among the good ones. Everything here is at the system level.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass, fields
from typing import Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt

from assay.agreement import Statistic
from assay.agreement import statistic as statistic_registry
from assay.agreement.tie_classes import merge_ties
from assay.checks import check_integer
from assay.errors import ConfigError, UnknownNameError, nearest, option
from assay.metaeval.alignment import Aligned, align
from assay.metaeval.gold import SignificantPairs
from assay.metaeval.replicates import values_of_subsets
from assay.resample import MAX_RESAMPLES, MAX_SEED, RESAMPLES, SEED
from assay.results import Curve, Estimate, Point, Subsamples
from assay.types import ScoreTable

__all__ = [
    "KINDS",
    "RandomSubsets",
    "Subsets",
    "Top",
    "Windows",
    "WithoutOne",
    "all_systems",
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


@dataclass(frozen=True, slots=True)
class Top:
    """The N systems with the best human scores, for N from all systems down to `min_systems`."""

    kind: ClassVar[str] = "top"
    min_systems: int = _DEFAULT_SIZE

    @property
    def required_systems(self) -> int:
        """The number of systems a metric must have scored."""
        return self.min_systems

    def check(self, systems: int) -> None:
        """Raise if there are too few systems."""
        _check_size("min_systems", self.min_systems, systems)

    def curve(self, statistic: Statistic, aligned: Aligned, significant: SignificantPairs | None = None) -> Curve:
        """From all systems to the best."""
        self.check(len(aligned.systems))
        order = _best_first(aligned)
        sizes = range(len(order), self.min_systems - 1, -1)
        tops = [(f"top {size}", order[:size]) for size in sizes]
        return _curve(self.kind, statistic, aligned, tops, significant, cuts=_cuts(aligned, order))


@dataclass(frozen=True, slots=True)
class Windows:
    """`subset_size` neighbours in the order of the human scores."""

    kind: ClassVar[str] = "windows"
    subset_size: int = _DEFAULT_SIZE

    @property
    def required_systems(self) -> int:
        """The number of systems a metric must have scored."""
        return self.subset_size

    def check(self, systems: int) -> None:
        """Raise if there are too few systems."""
        _check_size("subset_size", self.subset_size, systems)

    def curve(self, statistic: Statistic, aligned: Aligned, significant: SignificantPairs | None = None) -> Curve:
        """From the worst systems to the best."""
        self.check(len(aligned.systems))
        order, size = _best_first(aligned), self.subset_size
        starts = range(len(order) - size, -1, -1)
        windows = [(f"ranks {start + 1}-{start + size}", order[start : start + size]) for start in starts]
        return _curve(self.kind, statistic, aligned, windows, significant, cuts=_cuts(aligned, order))


@dataclass(frozen=True, slots=True)
class WithoutOne:
    """All systems but one."""

    kind: ClassVar[str] = "without-one"
    required_systems: ClassVar[int] = _MIN_SYSTEMS + 1

    def check(self, systems: int) -> None:
        """Raise if there are too few systems."""
        if systems < self.required_systems:
            raise ConfigError(f"leaving one out needs at least {self.required_systems} systems, not {systems}")

    def curve(self, statistic: Statistic, aligned: Aligned, significant: SignificantPairs | None = None) -> Curve:
        """Without the best system first, without the worst last."""
        self.check(len(aligned.systems))
        order = _best_first(aligned)
        subsets = [(f"without {aligned.systems[i]}", order[order != i]) for i in order]
        return _curve(self.kind, statistic, aligned, subsets, significant)


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
            raise ConfigError(f"{option(name)} does not apply to {option('kind', kind)}", hint=f"it applies to {kinds}")
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
    return Top(min_systems).curve(system_statistic(statistic), align(scores, human, level="system", **options))


def rolling(
    scores: ScoreTable,
    human: ScoreTable,
    statistic: str | Statistic = "pearson",
    *,
    subset_size: int = _DEFAULT_SIZE,
    **options: Any,
) -> Curve:
    """The value over `subset_size` neighbours in the order of the human scores, from the worst to the best."""
    return Windows(subset_size).curve(system_statistic(statistic), align(scores, human, level="system", **options))


def leave_one_out(
    scores: ScoreTable, human: ScoreTable, statistic: str | Statistic = "pearson", **options: Any
) -> Curve:
    """The value without each system in turn; the difference from all systems is the system's influence."""
    return WithoutOne().curve(system_statistic(statistic), align(scores, human, level="system", **options))


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
        raise ConfigError(f"{option(name)} must be between {smallest} and {systems} ({limit}), not {size}")


def _best_first(aligned: Aligned) -> npt.NDArray[np.intp]:
    """Indices of the systems by human score, the best first; ties in the order of the names."""
    return np.argsort(-aligned.cells.human[:, 0], kind="stable")


def _cuts(aligned: Aligned, order: npt.NDArray[np.intp]) -> set[tuple[int, int]]:
    """Neighbours in the order of the human scores that are tied: a subset with one of them is cut through a tie."""
    human = merge_ties(aligned.cells.human[:, 0][np.newaxis], np.ones((1, len(order)), dtype=np.bool_))[0][order]
    return {(int(order[k]), int(order[k + 1])) for k in np.flatnonzero(human[1:] == human[:-1])}


def _curve(
    kind: str,
    statistic: Statistic,
    aligned: Aligned,
    subsets: list[tuple[str, npt.NDArray[np.intp]]],
    significant: SignificantPairs | None,
    *,
    cuts: Collection[tuple[int, int]] = (),
) -> Curve:
    """`cuts` are tied neighbours that a subset should not separate."""
    masks = np.zeros((1 + len(subsets), len(aligned.systems)), dtype=np.bool_)
    masks[0] = True
    for row, (_, members) in enumerate(subsets, 1):
        masks[row, members] = True
    values = values_of_subsets(statistic, aligned, masks)
    estimates = [_estimate(value, int(n), values.reason) for value, n in zip(values.values, masks.sum(1), strict=True)]
    points = []
    for (label, members), estimate in zip(subsets, estimates[1:], strict=True):
        systems = tuple(aligned.systems[i] for i in members)
        told_apart = None if significant is None else significant.among(systems)
        cuts_tie = any((one in members) != (other in members) for one, other in cuts)
        points.append(Point(label, systems, estimate, told_apart, cuts_tie))
    spec = statistic_registry.spec(statistic)
    return Curve(kind, aligned.metric, aligned.human, spec, estimates[0], tuple(points))


def _estimate(value: float, n: int, reason: str) -> Estimate:
    return Estimate(float(value), n, reason=reason if math.isnan(value) else None)
