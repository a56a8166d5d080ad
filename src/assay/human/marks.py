"""Marked errors that can be used, and notes on those that cannot: nothing is moved, cut or guessed."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from assay.data.tables.repeated_ratings import UNKNOWN_RATER
from assay.errors import InputError, most_similar, option_name, printable
from assay.human.domains import documents_of
from assay.human.scoring import without_controls
from assay.lazily import numpy as np
from assay.measurement.units import ResamplingUnits
from assay.types import Campaign, Column, ErrorSpan, Note, NoteKind, Ratings, TestSet
from assay.types.note import listed, plural
from assay.types.severity import NO_ERRORS, SEVERITIES

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = [
    "document_units",
    "fitting_marks",
    "mark_notes",
    "marks_errors",
    "positioned",
    "scorable_marks",
    "usable_marks",
    "without_marks",
]

_MAX_NAMES = 4


def marks_errors(ratings: Ratings) -> bool:
    """Whether these are ratings in which errors are marked at places of the text."""
    return any(error.start is not None for errors in ratings.errors for error in errors or ())


def without_marks(name: str, campaigns: Iterable[Campaign], *, in_text: bool = False) -> InputError:
    """The error for judgements without marked errors, or without places `in_text`, with others that have them."""
    ratings = [each for campaign in campaigns for each in campaign.ratings if each.name != name]
    others = {each.name for each in ratings if (marks_errors(each) if in_text else each.errors)}
    hint = (
        f"choose them: {listed((option_name('gold', other) for other in sorted(others)), _MAX_NAMES)}"
        if others
        else "give ratings with errors, such as those of wmt24 and wmt25 or a table of errors with a rater"
    )
    what = "errors marked in the text" if in_text else "ratings with marked errors"
    return InputError(f"'{name}' has no {what}", hint=hint)


def positioned(errors: Iterable[ErrorSpan]) -> tuple[ErrorSpan, ...]:
    """The errors with a place in the text, without what raters marked as no error."""
    return tuple(error for error in errors if error.start is not None and error.severity not in NO_ERRORS)


def document_units(ratings: Ratings, texts: TestSet | None) -> ResamplingUnits:
    """The documents of ratings, or their segments if a document is not known."""
    return ResamplingUnits.of(ratings.segment, documents_of(ratings, texts, int(ratings.segment.max(initial=-1)) + 1))


def mark_notes(ratings: Ratings, texts: TestSet | None) -> tuple[Note, ...]:
    """What is wrong with marked errors: those notes of `usable_marks`, not those on quality control."""
    controls = without_controls(ratings)[1]
    return tuple(note for note in usable_marks(ratings, texts)[1] if note not in controls)


def usable_marks(ratings: Ratings, texts: TestSet | None = None) -> tuple[Ratings, tuple[Note, ...]]:
    """The ratings of ordinary outputs whose marked errors fit the texts, and notes on what does not fit."""
    if not ratings.errors:
        raise InputError(f"'{ratings.name}' has no marked errors", path=ratings.origin or None)
    kept, notes = without_controls(ratings)
    kept, misplaced = fitting_marks(kept, texts)
    unknown, more = _unknown_severities(kept)
    kept = kept.where(~unknown) if unknown.any() else kept
    return kept, (*notes, *misplaced, *more, *_unchecked(kept, texts), *_doubtful(kept))


def scorable_marks(ratings: Ratings, texts: TestSet | None) -> tuple[Ratings, tuple[Note, ...]]:
    """The ratings whose errors count in scores: those of `fitting_marks`, with notes on doubtful ones, too."""
    kept, notes = fitting_marks(ratings, texts)
    return kept, (*notes, *(() if texts is None else _unchecked(kept, texts)), *_doubtful(kept))


def fitting_marks(ratings: Ratings, texts: TestSet | None) -> tuple[Ratings, tuple[Note, ...]]:
    """The ratings in which errors were marked that fit the texts, and notes on the others."""
    notes: tuple[Note, ...] = ()
    for find in (_unmarked, lambda each: _outside(each, texts), lambda each: _elsewhere(each, texts)):
        faulty, more = find(ratings)
        notes += tuple(more)
        ratings = ratings.where(~faulty) if faulty.any() else ratings
    return ratings, notes


def _unmarked(ratings: Ratings) -> tuple[npt.NDArray[np.bool_], list[Note]]:
    """The ratings in which errors were not marked, which is not the same as finding none."""
    faulty = ~ratings.is_marked
    reason = "scores alone, without errors: whether there are any is not known"
    return faulty, [_left_out(ratings, int(faulty.sum()), reason)] if faulty.any() else []


def _unknown_severities(ratings: Ratings) -> tuple[npt.NDArray[np.bool_], list[Note]]:
    """The ratings with a severity that no protocol has: a misspelt one would count as another or as none."""
    known = (*SEVERITIES, "")  # an error may have none
    unknown = Counter(e.severity for errors in ratings.marks for e in errors if e.severity not in known)
    faulty = _rows(ratings, lambda errors, _: any(error.severity in unknown for error in errors))
    return faulty, [] if not unknown else [_left_out(ratings, int(faulty.sum()), _named(unknown))]


def _named(unknown: Counter[str]) -> str:
    def with_suggestion(severity: str, count: int) -> str:
        similar = most_similar(severity, SEVERITIES)
        suggestion = f"; did you mean '{similar}'?" if similar else ""
        return f"'{printable(severity[:40])}' ({count:,}{suggestion})"

    return f"unknown severities: {listed((with_suggestion(*item) for item in unknown.most_common()), _MAX_NAMES)}"


def _outside(ratings: Ratings, texts: TestSet | None) -> tuple[npt.NDArray[np.bool_], list[Note]]:
    """The ratings with an error that ends behind the text: they were made of another version of it."""
    if texts is None or ratings.items:
        return np.zeros(len(ratings), dtype=np.bool_), []
    faulty = _rows(ratings, lambda errors, row: _ends_outside(errors, ratings, row, texts))
    if not faulty.any():
        return faulty, []
    row = int(np.flatnonzero(faulty)[0])
    errors = tuple(error for error in ratings.marks[row] if not error.in_source)
    text = "output" if _ends_outside(errors, ratings, row, texts) else "source"
    where = _first(ratings, faulty)
    reason = f"errors outside the text (first: {where}); the {text} was probably another one when they were marked"
    return faulty, [_left_out(ratings, int(faulty.sum()), reason)]


def _ends_outside(errors: tuple[ErrorSpan, ...], ratings: Ratings, row: int, texts: TestSet) -> bool:
    found = _texts_of(ratings, row, texts)
    return any(
        error.end is not None and (text := found.of(error)) is not None and error.end > len(text) for error in errors
    )


def _elsewhere(ratings: Ratings, texts: TestSet | None) -> tuple[npt.NDArray[np.bool_], list[Note]]:
    """The ratings with an error whose text, as the file has it, does not stand at its place."""
    if texts is None or ratings.items:
        return np.zeros(len(ratings), dtype=np.bool_), []

    def differs(errors: tuple[ErrorSpan, ...], row: int) -> bool:
        quoting = [error for error in errors if error.text is not None and error.start is not None]
        found = _texts_of(ratings, row, texts) if quoting else _Texts(None, None)
        return any(
            (text := found.of(error)) is not None
            and _normal(text[error.start : error.end]) != _normal(error.text or "")
            for error in quoting
        )

    faulty = _rows(ratings, differs)
    if not faulty.any():
        return faulty, []
    reason = (
        f"errors whose text does not stand at their place (first: {_first(ratings, faulty)}), probably because they "
        "were marked in another text"
    )
    return faulty, [_left_out(ratings, int(faulty.sum()), reason)]


def _first(ratings: Ratings, faulty: npt.NDArray[np.bool_]) -> str:
    row = int(np.flatnonzero(faulty)[0])
    return f"{printable(ratings.systems[ratings.system[row]])}, segment {ratings.segment[row] + 1:,}"


def _normal(text: str) -> str:
    """As tokenisers may have changed it: xCOMET quotes what its pieces decode to."""
    return "".join(unicodedata.normalize("NFKC", text).split()).casefold()


class _Texts(NamedTuple):
    """The output and the source that a rating is of; None where they are not known."""

    output: str | None
    source: str | None

    def of(self, error: ErrorSpan) -> str | None:
        """The text that an error is in."""
        return self.source if error.in_source else self.output


def _texts_of(ratings: Ratings, row: int, texts: TestSet) -> _Texts:
    segment, system = int(ratings.segment[row]), ratings.systems[ratings.system[row]]

    def at(column: Column | None) -> str | None:
        return None if column is None or segment >= len(column) else column[segment]

    return _Texts(at(texts.outputs.get(system)), at(texts.sources))


def _left_out(ratings: Ratings, count: int, reason: str) -> Note:
    text = f"left out: {plural(count, 'rating')} with {reason}"
    return Note(NoteKind.EXCLUDED, text, ratings.origin or ratings.name, count, "warning")


def _unchecked(ratings: Ratings, texts: TestSet | None) -> Iterator[Note]:
    """A note on outputs without a text: whether their errors fit cannot be known."""
    marked = np.flatnonzero(_rows(ratings, lambda errors, _: any(error.start is not None for error in errors)))
    if texts is None or ratings.items:
        without, systems = len(marked), []
    else:
        rows = [row for row in marked.tolist() if _texts_of(ratings, row, texts).output is None]
        without, systems = len(rows), list(dict.fromkeys(ratings.systems[ratings.system[row]] for row in rows))
    if without:
        names = f" ({listed(systems, _MAX_NAMES)})" if systems else ""
        text = f"places of errors not checked: {plural(without, 'rating')} of outputs without a text{names}"
        yield Note(NoteKind.MISSING, text, ratings.origin or ratings.name, without)


def _doubtful(ratings: Ratings) -> Iterator[Note]:
    """Notes on errors that overlap, and on raters under whose name an output was rated twice; all of them count."""
    where = ratings.origin or ratings.name
    if overlapping := int(_rows(ratings, lambda errors, _: _overlap(errors)).sum()):
        text = f"{plural(overlapping, 'output')} with errors that overlap; each of them counts"
        yield Note(NoteKind.KEPT, text, where, overlapping)
    errors = [error for found in ratings.marks for error in found]
    if empty := sum(error.start is not None and error.start == error.end for error in errors):
        text = f"{plural(empty, 'error')} without a character: start and end are the same"
        yield Note(NoteKind.SUSPECT, text, where, empty)
    if 0 < (unknown := sum(not error.severity for error in errors)) < len(errors):  # a protocol may have no severities
        yield Note(NoteKind.SUSPECT, f"{plural(unknown, 'error')} without a severity", where, unknown)
    if ratings.is_human and (twice := _rated_twice(ratings)):
        raters = ", ".join(f"{printable(name)} {count:,}" for name, count in twice.most_common(_MAX_NAMES))
        text = (
            f"{plural(twice.total(), 'output')} rated twice under one name in one wave ({raters}), by one person or by "
            "two; both ratings count, as those of one rater"
        )
        yield Note(NoteKind.SUSPECT, text, where, twice.total())


def _overlap(errors: tuple[ErrorSpan, ...]) -> bool:
    places = sorted((e.in_source, e.start, e.end) for e in errors if e.start is not None and e.end is not None)
    return any(a[0] == b[0] and b[1] < a[2] for a, b in pairwise(places))


def _rated_twice(ratings: Ratings) -> Counter[str]:
    """By rater, how many outputs were rated more than once in a wave."""
    waves = ratings.wave or ("",) * len(ratings)
    kinds = ratings.kind or ("",) * len(ratings)
    columns = (ratings.rater.tolist(), ratings.system.tolist(), ratings.segment.tolist(), waves, kinds)
    counts = Counter(zip(*columns, strict=True))
    again = Counter(ratings.raters[rater] for (rater, *_), count in counts.items() if count > 1)
    again.pop(UNKNOWN_RATER, None)
    return again


def _rows(ratings: Ratings, is_meant: Callable[[tuple[ErrorSpan, ...], int], bool]) -> npt.NDArray[np.bool_]:
    return np.fromiter((is_meant(errors, row) for row, errors in enumerate(ratings.marks)), np.bool_, len(ratings))
