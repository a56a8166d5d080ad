"""One-to-one matching of the errors of two annotators.

The pairs that are worth anything are few, because spans must overlap. A search through the spans in the order of their
starts keeps, for every set of taken errors that later spans can still overlap, the best credits so far.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from assay.span_agreement import Credits, SpanStatistic, check_penalty, severity_class
from assay.types import ErrorSpan

__all__ = ["MatchedErrors", "Pair", "are_same", "best_credits", "overlap", "reward"]


@dataclass(frozen=True, slots=True)
class Pair:
    """What a pair of a predicted and a marked error adds to the credits if it is matched."""

    correct: float
    found: float


@dataclass(frozen=True)
class MatchedErrors(SpanStatistic):
    """Errors matched one to one so that F of the output is highest."""

    penalty: float = 0.0
    """The share of its credit that a pair of different severities loses."""

    def __post_init__(self) -> None:
        check_penalty(self.penalty)

    def credits(self, marked: Sequence[ErrorSpan], predicted: Sequence[ErrorSpan]) -> Credits:
        correct, found = best_credits(predicted, marked, self.pair)
        return Credits(correct, len(predicted), found, len(marked))

    @abstractmethod
    def pair(self, first: ErrorSpan, second: ErrorSpan) -> Pair | None:
        """What a predicted and a marked error add to the credits; None: they cannot be matched."""


def length(error: ErrorSpan) -> int:
    """The number of characters."""
    return (error.end or 0) - (error.start or 0)


def overlap(first: ErrorSpan, second: ErrorSpan) -> int:
    """The number of characters in both; 0 if one is in the source and the other in the output."""
    if first.in_source != second.in_source:
        return 0
    return max(0, min(first.end or 0, second.end or 0) - max(first.start or 0, second.start or 0))


def are_same(first: ErrorSpan, second: ErrorSpan) -> bool:
    """Whether two errors have the same characters."""
    return (first.in_source, first.start, first.end) == (second.in_source, second.start, second.end)


def reward(first: ErrorSpan, second: ErrorSpan, penalty: float) -> float:
    """What is left of the credit of a pair: less if the severities differ; critical is major, as for characters."""
    one, other = (severity_class(error) or error.severity for error in (first, second))
    return 1.0 if not penalty or one == other else 1.0 - penalty


def best_credits(
    predicted: Sequence[ErrorSpan], marked: Sequence[ErrorSpan], pair: Callable[[ErrorSpan, ErrorSpan], Pair | None]
) -> tuple[float, float]:
    """The credits `correct` and `found` of the matching with the highest F of the output.

    F does not follow from the credits of a pair, so all credits that no other matching beats in both are kept until all
    errors are matched (for one number a pair, that is the best matching).
    """
    order = sorted(predicted, key=lambda error: (error.in_source, error.start or 0))
    options = [
        [(k, found) for k, other in enumerate(marked) if (found := pair(error, other)) is not None] for error in order
    ]
    later = [{k for choices in options[i + 1 :] for k, _ in choices} for i in range(len(order))]
    fronts: dict[frozenset[int], list[tuple[float, float]]] = {frozenset(): [(0.0, 0.0)]}
    for choices, reachable in zip(options, later, strict=True):
        if not choices:
            continue
        grown: dict[frozenset[int], list[tuple[float, float]]] = {}
        for taken, front in fronts.items():
            grown.setdefault(taken & reachable, []).extend(front)
            for k, added in choices:
                if k not in taken:
                    moved = [(correct + added.correct, found + added.found) for correct, found in front]
                    grown.setdefault((taken | {k}) & reachable, []).extend(moved)
        fronts = {taken: _undominated(front) for taken, front in grown.items()}
    return max((each for front in fronts.values() for each in front), key=lambda each: _rank(each, predicted, marked))


def _undominated(front: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The credits that no others beat or equal in both numbers."""
    kept: list[tuple[float, float]] = []
    for correct, found in sorted(set(front), reverse=True):
        if not kept or found > kept[-1][1]:
            kept.append((correct, found))
    return kept


def _rank(
    gained: tuple[float, float], predicted: Sequence[ErrorSpan], marked: Sequence[ErrorSpan]
) -> tuple[float, float, float]:
    """F, then the sum of precision and recall, then precision: what the best matching is chosen by."""
    precision, recall = gained[0] / max(len(predicted), 1), gained[1] / max(len(marked), 1)
    total = precision + recall
    return (round(2 * precision * recall / total, 12) if total else 0.0, round(total, 12), precision)
