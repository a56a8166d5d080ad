"""The errors that raters marked in the outputs (MQM, ESA), by system and segment of another test set."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.types import Campaign, ErrorSpan, Ratings, TestSet

__all__ = ["MarkedErrors", "marked_errors"]

_ORDINARY = "TGT"


@dataclass(frozen=True, slots=True, eq=False)
class MarkedErrors:
    """The errors of a test set."""

    tree: Mapping[str, Any]
    """As the viewer reads them: the names of severities, categories and raters, and for each system by segment (from 0)
    a list of [start, end, in source, severity, category, rater], where start and end are None without a position."""
    outputs: int
    """How many outputs were rated."""
    elsewhere: int
    """How many rated outputs of its systems are not among those of the test set."""


def marked_errors(campaigns: Iterable[Campaign], testset: TestSet) -> MarkedErrors | None:
    """The errors in the outputs of a test set; None without any rating of errors.

    A rated output is found by its text, because files of ratings often number segments in their own way: first in the
    segment of the same number, then anywhere in the outputs of the system.
    """
    names: dict[str, dict[str, int]] = {"severities": {}, "categories": {}, "raters": {}}
    systems: dict[str, dict[int, list[list[int | None]]]] = {}
    seen: set[tuple[str, int]] = set()
    lost: set[tuple[str, int]] = set()
    for ratings, find in _rated(campaigns, testset):
        for row in range(len(ratings)):
            system = ratings.systems[ratings.system[row]]
            place = find(system, int(ratings.segment[row]))
            if place is None:
                lost.update([(system, int(ratings.segment[row]))] if system in testset.outputs else ())
                continue
            seen.add((system, place))
            rater = _number(names["raters"], ratings.raters[ratings.rater[row]])
            errors = systems.setdefault(system, {}).setdefault(place, [])
            errors += ([*_span(error, names), rater] for error in ratings.errors[row])
    if not seen:
        return None
    tree = {kind: list(numbers) for kind, numbers in names.items()}
    return MarkedErrors({**tree, "systems": systems}, len(seen), len(lost))


def _span(error: ErrorSpan, names: Mapping[str, dict[str, int]]) -> Iterator[int | None]:
    yield from (error.start, error.end, int(error.in_source))
    yield _number(names["severities"], error.severity)
    yield _number(names["categories"], error.category)


def _number(numbers: dict[str, int], name: str) -> int:
    return numbers.setdefault(name, len(numbers))


_Find = Callable[[str, int], int | None]


def _rated(campaigns: Iterable[Campaign], testset: TestSet) -> Iterator[tuple[Ratings, _Find]]:
    """Ratings with errors of ordinary outputs, and where to find an output of theirs."""
    for campaign in campaigns:
        for ratings in campaign.judgements:
            if isinstance(ratings, Ratings) and ratings.errors:
                rows = ratings.segment >= 0
                if ratings.kind:
                    rows &= np.array([kind == _ORDINARY for kind in ratings.kind], dtype=np.bool_)
                yield ratings.where(rows), _finder(campaign.testset, ratings, testset)


def _finder(rated: TestSet | None, ratings: Ratings, testset: TestSet) -> _Find:
    """A function that finds a rated output, by system and segment of the ratings, in the test set."""
    by_name = {name: place for place, name in enumerate(testset.items)}
    by_text: dict[str, dict[str | None, int]] = {}

    def find(system: str, segment: int) -> int | None:
        own = testset.outputs.get(system, ())
        if ratings.items:
            return by_name.get(ratings.items[segment]) if own else None
        if rated is None:
            return segment if segment < len(own) else None
        text = rated.outputs[system][segment] if system in rated.outputs else None
        if text is None or own[segment : segment + 1] == (text,):
            return None if text is None else segment
        if system not in by_text:
            by_text[system] = {text: place for place, text in reversed(list(enumerate(own)))}
        return by_text[system].get(text)

    return find
