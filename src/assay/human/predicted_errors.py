"""What metrics marked in outputs that people rated: found by system and segment, each output once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from assay.errors import printable
from assay.human.marks import usable_marks
from assay.lazily import numpy as np
from assay.types import Campaign, ErrorSpan, IntArray, Note, NoteKind, Ratings
from assay.types.note import listed, plural

__all__ = ["PredictedErrors", "predicted_errors", "repeated_outputs"]

_MAX_NAMES = 4
_Output = tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class PredictedErrors:
    """What a metric marked, and where it stands for each rating by people."""

    marks: Ratings
    """As far as it fits the texts."""
    row: IntArray
    """For each rating: the row of `marks` of its output; -1: the metric did not read it, or its marks are unusable."""

    @property
    def errors(self) -> list[tuple[ErrorSpan, ...] | None]:
        """What the metric marked in the output of each rating; None: it did not read it."""
        return [None if row < 0 else self.marks.errors[row] for row in self.row.tolist()]


def predicted_errors(
    campaign: Campaign, ratings: Ratings, predictions: Iterable[Ratings]
) -> tuple[dict[str, PredictedErrors], tuple[Note, ...]]:
    """By metric, what it marked in the outputs of these ratings, and notes on what cannot be used."""
    found: dict[str, PredictedErrors] = {}
    notes: list[Note] = []
    outputs = list(zip(ratings.system.tolist(), ratings.segment.tolist(), strict=True))
    for predicted in predictions:
        if bool(predicted.items) != bool(ratings.items):
            text = "left out: its segments have names, and those of the ratings have numbers, or the other way round"
            where = predicted.origin or predicted.name
            notes.append(Note(NoteKind.EXCLUDED, text, where, len(predicted), "warning"))
            continue
        marks, more = usable_marks(predicted, campaign.testset)
        counts = Counter(_places(predicted, ratings))  # also of what is unusable: nothing says which row is right
        notes += (*more, *_repeated(counts, predicted), *_unknown_systems(marks, ratings, campaign, predicted))
        row = {output: k for k, output in enumerate(_places(marks, ratings)) if counts[output] == 1}
        each = PredictedErrors(marks, np.array([row.get(output, -1) for output in outputs], np.int64))
        notes += _none_in_common(each, ratings, predicted)
        found[predicted.name] = each
    return found, tuple(notes)


def repeated_outputs(predicted: Ratings) -> Iterator[Note]:
    """A note on outputs that a metric marked more than once, which are left out wherever its marks are used."""
    yield from _repeated(Counter(zip(predicted.system.tolist(), predicted.segment.tolist(), strict=True)), predicted)


def _places(marks: Ratings, ratings: Ratings) -> list[_Output]:
    """System and segment of each row, as the ratings number them; -1: they have no such one."""
    systems, lines = ({name: k for k, name in enumerate(names)} for names in (ratings.systems, ratings.items))
    system = [systems.get(name, -1) for name in marks.systems]
    segment = [lines.get(name, -1) for name in marks.items]
    return [
        (system[k], segment[line] if marks.items else line)
        for k, line in zip(marks.system.tolist(), marks.segment.tolist(), strict=True)
    ]


def _repeated(counts: Counter[_Output], predicted: Ratings) -> Iterator[Note]:
    if again := sum(count > 1 and -1 not in output for output, count in counts.items()):
        text = f"left out: {plural(again, 'output')} that '{printable(predicted.name)}' marked more than once"
        yield Note(NoteKind.EXCLUDED, text, predicted.origin or predicted.name, again, "warning")


def _none_in_common(found: PredictedErrors, ratings: Ratings, predicted: Ratings) -> Iterator[Note]:
    """A warning if a metric read none of the outputs that people rated: its row of a table would be empty."""
    if not len(found.marks) or not len(found.row) or (found.row >= 0).any():
        return
    rated = [name for name in ratings.systems if name in found.marks.systems]
    about = (
        f"of {listed(rated, _MAX_NAMES)}, it read other segments"
        if rated
        else f"it read those of {listed(found.marks.systems, _MAX_NAMES)}, people those of "
        f"{listed(ratings.systems, _MAX_NAMES)}"
    )
    count = plural(len(found.marks), "output")
    text = f"none of the {count} that '{printable(predicted.name)}' read is one that people rated: {about}"
    yield Note(NoteKind.MISSING, text, predicted.origin or predicted.name, len(found.marks), "warning")


def _unknown_systems(marks: Ratings, ratings: Ratings, campaign: Campaign, predicted: Ratings) -> Iterator[Note]:
    known = campaign.systems if campaign.testset is None else campaign.testset.outputs
    if unknown := [name for name in marks.systems if name not in ratings.systems and name not in known]:
        text = f"errors in outputs of systems that nobody rated: {listed(unknown, _MAX_NAMES)}"
        yield Note(NoteKind.SUSPECT, text, predicted.origin or predicted.name, len(unknown))
