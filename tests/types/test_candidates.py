from __future__ import annotations

import pytest

from assay.errors import AssayError
from assay.types import Candidates


def test_groups():
    candidates = Candidates.of([["a", "b"], ("c",), ["", "d", "d"]])
    assert candidates.texts == ("a", "b", "c", "", "d", "d")
    assert candidates.starts == (0, 2, 3, 6)
    assert candidates.sizes == (2, 1, 3)
    assert len(candidates) == 3
    assert list(candidates) == [("a", "b"), ("c",), ("", "d", "d")]
    assert repr(candidates) == "Candidates(6 candidates for 3 segments)"


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ([], "there are no candidates"),
        ([["a"], []], "segment 2 has no candidate"),
        (["a"], "segment 1: a text is not a list of candidates"),
        ([None], "segment 1: NoneType is not a list of candidates"),
        ([["a", 1]], "segment 1, candidate 2: int is not text"),
        ([["\ud800"]], "segment 1, candidate 1: a lone surrogate is not text"),
    ],
)
def test_what_is_refused(groups, message):
    with pytest.raises(AssayError, match=message):
        Candidates.of(groups)


def test_another_noun():
    with pytest.raises(AssayError, match="segment 1 has no pseudo-reference"):
        Candidates.of([[]], noun="pseudo-reference")
