from __future__ import annotations

import math

import numpy as np
import pytest

from assay.data.formats import find_format, read_campaigns
from assay.data.formats.appraise import Appraise
from assay.types import ErrorSpan, NoteKind
from tests import archives
from tests.data.flat import read_or_refused
from tests.data.judged import read, refused

# As in WMT22's SegLvl export: items are lines, from 1.
SEGMENTS = """engliv0c03,gt22.hyp.A.txt,239,BAD,eng,liv,16,1665513497.736,1665513564.42
engliv0c03,gt22.hyp.B.txt,1,TGT,eng,liv,33,1665513565.015,1665513605.096
engliv0c04,gt22.hyp.A.txt+gt22.hyp.B.txt,2,TGT,eng,liv,50.5,1665513605.652,1665513649.457
engliv0c04,gt22.hyp.B.txt,1,CHK,eng,liv,40,1665513650.1,1665513651.2
zhoeng0102,Online-W,7,TGT,zho,eng,100,1665513650.1,1665513651.2
"""
# As in WMT22's DocLvl export: items begin anew in each document, and the document has a score of its own.
DOCUMENTS = """zhoeng1614,LanguageX,0,TGT,zho,eng,99,douban.com_97#9-19,False,1665807956.909,1665807961.116
zhoeng1614,LanguageX,1,TGT,zho,eng,98,douban.com_97#9-19,False,1665807961.143,1665807963.793
zhoeng1614,LanguageX,19,TGT,zho,eng,88,douban.com_97#9-19,True,1665807413.719,1665807969.056
zhoeng1614,Online-W,0,TGT,zho,eng,85,suning.com_26#3-13,False,1665807971.28,1665808147.137
"""
# As in WMT24's ESA export: items are lines, from 0; tutorials come first.
ERRORS = """engjpn7c05,ende-tutorial1,1000000,TGT,eng,jpn,0,ende-tutorial1,False,[],1724876413.906,1724876413.906
engjpn7c05,GPT-4,604,BAD,eng,jpn,20,test_112#bad,False,"[{""start_i"":0,""end_i"":10,""severity"":""major"",""error_type"":null}]",1724876477.285,1724876487.271
engjpn7c05,GPT-4,604,TGT,eng,jpn,90,test_112,False,"[{""start_i"":5,""end_i"":5,""severity"":""minor"",""error_type"":null},{""start_i"":""missing"",""end_i"":""missing"",""severity"":""minor""}]",1724876477.285,1724876487.271
engjpn7c05,refA,0,TGT,eng,jpn,100,test_113,False,[],1724877372.952,1724877401.406
"""


def test_segments(tmp_path):
    livonian, chinese = read(tmp_path, "appraise", SEGMENTS, "WMT22.csv")
    assert (livonian.name, livonian.lp, livonian.segments, chinese.lp) == ("WMT22", "en-liv", 239, "zh-en")
    (ratings,) = livonian.judgements
    assert ratings.protocol == "DA"
    assert ratings.systems == ("gt22.hyp.A.txt", "gt22.hyp.B.txt")
    assert ratings.raters == ("engliv0c03", "engliv0c04")
    np.testing.assert_array_equal(ratings.system, [0, 1, 0, 1, 1])
    np.testing.assert_array_equal(ratings.segment, [238, 0, 1, 1, 0])
    np.testing.assert_array_equal(ratings.score, [16, 33, 50.5, 50.5, 40])
    assert ratings.kind == ("BAD", "TGT", "TGT", "TGT", "CHK")
    assert ratings.errors == ratings.document == ratings.items == ()
    assert any("1 score of several systems" in note.text for note in livonian.notes)
    assert find_format(tmp_path / "WMT22.csv") == Appraise()


def test_documents(tmp_path):
    (campaign,) = read(tmp_path, "appraise", DOCUMENTS, "a.csv")
    (ratings,) = campaign.judgements
    assert ratings.protocol == "DA+SQM"
    assert ratings.items == ("douban.com_97#9-19:0", "douban.com_97#9-19:1", "suning.com_26#3-13:0")
    np.testing.assert_array_equal(ratings.segment, [0, 1, -1, 2])
    assert ratings.document[2:] == ("douban.com_97#9-19", "suning.com_26#3-13")
    assert (campaign.segments, campaign.testset) == (3, None)
    assert any("named by document and item" in note.text for note in campaign.notes)


