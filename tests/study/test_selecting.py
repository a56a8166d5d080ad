from __future__ import annotations

import pytest

from assay.errors import InputError, UnknownNameError
from assay.study.selecting import choose
from assay.types import Campaign, TestSet

TESTSET = TestSet(
    outputs={"x": ("a",), "y": ("b",), "refA": ("c",), "refB": ("d",)}, references={"refA": ("c",), "refB": ("d",)}
)
CAMPAIGN = Campaign("wmt", "en-de", 1, TESTSET.systems, ("refA", "refB"), TESTSET)


def test_choices_are_made_and_told():
    chosen = choose(CAMPAIGN)
    assert (chosen.systems, tuple(chosen.references)) == (("x", "y"), ("refA", "refB"))
    assert chosen.notes == (
        "left out: refA, refB (the reference it would be scored against)",
        "references used: refA, refB",
    )
    chosen = choose(CAMPAIGN, references=["refA"], exclude=["y"], keep_references=True)
    assert (chosen.systems, tuple(chosen.references)) == (("x", "refB"), ("refA",))
    assert "left out: y (excluded)" in chosen.notes


def test_what_is_not_there():
    with pytest.raises(UnknownNameError, match="there is no reference 'refC'"):
        choose(CAMPAIGN, references=["refC"])
    with pytest.raises(InputError, match="wmt en-de has no texts"):
        choose(Campaign("wmt", "en-de", 1, ("x",), (), None))
