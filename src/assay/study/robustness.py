"""What an agreement rests on: the best systems, windows of neighbours, random parts, all but one.

After Mathur et al. 2020, "Tangled up in BLEU": a correlation over all systems may come from one that is far from the
others, and may be gone among those that are good. Everything here is at the system level.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from assay.agreement import Statistic
from assay.agreement import statistic as statistic_registry
from assay.errors import ConfigError, UnknownNameError, nearest
from assay.results import Curve, Estimate, Point, Subsamples
from assay.study.agreeing import values_of_parts
from assay.study.pairing import Paired, pair
from assay.types import ScoreTable

__all__ = ["leave_one_out", "rolling", "subsample", "top_n"]

_LEAST = 4


def top_n(
    scores: ScoreTable,
    human: ScoreTable,
    statistic: str | Statistic = "pearson",
    *,
    least: int = _LEAST,
    systems: Iterable[str] = ("*",),
    exclude: Iterable[str] = (),
) -> Curve:
    """The value over the N systems that people like best, for N from all of them down to `least`."""
    chosen, paired, order = _prepared(scores, human, statistic, systems, exclude)
    _check_size("least", least, len(order), smallest=2)
    sizes = range(len(order), least - 1, -1)
    return _curve("top", chosen, paired, [(f"top {size}", order[:size]) for size in sizes])


def rolling(
    scores: ScoreTable,
    human: ScoreTable,
    statistic: str | Statistic = "pearson",
    *,
    size: int = _LEAST,
    systems: Iterable[str] = ("*",),
    exclude: Iterable[str] = (),
) -> Curve:
    """The value over `size` neighbours in the order of the human scores, from the worst to the best."""
    chosen, paired, order = _prepared(scores, human, statistic, systems, exclude)
    _check_size("size", size, len(order), smallest=2)
    starts = range(len(order) - size, -1, -1)
    windows = [(f"ranks {start + 1}-{start + size}", order[start : start + size]) for start in starts]
    return _curve("window", chosen, paired, windows)


def leave_one_out(
    scores: ScoreTable,
    human: ScoreTable,
    statistic: str | Statistic = "pearson",
    *,
    systems: Iterable[str] = ("*",),
    exclude: Iterable[str] = (),
) -> Curve:
    """The value without each system in turn; the difference from `whole` is the system's influence."""
    chosen, paired, order = _prepared(scores, human, statistic, systems, exclude)
    others = [(f"without {paired.systems[i]}", order[order != i]) for i in order]
    return _curve("leave-one-out", chosen, paired, others)


def subsample(
    scores: ScoreTable,
    human: ScoreTable,
    statistic: str | Statistic = "pearson",
    *,
    size: int,
    outliers: Iterable[str] = (),
    draws: int = 1000,
    seed: int = 12345,
    systems: Iterable[str] = ("*",),
    exclude: Iterable[str] = (),
) -> tuple[Subsamples, ...]:
    """The value over random parts of `size` systems: without the named outliers, with each of them, and with all.

    An outlier that takes part is in every draw, and the others are drawn from the systems that are no outliers. The
    same seed draws the same parts for every metric that has the same systems.
    """
    chosen, paired, _ = _prepared(scores, human, statistic, systems, exclude)
    named = tuple(dict.fromkeys(outliers))
    for name in named:
        if name not in paired.systems:
            raise UnknownNameError(f"no system is called '{name}'", hint=nearest(name, paired.systems))
    if draws < 1:
        raise ConfigError(f"draws must be at least 1, not {draws}")
    casts = dict.fromkeys([(), *((name,) for name in named), named])
    return tuple(_subsamples(chosen, paired, always, named, size, draws, seed) for always in casts)


def _subsamples(
    statistic: Statistic,
    paired: Paired,
    always: tuple[str, ...],
    outliers: tuple[str, ...],
    size: int,
    draws: int,
    seed: int,
) -> Subsamples:
    usual = [i for i, name in enumerate(paired.systems) if name not in outliers]
    _check_size("size", size, len(usual) + len(always), smallest=max(2, len(always) + 1))
    random = np.random.Generator(np.random.PCG64(seed))
    places = np.argsort(random.random((draws, len(usual))), axis=1, kind="stable")[:, : size - len(always)]
    parts = np.zeros((draws, len(paired.systems)), dtype=np.bool_)
    np.put_along_axis(parts, np.array(usual)[places], True, axis=1)
    parts[:, [paired.systems.index(name) for name in always]] = True
    return Subsamples(
        metric=paired.metric,
        human=paired.human,
        statistic=statistic_registry.spec(statistic),
        always=always,
        drawn_from=tuple(paired.systems[i] for i in usual),
        size=size,
        values=values_of_parts(statistic, paired, parts).values,
        seed=seed,
    )


def _prepared(
    scores: ScoreTable,
    human: ScoreTable,
    statistic: str | Statistic,
    systems: Iterable[str],
    exclude: Iterable[str],
) -> tuple[Statistic, Paired, npt.NDArray[np.intp]]:
    """The statistic, both scores of each system, and the places of the systems from best to worst (ties: by name)."""
    chosen = statistic_registry.create(statistic) if isinstance(statistic, str) else statistic
    if "system" not in chosen.levels:
        raise ConfigError(f"{chosen.name} is not defined at the system level")
    paired = pair(scores, human, level="system", systems=systems, exclude=exclude)
    return chosen, paired, np.argsort(-paired.cells.human[:, 0], kind="stable")


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


def _check_size(name: str, size: int, systems: int, *, smallest: int) -> None:
    if not smallest <= size <= systems:
        raise ConfigError(f"{name} must be between {smallest} and the number of systems, {systems}, not {size}")
