from __future__ import annotations

import pytest

from assay.results import AlignedOutput, AlignedSegment, Alignment

SEGMENTS = (
    AlignedSegment("x", 1, 3, 4, 2, doubtful=True),
    AlignedSegment("x", 2, 2, 0, 2, doubtful=True),
    AlignedSegment("x", 3, 0, 0, 0, doubtful=False),
)
OUTPUT = AlignedOutput("x", ("a b c d", "", ""), SEGMENTS)


def test_sums_of_the_segments():
    assert (OUTPUT.words, OUTPUT.edits, OUTPUT.doubtful) == (4, 4, 2)
    assert OUTPUT.empty == 1  # the reference has no words for the other one


def test_an_alignment_is_a_list_of_outputs_by_name():
    alignment = Alignment({"tokens": "words"}, (OUTPUT,))
    assert list(alignment) == [OUTPUT]
    assert alignment["x"] is OUTPUT
    with pytest.raises(KeyError):
        alignment["y"]
    assert repr(alignment) == "Alignment(x: 4 edits)"
    assert [row["doubtful"] for row in alignment.rows()] == ["yes", "yes", "no"]
