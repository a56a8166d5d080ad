from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from assay.metrics.references import in_blocks, of_best_reference


def test_the_highest_score_wins_and_the_first_of_equals():
    tables = np.arange(2 * 1 * 3 * 1).reshape(2, 1, 3, 1)
    scores = np.array([[[1.0, 0.5, 0.0]], [[0.0, 0.5, 0.0]]])
    references = (("a", "b", None), ("a", "b", "c"))
    assert of_best_reference(tables, scores, references)[0, :, 0].tolist() == [0, 1, 5]


def test_a_reference_without_a_score_is_chosen_last():
    tables = np.arange(2 * 1 * 3 * 1).reshape(2, 1, 3, 1)
    scores = np.array([[[np.nan, 0.0, np.nan]], [[0.0, np.nan, np.nan]]])
    references = (("a", "b", None), ("a", "b", "c"))
    assert of_best_reference(tables, scores, references)[0, :, 0].tolist() == [3, 1, 5]


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


_EIGHT_REFERENCES = """
import assay
from assay.metrics.chrf import Chrf
from assay.types.runtime import Runtime
def peak():
    with open("/proc/self/status") as status:
        return int(next(line for line in status if line.startswith("VmHWM")).split()[1])
line = "the quick brown fox jumps over the lazy dog"
references = {f"ref{i}": [line[i:]] * 60_000 for i in range(8)}
testset = assay.TestSet(outputs={"out": [line] * 60_000}, references=references)
Chrf().statistics(testset.part(0, 10), Runtime(threads=1))
before = peak()
assert Chrf().statistics(testset, Runtime(threads=1)).shape == (1, 60_000, 18)
print(1024 * (peak() - before) / 60_000)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the peak is read from /proc")
def test_eight_references_take_little_memory():
    """In bytes for each segment. The statistics of all references and their scores at once took 3,028."""
    done = subprocess.run([sys.executable, "-c", _EIGHT_REFERENCES], capture_output=True, text=True, check=True)
    assert 100 < float(done.stdout) < 600
