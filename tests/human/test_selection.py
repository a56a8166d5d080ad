from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assay.errors import ConfigError, InputError, NameClashError, UnknownNameError
from assay.human import selection
from assay.human.selection import find_judgements, find_name, label_campaigns
from assay.types import Campaign, Note, NoteKind, Rankings, ScoreTable, TestSet
from tests.human.judged import make_ratings

SYSTEMS = ("x", "y", "refA")


def select_judgements(source, gold=None, **options):
    """The judgements of the selected systems, and notes."""
    found, campaign = source, None
    if isinstance(source, Campaign):
        found, campaign = selection.find_ranked_judgements({"": source}, gold)[""], source
    known = options.pop("known", ())
    selected = selection.select_judgements(found, campaign, selection.SystemOptions.of(**options), known=known)
    return selected.judgements.take(selected.selection.systems), selected.notes


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
    with pytest.raises(ConfigError, match="several kinds of human judgements") as caught:
        select_judgements(several)
    assert caught.value.hint == "choose one with gold: rr, da, mqm"
    with pytest.raises(UnknownNameError, match="no segment-level human judgements called 'esa'"):
        select_judgements(several, gold="esa")
    with pytest.raises(InputError, match="no segment-level human judgements"):
        select_judgements(campaign([scores("esa", "system")]))


def test_quality_control_and_single_raters_are_not_what_systems_are_ranked_by():
    rows = [("r", "x", 0, 1.0), ("r", "y", 3, 2.0)]
    control = replace(make_ratings(rows, protocol="ESA"), name="esa-control", kind=("CHK", "CHK"))
    ratings = replace(make_ratings(rows, protocol="ESA"), name="esa")
    several = campaign([scores("esa"), scores("esa-human1"), scores("esa-human2")], [ratings, control])
    assert find_name([several], None, prefer="judgements") == "esa"
    assert find_name([several], None, prefer="scores") == "esa"
    assert find_name([several], "esa-human2", prefer="scores") == "esa-human2"
    assert find_name([campaign([], [control])], None, prefer="judgements") == "esa-control"
    raters = campaign([scores("mqm-col1"), scores("mqm-col2")])
    with pytest.raises(ConfigError, match="several kinds of human judgements"):
        find_name([raters], None, prefer="scores")


def test_individual_judgements_go_before_scores_of_the_same_name():
    both = campaign([scores("mqm")], [rankings("mqm")])
    chosen, notes = select_judgements(both)
    assert isinstance(chosen, Rankings)
    assert notes[0].kind == NoteKind.PROVENANCE
    assert str(notes[0]).endswith("the individual judgements 'mqm' are used, not the stored scores of the same name")


def test_stored_scores_of_outputs_without_judgements_are_noted():
    ratings = replace(make_ratings([("r", "x", 0, -1.0), ("r", "y", 3, -2.0)], protocol="MQM"), name="mqm")
    _, notes = select_judgements(campaign([scores("mqm")], [ratings]))
    text = "10 of 12 stored scores are of outputs without individual judgements: not used"
    assert [(note.count, note.text) for note in notes if note.kind == NoteKind.SUSPECT] == [(10, text)]


def test_scores_can_be_preferred():
    both = campaign([scores("mqm"), scores("mqm", "system")], [rankings("mqm"), rankings("rr")])
    assert find_name([both], None, prefer="scores") == "mqm"
    found = find_judgements(both, "mqm", prefer="scores")
    assert [table.level for table in found.scores] == ["segment", "system"]
    assert found.judgements is None
    assert "the stored scores 'mqm' are used" in str(found.notes[0])
    found = find_judgements(both, "rr", prefer="scores")
    assert (found.scores, found.judgements.name, found.notes) == ((), "rr", ())
    assert find_judgements(both, "da", prefer="scores") is None
    assert find_name([campaign([], [rankings("rr")])], None, prefer="scores") == "rr"


def test_names_are_found_in_several_campaigns():
    campaigns = [campaign([scores("mqm")]), campaign([scores("da")], [rankings()])]
    with pytest.raises(ConfigError, match="there are several kinds of human judgements") as caught:
        find_name(campaigns, None, prefer="scores")
    assert caught.value.hint == "choose one with gold: da, mqm"
    assert find_name(campaigns, "rr", prefer="scores") == "rr"
    with pytest.raises(InputError, match="there are no human scores"):
        find_name([], None, prefer="scores")


def test_two_judgements_of_one_name_clash():
    with pytest.raises(NameClashError, match="2 kinds of judgements called 'rr'"):
        select_judgements(campaign([], [rankings(), rankings()]))


def test_systems_are_selected_by_pattern():
    kept, notes = select_judgements(campaign([scores()]), keep_references=True)
    assert (kept.systems, notes) == (SYSTEMS, ())
    assert select_judgements(campaign([scores()]), systems=("x", "refA"))[0].systems == ("x", "refA")
    assert select_judgements(campaign([scores()]), exclude=("y",))[0].systems == ("x",)
    assert select_judgements(scores(), exclude=("ref*",))[0].systems == ("x", "y")
    assert select_judgements(scores())[0].systems == SYSTEMS
    with pytest.raises(UnknownNameError, match="no system matches 'q\\*'"):
        select_judgements(scores(), systems=("q*",))


