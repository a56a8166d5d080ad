"""The errors that raters marked in the outputs (MQM, ESA), by system and segment of the test set that a page shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assay.human.marks import usable_marks
from assay.human.scoring import without_controls
from assay.types import Campaign, ErrorSpan, Note, NoteKind, Ratings, TestSet

__all__ = ["ViewerErrors", "viewer_errors"]


@dataclass(frozen=True, slots=True, eq=False)
class ViewerErrors:
    """The errors of a test set."""

    tree: Mapping[str, Any]
    """As the viewer reads them: the names of severities, categories and raters, and for each system by segment (from 0)
    a list of [start, end, in source, severity, category, rater], where start and end are None without a position."""
    outputs: int
    """How many outputs were rated."""
    elsewhere: int
    """How many rated outputs of its systems are not among those of the test set."""
    left_out: tuple[Note, ...] = ()
    """Ratings whose errors do not fit the outputs."""


def viewer_errors(campaigns: Iterable[Campaign], testset: TestSet) -> ViewerErrors | None:
    """The errors in the outputs of a test set; None without any rating of errors.

    A rated output is found by its text, because files of ratings often number segments in their own way: first in the
    segment of the same number, then anywhere in the outputs of the system. What counts is decided as in comparisons:
    `usable_marks`.
    """
    names: dict[str, dict[str, int]] = {"severities": {}, "categories": {}, "raters": {}}
    systems: dict[str, dict[int, list[list[int | None]]]] = {}
    lost: set[tuple[str, int]] = set()
    left_out: list[Note] = []
    for ratings, find in _rated(campaigns, testset):
        placed = _placed(ratings, find, testset, lost)
        if not len(placed):
            continue
        usable, notes = usable_marks(placed, testset)
        left_out += [note for note in notes if note.kind is NoteKind.EXCLUDED]
        marks = usable.marks
        for row in range(len(usable)):
            system, place = usable.systems[usable.system[row]], int(usable.segment[row])
            rater = _number(names["raters"], usable.raters[usable.rater[row]])
            errors = systems.setdefault(system, {}).setdefault(place, [])
            errors += ([*_span(error, names), rater] for error in marks[row])
    if not systems and not left_out:
        return None
    tree = {kind: list(numbers) for kind, numbers in names.items()}
    outputs = sum(map(len, systems.values()))
    return ViewerErrors({**tree, "systems": systems}, outputs, len(lost), tuple(left_out))


def _placed(ratings: Ratings, find: _Find, testset: TestSet, lost: set[tuple[str, int]]) -> Ratings:
    """The ratings of outputs of the test set, with its segments; those of its systems that it lacks go to `lost`."""
    places = []
    for system_number, segment in zip(ratings.system.tolist(), ratings.segment.tolist(), strict=True):
        system = ratings.systems[system_number]
        place = find(system, segment)
        places.append(-1 if place is None else place)
        if place is None and system in testset.outputs:
            lost.add((system, segment))
    is_found = np.array(places, dtype=np.int64) >= 0
    return replace(ratings, segment=np.where(is_found, places, 0), items=()).where(is_found)


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
                ordinary = without_controls(ratings)[0]
                yield ordinary.where(ordinary.is_marked), _finder(campaign.testset, ratings, testset)


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
