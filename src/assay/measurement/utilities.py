"""What candidates are worth: scores without a reference, or utilities against pseudo-references and their means."""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.contracts import BY_ITSELF, Metric
from assay.errors import ConfigError, InputError, SegmentError
from assay.lazily import numpy as np
from assay.measurement import check_finite, naming_metric
from assay.measurement.needs import check_needs
from assay.metrics.core_metric import ComparedTexts, is_core
from assay.types import Column, FloatArray, Note, TestSet, as_column
from assay.types.candidates import Candidates
from assay.types.runtime import Runtime

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Worth", "candidate_scores", "expected_utilities"]

_BATCH_CELLS = 1 << 16  # (segment and pseudo-reference, candidate): what a metric gets at once
_KERNEL_CELLS = 1 << 24  # utilities that the kernel computes between two reports of progress

_PLACE = re.compile(r" \(first: [^()]*\)")
_NUMBER = re.compile(r"[0-9][0-9,.]*")


@dataclass(frozen=True, slots=True)
class Worth:
    """What each candidate is worth by a prepared metric: NaN where it is undefined."""

    metric: Metric
    values: FloatArray
    """By candidate: its score, or its mean utility."""
    utilities: tuple[FloatArray, ...] | None = None
    """By segment, (candidate, pseudo-reference), if they are kept."""
    notes: tuple[Note, ...] = ()
    """The metric's own."""


def candidate_scores(
    spec: str, metric: Metric, candidates: Candidates, sources: Column | None, lp: str | None, runtime: Runtime
) -> Worth:
    """The segment score of each candidate by a metric that needs no reference."""
    segments = len(candidates)
    with naming_metric(spec, metric):
        _check_is_independent(spec, metric)
        metric.check_resources()
        rows = _Rows(candidates, None, sources, lp)
        check_needs(rows.testset([(0, 0)]), spec, metric.needs)
        prepared = metric.prepare(rows.fitting)
        values = np.full(len(candidates.texts), np.nan)
        notes = _Notes()
        batches = rows.batches([(segment, 0) for segment in range(segments)])
        for batch in runtime.track(batches, lambda _: f"scoring candidates by {spec}"):
            scores = _scores(prepared, rows, batch, runtime, notes)
            for (segment, _), row in zip(batch, scores, strict=True):
                first, last = candidates.starts[segment : segment + 2]
                values[first:last] = row[rows.places[segment]]
    return Worth(prepared, values, notes=notes.merged())


def expected_utilities(
    spec: str,
    metric: Metric,
    candidates: Candidates,
    references: Candidates | None,
    sources: Column | None,
    lp: str | None,
    runtime: Runtime,
    *,
    keeps_all: bool,
) -> Worth:
    """The mean utility of each candidate: the mean of its segment scores against each pseudo-reference alone.

    Without `references`, the candidates are their own pseudo-references, each also of itself. Pseudo-references against
    which the metric is undefined for every candidate of their segment do not count; a candidate that has no utility
    against one of the others has no mean.
    """
    with naming_metric(spec, metric):
        _check_is_independent(spec, metric)
        metric.check_resources()
        rows = _Rows(candidates, references, sources, lp)
        check_needs(rows.testset([(0, 0)]), spec, metric.needs)
        prepared = metric.prepare(rows.fitting)
        form = prepared.segment_form
        if is_core(form) and form.has_utilities:
            means: list[FloatArray] = []
            all_utilities: list[FloatArray] = []
            parts = _parts(candidates, references or candidates)
            for part in runtime.track(parts, lambda _: f"comparing candidates by {spec}"):
                texts, starts = _part(candidates, part)
                others = (None, None) if references is None else _part(references, part)
                mean, flat = form.core_utilities(
                    ComparedTexts(texts, starts, *others), keeps_all=keeps_all, threads=runtime.threads
                )
                means.append(mean)
                if flat is not None:
                    all_utilities += _matrices(flat, candidates.sizes[part], (references or candidates).sizes[part])
            kept = tuple(all_utilities) if keeps_all else None
            return Worth(prepared, np.concatenate(means), kept, tuple(prepared.advice(rows.fitting)))
        return _computed(spec, prepared, rows, runtime, keeps_all=keeps_all)


def _parts(candidates: Candidates, references: Candidates) -> list[slice]:
    """Segments whose utilities are computed at once."""
    parts, first, cells = [], 0, 0
    for segment, (ours, theirs) in enumerate(zip(candidates.sizes, references.sizes, strict=True)):
        if segment > first and cells + ours * theirs > _KERNEL_CELLS:
            parts.append(slice(first, segment))
            first, cells = segment, 0
        cells += ours * theirs
    return [*parts, slice(first, len(candidates))]


def _part(candidates: Candidates, part: slice) -> tuple[Column, npt.NDArray[np.int64]]:
    starts = np.asarray(candidates.starts[part.start : part.stop + 1], dtype=np.int64)
    return as_column(candidates.texts[starts[0] : starts[-1]]), starts - starts[0]


def _matrices(flat: FloatArray, rows: Sequence[int], columns: Sequence[int]) -> Iterator[FloatArray]:
    first = 0
    for size, width in zip(rows, columns, strict=True):
        yield flat[first : first + size * width].reshape(size, width)
        first += size * width


