from __future__ import annotations

import numpy as np
import pytest

from assay.errors import ConfigError, InputError, UnknownNameError
from assay.types import Campaign, Rankings, ScoreTable, TestSet

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
    assert kept.left_out == {"refA": "the reference it would be scored against"}
    assert campaign.select(systems=["Online-*", "refB"]).systems == ("Online-A", "Online-B", "refB")


def test_patterns():
    campaign = make()
    chosen = campaign.select(systems=["Online-*"], exclude=["*-B"])
    assert chosen.systems == ("Online-A",)
    assert chosen.left_out["Online-B"] == "excluded"
    assert campaign.select(systems=["Online-A"]).left_out["Online-B"] == "not among those asked for"
    with pytest.raises(UnknownNameError, match="no system matches 'online-A'") as caught:
        campaign.select(systems=["online-A"])
    assert caught.value.hint == "did you mean 'Online-A'?"
    with pytest.raises(InputError, match="no system of wmt en-de is left"):
        campaign.select(exclude=["*"])


def test_scores_are_found_by_name_level_and_references():
    human = table("mqm", protocol="MQM")
    campaign = make(scores=(table(references=("refA",)), table(references=("refB",)), table(level="system"), human))
    assert campaign.find("BLEU", "segment", references=("refB",)).references == ("refB",)
    assert campaign.find("mqm", "segment") is human
    assert (campaign.human, len(campaign.metrics)) == ((human,), 3)
    with pytest.raises(ConfigError, match="several scores 'BLEU' by segment: with references refA, refB"):
        campaign.find("BLEU", "segment")
    with pytest.raises(UnknownNameError, match="wmt en-de has no system scores 'BLEUU'"):
        campaign.find("BLEUU", "system")
    assert "1 human scores, 3 metrics" in repr(campaign)


def test_what_does_not_belong_is_refused():
    with pytest.raises(InputError, match="name an unknown system 'x'"):
        make(scores=(table(systems=("x",)),))
    with pytest.raises(InputError, match="3 scores for a system, but 2 segments"):
        make(scores=(ScoreTable("m", "segment", ("refA",), np.zeros((1, 3))),))


def test_strangers_among_the_judged_are_told():
    far = Rankings("rr", ("refA", "me"), ("j",), np.array([0]), np.array([2]), np.array([[1, 2]], np.int8))
    assert make(judgements=(far,)).strangers == (
        "the judgements 'rr' are also of me, without an output",
        "the judgements 'rr' count segments up to 3, where there are 2: they cannot be laid on the texts",
    )
    assert make().strangers == ()
