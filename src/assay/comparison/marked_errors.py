"""Marked errors in the outputs of two systems: how many in 100 words, of which kinds, where in only one.

People marked them, or a metric did.

Both systems are compared on the segments that were rated of both. Ratings of an output count as their mean. Documents
are resampled, and their differences swapped, because errors of a document depend on each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from assay.aggregate.resample import Swaps
from assay.aggregate.unit_intervals import UnitResamples
from assay.comparison.differences import ComparisonOptions
from assay.errors import InputError
from assay.human.domains import documents_of
from assay.human.marks import usable_marks
from assay.lazily import numpy as np
from assay.measurement.units import ResamplingUnits
from assay.registry import option_text
from assay.results import ErrorKind, Estimate, MarkedErrors, MarkedExample
from assay.significance import ALPHA
from assay.significance.corrections import corrected
from assay.text import is_unspaced
from assay.types import ErrorSpan, FloatArray, IntArray, Note, NoteKind, Ratings, TestSet
from assay.types.note import plural
from assay.types.runtime import Runtime
from assay.types.severity import NO_ERRORS, Severity

__all__ = ["marked_errors"]

_PER = 100
_ROUNDING = 1e-12
_EXAMPLES = 5
_MAX_CATEGORIES = 15
_MAX_SEGMENTS = 100
_SEVERE: tuple[str, ...] = (Severity.CRITICAL, Severity.MAJOR, Severity.MINOR)
_LARGE_SHARE = 0.05  # of all words of a system, in a single output
_MUCH_LONGER = 2.0  # than the other system's output of the segment


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """The ratings of a system by segment, and the length of its outputs."""

    system: str
    errors: Mapping[int, list[tuple[ErrorSpan, ...]]]
    lengths: IntArray


def marked_errors(
    ratings: Ratings,
    testset: TestSet,
    first: str,
    second: str,
    *,
    options: ComparisonOptions,
    runtime: Runtime,
) -> MarkedErrors:
    """The errors of two systems by severity and category, with intervals, tests, and examples."""
    own = ratings.take([name for name in (first, second) if name in ratings.systems])
    usable, notes = usable_marks(own, testset)
    length_unit = "characters" if is_unspaced(testset.output(name) for name in (first, second)) else "words"
    sides = [_side(usable, testset, name, length_unit) for name in (first, second)]
    segments = sorted(sides[0].errors.keys() & sides[1].errors.keys())
    if not segments:
        unmarked = [name for name, side in zip((first, second), sides, strict=True) if not side.errors]
        nobody = "nobody" if ratings.is_human else f"{ratings.name} has not"
        message = f"{nobody} marked errors in outputs of {' and '.join(unmarked)}"
        if not unmarked:
            message = f"no segment has marked outputs of both {first} and {second}"
        raise InputError(message, path=ratings.origin or None)
    units = ResamplingUnits.of(np.array(segments), documents_of(usable, testset, len(testset)))
    counts = {kind: [_counts(side, segments, kind) for side in sides] for kind in _kinds(sides, segments)}
    lengths = [side.lengths[segments].astype(np.float64) for side in sides]
    drawn = _Drawn(units, lengths, options, runtime)
    kinds = [_kind(kind, one, other, segments, drawn) for kind, (one, other) in counts.items()]
    p_values = corrected(np.array([kind.p for kind in kinds]), "holm")
    return MarkedErrors(
        first,
        second,
        name=ratings.name,
        length_unit=length_unit,
        n=len(segments),
        units=len(drawn.sizes),
        unit=units.unit,
        kinds=tuple(kind.corrected(p) for kind, p in zip(kinds, p_values.tolist(), strict=True)),
        only_first=tuple(_examples(sides[0], sides[1], segments, testset, first)),
        only_second=tuple(_examples(sides[1], sides[0], segments, testset, second)),
        settings={
            "judgements": ratings.name,
            "resamples": str(options.resamples),
            "seed": str(options.seed),
            "confidence": option_text(options.confidence),
        },
        is_human=ratings.is_human,
        notes=(
            *notes,
            *drawn.resamples.notes(drawn.sizes, units.unit),
            *_least_p(drawn, len(kinds)),
            *_loops(sides, segments, length_unit),
        ),
    )


def _side(ratings: Ratings, testset: TestSet, system: str, length_unit: str) -> _Side:
    errors: dict[int, list[tuple[ErrorSpan, ...]]] = {}
    output = testset.output(system)
    if system in ratings.systems:
        marks, rows = ratings.marks, np.flatnonzero(ratings.system == ratings.systems.index(system)).tolist()
        for row in rows:
            segment = int(ratings.segment[row])
            if segment < len(output) and output[segment] is not None:
                found = tuple(error for error in marks[row] if error.severity not in NO_ERRORS)
                errors.setdefault(segment, []).append(found)
    lengths = [
        len("".join((text or "").split()) if length_unit == "characters" else (text or "").split()) for text in output
    ]
    return _Side(system, errors, np.array(lengths, dtype=np.int64))


class _Kind(NamedTuple):
    """Errors of a severity or of a category, which may have the same name; or all of them."""

    by: str
    name: str

    def has(self, error: ErrorSpan) -> bool:
        """Whether an error is of this kind."""
        return not self.by or getattr(error, self.by) == self.name


_ALL = _Kind("", "all errors")


def _kinds(sides: Sequence[_Side], segments: Sequence[int]) -> list[_Kind]:
    """All errors, those of each severity, and the most frequent categories."""
    errors = [e for side in sides for k in segments for found in side.errors[k] for e in found]
    severities = dict.fromkeys(error.severity for error in errors if error.severity)
    known = [name for name in _SEVERE if name in severities]
    totals: dict[str, int] = {}
    for error in errors:
        if error.category:
            totals[error.category] = totals.get(error.category, 0) + 1
    categories = sorted(totals, key=lambda name: (-totals[name], name))[:_MAX_CATEGORIES]
    others = (name for name in severities if name not in _SEVERE)
    by_severity = (_Kind("severity", name) for name in (*known, *others))
    return [_ALL, *by_severity, *(_Kind("category", name) for name in categories)]


def _counts(side: _Side, segments: Sequence[int], kind: _Kind) -> FloatArray:
    """The mean number of errors of a kind in each segment, over its ratings."""
    return np.array(
        [sum(kind.has(error) for found in side.errors[k] for error in found) / len(side.errors[k]) for k in segments]
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Drawn:
    """Resamples of documents, and swaps of documents between the systems."""

    units: ResamplingUnits
    lengths: Sequence[FloatArray]
    options: ComparisonOptions
    runtime: Runtime

    @property
    def sizes(self) -> FloatArray:
        """How many words of both systems the documents have."""
        return self.units.sizes(np.sum(self.lengths, axis=0))

    @property
    def resamples(self) -> UnitResamples:
        """How units are drawn."""
        return UnitResamples(self.options.resamples, self.options.seed, self.options.confidence, self.runtime)

    def sums(self, counts: FloatArray, lengths: FloatArray) -> FloatArray:
        """(document, 2): errors and words."""
        return np.stack([self.units.sizes(each) for each in (counts, lengths)], axis=1)

    def estimates(self, sums: Sequence[FloatArray]) -> list[Estimate]:
        """The rates of both systems, and their difference."""

        def replicates(weights: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
            first, second = (_rate(weights @ each) for each in sums)
            return first, second, first - second

        values = [float(each[0]) for each in replicates(np.ones((1, len(sums[0]))))]
        drawn = self.resamples.estimates(values, len(self.units.number), self.sizes, self.units.unit, replicates)
        return [each.estimate for each in drawn]

    def p_value(self, sums: Sequence[FloatArray]) -> float:
        """Two-sided: how often a difference is at least as large if each document's share in it changes its sign.

        The share of a document is how many errors it has beyond what both systems together would have in as many words,
        by all words of the system, of the first minus the second. These shares add up to the difference of the rates.
        """
        rate = sum(each[:, 0].sum() for each in sums) / sum(each[:, 1].sum() for each in sums)
        first, second = ((each[:, 0] - rate * each[:, 1]) / each[:, 1].sum() for each in sums)
        differences = first - second
        swapped = Swaps(self.options.resamples, self.options.seed).sums(
            [differences[np.newaxis, :, np.newaxis]], self.runtime
        )
        observed, moved = differences.sum(), np.asarray(swapped[0])[0, :, 0]
        extreme = np.abs(observed - 2 * moved) >= abs(observed) - _ROUNDING * np.abs(differences).sum()
        return float((1 + extreme.sum()) / (1 + self.options.resamples))

    @property
    def smallest_p(self) -> float:
        """The lowest p-value that a test can give: of 2^n swaps of n documents, two are the most extreme."""
        return max(2 * 0.5 ** len(self.sizes), 1 / (1 + self.options.resamples))


def _least_p(drawn: _Drawn, kinds: int) -> Iterator[Note]:
    """A note if no p-value can be significant, however much the systems differ."""
    if (least := min(kinds * drawn.smallest_p, 1.0)) > ALPHA:
        units = plural(len(drawn.sizes), drawn.units.unit)
        text = (
            f"no p-value can be below {ALPHA:g}: with {units} and a correction for {plural(kinds, 'kind')}, the lowest "
            f"possible one is {least:.2g}"
        )
        yield Note(NoteKind.ADVICE, text, count=len(drawn.sizes))


def _loops(sides: Sequence[_Side], segments: Sequence[int], length_unit: str) -> Iterator[Note]:
    """Notes on outputs that have much of all the words of a system: they lower its rate, whatever their errors."""
    numbers = np.array(segments)
    for side, other in (sides, sides[::-1]):
        own, others = side.lengths[numbers], other.lengths[numbers]
        errors = _counts(side, segments, _ALL)
        for k in np.flatnonzero((own > _LARGE_SHARE * own.sum()) & (own > _MUCH_LONGER * others)).tolist():
            with_it, without = (
                float(_rate(np.array([errors[rows].sum(), own[rows].sum()])))
                for rows in (np.ones(len(own), dtype=np.bool_), np.arange(len(own)) != k)
            )
            text = (
                f"the output of segment {segments[k] + 1:,} has {100 * own[k] / own.sum():.1f} % of the {length_unit} "
                f"of this system, and is more than {_MUCH_LONGER:g} times as long as the other one: "
                f"{with_it:.2f} errors in {_PER} {length_unit} with it, {without:.2f} without"
            )
            yield Note(NoteKind.SUSPECT, text, side.system, 1, "warning")


def _rate(sums: FloatArray) -> FloatArray:
    """Errors in 100 words."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(_PER * sums[..., 0] / sums[..., 1])


