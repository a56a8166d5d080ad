from __future__ import annotations

from assay import load, score
from assay.reports.run import RunDocument, _disagreement
from assay.results import Disagreement


def make(**options):
    testset = load(outputs={"a": ["x y", "z"], "b": ["x", "z"]}, references=["x y", "z"], domains=["m", "n"])
    return score(testset, "chrf", resamples=5, **options)


def grids(run, **options):
    (section,) = RunDocument(run, **options).sections()
    return section.grids


def test_whole_groups_and_segments():
    run = make(by="domain")
    whole, groups, segments = grids(run, segments=True)
    assert whole.header == ("chrf (n=2)", "corpus", "segment", "bootstrap")
    assert [row[0] for row in whole.rows] == ["a", "b"]
    assert whole.remarks[0].startswith("corpus and segment differ by up to")
    assert groups.labels == 2
    assert [row[:2] for row in groups.rows] == [
        *(("domain:m (n=1)", "a"), ("", "b")),
        *(("domain:n (n=1)", "a"), ("", "b")),
    ]
    assert segments.header == ("chrf", "a", "b")
    assert segments.rows[1] == ("2", "100.00", "100.00")


def test_only_what_there_is():
    run = make(agg="corpus")
    (whole,) = grids(run)
    assert (whole.labels, whole.remarks) == (1, ())


def test_flips_are_named_but_not_all():
    flips = tuple((f"a{i}", f"b{i}") for i in range(5))
    text = _disagreement(Disagreement(1.25, "a0", flips, 10))
    assert text == (
        "corpus and segment differ by up to 1.25 (a0) and order 5 of 10 system pairs differently: "
        "a0 / b0, a1 / b1, a2 / b2 and 2 more"
    )


def test_nothing_in_common_has_no_disagreement():
    run = score(load(outputs={"x": [None, "a"], "y": ["a", None]}, references=["a", "a"]), "chrf", resamples=5)
    (whole,) = grids(run)
    assert not any("differ by" in remark for remark in whole.remarks)


def test_every_row_has_every_column():
    run = score(load(outputs={"x": ["a", None]}, references=["a", "b"]), "chrf", resamples=5)
    rows = list(RunDocument(run, segments=True).rows())
    assert [list(row) for row in rows] == [list(RunDocument.columns)] * 5
    for row in rows:
        assert all(value is None or type(value) is RunDocument.columns[name] for name, value in row.items())
    assert [(row["group"], row["value"], row["n"]) for row in rows[3:]] == [
        ("segment:1", 100.0, 1),
        ("segment:2", None, 0),
    ]
