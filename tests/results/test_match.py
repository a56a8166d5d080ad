from __future__ import annotations

from assay.results import Candidate, Match


def test_what_counts_as_a_match():
    near = Candidate("x", "bleu", ("refA",), "corpus", 27.349, 0, "bleu|…", (("smooth", ("exp", "none")),))
    far = Candidate("x", "bleu:tok=intl", ("refA", "refB"), "segment", 27.36, 2, "bleu|…")
    found = Match("27.3", 27.3, 0.05, (near, far), tried=2)
    assert found.matches == (near,)
    assert near.alternatives_text == "smooth=exp/none"
    assert [(row["match"], row["references"]) for row in found.rows()] == [("yes", "refA"), ("no", "refA+refB")]
    assert found.to_dict()["candidates"][1]["alternatives"] is None
