"""Decisions by a metric between two systems, and their errors by human judgement (Mathur et al. 2020, section 5).

A decision *accepts* the system that the metric prefers, if the difference is significant or large enough, or else
rejects it. Accepting a system that people do not find significantly better is an error of type I; rejecting one of two
systems that people find significantly different is an error of type II. (The abstract of the paper uses the names in
this way, its section 5 the other way around.)
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

from assay.calibration.options import Key
from assay.calibration.system_pairs import SystemPairs, score_keys
from assay.lazily import numpy as np
from assay.results import DecisionBin, Decisions, ErrorOverlap, Estimate, MetricDecisions, RuleErrors, Sides
from assay.types import FloatArray, Mask, Note, NoteKind

__all__ = ["BOUNDS", "MetricPairs", "compare_errors", "decide", "decide_all", "sides_with_people"]

BOUNDS = (0.05, 0.1, 0.2)
"""The rates of an error that thresholds are given for."""
_EDGES = (3.0, 5.0, 10.0)
"""For metrics from 0 to 100: 3 and 5 are the paper's, 10 is ours."""


def decide_all(
    pairs: Sequence[SystemPairs],
    alpha: float,
    edges: Sequence[float],
    settings: Mapping[str, str],
    notes: Sequence[Note],
) -> Decisions:
    """The decisions of all metrics for each protocol: human differences of two protocols have different scales."""
    metrics: list[MetricDecisions] = []
    overlaps: list[ErrorOverlap] = []
    sides: list[Sides] = []
    notes = list(notes)
    for protocol in dict.fromkeys(each.protocol for each in pairs):
        judged = [each for each in pairs if each.protocol == protocol]
        by_metric = {key: MetricPairs.of(judged, key, alpha) for key in score_keys(judged)}
        metrics += [decide(each, edges) for each in by_metric.values()]
        overlaps += compare_errors(by_metric)
        sides += sides_with_people(by_metric)
        for each in by_metric.values():
            where = f"{' '.join(each.key)}, {protocol}"
            if each.untested:
                text = "left out: pairs of systems without segment scores, which a test of the metric needs"
                notes.append(Note(NoteKind.EXCLUDED, text, where, each.untested))
            elif each.significant is None and each.key[1] != "bootstrap":
                notes.append(Note(NoteKind.MISSING, "a test of the metric needs segment scores", where))
    return Decisions(settings, tuple(metrics), tuple(overlaps), tuple(sides), notes=tuple(notes))


@dataclass(frozen=True, slots=True, eq=False)
class MetricPairs:
    """All pairs of systems, oriented by one metric: positive differences and scores favour the system it prefers."""

    key: Key
    protocol: str
    difference: FloatArray
    """The absolute difference of the metric; NaN: no score."""
    sign: FloatArray
    """1 if the metric prefers the first system, -1 if the second, 0 for a tie."""
    human: FloatArray
    """The human difference in favour of the preferred system."""
    better: Mask
    """People find the preferred system significantly better."""
    worse: Mask
    p: FloatArray
    """The p-value of "the preferred system is better" by human judgement."""
    significant: Mask | None
    """The metric's own test is significant; None: it is not known for any pair."""
    untested: int
    """Pairs that are left out (their difference is NaN) because this test is not known for them."""
    own_tests: tuple[str, ...]
    """The names of the metric's own test; there may be one for computed and one for stored scores."""

    @classmethod
    def of(cls, pairs: Sequence[SystemPairs], key: Key, alpha: float) -> MetricPairs:
        """The pairs of all campaigns with one protocol, pooled."""
        missing = [np.full(len(each), math.nan) for each in pairs]
        difference = np.concatenate([each.differences.get(key, nan) for each, nan in zip(pairs, missing, strict=True)])
        tests = [each.own_tests.get(key) for each in pairs]
        p_values_of = (nan if test is None else test.p_values for test, nan in zip(tests, missing, strict=True))
        own = np.concatenate([*p_values_of])
        is_tested = not np.isnan(own).all()
        untested = ~np.isnan(difference) & np.isnan(own) & is_tested
        difference = np.where(untested, math.nan, difference)
        human, p_values = (np.concatenate([getattr(each, name) for each in pairs]) for name in ("human", "p_values"))
        sign = np.sign(np.nan_to_num(difference))
        is_reversed = sign < 0
        first, second = p_values[:, 0] < alpha, p_values[:, 1] < alpha
        return cls(
            key,
            pairs[0].protocol,
            np.abs(difference),
            sign,
            human * np.where(is_reversed, -1, 1),
            np.where(is_reversed, second, first),
            np.where(is_reversed, first, second),
            np.where(is_reversed, p_values[:, 1], p_values[:, 0]),
            own < alpha if is_tested else None,
            int(untested.sum()),
            tuple(dict.fromkeys(test.name for test in tests if test is not None)) if is_tested else (),
        )

    def where(self, rows: Mask) -> MetricPairs:
        """Some of the pairs."""
        significant = None if self.significant is None else self.significant[rows]
        return replace(
            self,
            difference=self.difference[rows],
            sign=self.sign[rows],
            human=self.human[rows],
            better=self.better[rows],
            worse=self.worse[rows],
            p=self.p[rows],
            significant=significant,
        )

    @property
    def has_score(self) -> Mask:
        """The pairs that the metric has scores of."""
        return ~np.isnan(self.difference)


