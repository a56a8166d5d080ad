from __future__ import annotations

from assay.results import Finding, Findings


def test_counts():
    found = Findings(("a", "b"), (Finding("error", "a", "is empty"), Finding("note", "b", "has a mark", 1, "strip it")))
    assert found.has_errors
    assert (found.count("error"), found.count("warning"), found.count("note")) == (1, 0, 1)
    tree = found.to_dict()
    assert (tree["errors"], tree["warnings"], tree["looked_at"]) == (1, 0, ["a", "b"])
    assert tree["findings"][1] == {
        "severity": "note",
        "where": "b",
        "what": "has a mark",
        "line": 1,
        "hint": "strip it",
    }
    assert not Findings((), ()).has_errors