def test_errors(tmp_path):
    (campaign,) = read(tmp_path, "appraise", ERRORS, "a.csv")
    (ratings,) = campaign.judgements
    assert (campaign.lp, campaign.segments, ratings.protocol) == ("en-ja", 605, "ESA")
    np.testing.assert_array_equal(ratings.segment, [604, 604, 0])
    assert ratings.kind == ("BAD", "TGT", "TGT")
    assert ratings.errors == (
        (ErrorSpan("", "major", 0, 11),),
        (ErrorSpan("", "minor", 5, 6), ErrorSpan("missing", "minor")),
        (),
    )
    assert ratings.systems == ("GPT-4", "refA")
    assert any("1 tutorial score excluded" in note.text for note in campaign.notes)


def test_items_with_names_as_in_wmt25(tmp_path):
    text = "engcesc401,GPT,en-cs_CZ_#_news_#_d_#_0,TGT,eng,ces,100,d,False,[],1.5,2.5\n"
    (campaign,) = read(tmp_path, "appraise", text, "a.csv")
    assert campaign.judgements[0].items == ("en-cs_CZ_#_news_#_d_#_0",)


def test_other_forms(tmp_path):
    batches = SEGMENTS.replace("\n", ",5,1234\n")  # exported with batch and item
    assert [c.lp for c in read(tmp_path, "appraise", batches, "a.csv")] == ["en-liv", "zh-en"]
    headed = "username,system,itemId,itemType,srcLang,trgLang,score,timeStart,timeEnd\n" + SEGMENTS
    assert len(read(tmp_path, "appraise", headed, "a.csv")[0].judgements[0]) == 5
    bare = "user1,A,1,TGT,eng,deu,50\nuser1,A,1,TGT,eng,deu,50\nuser1,A,1,TGT,eng,deu,None\n"
    (campaign,) = read(tmp_path, "appraise", bare, "a.csv")
    (ratings,) = campaign.judgements
    assert [*map(str, campaign.notes)] == [f"{tmp_path}/a.csv: 1 of 3 judgements without a score"]
    assert len(ratings) == 3  # without times nobody knows that two judgements are one
    assert math.isnan(ratings.score[2])


def test_options(tmp_path):
    (campaign, _) = read(tmp_path, "appraise:protocol=DA+SQM", SEGMENTS, "a.csv")
    assert campaign.judgements[0].protocol == "DA+SQM"
    (campaign, _) = read(tmp_path, "appraise:first=0", SEGMENTS, "a.csv")
    assert campaign.judgements[0].segment[0] == 239


def test_a_judgement_that_is_exported_twice_counts_once(tmp_path):
    (campaign, _) = read(tmp_path, "appraise", SEGMENTS + SEGMENTS, "a.csv")
    assert len(campaign.judgements[0]) == 5
    assert any("5 duplicate lines removed" in note.text for note in campaign.notes)


def test_repeated_judgements_are_kept(tmp_path):
    later = SEGMENTS.replace("1665", "1666")
    assert len(read(tmp_path, "appraise", SEGMENTS + later, "a.csv")[0].judgements[0]) == 10


