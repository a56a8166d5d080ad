"""The value over parts of the systems: the best N, windows of neighbours, all but one, random ones."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt

from assay.agreement import Statistic
from assay.agreement import statistic as statistic_registry
from assay.errors import ConfigError, UnknownNameError, nearest
from assay.resample import MOST_RESAMPLES, MOST_SEED, check_whole
from assay.results import Curve, Estimate, Point, Subsamples
from assay.study.agreeing import values_of_parts
from assay.study.pairing import Paired

__all__ = ["KINDS", "Parts", "RandomParts", "Subsampling", "Top", "Windows", "WithoutOne", "over_all"]

_LEAST = 4  # as Mathur et al. do
_FEWEST = 2  # systems that can be compared at all
_AT_ONCE = 1 << 14  # draws; so that memory does not grow with their number


@dataclass(frozen=True, slots=True)
class Top:
    """The N systems that people like best, for N from all of them down to `least`."""

    kind: ClassVar[str] = "top"
    least: int = _LEAST

    @property
    def fewest(self) -> int:
        """How many systems a metric must have scored."""
        return self.least

    def check(self, systems: int) -> None:
        """Refuse what cannot be asked of so many systems."""
        _check_size("least", self.least, systems)

    def curve(self, statistic: Statistic, paired: Paired) -> Curve:
        """From all systems to the best."""
        self.check(len(paired.systems))
        order = _best_first(paired)
        sizes = range(len(order), self.least - 1, -1)
        return _curve(self.kind, statistic, paired, [(f"top {size}", order[:size]) for size in sizes])


@dataclass(frozen=True, slots=True)
class Windows:
    """`size` neighbours in the order of the human scores."""

    kind: ClassVar[str] = "windows"
    size: int = _LEAST

    @property
    def fewest(self) -> int:
        """How many systems a metric must have scored."""
        return self.size

    def check(self, systems: int) -> None:
        """Refuse what cannot be asked of so many systems."""
        _check_size("size", self.size, systems)

    def curve(self, statistic: Statistic, paired: Paired) -> Curve:
        """From the worst systems to the best."""
        self.check(len(paired.systems))
        order, size = _best_first(paired), self.size
        starts = range(len(order) - size, -1, -1)
        parts = [(f"ranks {start + 1}-{start + size}", order[start : start + size]) for start in starts]
        return _curve(self.kind, statistic, paired, parts)


@dataclass(frozen=True, slots=True)
class WithoutOne:
    """All systems but one."""

    kind: ClassVar[str] = "without-one"
    fewest: ClassVar[int] = _FEWEST + 1

    def check(self, systems: int) -> None:
        """Refuse what cannot be asked of so many systems."""
        if systems < self.fewest:
            raise ConfigError(f"leaving one out takes at least {self.fewest} systems, not {systems}")

    def curve(self, statistic: Statistic, paired: Paired) -> Curve:
        """Without the best system first, without the worst last."""
        self.check(len(paired.systems))
        order = _best_first(paired)
        parts = [(f"without {paired.systems[i]}", order[order != i]) for i in order]
        return _curve(self.kind, statistic, paired, parts)


@dataclass(frozen=True, slots=True)
class RandomParts:
    """`draws` of `size` systems: without the outliers, with each of them, and with all."""

    kind: ClassVar[str] = "subsamples"
    size: int
    outliers: tuple[str, ...] = ()
    draws: int = 1000
    seed: int = 12345

    @property
    def fewest(self) -> int:
        """How many systems a metric must have scored."""
        return self.size + len(self.outliers)

    def check(self, systems: int) -> None:
        """Refuse what cannot be asked of so many systems."""
        check_whole("draws", self.draws, 1, MOST_RESAMPLES)
        check_whole("seed", self.seed, 0, MOST_SEED)
        what = "the number of systems that are no outliers" if self.outliers else "the number of systems"
        smallest = max(_FEWEST, len(self.outliers) + 1)
        _check_size("size", self.size, systems - len(self.outliers), smallest=smallest, what=what)

    def casts(self, statistic: Statistic, paired: Paired) -> tuple[Subsamples, ...]:
        """The same seed draws the same parts for every metric that has the same systems."""
        _check_names(self.outliers, paired.systems)
        self.check(len(paired.systems))
        casts = dict.fromkeys([(), *((name,) for name in self.outliers), self.outliers])
        return tuple(self._cast(statistic, paired, always) for always in casts)

    def _cast(self, statistic: Statistic, paired: Paired, always: tuple[str, ...]) -> Subsamples:
        usual = [i for i, name in enumerate(paired.systems) if name not in self.outliers]
        random = np.random.Generator(np.random.PCG64(self.seed))
        found = []
        for first in range(0, self.draws, _AT_ONCE):
            order = np.argsort(random.random((min(_AT_ONCE, self.draws - first), len(usual))), axis=1, kind="stable")
            parts = np.zeros((len(order), len(paired.systems)), dtype=np.bool_)
            np.put_along_axis(parts, np.array(usual)[order[:, : self.size - len(always)]], True, axis=1)
            parts[:, [paired.systems.index(name) for name in always]] = True
            found.append(values_of_parts(statistic, paired, parts))
        return Subsamples(
            metric=paired.metric,
            human=paired.human,
            statistic=statistic_registry.spec(statistic),
            always=always,
            drawn_from=tuple(paired.systems[i] for i in usual),
            size=self.size,
            values=np.concatenate([block.values for block in found]),
            seed=self.seed,
            why_undefined=found[0].reason,
        )


@dataclass(frozen=True, slots=True)
class Subsampling:
    """Random parts of which some is left open: the outliers (those found by median and MAD), and the size (half)."""

    kind: ClassVar[str] = "subsamples"
    size: int | None = None
    outliers: tuple[str, ...] | None = None
    draws: int = 1000
    seed: int = 12345

    def fitted(self, systems: tuple[str, ...], outliers: tuple[str, ...]) -> RandomParts:
        """For these systems and those found to be outliers: half of those that are no outliers."""
        named = tuple(dict.fromkeys(outliers if self.outliers is None else self.outliers))
        _check_names(named, systems)
        half = max((len(systems) - len(named)) // 2, _FEWEST + 1, len(named) + 1)  # of two, a correlation is 1 or -1
        return RandomParts(half if self.size is None else self.size, named, self.draws, self.seed)


Parts: TypeAlias = Top | Windows | WithoutOne | RandomParts
KINDS: dict[str, type[Top | Windows | WithoutOne | Subsampling]] = {
    each.kind: each for each in (Top, Windows, WithoutOne, Subsampling)
}


def over_all(statistic: Statistic, paired: Paired) -> Estimate:
    """The value over all systems."""
    return _curve("all", statistic, paired, []).whole


def _check_names(outliers: tuple[str, ...], systems: tuple[str, ...]) -> None:
    for name in outliers:
        if name not in systems:
            raise UnknownNameError(f"no system is called '{name}'", hint=nearest(name, systems))


def _check_size(
    name: str, size: int, systems: int, *, smallest: int = _FEWEST, what: str = "the number of systems"
) -> None:
    """That a part has enough systems to compare, and no more than there are."""
    if not smallest <= size <= systems:
        raise ConfigError(f"{name} must be between {smallest} and {what}, {systems}, not {size}")


def _best_first(paired: Paired) -> npt.NDArray[np.intp]:
    """Places of the systems in the order of the human scores; ties go by name, as the systems do."""
    return np.argsort(-paired.cells.human[:, 0], kind="stable")


def _curve(kind: str, statistic: Statistic, paired: Paired, parts: list[tuple[str, npt.NDArray[np.intp]]]) -> Curve:
    members = np.zeros((1 + len(parts), len(paired.systems)), dtype=np.bool_)
    members[0] = True
    for row, (_, places) in enumerate(parts, 1):
        members[row, places] = True
    found = values_of_parts(statistic, paired, members)
    estimates = [_estimate(value, int(n), found.reason) for value, n in zip(found.values, members.sum(1), strict=True)]
    points = [
        Point(label, tuple(paired.systems[i] for i in places), estimate)
        for (label, places), estimate in zip(parts, estimates[1:], strict=True)
    ]
    spec = statistic_registry.spec(statistic)
    return Curve(kind, paired.metric, paired.human, spec, estimates[0], tuple(points))


def _estimate(value: float, n: int, reason: str) -> Estimate:
    return Estimate(float(value), n, reason=reason if math.isnan(value) else None)
