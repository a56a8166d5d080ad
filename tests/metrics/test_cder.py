"""CDER by hand; tests/oracle compares it with the Moses scorer."""

from __future__ import annotations

import pytest

from assay import load, score


def cder(output, *references, spec="cder"):
    columns = {f"r{k}": [reference] for k, reference in enumerate(references)}
    return score(load(outputs={"x": [output]}, references=columns), spec, resamples=0, agg="corpus,segment")[spec]


@pytest.mark.filterwarnings("ignore:.*(nothing was scored):assay.AssayWarning")
@pytest.mark.parametrize(
    ("output", "reference", "edits"),
    [
        ("a b c", "a b c", 0),
        ("c d a b", "a b c d", 3),  # a jump to the third word, one back, one to the end
        ("a b c d", "a d", 1),  # words left out in one jump
        ("", "", 0),
        ("a", "", 1),
        ("", "a b", 2),
        (" ".join("abcdefgh" * 20), " ".join("abcdefgh" * 20), 0),
    ],
)
def test_edits(output, reference, edits):
    assert cder(output, reference).statistics.table[0, 0].tolist() == [edits, len(reference.split())]


def test_moses():
    assert cder("a b c d", "a d", spec="CDER-MOSES").corpus["x"] == 0.5
    assert cder("a b c d", "a d").corpus["x"] == 50
    assert cder("", "", spec="cder-moses").corpus["x"] == 1
