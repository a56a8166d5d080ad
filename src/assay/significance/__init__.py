"""Tests of whether one system is better than another, one per file; corrections of p-values; clusters of systems.

Every test is one-sided: its p-value is that of "the first system is better", where a higher score is better. (Where a
lower score is better, swap the two systems.) A p-value is above 0 and at most 1; a system and its copy have p = 1.
`compare_in_groups` tests the segments of several domains together, so that every domain counts alike.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypeAlias

from assay.errors import AlignmentError, ConfigError
from assay.lazily import numpy as np
from assay.options.option import TESTS, Option
from assay.registry import Registry
from assay.results import Comparison, Estimate
from assay.results.outcome import Alternative
from assay.significance.stouffer import opposed, stouffer
from assay.types import FloatArray, Scorable, mean_of_defined
from assay.types.runtime import Runtime

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = [
    "ALPHA",
    "ONE_THREAD",
    "Groups",
    "PValue",
    "PValues",
    "SampleTest",
    "Test",
    "option_of_test",
    "score_of",
    "test",
    "values_of_segments",
]

Groups: TypeAlias = "Sequence[npt.NDArray[np.bool_]]"
"""The segments of each group, such as those of each domain; a segment is in one group at most."""

ALPHA = 0.05
"""The default level of significance."""

ONE_THREAD = Runtime(threads=1)
"""A test is too short to be worth more; callers compare many pairs."""


class PValue(NamedTuple):
    """A p-value; NaN where it is undefined, and then `reason` says why."""

    p: float
    reason: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class PValues:
    """(system, system): the p-value of "the row is better than the column"; NaN on the diagonal and where undefined."""

    p: FloatArray
    untested: Mapping[str, int]
    """The number of pairs that could not be tested, by reason."""
    opposed: npt.NDArray[np.bool_] | None = None
    """(system, system): the pairs where some groups favour one system and some the other, where that is lost."""


class Test(ABC):
    """Compares two systems, each given as a scorable of one system."""

    __test__ = False  # keeps pytest from collecting it as a test case

    name: ClassVar[str]
    label: ClassVar[str] = ""
    """The name as the literature writes it; empty: the name itself."""
    is_paired: ClassVar[bool]
    """Whether the test pairs the values of a segment; then only the segments that both systems have count."""
    keeps_level: ClassVar[bool] = True
    """Whether equal systems are found to differ about as often as the level says, not more often."""

    @property
    def smallest_p(self) -> float:
        """No p-value of the test can be lower; above 0 for a test that draws."""
        return 0.0

    def compare(self, first: Scorable, second: Scorable) -> Comparison:
        """The difference of the two scores and the p-value of "first is better".

        Paired tests use the segments that count for both systems, unpaired ones all that count for each.
        """
        for scorable in (first, second):
            if len(scorable.systems) != 1:
                raise AlignmentError(f"a test compares single systems, not {len(scorable.systems)} at once")
        if self.is_paired:
            first, second = _on_common_segments(first, second)
        outcome = self.p_value(first, second)
        n = int(first.mask.sum()) + (0 if self.is_paired else int(second.mask.sum()))
        difference = score_of(first) - score_of(second)
        reason = outcome.reason
        if reason is None and math.isnan(difference):
            reason = "a score is undefined"
        estimate = Estimate(difference, n, reason=reason)
        return Comparison(first.systems[0], second.systems[0], estimate, outcome.p, test.spec(self))

    @abstractmethod
    def p_value(self, first: Scorable, second: Scorable) -> PValue:
        """The p-value. For a paired test, both scorables have the same segments, and all of them count."""

    def both_p_values(self, first: Scorable, second: Scorable) -> tuple[PValue, PValue]:
        """The p-values of "first is better" and of "second is better", for scorables as `p_value` takes them."""
        return self.p_value(first, second), self.p_value(second, first)

    def compare_all(self, systems: Scorable) -> PValues:
        """The p-values of all pairs of systems, the same as `compare` gives for each."""
        alone = [systems.system(name) for name in systems.systems]

        def both_p_values(i: int, j: int) -> tuple[PValue, PValue]:
            first, second = alone[i], alone[j]
            if self.is_paired:
                first, second = _on_common_segments(first, second)
            return self.both_p_values(first, second)

        return _of_all_pairs(len(alone), both_p_values)

    def compare_in_groups(self, systems: Scorable, groups: Groups, alternative: Alternative = "better") -> PValues:
        """The p-values of all pairs of systems, whose scores are means of the means of groups of segments.

        Each group is tested by itself, and the p-values are combined by Stouffer's method. Two-sided p-values have no
        sign, so the pairs whose groups are `opposed` are marked.
        """
        parts = [systems.take(np.flatnonzero(group)) for group in groups]
        means = np.stack([part.values(ONE_THREAD) for part in parts])
        return _combined([self.compare_all(part) for part in parts], means, alternative)


class SampleTest(Test):
    """A test of two samples: the values by segment whose means are the scores."""

    compares: ClassVar[str] = "something else"
    """What it compares: means, as a t-test does, or ranks. Power is known for means only."""

    def p_value(self, first: Scorable, second: Scorable) -> PValue:
        return self.p_value_of_samples(self._sample(first), self._sample(second))

    def both_p_values(self, first: Scorable, second: Scorable) -> tuple[PValue, PValue]:
        return self.both_p_values_of_samples(self._sample(first), self._sample(second))

    def _sample(self, scorable: Scorable) -> FloatArray:
        return values_of_segments(self, scorable)[scorable.mask]

    def compare_ratings(self, ratings: FloatArray, groups: Groups, alternative: Alternative = "better") -> PValues:
        """As `compare_in_groups`, where segments have several ratings (rating, system, segment); NaN is no rating.

        A paired test compares every rating of one system with every rating of the other of the same segment, as WMT24
        and WMT25 do. The ratings of a segment depend on each other, so that p is too low.
        """
        parts = [ratings[:, :, group] for group in groups]
        found = [self._compare_ratings(part) for part in parts]
        means = np.stack([mean_of_defined(np.concatenate(list(part), axis=1), axis=1) for part in parts])
        return _combined(found, means, alternative)

    def _compare_ratings(self, ratings: FloatArray) -> PValues:
        def both_p_values(i: int, j: int) -> tuple[PValue, PValue]:
            first, second = ratings[:, i], ratings[:, j]
            if self.is_paired:
                first, second = np.broadcast_arrays(first[:, np.newaxis], second)
                is_pair = ~np.isnan(first) & ~np.isnan(second)
                return self.both_p_values_of_samples(first[is_pair], second[is_pair])
            return self.both_p_values_of_samples(first[~np.isnan(first)], second[~np.isnan(second)])

        return _of_all_pairs(ratings.shape[1], both_p_values)

    @abstractmethod
    def p_value_of_samples(self, first: FloatArray, second: FloatArray) -> PValue:
        """The p-value from values without NaN; paired samples have the same length."""

    def both_p_values_of_samples(self, first: FloatArray, second: FloatArray) -> tuple[PValue, PValue]:
        """The p-values of both directions; a test may have a quicker way than to compute each."""
        return self.p_value_of_samples(first, second), self.p_value_of_samples(second, first)


def values_of_segments(test: Test, scorable: Scorable) -> FloatArray:
    """The values (system, segment) whose mean is the score, NaN where masked. Other scores are a `ConfigError`."""
    values = scorable.segment_values
    if values is None:
        raise ConfigError(
            f"{test.name} compares values of segments, but the score of '{scorable.systems[0]}' is not a mean of "
            "segment values",
            hint="use randomisation, or compare means of segment scores",
        )
    return values


def score_of(scorable: Scorable) -> float:
    """The score of a scorable's only system."""
    return float(scorable.values(ONE_THREAD)[0])


