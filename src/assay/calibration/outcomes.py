"""Outcomes of a pair of systems: which difference is taken, and what counts as a success."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assay.lazily import numpy as np
from assay.results.calibration import AGREES, ALL, SIGNIFICANT
from assay.types import FloatArray, IntArray, Note, NoteKind
from assay.types.note import plural

if TYPE_CHECKING:  # it imports much that answers do not need
    from assay.calibration.options import Key
    from assay.calibration.system_pairs import SystemPairs

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["ORIENTATIONS", "OWN_OUTCOMES", "Observations", "OfLanguagePairs", "observe", "tie_notes"]

ORIENTATIONS = ("by-metric", "absolute", "by-human")
OWN_LEVELS = (0.05, 0.01, 0.001)
"""The levels of the metric's own test, as in Marie 2022."""
OWN_OUTCOMES = {f"metric p<{level:g}": level for level in OWN_LEVELS}
"""Outcomes: the metric's own test is significant at a level."""


class OfLanguagePairs:
    """Pairs of systems, each from one language pair of one campaign."""

    __slots__ = ()

    cluster: IntArray
    """The number of the language pair within its campaign."""
    clusters: tuple[tuple[str, str], ...]
    """The campaign and the language pair of each number."""

    @property
    def campaign(self) -> npt.NDArray[np.str_]:
        """The campaign of each pair."""
        return np.array([name for name, _ in self.clusters])[self.cluster]

    @property
    def lps(self) -> dict[str, tuple[str, ...]]:
        """The language pairs of each campaign that pairs are from."""
        used = [self.clusters[number] for number in np.unique(self.cluster)]
        return {name: tuple(lp for other, lp in used if other == name) for name in dict.fromkeys(n for n, _ in used)}


@dataclass(frozen=True, slots=True, eq=False)
class Observations(OfLanguagePairs):
    """The pairs of a curve: their differences, outcomes, and the language pair and campaign that each is from."""

    x: FloatArray
    y: FloatArray
    opposite: FloatArray
    """1 where people significantly prefer the system that the metric does not prefer, else 0; or shares of samples."""
    systems: IntArray
    """(pair, 2): the numbers of both systems; the same name in another language pair is another system."""
    cluster: IntArray
    """The number of the language pair within its campaign."""
    segments: IntArray
    judged: IntArray
    """The number of judged segments of each system."""
    clusters: tuple[tuple[str, str], ...]
    """The campaign and the language pair of each number."""

    def __len__(self) -> int:
        return len(self.x)

    def take(self, places: IntArray) -> Observations:
        """Some of the pairs."""
        pairs = ("x", "y", "opposite", "systems", "cluster", "segments")
        return replace(self, **{name: getattr(self, name)[places] for name in pairs})


def observe(
    members: Sequence[SystemPairs],
    key: Key,
    outcome: str,
    orientation: str,
    alpha: float,
    *,
    kinds: str = ALL,
    judged_segments: int | None = None,
) -> Observations:
    """The pairs of some kinds of systems with a score of the metric.

    Pairs that the metric ties have no preferred system and are left out. If fewer `judged_segments` are asked for,
    outcomes are shares of samples of so many.
    """
    x, y, opposite, systems, cluster, segments, judged = ([] for _ in range(7))
    clusters = tuple(dict.fromkeys((each.campaign, each.lp) for each in members))
    numbers: dict[tuple[int, str], int] = {}
    for each in members:
        difference = each.differences.get(key)
        if difference is None:
            continue
        first, second = each.significant(alpha, judged_segments).T
        favoured, other = np.where(difference > 0, first, second), np.where(difference > 0, second, first)
        used = ~np.isnan(difference) & (difference != 0) & ~np.isnan(first + second)
        used &= each.are_of_kinds(kinds, difference)
        values, successes = np.abs(difference), favoured
        if outcome == AGREES:
            successes = np.sign(difference) == np.sign(each.human)
        elif outcome != SIGNIFICANT:
            own = each.own_tests.get(key)
            if own is None:
                continue
            successes = own.p_values < OWN_OUTCOMES[outcome]
        elif orientation == "absolute":
            successes = np.minimum(first + second, 1)
        elif orientation == "by-human":
            values, successes = difference * np.sign(each.human), np.minimum(first + second, 1)
        x.append(values[used])
        y.append(successes[used].astype(np.float64))
        opposite.append(other[used])
        place = clusters.index((each.campaign, each.lp))
        systems += [
            [numbers.setdefault((place, name), len(numbers)) for name in each.systems[k]] for k in np.flatnonzero(used)
        ]
        cluster.append(np.full(used.sum(), place))
        segments.append(each.segments[used])
        judged.append([each.judged[name] for name in {name for k in np.flatnonzero(used) for name in each.systems[k]}])
    empty = [np.zeros(0)]
    return Observations(
        np.concatenate(x or empty),
        np.concatenate(y or empty),
        np.concatenate(opposite or empty),
        np.array(systems, dtype=np.int64).reshape(-1, 2),
        np.concatenate(cluster or empty).astype(np.int64),
        np.concatenate(segments or empty).astype(np.int64),
        np.concatenate(judged or empty).astype(np.int64),
        clusters,
    )


def tie_notes(pairs: Iterable[SystemPairs]) -> Iterator[Note]:
    """Notes on pairs that have no outcome, because a metric prefers neither system."""
    ties: dict[Key, int] = {}
    for each in pairs:
        for key, difference in each.differences.items() if each.domain is None else ():
            ties[key] = ties.get(key, 0) + int((difference == 0).sum())
    for key, count in ties.items():
        if count:
            text = f"left out: {plural(count, 'pair')} of systems with the same score"
            yield Note(NoteKind.EXCLUDED, text, " ".join(key), count)