def _kind(kind: _Kind, first: FloatArray, second: FloatArray, segments: Sequence[int], drawn: _Drawn) -> ErrorKind:
    sums = [drawn.sums(counts, lengths) for counts, lengths in zip((first, second), drawn.lengths, strict=True)]
    of_first, of_second, difference = drawn.estimates(sums)
    numbers = np.array(segments) + 1
    first_only, second_only = (
        numbers[(one > 0) & (other == 0)].tolist() for one, other in ((first, second), (second, first))
    )
    p = drawn.p_value(sums)
    return ErrorKind(
        kind.by,
        kind.name,
        of_first,
        of_second,
        difference,
        p,
        p,
        len(first_only),
        len(second_only),
        tuple(first_only[:_MAX_SEGMENTS]),
        tuple(second_only[:_MAX_SEGMENTS]),
    )


def _examples(
    side: _Side, other: _Side, segments: Sequence[int], testset: TestSet, system: str
) -> Iterator[MarkedExample]:
    """The worst errors of a system in segments in which nobody marked any of the other's output: one a segment."""
    output = testset.output(system)
    found = []
    for segment in segments:
        if any(other.errors[segment]):
            continue
        placed = [e for marked in side.errors[segment] for e in marked if e.start is not None and not e.in_source]
        if placed:
            worst = min(placed, key=lambda error: (_place(error.severity), error.start or 0))
            found.append((_place(worst.severity), segment, worst))
    for _, segment, error in sorted(found, key=lambda each: each[:2])[:_EXAMPLES]:
        text = (output[segment] or "")[error.start : error.end]
        yield MarkedExample(system, segment + 1, error.severity, error.category, text)


def _place(severity: str) -> int:
    return _SEVERE.index(severity) if severity in _SEVERE else len(_SEVERE)