def _of_all_pairs(size: int, both_p_values: Callable[[int, int], tuple[PValue, PValue]]) -> PValues:
    """The p-values of all pairs of systems, from those of both directions of each pair."""
    p_values = np.full((size, size), np.nan)
    untested: Counter[str] = Counter()
    for i, j in combinations(range(size), 2):
        better, worse = both_p_values(i, j)
        p_values[i, j], p_values[j, i] = better.p, worse.p
        untested.update([reason] if (reason := better.reason or worse.reason) else [])
    return PValues(p_values, untested)


def _combined(groups: Sequence[PValues], means: FloatArray, alternative: Alternative) -> PValues:
    """The p-values of several groups, of which the systems have these means (group, system), as one."""
    if len(groups) == 1 and alternative == "better":
        return groups[0]
    combined = stouffer(np.stack([each.p for each in groups]), alternative)
    untested = int(np.isnan(combined[np.triu_indices(len(combined), k=1)]).sum())
    reasons = "; ".join(dict.fromkeys(reason for each in groups for reason in each.untested))
    return PValues(
        combined, {reasons: untested} if untested else {}, opposed(means) if alternative == "two-sided" else None
    )


def _on_common_segments(first: Scorable, second: Scorable) -> tuple[Scorable, Scorable]:
    sizes = first.table.shape[1], second.table.shape[1]
    if sizes[0] != sizes[1]:
        raise AlignmentError(
            f"'{first.systems[0]}' has {sizes[0]:,} segments and '{second.systems[0]}' has {sizes[1]:,}: "
            "a paired test needs the same segments"
        )
    common = np.flatnonzero(first.mask[0] & second.mask[0])
    return first.take(common), second.take(common)


test: Registry[Test] = Registry("test", __name__, entry_point_group="assay.tests")


def option_of_test(help_text: str, *, group: str = TESTS, default: str = "") -> Option:
    """An option whose value is the spec of a test."""
    return Option(
        help_text,
        group=group,
        metavar="SPEC",
        default=default,
        check=lambda _, spec: test.check(spec),
        names=test.names,
        lists_names=True,
    )
