"""Errors that people marked in the outputs of two systems: how many in 100 words, of which kinds, where in only one.

Both systems are compared on the segments that were rated of both. Ratings of an output count as their mean. Documents
are resampled and swapped, because errors of a document depend on each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from assay.aggregate import estimate_from_replicates
from assay.aggregate.resample import MIN_CLUSTERS, Bootstrap, Swaps
from assay.comparison.differences import ComparisonOptions
from assay.errors import InputError
from assay.human.domains import documents_of
from assay.human.marks import usable_marks
from assay.lazily import numpy as np
from assay.measurement.segment_groups import is_known_document
from assay.registry import option_text
from assay.results import ErrorKind, Estimate, MarkedErrors, MarkedExample
from assay.significance.corrections import corrected
from assay.text import is_unspaced
from assay.types import Campaign, ErrorSpan, FloatArray, IntArray, Ratings, TestSet
from assay.types.note import plural
from assay.types.runtime import Runtime
from assay.types.severity import NO_ERRORS, Severity

__all__ = ["marked_errors"]

_PER = 100
_ROUNDING = 1e-12
_ALL = "all errors"
_EXAMPLES = 5
_MAX_CATEGORIES = 15
_MAX_SEGMENTS = 100
_SEVERE: tuple[str, ...] = (Severity.CRITICAL, Severity.MAJOR, Severity.MINOR)


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """The ratings of a system by segment, and the length of its outputs."""

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
    usable, notes = usable_marks(own, Campaign("", testset.lp or "", len(testset), testset.systems, (), testset))
    texts = replace(testset, references={name: testset.output(name) for name in (first, second)}, annotations={})
    unit = "characters" if is_unspaced(texts) else "words"
    sides = [_side(usable, testset, name, unit) for name in (first, second)]
    segments = sorted(sides[0].errors.keys() & sides[1].errors.keys())
    if not segments:
        raise InputError(f"no segment has marked outputs of both {first} and {second}", path=ratings.origin or None)
    numbers = _documents(usable, testset, segments)
    counts = {kind: [_counts(side, segments, kind) for side in sides] for kind in _kinds(sides, segments)}
    lengths = [side.lengths[segments].astype(np.float64) for side in sides]
    drawn = _Drawn(numbers, lengths, options, runtime)
    kinds = [_kind(kind, one, other, segments, drawn) for kind, (one, other) in counts.items()]
    p_values = corrected(np.array([kind.p for kind in kinds]), "holm")
    return MarkedErrors(
        first,
        second,
        name=ratings.name,
        unit=unit,
        n=len(segments),
        documents=len(np.unique(numbers)),
        kinds=tuple(kind.corrected(p) for kind, p in zip(kinds, p_values.tolist(), strict=True)),
        only_first=tuple(_examples(sides[0], sides[1], segments, testset, first)),
        only_second=tuple(_examples(sides[1], sides[0], segments, testset, second)),
        settings={
            "judgements": ratings.name,
            "resamples": str(options.resamples),
            "seed": str(options.seed),
            "confidence": option_text(options.confidence),
        },
        notes=notes,
    )


def _side(ratings: Ratings, testset: TestSet, system: str, unit: str) -> _Side:
    errors: dict[int, list[tuple[ErrorSpan, ...]]] = {}
    output = testset.output(system)
    if system in ratings.systems:
        rows = np.flatnonzero(ratings.system == ratings.systems.index(system)).tolist()
        for row in rows:
            segment = int(ratings.segment[row])
            if segment < len(output) and output[segment] is not None:
                found = tuple(error for error in ratings.errors[row] if error.severity not in NO_ERRORS)
                errors.setdefault(segment, []).append(found)
    lengths = [len("".join((text or "").split()) if unit == "characters" else (text or "").split()) for text in output]
    return _Side(errors, np.array(lengths, dtype=np.int64))


def _documents(ratings: Ratings, testset: TestSet, segments: Sequence[int]) -> IntArray:
    """The document of each segment as a number, or the segment itself if one is not known."""
    documents = documents_of(ratings, testset, len(testset))
    names = [documents[segment] for segment in segments] if documents else []
    if not names or not all(map(is_known_document, names)):
        return np.arange(len(segments))
    return np.unique(names, return_inverse=True)[1].astype(np.int64)


def _kinds(sides: Sequence[_Side], segments: Sequence[int]) -> list[str]:
    """All errors, those of each severity, and the most frequent categories."""
    errors = [e for side in sides for k in segments for found in side.errors[k] for e in found]
    severities = dict.fromkeys(error.severity for error in errors if error.severity)
    known = [name for name in _SEVERE if name in severities]
    totals: dict[str, int] = {}
    for error in errors:
        if error.category:
            totals[error.category] = totals.get(error.category, 0) + 1
    categories = sorted(totals, key=lambda name: (-totals[name], name))[:_MAX_CATEGORIES]
    return [_ALL, *known, *(name for name in severities if name not in _SEVERE), *categories]


def _is_of(error: ErrorSpan, kind: str) -> bool:
    return kind in (_ALL, error.severity, error.category)


def _counts(side: _Side, segments: Sequence[int], kind: str) -> FloatArray:
    """The mean number of errors of a kind in each segment, over its ratings."""
    return np.array(
        [
            sum(_is_of(error, kind) for found in side.errors[k] for error in found) / len(side.errors[k])
            for k in segments
        ]
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Drawn:
    """Resamples of documents and swaps of documents between the systems."""

    document: IntArray
    lengths: Sequence[FloatArray]
    options: ComparisonOptions
    runtime: Runtime

    def sums(self, counts: FloatArray, lengths: FloatArray) -> FloatArray:
        """(document, 2): errors and words."""
        return np.stack([np.bincount(self.document, each) for each in (counts, lengths)], axis=1)

    def estimates(self, sums: Sequence[FloatArray]) -> tuple[Estimate, Estimate, Estimate]:
        """The rates of both systems, and their difference."""
        rates = [_rate(each.sum(axis=0)) for each in sums]
        values = (*map(float, rates), float(rates[0] - rates[1]))
        documents = len(sums[0])
        if documents < MIN_CLUSTERS:
            few = f"no interval: {plural(documents, 'document')}, fewer than {MIN_CLUSTERS}"
            first, second, difference = (Estimate(v, len(self.document), reason=few) for v in values)
            return first, second, difference
        blocks = Bootstrap(self.options.resamples, None, self.options.seed).blocks(documents, self.runtime)
        weights = np.concatenate([*blocks]).astype(np.float64)
        drawn = [_rate(weights @ each) for each in sums]
        found = [
            estimate_from_replicates(value, replicates, len(self.document), self.options.confidence)
            for value, replicates in zip(values, (*drawn, drawn[0] - drawn[1]), strict=True)
        ]
        return found[0], found[1], found[2]

    def p_value(self, sums: Sequence[FloatArray]) -> float:
        """Two-sided: how often swapping documents gives a difference at least as large.

        The difference is the mean of those of documents, weighted by their length, so that documents without such
        errors do not count, however much longer one system is.
        """
        first, second = (_rate(each) for each in sums)
        weights = sum(each[:, 1] for each in sums)
        differences = weights * (np.nan_to_num(first) - np.nan_to_num(second))
        resamples = self.options.resamples
        swapped = Swaps(resamples, self.options.seed).sums([differences[np.newaxis, :, np.newaxis]], self.runtime)
        observed, moved = differences.sum(), np.asarray(swapped[0])[0, :, 0]
        extreme = np.abs(observed - 2 * moved) >= abs(observed) - _ROUNDING * np.abs(differences).sum()
        return float((1 + extreme.sum()) / (1 + resamples))


def _rate(sums: FloatArray) -> FloatArray:
    """Errors in 100 words."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(_PER * sums[..., 0] / sums[..., 1])


def _kind(kind: str, first: FloatArray, second: FloatArray, segments: Sequence[int], drawn: _Drawn) -> ErrorKind:
    sums = [drawn.sums(counts, lengths) for counts, lengths in zip((first, second), drawn.lengths, strict=True)]
    of_first, of_second, difference = drawn.estimates(sums)
    numbers = np.array(segments) + 1
    first_only, second_only = (
        numbers[(one > 0) & (other == 0)].tolist() for one, other in ((first, second), (second, first))
    )
    p = drawn.p_value(sums)
    return ErrorKind(
        kind,
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