@pytest.mark.parametrize(
    ("text", "old", "new", "line", "message"),
    [
        (SEGMENTS, SEGMENTS, "", None, "no scores"),
        (SEGMENTS, ",33,", ",33,5,", 2, "expected 7, 9, 11 or 12 fields, not 10"),
        (SEGMENTS, "\nzhoeng", "\n\nzhoeng", 5, "expected 7, 9, 11 or 12 fields, not 1"),
        (SEGMENTS, ",239,", ",999999999,", None, "segments are numbered up to 999,999,999"),
        (SEGMENTS, ",33,", ',"33,', 2, "invalid CSV"),
        (SEGMENTS, ",33,", ",1e400,", 2, "too large"),
        (SEGMENTS, ",33,", ",101,", 2, "the score 101 must be between 0 and 100"),
        (SEGMENTS, ",33,", ",-1,", 2, "the score -1 must be"),
        (SEGMENTS, ",33,", ",good,", 2, "the score is not a number: 'good'"),
        (SEGMENTS, ",BAD,", ",NEW,", 1, "the type must be TGT, CHK, BAD or REF, not 'NEW'"),
        (SEGMENTS, "txt+gt22", "txt++gt22", 3, "has no name"),
        (SEGMENTS, "A.txt+gt22.hyp.B", "B.txt+gt22.hyp.B", 3, "a system has no name, or occurs twice"),
        (SEGMENTS, "engliv0c03,gt22.hyp.B", ",gt22.hyp.B", 2, "the user has no name"),
        (SEGMENTS, "zho,eng", "z,eng", 5, "'z' is not a language"),
        (SEGMENTS, "gt22.hyp.B.txt,1,TGT", "../B,1,TGT", None, "cannot be the name of a system"),
        (DOCUMENTS, "False,1665807971.28", "No,1665807971.28", 4, "a different number of fields than in earlier lines"),
        (DOCUMENTS, ",suning.com_26#3-13,", ",,", 4, "the document has no name"),
        (ERRORS, '""end_i"":10', '""end_i"":-1', 2, "must be a character index"),
        (ERRORS, '""start_i"":5', '""start_i"":6', 3, "an error ends before it starts: characters 6 to 5"),
        (ERRORS, '""start_i"":5', '""start_i"":true', 3, "must be a character index"),
        (ERRORS, '""severity"":""major""', '""severity"":5', 2, "severity of an error must be texts"),
        (ERRORS, ",[],1724877372", ",{},1724877372", 4, "must be a list of JSON objects"),
        (ERRORS, ",[],1724877372", ",[NaN],1724877372", 4, "NaN is not a number"),
        (ERRORS, ",[],1724877372", "," + "[" * 5000 + ",1724877372", 4, "invalid JSON"),
    ],
)
def test_damaged_twins(tmp_path, text, old, new, line, message):
    damaged_text = text.replace(old, new, 1)
    assert damaged_text != text
    assert message in refused(tmp_path, "appraise", damaged_text, "a.csv", line)


def test_any_bytes_are_read_or_refused(tmp_path):
    read_or_refused(lambda raw: read(tmp_path, "appraise", raw, "a.csv"), SEGMENTS, DOCUMENTS, ERRORS, examples=80)


def test_an_export_with_a_header_is_still_one(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(
        "username,system,itemid,itemtype,src,tgt,score,start,end\nu1,x,1,TGT,eng,deu,70,1.0,2.0\n", encoding="utf-8"
    )
    assert find_format(path).name == "appraise"
    assert len(read_campaigns(path)[0].judgements[0]) == 1


def test_an_item_0_tells_where_the_count_begins(tmp_path):
    (campaign, _) = read(tmp_path, "appraise", SEGMENTS.replace(",1,TGT", ",0,TGT"), "a.csv")
    np.testing.assert_array_equal(campaign.judgements[0].segment, [239, 0, 2, 2, 1])
    assert any("items are numbered from 0, not from 1" in note.text for note in campaign.notes)
    message = refused(tmp_path, "appraise:first=1", SEGMENTS.replace(",1,TGT", ",0,TGT"), "a.csv", 2)
    assert "item 0 is before the first item, 1" in message


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (ERRORS, []),
        (ERRORS.replace(",0,TGT", ",7,TGT"), ["no item 0: item 7 was read as segment 8; if it is segment 7:"]),
        (ERRORS.replace("test_113", "test_112"), ["only one document"]),
        (
            ERRORS.replace(",0,TGT", ",1,TGT").replace("test_113", "test_112"),
            ["no item 0: item 1 was read as segment 2", "only one document"],
        ),
    ],
)
def test_a_form_with_documents_that_leaves_the_count_open(tmp_path, text, told):
    (campaign,) = read(tmp_path, "appraise", text, "a.csv")
    notes = [note for note in campaign.notes if note.kind is NoteKind.PROVENANCE]
    assert len(notes) == len(told)
    assert all(expected in note.text for note, expected in zip(notes, told, strict=True))
    (campaign,) = read(tmp_path, "appraise:first=0", text, "a.csv")
    assert not any("item" in note.text for note in campaign.notes)


def test_the_first_item_can_be_said(tmp_path):
    (campaign,) = read(tmp_path, "appraise:first=1", ERRORS.replace(",0,TGT", ",1,TGT"), "a.csv")
    np.testing.assert_array_equal(campaign.judgements[0].segment, [603, 603, 0])