def _computed(spec: str, prepared: Metric, rows: _Rows, runtime: Runtime, *, keeps_all: bool) -> Worth:
    """The utilities of a metric without a kernel, batch by batch."""
    candidates = rows.candidates
    pairs = [(segment, k) for segment, texts in enumerate(rows.references) for k in range(len(texts))]
    values = np.full(len(candidates.texts), np.nan)
    kept: list[FloatArray] = []
    notes = _Notes(has_lines=False)
    utilities: list[FloatArray] = []  # of the current segment, by its different pseudo-references
    for batch in runtime.track(rows.batches(pairs), lambda _: f"comparing candidates by {spec}"):
        for (segment, k), row in zip(batch, _scores(prepared, rows, batch, runtime, notes), strict=True):
            utilities.append(row[rows.places[segment]])
            if k + 1 < len(rows.references[segment]):
                continue
            matrix = np.stack(utilities, axis=1)[:, rows.reference_places[segment]]
            utilities = []
            first, last = candidates.starts[segment : segment + 2]
            values[first:last] = _means(matrix)
            if keeps_all:
                kept.append(matrix)
    return Worth(prepared, values, tuple(kept) if keeps_all else None, notes.merged())


def _means(matrix: FloatArray) -> FloatArray:
    """The mean of each row over the columns in which any row has a value, added up in order as the core does."""
    counted = matrix[:, ~np.isnan(matrix).all(axis=0)]
    if not counted.shape[1]:
        return np.full(len(matrix), np.nan)
    means: FloatArray = np.add.accumulate(counted, axis=1)[:, -1] / counted.shape[1]
    return means


def _check_is_independent(spec: str, metric: Metric) -> None:
    if metric.depends_on_systems:
        message = f"{spec} cannot choose: the score of a candidate would depend on the other ones"
        raise ConfigError(message, hint=BY_ITSELF)


class _Notes:
    """The metric's own notes on batches, which are merged if they differ in numbers only."""

    def __init__(self, *, has_lines: bool = True) -> None:
        self._has_lines = has_lines
        """Whether the lines of the first batch are segments: with pseudo-references they are comparisons."""
        self._found: dict[tuple[str, str], list[Note]] = {}

    def add(self, notes: Iterable[Note]) -> None:
        for note in notes:
            unplaced = _PLACE.sub("", note.text)
            text = note.text if self._has_lines else unplaced
            self._found.setdefault((note.where, _NUMBER.sub("0", unplaced)), []).append(
                dataclasses.replace(note, text=text)
            )
        self._has_lines = False

    def merged(self) -> tuple[Note, ...]:
        return tuple(self._merged(alike) for alike in self._found.values())

    @staticmethod
    def _merged(alike: Sequence[Note]) -> Note:
        first = alike[0]
        if len(alike) == 1 or (first.count is None and all(note.text == first.text for note in alike)):
            return first
        text = f"{first.text} (the first of {len(alike):,} such notes, one for each batch of candidates)"
        return dataclasses.replace(first, text=text, count=sum(note.count or 0 for note in alike) or None)


def _scores(
    metric: Metric, rows: _Rows, batch: Sequence[tuple[int, int]], runtime: Runtime, notes: _Notes
) -> FloatArray:
    """(row, candidate): segment scores, NaN where there is none."""
    testset = rows.testset(batch)
    try:
        table = np.asarray(metric.statistics(testset, runtime))
    except SegmentError as error:
        message = f"segment {batch[error.segment][0] + 1}: a candidate {error.reason}"
        raise InputError(message, hint=error.hint) from None
    scored = metric.scorable(testset) & metric.defined(table)
    scores = np.where(scored, np.asarray(metric.segment_form.score(table)), np.nan)
    check_finite(scores)
    notes.add(metric.advice(testset))
    return scores.T


class _Rows:
    """Test sets of candidates: a row for each segment and pseudo-reference, and the k-th candidates as the k-th system.

    Equal candidates of a segment are scored once, and so are equal pseudo-references.
    """

    def __init__(
        self, candidates: Candidates, references: Candidates | None, sources: Column | None, lp: str | None
    ) -> None:
        self.candidates, self.sources, self.lp = candidates, sources, lp
        self.has_references = references is not None
        different = [_different(texts) for texts in candidates]
        self.texts = [texts for texts, _ in different]
        self.places = [places for _, places in different]
        others = different if references is None else [_different(texts) for texts in references]
        self.references = [texts for texts, _ in others]
        self.reference_places = [places for _, places in others]

    @functools.cached_property
    def fitting(self) -> TestSet:
        """What a metric is prepared on: each segment with each of its pseudo-references, and its first candidate."""
        pairs = [(segment, k) for segment, texts in enumerate(self.references) for k in range(len(texts))]
        return self.testset(pairs, systems=1)

    def testset(self, rows: Sequence[tuple[int, int]], *, systems: int | None = None) -> TestSet:
        """The rows (segment, pseudo-reference) as a test set."""
        count = systems or max(len(self.texts[segment]) for segment, _ in rows)
        outputs = {
            f"candidate{k + 1}": as_column(
                self.texts[segment][k] if k < len(self.texts[segment]) else None for segment, _ in rows
            )
            for k in range(count)
        }
        references = as_column(self.references[segment][k] for segment, k in rows)
        sources = None if self.sources is None else as_column(self.sources[segment] for segment, _ in rows)
        return TestSet(outputs, {"pseudo": references}, sources=sources, lp=self.lp)

    def batches(self, rows: Sequence[tuple[int, int]]) -> list[list[tuple[int, int]]]:
        """The rows in batches of about the same number of cells."""
        batches: list[list[tuple[int, int]]] = [[]]
        width = 0
        for row in rows:
            width = max(width, len(self.texts[row[0]]))
            if batches[-1] and (len(batches[-1]) + 1) * width > _BATCH_CELLS:
                batches.append([])
                width = len(self.texts[row[0]])
            batches[-1].append(row)
        return batches


def _different(texts: Sequence[str]) -> tuple[tuple[str, ...], list[int]]:
    """The different texts in the order in which they occur, and the place of each text among them."""
    places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    return tuple(places), [places[text] for text in texts]
