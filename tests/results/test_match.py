from __future__ import annotations

from assay.results import Candidate, Match


def test_rows_and_trees():
    near = Candidate("x", "bleu", ("refA",), "corpus", 27.34, 0.04, True, 0, "bleu|…", (("smooth", ("exp", "none")),))
    far = Candidate("x", "bleu:tok=intl", ("refA", "refB"), "segment", 27.36, 0.06, False, 2, "bleu|…")
    found = Match("27.3", {27.3: 0.05}, (near, far), tried=3, matched=1)
    assert found.matches == (near,)
    assert near.alternatives_text == "smooth=exp/none"
    assert [(row["match"], row["references"]) for row in found.rows()] == [("yes", "refA"), ("no", "refA+refB")]
    tree = found.to_dict()
    assert tree["readings"] == [{"value": 27.3, "tolerance": 0.05}]
    assert [(c["match"], c["references"], c["alternatives"]) for c in tree["candidates"]] == [
        (True, ["refA"], [["smooth", ["exp", "none"]]]),
        (False, ["refA", "refB"], []),
    ]
    assert repr(found) == "Match(27.3: 1 of 3 settings; first bleu 27.340)"