def test_domains_times_and_marks_of_wmt24(tmp_path):
    text = "".join(
        f"engjpn7c05,GPT-4,{item},TGT,eng,jpn,{50 + item},{document},False,[],{item}.5,{item + 1}.25\n"
        for item, document in enumerate(["test-en-news_a", "test-en-news_a#dup#dup", "test-en-social_b#incomplete"])
    )
    (campaign,) = read(tmp_path, "appraise", text, "a.csv")
    (ratings,) = campaign.judgements
    assert ratings.domain == ("news", "news", "social")
    assert ratings.document == ("test-en-news_a", "test-en-news_a#dup#dup", "test-en-social_b#incomplete")
    np.testing.assert_array_equal(ratings.time, [1.25, 2.25, 3.25])
    assert ratings.items == ()
    (campaign,) = read(tmp_path, "appraise", SEGMENTS.partition("zho")[0], "a.csv")
    assert campaign.judgements[0].domain == ()
    np.testing.assert_array_equal(campaign.judgements[0].time[:2], [1665513564.42, 1665513605.096])


def test_categories_of_errors_make_it_mqm(tmp_path):
    marked = '"[{""start_i"":1,""end_i"":2,""severity"":""major"",""error_type"":[""Accuracy"",""Omission""]}]"'
    text = f"u,A,1,TGT,eng,deu,0,d#A,False,{marked},1.5,2.5\nu,A,2,TGT,eng,deu,0,d#A#bad3,False,[],1.5,2.5\n"
    (campaign,) = read(tmp_path, "appraise", text, "a.csv")
    (ratings,) = campaign.judgements
    assert ratings.protocol == "MQM"
    assert ratings.errors == ((ErrorSpan("Accuracy/Omission", "major", 1, 3),), ())
    assert np.isnan(ratings.score).all()
    assert refused(tmp_path, "appraise", text.replace('""Accuracy""', "1"), "a.csv", 1)


def test_a_tutorial_rates_no_system(tmp_path):
    text = "u,ende-tutorial2,5,TGT,eng,deu,0,ende-tutorial2,False,[],1.5,2.5\n"
    (campaign,) = read(tmp_path, "appraise", ERRORS + text.replace("eng,deu", "eng,jpn"), "a.csv")
    assert campaign.systems == ("GPT-4", "refA")
    assert [note.text for note in campaign.notes if note.kind is NoteKind.EXCLUDED] == ["2 tutorial scores excluded"]
    assert "no scores" in refused(tmp_path, "appraise", text, "a.csv")
    (campaign,) = read(tmp_path, "appraise", text.replace("ende-tutorial2,5", "A,5"), "a.csv")
    assert campaign.systems == ("A",)


def test_faulty_rows_among_many_are_skipped(tmp_path):
    rows = "".join(f"u,A,{item},TGT,eng,deu,50,{item}.5,{item}.75\n" for item in range(1, 200))
    (campaign,) = read(tmp_path, "appraise", rows + "u,A,1,TGT,eng,deu,5O,1,2\nu,A,1\n", "a.csv")
    assert len(campaign.judgements[0]) == 199
    (note,) = campaign.notes
    assert (note.kind, note.count) == (NoteKind.SKIPPED, 2)
    assert "2 faulty rows skipped; the first: the score is not a number: '5O'" in note.text


@pytest.mark.skipif(archives.folder() is None, reason="ASSAY_DATA is not set")
def test_published_files_are_read_as_they_are():
    folder = archives.unpacked("formats")
    (hindi,) = read_campaigns(folder / "esa-wmt24/esa_generalMT2024_wave2.en-hi.csv")
    (ratings,) = hindi.judgements
    assert (len(ratings), len(ratings.systems), set(ratings.domain)) == (
        3952,
        11,
        {"news", "social", "speech", "literary"},
    )
    assert int(ratings.segment.min()) == 1  # the canary line is segment 0
    kept = np.array([k == "TGT" and "#" not in d for k, d in zip(ratings.kind, ratings.document, strict=True)])
    last = {}
    for row in np.flatnonzero(kept)[np.argsort(ratings.time[kept], kind="stable")]:
        last[int(ratings.system[row]), int(ratings.segment[row])] = ratings.score[row]
    means = {
        name: np.mean([score for (system, _), score in last.items() if system == number])
        for number, name in enumerate(ratings.systems)
    }
    assert len(last) == 297 * 11
    assert (round(means["ONLINE-B"], 4), round(means["IKUN-C"], 4)) == (92.2896, 73.8788)
    for name, protocol, rows in (("ESA", "ESA", 1129), ("GEMBA", "ESA", 1155), ("MQM", "MQM", 1138)):
        (campaign,) = read_campaigns(folder / f"appraise/240521rc6{name}.scores.csv")
        (ratings,) = campaign.judgements
        assert (ratings.protocol, len(ratings), len(ratings.systems)) == (protocol, rows, 13)
        assert ratings.items
