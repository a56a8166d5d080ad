from __future__ import annotations

import tracemalloc

import numpy as np

import assay
from assay.metrics.chrf import Chrf
from assay.metrics.references import in_blocks, of_best_reference
from assay.runtime import Runtime


def test_the_highest_score_wins_and_the_first_of_equals():
    tables = np.arange(2 * 1 * 3 * 1).reshape(2, 1, 3, 1)
    scores = np.array([[[1.0, 0.5, 0.0]], [[0.0, 0.5, 0.0]]])
    references = (("a", "b", None), ("a", "b", "c"))
    assert of_best_reference(tables, scores, references)[0, :, 0].tolist() == [0, 1, 5]


def test_blocks_of_segments_are_put_together(monkeypatch):
    monkeypatch.setattr("assay.metrics.references._MIN_SEGMENTS", 3)
    monkeypatch.setattr("assay.metrics.references._BLOCK_CELLS", 8)
    columns = tuple(tuple(f"{name}{i}" for i in range(10)) for name in "abcd")
    firsts = []

    def statistics(references, outputs, first):
        firsts.append(first)
        assert [len(column) for column in (*references, *outputs)] == [len(references[0])] * 4
        return np.array([[[int(text[1:]), first] for text in column] for column in outputs])

    table = in_blocks(columns[:2], columns[2:], statistics)
    assert firsts == [0, 3, 6, 9]
    assert table[..., 0].tolist() == [list(range(10))] * 2
    assert in_blocks(columns[:1], columns[1:], statistics).shape == (3, 10, 2)


def test_eight_references_take_little_memory():
    """The peak of NumPy's memory, which held the statistics of all references and their scores at once."""
    line = "the quick brown fox jumps over the lazy dog"
    segments = 60_000
    references = {f"ref{i}": [line[i:]] * segments for i in range(8)}
    testset = assay.TestSet(outputs={"out": [line] * segments}, references=references)
    metric = Chrf()
    runtime = Runtime(threads=1)
    metric.statistics(testset.take(np.arange(10)), runtime)
    tracemalloc.start()
    try:
        table = metric.statistics(testset, runtime)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert table.shape == (1, segments, 18)
    assert peak / segments < 600
