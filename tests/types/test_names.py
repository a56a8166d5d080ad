from __future__ import annotations

import unicodedata

import pytest

from assay.types import Campaign, Rankings, ScoreTable, TestSet
from assay.types.names import caseless, similar_names

ALIKE = "differ only in case, spaces or Unicode form: probably the same"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Online-A", "online-A"),
        ("Grün", unicodedata.normalize("NFD", "Grün")),
        ("STRASSE", "straße"),
        ("\u0390", "\u03b9\u0308\u0301"),
    ],
)
def test_names_that_differ_only_in_case_or_form(one, other):
    assert one != other
    assert caseless(one) == caseless(other)
    (note,) = similar_names({one: ["x.tsv"], "B": ["x.tsv"], other: ["y.tsv", "y.tsv", "z.tsv"]})
    assert note.text == f"'{one}' (x.tsv) and '{other}' (y.tsv, z.tsv) {ALIKE}"


def test_other_names_are_different():
    assert similar_names({"online-A": [], "online-B": [], "onlineA": [], "online_A": []}) == ()
    assert similar_names({}) == ()


def test_many_places_are_cut_short():
    (note,) = similar_names({"a": [f"{i}.tsv" for i in range(9)], "A": ["x"]})
    assert note.text.startswith("'a' (0.tsv, 1.tsv, 2.tsv and 6 more) and 'A' (x)")


def test_a_campaign_knows_where_its_names_stand():
    testset = TestSet(outputs={"Online-A": ("a",), "RefA": ("b",)}, references={"refA": ("b",)})
    table = ScoreTable("mqm", "system", ("Online-A",), [[1.0]], protocol="MQM", origin="mqm.score")
    judged = Rankings("rr", ("online-A", "B"), ("j",), [0], [0], [[1, 2]], origin="rr.tsv")
    campaign = Campaign("wmt", "en-de", 1, ("Online-A", "RefA"), ("refA",), testset, (table,), (judged,))
    assert [note.text for note in campaign.similar_names("wmt")] == [
        f"'Online-A' (wmt, mqm.score) and 'online-A' (rr.tsv) {ALIKE}",
        f"'RefA' and 'refA' (wmt) {ALIKE}",
    ]


def test_spaces_do_not_make_another_name_and_the_same_places_are_named_once():
    (note,) = similar_names({"A": ["x.csv"], "a ": ["x.csv"]})
    assert note.text == f"'A' and 'a ' (x.csv) {ALIKE}"
