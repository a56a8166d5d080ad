from __future__ import annotations

import numpy as np
import pytest

from assay.errors import ConfigError, InputError, UnknownNameError
from assay.types import Campaign, Note, NoteKind, Rankings, ScoreTable, TestSet, select
from assay.types.campaign import left_out_notes

SYSTEMS = ("Online-A", "Online-B", "refA", "refB")


def table(name="BLEU", level="segment", systems=SYSTEMS, **options):
    return ScoreTable(name, level, systems, np.zeros((len(systems), 2 if level == "segment" else 1)), **options)


def make(**changes):
    testset = TestSet(outputs=dict.fromkeys(SYSTEMS, ("a", "b")), references={"refA": ("a", "b"), "refB": ("a", "c")})
    fields = {
        "name": "wmt",
        "lp": "en-de",
        "segments": 2,
        "systems": SYSTEMS,
        "references": ("refA", "refB"),
        "testset": testset,
    }
    return Campaign(**fields | changes)


def test_references_are_no_systems_unless_asked_for():
    campaign = make()
    chosen = campaign.select()
    assert chosen.systems == ("Online-A", "Online-B")
    assert chosen.left_out == {"refA": "a reference", "refB": "a reference"}
    kept = campaign.select(keep_references=True, used=["refA"])
    assert kept.systems == ("Online-A", "Online-B", "refB")
    assert kept.left_out == {"refA": "used as the reference"}
    assert campaign.select(systems=["Online-*", "refB"]).systems == ("Online-A", "Online-B", "refB")


def test_patterns():
    campaign = make()
    chosen = campaign.select(systems=["Online-*"], exclude=["*-B"])
    assert chosen.systems == ("Online-A",)
    assert chosen.left_out["Online-B"] == "excluded"
    assert campaign.select(systems=["Online-A"]).left_out["Online-B"] == "not selected"
    with pytest.raises(UnknownNameError, match="no system matches 'online-A'") as caught:
        campaign.select(systems=["online-A"])
    assert caught.value.hint == "did you mean 'Online-A'?"
    with pytest.raises(InputError, match="all systems of wmt en-de are excluded"):
        campaign.select(exclude=["*"])


def test_scores_are_found_by_name_level_and_references():
    human = table("mqm", protocol="MQM")
    campaign = make(scores=(table(references=("refA",)), table(references=("refB",)), table(level="system"), human))
    assert campaign.find("BLEU", "segment", references=("refB",)).references == ("refB",)
    assert campaign.find("mqm", "segment") is human
    assert (campaign.human, len(campaign.metrics)) == ((human,), 3)
    with pytest.raises(ConfigError, match="several scores 'BLEU' by segment, with references refA, refB"):
        campaign.find("BLEU", "segment")
    with pytest.raises(UnknownNameError, match="wmt en-de has no system scores 'BLEUU'"):
        campaign.find("BLEUU", "system")
    with pytest.raises(UnknownNameError, match="unknown level 'seg'"):
        campaign.find("mqm", "seg")
    assert "1 table of human scores, 3 of metric scores" in repr(campaign)


def test_what_does_not_belong_is_refused():
    with pytest.raises(InputError, match="have an unknown system 'x'"):
        make(scores=(table(systems=("x",)),))
    with pytest.raises(InputError, match="3 scores per system, but 2 segments"):
        make(scores=(ScoreTable("m", "segment", ("refA",), np.zeros((1, 3))),))


def test_judgements_that_do_not_fit():
    far = Rankings("rr", ("refA", "me"), ("j",), np.array([0]), np.array([2]), np.array([[1, 2]], np.int8))
    assert [(note.text, note.count) for note in make(judgements=(far,)).mismatches] == [
        ("the judgements 'rr' include systems without an output: me", 1),
        ("the judgements 'rr' have segment numbers up to 3, beyond the last segment, 2", 1),
    ]
    assert make().mismatches == ()


def test_names_are_chosen_without_a_campaign_too():
    found = select(
        ("a1", "a2", "b", "refA", "refB"), systems=("a*", "refB"), exclude=("a2",), references=("refA", "refB")
    )
    assert found.systems == ("a1", "refB")
    assert found.left_out == {"a2": "excluded", "b": "not selected", "refA": "a reference"}
    assert select(("a", "b"), used=("b",)).left_out == {"b": "used as the reference"}
    assert select((), systems=()).systems == ()


def test_texts_of_the_selected_systems():
    chosen = make().select_texts()
    assert (chosen.systems, tuple(chosen.references)) == (("Online-A", "Online-B"), ("refA", "refB"))
    assert chosen.notes == (
        Note(NoteKind.EXCLUDED, "left out: refA, refB (used as references)", count=2),
        Note(NoteKind.PROVENANCE, "references used: refA, refB", count=2),
    )
    chosen = make().select_texts(references=["refA"], exclude=["*-B"], keep_references=True)
    assert (chosen.systems, tuple(chosen.references)) == (("Online-A", "refB"), ("refA",))
    assert Note(NoteKind.EXCLUDED, "left out: Online-B (excluded)", count=1) in chosen.notes


def test_of_many_systems_that_were_not_selected_a_note_names_the_first():
    text = str(*left_out_notes(dict.fromkeys("abcdef", "not selected")))
    assert text == "left out: a, b, c and 3 more (not selected)"
    assert str(*left_out_notes(dict.fromkeys("abcdef", "excluded"))) == "left out: a, b, c, d, e, f (excluded)"


def test_systems_are_in_the_order_in_which_they_are_named():
    """The first one is the baseline of a comparison."""
    assert make().select_texts(systems=["Online-B", "*"]).systems == ("Online-B", "Online-A")
    assert make().select_texts(systems=["Online-*"]).systems == ("Online-A", "Online-B")


def test_texts_need_texts_and_known_references():
    with pytest.raises(UnknownNameError, match="no reference 'refC'"):
        make().select_texts(references=["refC"])
    with pytest.raises(InputError, match="wmt en-de has no outputs of systems"):
        make(testset=None).select_texts()


def test_systems_without_an_output_are_left_out_of_the_texts():
    campaign = make(systems=(*SYSTEMS, "C"), scores=(table("mqm", systems=("Online-A", "C"), protocol="MQM"),))
    testset = campaign.select_texts(references=["refA"])
    assert set(testset.outputs) == {"Online-A", "Online-B"}
    assert "left out: C (without an output)" in map(str, testset.notes)
    with pytest.raises(InputError, match="no outputs of C"):
        campaign.select_texts(systems=["C"])


def test_missing_values_are_told_in_results():
    note = Note(NoteKind.MISSING, "1 of 2 ratings without a score", "file")
    assert make(notes=(note,)).reading_notes == (note,)


def test_systems_that_differ_only_in_case_are_told_in_results():
    (note,) = make(systems=(*SYSTEMS, "online-a")).reading_notes
    assert "differ only in case" in note.text