def decide(pairs: MetricPairs, edges: Sequence[float] | None = None) -> MetricDecisions:
    """The outcomes in bins of the difference, and the errors of every rule."""
    pairs = pairs.where(pairs.has_score)
    edges = tuple(edges) if edges else _default_edges(pairs)
    rules = [] if pairs.significant is None else [_errors(pairs, pairs.significant, "significant", math.nan)]
    rules += [_errors(pairs, pairs.difference >= edge, f"at least {edge:g}", edge) for edge in edges]
    return MetricDecisions(
        *pairs.key,
        pairs.protocol,
        len(pairs.difference),
        tuple(_bins(pairs, edges)),
        tuple(rules),
        *_bounds(pairs),
        own_tests=pairs.own_tests,
    )


def _default_edges(pairs: MetricPairs) -> tuple[float, ...]:
    """The paper's; if no difference reaches the first of them, the quartiles of the differences, to two digits."""
    if pairs.difference.max(initial=0.0) >= _EDGES[0]:
        return _EDGES
    quartiles = np.quantile(pairs.difference, (0.25, 0.5, 0.75)) if len(pairs.difference) else np.zeros(0)
    return tuple(edge for edge in dict.fromkeys(float(f"{value:.2g}") for value in quartiles) if edge > 0)


def _bins(pairs: MetricPairs, edges: Sequence[float]) -> Iterator[DecisionBin]:
    counted = np.ones(len(pairs.difference), dtype=np.bool_) if pairs.significant is None else pairs.significant
    if pairs.significant is not None:
        yield _bin("not significant", pairs.where(~pairs.significant))
    for low, high in pairwise((0.0, *edges, math.inf)):
        within = counted & (pairs.difference >= low) & (pairs.difference < high)
        yield _bin(f"{low:g} to {high:g}" if high < math.inf else f"{low:g} and more", pairs.where(within))


def _bin(label: str, pairs: MetricPairs) -> DecisionBin:
    better, worse = int(pairs.better.sum()), int(pairs.worse.sum())
    quartiles = np.quantile(pairs.human, (0.25, 0.5, 0.75)) if len(pairs.human) else np.full(3, math.nan)
    low, middle, high = map(float, quartiles)
    outcome = pairs.better.astype(np.float64) - pairs.worse
    observed = np.stack([pairs.difference, pairs.human, pairs.p, outcome], axis=1)
    return DecisionBin(label, worse, len(pairs.human) - better - worse, better, (low, middle, high), observed)


def _errors(pairs: MetricPairs, accepted: Mask, rule: str, threshold: float) -> RuleErrors:
    undecided = ~pairs.better & ~pairs.worse
    return RuleErrors(
        rule,
        threshold,
        accepted=int(accepted.sum()),
        accepted_undecided=int((accepted & undecided).sum()),
        accepted_worse=int((accepted & pairs.worse).sum()),
        rejected=int((~accepted).sum()),
        rejected_different=int((~accepted & ~undecided).sum()),
    )


def _bounds(pairs: MetricPairs) -> tuple[dict[float, Estimate], dict[float, Estimate]]:
    """The smallest threshold with a rate of type I errors no higher than a bound, and the largest one for type II."""
    thresholds = np.unique(pairs.difference)
    errors = [_errors(pairs, pairs.difference >= threshold, "", float(threshold)) for threshold in thresholds]
    first = [(each.type_1_rate, each.threshold, each.accepted) for each in errors]
    second = [(each.type_2_rate, each.threshold, each.rejected) for each in reversed(errors)]
    return {rate: _bound(first, rate) for rate in BOUNDS}, {rate: _bound(second, rate) for rate in BOUNDS}


def _bound(rates: Sequence[tuple[float, float, int]], highest: float) -> Estimate:
    """The first threshold whose rate is not higher, and the number of pairs that the rate is of."""
    for rate, threshold, n in rates:
        if rate <= highest:
            return Estimate(threshold, n)
    lowest = min((rate for rate, _, _ in rates if not math.isnan(rate)), default=math.nan)
    reason = "no pair is rejected" if math.isnan(lowest) else f"the lowest rate is {lowest:.3f}"
    return Estimate(math.nan, 0, reason=f"no threshold: {reason}")


def compare_errors(all_pairs: Mapping[Key, MetricPairs]) -> Iterator[ErrorOverlap]:
    """The errors that metrics share, by their own tests, among the pairs that all of them decide."""
    tested = {" ".join(key): pairs for key, pairs in all_pairs.items() if pairs.significant is not None}
    if len(tested) < 2:
        return
    common = np.logical_and.reduce([pairs.has_score for pairs in tested.values()])
    decided = [(pairs, pairs.significant) for pairs in tested.values() if pairs.significant is not None]
    wrong_pairs = [np.where(accepted, ~pairs.better, pairs.better | pairs.worse)[common] for pairs, accepted in decided]
    reversed_pairs = [(accepted & pairs.worse)[common] for pairs, accepted in decided]
    wrong, reversals = (np.array(found).astype(np.int64) for found in (wrong_pairs, reversed_pairs))
    yield ErrorOverlap(
        tuple(tested),
        next(iter(tested.values())).protocol,
        wrong @ wrong.T,
        reversals @ reversals.T,
        int(common.sum()),
        int(wrong.all(axis=0).sum()),
        int(wrong.any(axis=0).sum()),
    )


def sides_with_people(all_pairs: Mapping[Key, MetricPairs]) -> Iterator[Sides]:
    """For each two metrics, the pairs in which they prefer different systems."""
    for first, second in combinations(all_pairs.values(), 2):
        differ = (first.sign * second.sign < 0) & first.has_score & second.has_score
        yield Sides(
            " ".join(first.key),
            " ".join(second.key),
            first.protocol,
            int(differ.sum()),
            int((differ & first.better).sum()),
            int((differ & second.better).sum()),
        )
