from __future__ import annotations

import pytest

from assay.data.tables.scored_segments import TextKeys, texts_of_segments
from assay.errors import AlignmentError

KEYS = TextKeys(source="s", output="o", reference="r")


def texts(**systems):
    segments = {name: [dict(zip("sor", row, strict=False)) for row in rows] for name, rows in systems.items()}
    return texts_of_segments(segments, KEYS, path="x")


def test_the_texts_of_two_systems():
    testset = texts(a=["SAR"], b=["SBR"])
    assert (testset.outputs, testset.references) == ({"a": ("A",), "b": ("B",)}, {"ref": ("R",)})
    assert testset.sources == ("S",)
    assert texts(a=["SA"]).references == {}


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (["SBR", "SBR"], "system 'b' has 2 segments, but 'a' has 1"),
        (["XBR"], "segment 1: 'b' and 'a' have a different source"),
        (["SBX"], "segment 1: 'b' and 'a' have a different reference"),
    ],
)
def test_segments_that_differ(other, message):
    with pytest.raises(AlignmentError, match=message):
        texts(a=["SAR"], b=other)
