from __future__ import annotations

from assay.words.statement import Name, Verdict, sized_up


def test_sizes_that_are_enough_are_rounded_up():
    assert [sized_up(1.21), sized_up(1.2), sized_up(0.0312), sized_up(0.0312, 3)] == ["1.3", "1.2", "0.04", "0.032"]


def test_a_verdict_as_plain_text():
    assert Verdict((("No ", Name("a", "a"), "."), ("None.",))).text == "No a. None."
