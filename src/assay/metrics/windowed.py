"""Segments that are too long for a model, scored in windows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from assay.learned.model import EncodedSegments, LearnedModel, Segment
from assay.text.windows import cut_into_windows
from assay.types import FloatArray

__all__ = ["Windows", "split_segments"]

_Part: TypeAlias = tuple[Segment, int]
"""A window, and where it starts in the output of its segment."""
_MAX_WINDOWS = 100
"""Of a segment. One whose texts do not fit then is a book, or its texts do not belong together."""


@dataclass(frozen=True, slots=True)
class Windows:
    """The texts that are scored, and the segments that they are windows of. A segment that fits is its only window."""

    texts: Sequence[Segment]
    starts: Sequence[int]
    """Where each window starts in the output of its segment."""
    counts: npt.NDArray[np.int64]
    """By segment: how many windows it has."""
    is_split: npt.NDArray[np.bool_]
    """By segment: whether it has several."""

    @property
    def owners(self) -> npt.NDArray[np.int64]:
        """By window: its segment."""
        return np.repeat(np.arange(len(self.counts)), self.counts)

    def mean(self, scores: FloatArray) -> FloatArray:
        """By segment: the mean of the scores of its windows, each weighted by the characters of its output."""
        if not self.is_split.any():
            return scores
        weights = np.array([len(each.output) for each in self.texts], dtype=np.float64)
        weights[~self.is_split[self.owners]] = 1.0  # an output may be empty
        sums = np.bincount(self.owners, weights=weights * scores, minlength=len(self.counts))
        mean: FloatArray = sums / np.bincount(self.owners, weights=weights, minlength=len(self.counts))
        return mean

    def any(self, values: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """By segment: whether the value of any of its windows is true."""
        return np.bincount(self.owners, weights=values, minlength=len(self.counts)) > 0


def split_segments(model: LearnedModel, segments: Sequence[Segment], limit: int) -> tuple[Windows, EncodedSegments]:
    """Segments, each cut into the fewest windows that have at most so many tokens, and the inputs of all.

    0: nothing is cut. A segment that cannot be cut so that its windows fit stays whole.
    """
    encoded = model.encode(segments)
    parts: dict[int, list[_Part]] = {}
    if limit:
        waiting = np.flatnonzero(_is_long(encoded, limit)).tolist()
        for count in range(2, _MAX_WINDOWS + 1):
            tried = {i: cut for i in waiting if (cut := _cut(segments[i], count))}
            if not tried:
                break
            texts = [text for cut in tried.values() for text, _ in cut]
            is_long = _is_long(model.encode(texts), limit).reshape(-1, count).sum(axis=1).tolist()
            waiting = [i for i, long_ones in zip(tried, is_long, strict=True) if long_ones]
            parts |= {i: cut for i, cut in tried.items() if i not in set(waiting)}
    made = [parts.get(i, [(segment, 0)]) for i, segment in enumerate(segments)]
    all_texts = [text for each in made for text, _ in each]
    counts = np.array([len(each) for each in made], dtype=np.int64)
    windows = Windows(all_texts, [start for each in made for _, start in each], counts, counts > 1)
    return windows, model.encode(all_texts) if parts else encoded


def _is_long(encoded: EncodedSegments, limit: int) -> npt.NDArray[np.bool_]:
    """By segment: whether one of its inputs has more tokens."""
    lengths = np.array([len(ids) for ids in encoded.inputs], dtype=np.int64)
    is_long = (lengths > limit)[encoded.input_indices] | encoded.is_truncated
    return np.asarray(is_long.any(axis=1))


def _cut(segment: Segment, count: int) -> list[_Part] | None:
    """The windows of a segment, and where each starts in the output."""
    given = [name for name, text in segment._asdict().items() if name != "output" and text is not None]
    others = [getattr(segment, name) for name in given]
    windows = cut_into_windows(segment.output, others, count)
    if windows is None:
        return None
    return [
        (
            Segment(
                segment.output[slice(*own)],
                **{name: text[slice(*place)] for name, text, place in zip(given, others, places, strict=True)},
            ),
            own[0],
        )
        for own, *places in windows
    ]