def test_a_pattern_may_match_elsewhere():
    assert select_judgements(scores(), systems=("x", "q"), known=("q",))[0].systems == ("x",)


def test_labels_of_campaigns():
    one = campaign([scores()])
    other = replace(one, lp="en-cs")
    assert list(label_campaigns([one, other])) == ["en-de", "en-cs"]
    assert list(label_campaigns([one, replace(other, name="wmt2")])) == ["wmt en-de", "wmt2 en-cs"]
    with pytest.raises(NameClashError, match="there are two test sets called 'en-de'"):
        label_campaigns([one, one])


def test_judged_names_without_outputs_are_noted():
    judged = make_ratings([("r", name, 0, 1.0) for name in ("x", "y", "translator")])
    testset = TestSet(outputs={"x": ("a",), "y": ("b",)}, references={"refA": ("c",)})
    campaign = Campaign("wmt", "en-de", 1, ("x", "y"), ("refA",), testset, (), (judged,))
    _, notes = select_judgements(campaign)
    assert [(note.kind, note.count) for note in notes] == [(NoteKind.SUSPECT, 1)]
    assert "without outputs: translator" in str(notes[0])
    assert select_judgements(campaign, exclude=("translator",))[1][0].kind == NoteKind.EXCLUDED


def test_files_that_were_not_read_are_named_where_nothing_is_found():
    note = Note(NoteKind.UNREAD, "not read: zhen.mqm.seg.score", "wmt99")
    empty = Campaign("wmt99", "zh-en", 3, ("x",), (), None, notes=(note,))
    with pytest.raises(InputError, match="no segment-level human judgements") as raised:
        find_name([empty], None, prefer="judgements", levels=("segment",))
    assert raised.value.hint == "wmt99: not read: zhen.mqm.seg.score"


def test_without_human_scores_the_error_says_what_there_is():
    metric = ScoreTable("COMET", "segment", SYSTEMS, np.zeros((3, 4)))
    with pytest.raises(InputError, match=r"^wmt en-de has no human scores") as raised:
        find_name([campaign([metric])], None, prefer="scores")
    assert "only metric scores: COMET" in raised.value.hint
    unnamed = Campaign("", "en-de", 4, SYSTEMS, (), None, (metric,))
    with pytest.raises(InputError, match=r"^en-de has no human scores"):
        find_name([unnamed], None, prefer="scores")
    with pytest.raises(InputError, match=r"^a\.tsv has no human scores"):
        find_name([replace(unnamed, lp="", scores=(replace(metric, origin="a.tsv"),))], None, prefer="scores")
    texts = TestSet(outputs={"x": ("a",)})
    with pytest.raises(InputError) as raised:
        find_name([Campaign("wmt", "en-de", 1, ("x",), (), texts)], None, prefer="scores")
    assert "only texts" in raised.value.hint
    with pytest.raises(InputError) as raised:
        find_name([campaign([scores("esa", "system")])], None, prefer="judgements", levels=("segment",))
    assert raised.value.hint == "there are only human scores by system: esa"


def test_score_files_may_be_human_scores():
    table = replace(scores("mqm"), protocol=None, origin="zh-en.mqm.seg.score")
    with pytest.raises(InputError, match="no segment-level human judgements") as caught:
        select_judgements(campaign([table]))
    assert "--input-format score:protocol=MQM" in caught.value.hint


@pytest.mark.parametrize("prefer", ["scores", "judgements"])
def test_scores_of_a_language_model_are_used_on_request_only(prefer):
    both = [campaign([scores("mqm"), scores("gemba-esa")])]
    assert find_name(both, None, prefer=prefer) == "mqm"
    assert find_name(both, "gemba-esa", prefer=prefer) == "gemba-esa"
    assert not find_judgements(both[0], "mqm", prefer=prefer).notes
    (note,) = find_judgements(both[0], "gemba-esa", prefer=prefer).notes
    assert note.severity == "warning"
    assert note.text == "'gemba-esa' are not human scores but, by their name, those of a language model (gemba)"
    with pytest.raises(InputError, match="no human scores, only scores of language models: gemba-esa") as caught:
        find_name([campaign([scores("gemba-esa")])], None, prefer=prefer)
    assert caught.value.hint.endswith('gold="gemba-esa"')


def test_people_may_judge_with_the_help_of_a_language_model():
    """A file of individual ratings says who rated; its name may only say what the raters were shown."""
    helped = campaign(judgements=[replace(make_ratings([("r", "a", 0, 50.0)]), name="esa-gemba")])
    assert find_name([helped], None, prefer="judgements") == "esa-gemba"
    assert not find_judgements(helped, "esa-gemba", prefer="judgements").notes
