from __future__ import annotations

from assay.words.statement import Name, Verdict


def test_a_verdict_as_plain_text():
    assert Verdict((("No ", Name("a", "a"), "."), ("None.",))).text == "No a. None."
