"""Misaligned columns: which lines of an output fit other lines of the reference better than their own.

Where lines are in another order, long lines no longer face long lines: in windows of 50 lines, the lengths of
translations correlate by 0.8 or more, those of unrelated lines hardly ever by 0.5. Where the lengths do not fit, the
lines must share no more rare trigrams with their own line than with distant ones, or share clearly more with a line up
to five further on or back. On the outputs of eight WMT campaigns, this finds every shuffled and shifted file, and
reports only lines that are misaligned in the published data (docs/methods/texts.md).

Very poor systems look like misaligned ones, so what was found is looked at again. Lines that are empty or repeat a few
words show nothing. Where more lines than by chance fit their own line best of all, the order is right. Lines of a part
of the file are in another order only if they fit others clearly better.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from assay import _core
from assay.data.line_index import LineIndex, says_something
from assay.lazily import numpy as np
from assay.types import Column, FloatArray, IntArray, Mask, as_column, present

__all__ = ["Misalignment", "ReferenceColumn"]

_MAX_CHARACTERS = 1000  # of a line
_MIN_GAIN = 0.1  # similarity a line must gain by a shift to count for it
_MIN_STRETCH_GAIN = 2.0  # summed over lines
_MIN_STRETCH = 5
_SHIFTS = tuple(sign * distance for distance in range(1, 6) for sign in (1, -1))
_WINDOW = 50
_MIN_LINES = 30  # fewer are never called unlike, only shifted
_SHORT_FILE = 200
_MIN_CORRELATION = 0.6
_STANDARD_ERRORS = 5.0  # by which lines must be more similar to their own lines than to others
_EPSILON = 1e-9
_LENGTH_OFFSET = 10  # characters; makes short lines count less
_RARE_SHARE = 0.1  # of the lines that have a trigram
_MIN_OWN = 3  # lines of a window that fit their own line best, …
_OWN_FACTOR = 10  # … and this many times as many as by chance
_SAMPLED_WINDOWS = 10  # if none of them is in order, none is
_CHUNK = 16_384  # lines that are compared at once, which bounds the memory


class Misalignment(NamedTuple):
    """Lines (from 1) that fit lines of the reference `shift` further on, or with shift 0 no line better than others."""

    first: int
    last: int
    shift: int = 0

    @property
    def lines(self) -> int:
        """The number of lines."""
        return self.last - self.first + 1


class ReferenceColumn:
    """A column to compare others with; its lines are prepared once."""

    def __init__(self, reference: Sequence[str | None], *, min_windows: int = 1) -> None:
        """`min_windows` is how many windows in a row must be unlike; one is not enough against another language."""
        self._reference = as_column(reference)
        self._min_windows = min_windows
        self._prepared: dict[int, _PreparedLines] = {}

    @cached_property
    def _index(self) -> LineIndex:
        return LineIndex(self._reference)

    def fits(self, output: Sequence[str | None]) -> bool:
        """Whether long lines face long lines, or else the words of these lines fit: true of nearly all translations.

        A fast test: words are compared only in windows whose lengths do not fit. Never true of few lines, which could
        be shifted by one and still fit; comparing them costs little.
        """
        if len(output) < _SHORT_FILE:
            return False
        column = as_column(output)
        is_odd = [correlation < _MIN_CORRELATION for correlation in _correlations(column, self._reference)]
        if not any(is_odd):
            return True
        lines = np.unique(_windows(len(column))[np.array(is_odd)])
        return ReferenceColumn(self._reference.take(lines)).misalignment(column.take(lines)) is None

    def misalignment(self, output: Sequence[str | None]) -> Misalignment | None:
        """The lines that fit other lines better than their own, or no line; None if there are none."""
        column = as_column(output)
        found = self._find(column)
        if found is None:
            return None
        telling = as_column(text if says_something(text) else None for text in column)
        return found if telling == column else self._find(telling)

    def _find(self, output: Column) -> Misalignment | None:
        if len(output) < _MIN_STRETCH:
            return None
        own, other, shifted = self._similarities(output)
        return _shifted_stretch(own, shifted) or self._unlike_stretch(output, own - other)

    def _unlike_stretch(self, output: Column, gains: FloatArray) -> Misalignment | None:
        """The first windows whose lines are no more similar to their own lines than to others, in words and length."""
        if len(gains) < _MIN_LINES:
            return None
        lines = _windows(len(gains))
        windows = np.where(present(output), gains, np.nan)[lines]
        is_unlike = np.array(_correlations(output, self._reference)) < _MIN_CORRELATION  # not without outputs
        windows = windows[is_unlike]
        errors = np.nanstd(windows, axis=1) / np.sqrt(np.count_nonzero(~np.isnan(windows), axis=1))
        is_unlike[is_unlike] = np.nanmean(windows, axis=1) < _STANDARD_ERRORS * errors + _EPSILON
        unlike = np.flatnonzero(is_unlike)
        sample = unlike[:: max(1, len(unlike) // _SAMPLED_WINDOWS)]
        if any(self._is_in_order(output, lines[window]) for window in sample):
            is_unlike[unlike] = [not self._is_in_order(output, lines[window]) for window in unlike]
        for first, last in _runs(is_unlike, min(self._min_windows, len(is_unlike))):
            stretch = Misalignment(int(lines[first:last].min()) + 1, int(lines[first:last].max()) + 1)
            if self._min_windows > 1 or 2 * stretch.lines > len(output) or self._fits_others(output, stretch):
                return stretch
        return None

    def _is_in_order(self, output: Column, lines: IntArray) -> bool:
        """Whether more lines than by chance are more similar to their own line than to any other of the reference."""
        fits = self._index.best_fits(output, lines.tolist())
        own = sum(fit.own > fit.other for fit in fits)
        return own >= _MIN_OWN and own > _OWN_FACTOR * len(fits) / len(output)

    def _fits_others(self, output: Column, stretch: Misalignment) -> bool:
        """Whether at least half of the lines are clearly more similar to another line: those of a poor system are not.

        Only asked of a part of the file; if nothing fits in most of it, it may be the output of other texts.
        """
        fits = self._index.best_fits(output, range(stretch.first - 1, stretch.last))
        return 2 * sum(fit.other > fit.own + _MIN_GAIN for fit in fits) >= len(fits)

    def _similarities(self, output: Sequence[str | None]) -> tuple[FloatArray, FloatArray, FloatArray]:
        """How similar each line is to its own line of the reference, to distant lines, and to its neighbours."""
        parts = [self._chunk(start).similarities(output[start : start + _CHUNK]) for start in self._chunks()]
        own, other, shifted = (np.concatenate(arrays, axis=-1) for arrays in zip(*parts, strict=True))
        return own, other, shifted

    def _chunks(self) -> range:
        return range(0, len(self._reference), _CHUNK)

    def _chunk(self, start: int) -> _PreparedLines:
        if start not in self._prepared:
            self._prepared = {start: _PreparedLines(self._reference[start : start + _CHUNK])}
        return self._prepared[start]


class _PreparedLines:
    """Which rare trigrams each line has; trigrams in many lines say little and are left out."""

    def __init__(self, lines: Sequence[str | None]) -> None:
        self._table = _core.TrigramTable(_trigrams(lines), _RARE_SHARE)

    def similarities(self, output: Sequence[str | None]) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Dice coefficients with the own line, the mean over distant lines, and (shift, line) those with neighbours.

        Those with neighbours are computed only if a few lines in a row do not fit their own: in a translation they do.
        """
        trigrams, size = self._table.rare(_trigrams(output)), len(output)

        def dice(offset: int) -> FloatArray:
            return self._table.similarities(trigrams, offset)

        own, other = dice(0), (dice(size // 3) + dice(2 * size // 3)) / 2
        shifted = np.zeros((len(_SHIFTS), size))
        if (np.convolve(own - other, np.ones(_MIN_STRETCH) / _MIN_STRETCH, "valid") < _MIN_GAIN).any():
            for row, shift in zip(shifted, _SHIFTS, strict=True):
                # The first or last lines have no such neighbour.
                inside = slice(0, -shift) if shift > 0 else slice(-shift, None)
                row[inside] = dice(shift)[inside]
        return own, other, shifted


def _shifted_stretch(own: FloatArray, shifted: FloatArray) -> Misalignment | None:
    """The stretch that gains most by a shift, if that is beyond chance."""
    best, stretch = 0.0, None
    if not shifted.any():  # the usual case: no line gains
        return None
    for shift, values in zip(_SHIFTS, shifted, strict=True):
        gain, first, last = _largest_run(values - own - _MIN_GAIN)
        if gain > best:
            best, stretch = gain, Misalignment(first + 1, last + 1, shift)
    return stretch if stretch is not None and best >= _MIN_STRETCH_GAIN and stretch.lines >= _MIN_STRETCH else None


def _largest_run(gains: FloatArray) -> tuple[float, int, int]:
    """The run of consecutive items with the largest sum: sum, first and last index."""
    sums = np.append(0.0, np.cumsum(gains))
    rises = sums - np.minimum.accumulate(sums)
    last = int(np.argmax(rises))
    first = int(np.argmin(sums[: last + 1]))
    return float(rises[last]), first, last - 1


def _runs(flags: Mask, min_length: int) -> list[tuple[int, int]]:
    """Start and end of the runs of at least so many true values."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]])))
    return [(int(start), int(end)) for start, end in edges.reshape(-1, 2) if end - start >= min_length]


def _windows(size: int) -> IntArray:
    """Line numbers (window, line) of windows that cover a file; the last two may overlap."""
    width = min(size, _WINDOW)
    starts = np.arange(0, size - width + 1, width)
    if starts[-1] + width < size:
        starts = np.append(starts, size - width)
    return starts[:, None] + np.arange(width)


def _correlations(output: Column, reference: Column) -> list[float]:
    """Correlation of log lengths in each window: 0 for outputs of equal length, NaN if there is nothing to compare."""
    return _core.length_correlations(output, reference, _WINDOW, _LENGTH_OFFSET, _MIN_LINES // 2)


def _trigrams(lines: Sequence[str | None]) -> _core.LineTrigrams:
    return _core.LineTrigrams(as_column(lines), _MAX_CHARACTERS)
