from __future__ import annotations

import numpy as np
import pytest

from assay.errors import ConfigError, InputError, UnknownNameError
from assay.human.selection import select_judgements
from assay.types import Campaign, NoteKind, Rankings, ScoreTable

SYSTEMS = ("x", "y", "refA")


def scores(name="mqm", level="segment"):
    values = np.zeros((3, 4 if level == "segment" else 1))
    return ScoreTable(name, level, SYSTEMS, values, protocol="MQM")


def rankings(name="rr"):
    return Rankings(name, SYSTEMS, ("j",), np.zeros(2, int), np.arange(2), np.array([[1, 2, 0], [2, 1, 3]], np.int8))


def campaign(tables=(), judgements=()):
    return Campaign("wmt", "en-de", 4, SYSTEMS, ("refA",), None, tuple(tables), tuple(judgements))


def test_the_only_judgements_need_no_name():
    chosen, notes = select_judgements(campaign([scores()]))
    assert (chosen.name, chosen.systems) == ("mqm", ("x", "y"))
    assert [(note.kind, str(note)) for note in notes] == [(NoteKind.EXCLUDED, "left out: refA (a reference)")]
    assert select_judgements(campaign([], [rankings()]))[0].systems == ("x", "y")


def test_gold_names_one_of_several():
    several = campaign([scores("mqm"), scores("da"), scores("esa", "system")], [rankings()])
    assert isinstance(select_judgements(several, gold="rr")[0], Rankings)
    assert select_judgements(several, gold="da")[0].name == "da"
    with pytest.raises(ConfigError, match="several kinds of judgements") as caught:
        select_judgements(several)
    assert caught.value.hint == "choose one: --gold rr|mqm|da"
    with pytest.raises(UnknownNameError, match="there are no judgements called 'esa'"):
        select_judgements(several, gold="esa")
    with pytest.raises(ConfigError, match="no segment-level human judgements"):
        select_judgements(campaign([scores("esa", "system")]))


def test_a_table_goes_before_judgements_of_the_same_name():
    both = campaign([scores("mqm")], [rankings("mqm")])
    assert isinstance(select_judgements(both)[0], ScoreTable)


def test_systems_are_selected_by_pattern():
    kept, notes = select_judgements(campaign([scores()]), keep_references=True)
    assert (kept.systems, notes) == (SYSTEMS, ())
    assert select_judgements(campaign([scores()]), systems=("x", "refA"))[0].systems == ("x", "refA")
    assert select_judgements(campaign([scores()]), exclude=("y",))[0].systems == ("x",)
    assert select_judgements(scores(), exclude=("ref*",))[0].systems == ("x", "y")
    assert select_judgements(scores())[0].systems == SYSTEMS
    with pytest.raises(UnknownNameError, match="no system matches 'q\\*'"):
        select_judgements(scores(), systems=("q*",))


def test_nothing_left():
    with pytest.raises(InputError, match="all systems of wmt en-de are excluded"):
        select_judgements(campaign([scores()]), exclude=("x", "y"))
    with pytest.raises(InputError, match="no system is left"):
        select_judgements(scores(), exclude=("*",))


def test_gold_needs_a_campaign():
    with pytest.raises(ConfigError, match="gold selects among the judgements of a campaign"):
        select_judgements(scores(), gold="mqm")
