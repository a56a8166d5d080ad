"""The two systems of a comparison that a chart is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.charts import find
from assay.errors import ConfigError, UnknownNameError, nearest
from assay.results import ComparedMetric, ComparedPair, Outcome, Result, SystemComparison

__all__ = ["PairOfSystems", "leader", "select_pair"]


@dataclass(frozen=True, slots=True)
class PairOfSystems:
    """Two systems, and their differences (first minus second) under each metric and aggregation."""

    first: str
    second: str
    comparison: SystemComparison
    differences: tuple[tuple[ComparedMetric, ComparedPair], ...]


_LEADERS = {Outcome.BETTER: "first", Outcome.WORSE: "second"}


def leader(pair: ComparedPair) -> str | None:
    """`first` or `second`: the system that is shown to be better; None if no difference is shown."""
    return _LEADERS.get(pair.outcome)


def select_pair(results: Sequence[Result], first: str, second: str) -> PairOfSystems | None:
    """The pair of these systems, in this order; of the first pair, if they are left out."""
    comparison = find(SystemComparison, results)
    if comparison is None or not comparison.pairs:
        return None
    known = list(dict.fromkeys(name for pair in comparison.pairs for name in (pair.first, pair.second)))
    for name in filter(None, (first, second)):
        if name not in known:
            raise UnknownNameError(f"no system is called '{name}'", hint=nearest(name, known))
    if first and first == second:
        raise ConfigError(f"first and second are the same system: '{first}'")
    for pair in comparison.pairs:
        for candidate in ((pair.first, pair.second), (pair.second, pair.first)):
            if all(wanted in ("", name) for wanted, name in zip((first, second), candidate, strict=True)):
                found = tuple((metric, metric.pair(*candidate)) for metric in comparison.metrics)
                return PairOfSystems(*candidate, comparison, found)
    raise UnknownNameError(f"{first} was not compared with {second}", hint="compare all pairs of systems")
