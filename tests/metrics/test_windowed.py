"""Segments that are scored in windows, with a model whose inputs have as many tokens as a text has words."""

from __future__ import annotations

import numpy as np
import pytest

from assay.learned.model import LearnedModel, Segment, deduplicate
from assay.metrics.windowed import split_segments


class Words(LearnedModel):
    """Reads the words of output and source together, at most 8."""

    def encode(self, segments):
        ids = [tuple(range(len(f"{each.output} {each.source or ''}".split()))) for each in segments]
        return deduplicate([each[:8] for each in ids], [len(each) > 8 for each in ids], 1)


def words(count):
    return " ".join(f"w{i}" for i in range(count))


def test_without_a_limit_nothing_is_cut():
    windows, inputs = split_segments(Words(), [Segment(words(20), words(20))], 0)
    assert [each.output for each in windows.texts] == [words(20)]
    assert inputs.is_truncated.tolist() == [[True]]


@pytest.mark.parametrize(("limit", "counts"), [(8, [1, 2, 4]), (6, [1, 3, 5])])
def test_the_fewest_windows_that_fit(limit, counts):
    segments = [Segment(words(3), words(3)), Segment(words(8), words(8)), Segment(words(12), words(10))]
    windows, inputs = split_segments(Words(), segments, limit)
    assert windows.counts.tolist() == counts
    assert windows.is_split.tolist() == [False, True, True]
    assert not inputs.is_truncated.any()
    assert max(map(len, inputs.inputs)) <= limit
    for owner, segment in enumerate(segments):
        own = [each for each, i in zip(windows.texts, windows.owners, strict=True) if i == owner]
        assert " ".join(each.output for each in own) == segment.output
        assert " ".join(each.source for each in own) == segment.source
        starts = [start for start, i in zip(windows.starts, windows.owners, strict=True) if i == owner]
        assert all(segment.output[start:].startswith(each.output) for start, each in zip(starts, own, strict=True))


def test_what_cannot_be_cut_stays_whole():
    """A window would have no output."""
    windows, inputs = split_segments(Words(), [Segment("a", words(30)), Segment("", words(30))], 8)
    assert windows.counts.tolist() == [1, 1]
    assert inputs.is_truncated.all()


def test_a_mean_is_weighted_by_the_output():
    segments = [Segment("", "a"), Segment("aa bb cc ddddddd", words(8))]
    windows, _ = split_segments(Words(), segments, 8)
    lengths = [len(each.output) for each in windows.texts[1:]]
    assert windows.counts.tolist() == [1, 2]
    mean = windows.mean(np.array([5.0, 1.0, 2.0]))
    assert mean.tolist() == [5.0, pytest.approx(np.average([1, 2], weights=lengths))]
    assert windows.any(np.array([False, True, False])).tolist() == [False, True]
