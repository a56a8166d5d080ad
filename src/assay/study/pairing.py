"""Scores of a metric and of people laid on the same cells, both so that higher is better.

Whatever is compared is compared on the cells that both have: a mean over all segments on one side and over the judged
ones on the other is no comparison (mt-metrics-eval, issue 4).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.agreement import Batch
from assay.errors import AlignmentError, ConfigError, InputError, nearest
from assay.types import FloatArray, IntArray, ScoreTable, Selection, select

__all__ = ["GROUPINGS", "Paired", "each", "pair", "system_scores", "told_if_turned"]

GROUPINGS = ("none", "item", "system", "ranking")
_LEVELS = ("system", "segment")


@dataclass(frozen=True, slots=True, eq=False)
class Paired:
    """Two matrices (system, item) and which of their cells both have; at the system level there is one item."""

    metric: str
    human: str
    level: str
    systems: tuple[str, ...]
    cells: Batch
    covered: npt.NDArray[np.bool_]
    """(system, segment): which segments the values are from; without segments where they were given by system."""
    source: str
    left_out: Mapping[str, str]
    told: tuple[str, ...] = ()
    """What else there is to know, whoever takes part."""
    pairs: npt.NDArray[np.bool_] | None = None
    """(system, system): the pairs of systems that count; None: all."""
    drawn: FloatArray | None = None
    """(draw, system): human scores from judgements that were drawn anew, where there are any; NaN: none."""

    @property
    def segments(self) -> int:
        """How many segments the values are from; 0 where they were given by system."""
        return int(self.covered.any(axis=0).sum())

    @property
    def notes(self) -> tuple[str, ...]:
        """What is special about the values."""
        is_uneven = self.level == "system" and not self.covered[:, self.covered.any(axis=0)].all()
        uneven = "systems are averaged over different segments: not all were scored for all"
        return (*self.told, uneven) if is_uneven else self.told

    def without(self, systems: Collection[str], reason: str) -> Paired:
        """The same with fewer systems."""
        kept = [i for i, name in enumerate(self.systems) if name not in systems]
        gone = {name: reason for name in self.systems if name in systems}
        return replace(
            self,
            systems=tuple(self.systems[i] for i in kept),
            cells=each(self.cells, lambda part: part[kept]),
            covered=self.covered[kept],
            left_out={**self.left_out, **gone},
            pairs=None if self.pairs is None else self.pairs[np.ix_(kept, kept)],
            drawn=None if self.drawn is None else self.drawn[:, kept],
        )

    def remarks(self) -> Iterator[str]:
        """What a reader has to know of the values."""
        yield from Selection((), self.left_out).notes
        if "means" in self.source:
            yield f"system scores: {self.source}"
        yield from self.notes

    def restricted(self, systems: tuple[str, ...], pairs: npt.NDArray[np.bool_]) -> Paired:
        """The same, but only pairs of these systems count that the matrix says."""
        place = {name: i for i, name in enumerate(systems)}
        there = [i for i, name in enumerate(self.systems) if name in place]
        chosen = np.zeros((len(self.systems),) * 2, dtype=np.bool_)
        rows = [place[self.systems[i]] for i in there]
        chosen[np.ix_(there, there)] = pairs[np.ix_(rows, rows)]
        return replace(self, pairs=chosen)

    def batch(self, grouping: str) -> Batch:
        """Vectors to compare. Groups without a cell that both have are left out."""
        found = self.cells
        are_systems = self.level == "system" or grouping == "item"
        if are_systems:
            found = each(found, lambda part: np.ascontiguousarray(part.T))
        elif grouping == "none":
            found = each(found, lambda part: part.reshape(1, -1))
        if self.pairs is not None:
            if not are_systems:
                raise ConfigError(f"with the grouping '{grouping}', what is compared are no pairs of systems")
            found = replace(found, pairs=self.pairs)
        filled = found.given.any(axis=1)
        return found if filled.all() else each(found, lambda part: part[filled])

    @property
    def outputs(self) -> IntArray | None:
        """(group, item) of a batch: the number of the output that is scored there; None: each is there once."""
        return None

    @property
    def drawable(self) -> npt.NDArray[np.intp]:
        """The items that resamples draw from: segments with a cell that both have."""
        return np.flatnonzero(self.cells.given.any(axis=0))

    @property
    def units(self) -> npt.NDArray[np.intp]:
        """Of each group by item: the place among `drawable` of what it is drawn with."""
        return np.arange(len(self.drawable))

    def draw(self, places: IntArray) -> Paired:
        """The same with these items, some of them several times."""
        return replace(self, cells=each(self.cells, lambda part: part[:, places]))


def each(batch: Batch, change: Callable[[Any], Any]) -> Batch:
    """A batch with the same done to all its matrices."""
    return Batch(change(batch.metric), change(batch.human), change(batch.given), batch.pairs)


def pair(
    scores: ScoreTable,
    human: ScoreTable,
    *,
    level: str | None = None,
    systems: Iterable[str] = ("*",),
    exclude: Iterable[str] = (),
) -> Paired:
    """Lay two tables on each other.

    `level` is segment where both tables are by segment, else system. At the system level, tables by system are taken
    as they are; two tables by segment are averaged over the segments that both have, one by itself over its own.
    Systems come in the order of their names, so that no result depends on the order of a file. A reference that the
    metric was given is no system to it.
    """
    chosen = level or ("segment" if scores.level == human.level == "segment" else "system")
    _check(scores, human, chosen)
    names = sorted({*scores.systems, *human.systems})
    selection = select(names, systems=systems, exclude=exclude)
    values = [table.take(selection.systems).oriented for table in (scores, human)]
    absent = _absent(values, selection.systems)
    source, covered = "segments", None
    if chosen == "system":
        values, source, covered = _by_system(scores, human, values)
    given = ~np.isnan(values[0]) & ~np.isnan(values[1])
    paired = Paired(
        metric=scores.name,
        human=human.name,
        level=chosen,
        systems=selection.systems,
        cells=Batch(np.where(given, values[0], 0.0), np.where(given, values[1], 0.0), given),
        covered=given if covered is None else covered,
        source=source,
        left_out=selection.left_out,
        told=told_if_turned(scores),
    )
    paired = paired.without(scores.references, "the reference it would be scored against")
    for reason, names in absent:
        paired = paired.without(names, reason)
    return paired


def told_if_turned(scores: ScoreTable) -> tuple[str, ...]:
    """A metric that is better when lower must not be turned silently: the file or the user may be wrong about it."""
    return () if scores.higher_is_better else ("lower is better, so the scores were turned",)


def system_scores(human: ScoreTable) -> dict[str, float]:
    """A score for each system, higher is better: as given, or the mean over the segments that were judged."""
    if human.level not in _LEVELS:
        raise InputError(f"the scores '{human.name}' are by {human.level}", path=human.origin or None)
    values = human.oriented
    means = values[:, 0] if human.level == "system" else _means(values, ~np.isnan(values))
    return dict(zip(human.systems, means.tolist(), strict=True))


def _check(scores: ScoreTable, human: ScoreTable, level: str) -> None:
    if level not in _LEVELS:
        raise ConfigError(f"unknown level '{level}'", hint=nearest(level, _LEVELS))
    for table in (scores, human):
        if table.level not in _LEVELS:
            raise InputError(f"the scores '{table.name}' are by {table.level}", path=table.origin or None)
        if level == "segment" and table.level != "segment":
            raise InputError(f"the scores '{table.name}' are by system, not by segment", path=table.origin or None)
    if scores.level == human.level == "segment" and scores.values.shape[1] != human.values.shape[1]:
        raise AlignmentError(
            f"'{scores.name}' has {scores.values.shape[1]:,} scores for a system, "
            f"'{human.name}' has {human.values.shape[1]:,}",
            path=scores.origin or None,
        )
    if scores.level == human.level == "segment" and scores.items != human.items:
        raise AlignmentError(
            f"the segments of '{scores.name}' and '{human.name}' do not have the same names",
            path=scores.origin or None,
            hint="number the segments of both from 1",
        )


def _by_system(
    scores: ScoreTable, human: ScoreTable, values: list[FloatArray]
) -> tuple[list[FloatArray], str, npt.NDArray[np.bool_]]:
    """Values (system, 1); in words, where they are from; and the segments that they are from."""
    given = [~np.isnan(part) for part in values]
    if scores.level == human.level == "system":
        return values, "both as given by system", given[0][:, :0]
    if scores.level == human.level:
        common = given[0] & given[1]
        means = [_means(part, common)[:, np.newaxis] for part in values]
        return means, "both as means over the segments that both scored", common
    found, words = [], []
    for who, table, part, there in zip(("the metric", "people"), (scores, human), values, given, strict=True):
        is_by_system = table.level == "system"
        found.append(part if is_by_system else _means(part, there)[:, np.newaxis])
        words.append(f"{who} as given by system" if is_by_system else f"{who} as means over segments")
    return found, ", ".join(words), given[int(scores.level == "system")]


def _means(values: FloatArray, given: npt.NDArray[np.bool_]) -> FloatArray:
    """Of each row, over the given cells; NaN where there is none."""
    return np.array([_mean(row[there].tolist()) for row, there in zip(values, given, strict=True)])


def _mean(scores: list[float]) -> float:
    """By exact sums, so that what is equal stays equal, in any order of the scores.

    Else rounding would order systems that are tied, and a constant metric would correlate.
    """
    if not scores:
        return math.nan
    mean = math.fsum(scores) / len(scores)
    return mean + math.fsum([*scores, *[-mean] * len(scores)]) / len(scores)  # what rounding left


def _absent(values: list[FloatArray], systems: tuple[str, ...]) -> list[tuple[str, list[str]]]:
    """Systems that cannot take part, by the reason."""
    scored, judged = (~np.isnan(part) for part in values)
    reasons: dict[str, list[str]] = {}
    common = scored & judged if scored.shape == judged.shape else scored.any(axis=1) & judged.any(axis=1)
    for i in np.flatnonzero(~common.reshape(len(systems), -1).any(axis=1)):
        why = (
            "no human score" if not judged[i].any() else "no metric score" if not scored[i].any() else "no common cell"
        )
        reasons.setdefault(why, []).append(systems[i])
    return list(reasons.items())
