from __future__ import annotations

import json
import math

import numpy as np
import pytest

from assay.data.formats import find_format, read_campaigns
from assay.data.formats.ratings import RatingFile
from assay.types import ErrorSpan, NoteKind
from tests import archives
from tests.data.flat import read_or_refused
from tests.data.judged import read, refused


def lines(*records):
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


ERROR = {"start": 1, "end": 4, "category": "Fluency/Grammar", "severity": "Major", "score": 5, "is_source_error": True}
BLOCKS = (
    f"A\t{json.dumps({'errors': [ERROR]})}\trater1\n"
    "A\tNone\n"
    'B\t{"errors": []}\trater2\n'
    'B\t{"errors": [{"start": 0, "end": 2, "category": null, "severity": null}]}\n'
)
STANDALONE = lines(
    {
        "source": "It rains.",
        "hypothesis": "Es regnet.",
        "errors": [ERROR],
        "document_id": "d1",
        "segment_id": 1,
        "system_id": "A",
        "rater_id": "rater1",
        "src_lang": "en",
        "tgt_lang": "de",
    },
    {
        "source": "Why?",
        "hypothesis": "Wie?",
        "errors": [],
        "document_id": "d1",
        "segment_id": 0,
        "system_id": "B",
        "rater_id": None,
        "src_lang": "en",
        "tgt_lang": "de",
    },
)
SPAN = {"start_i": 0, "end_i": 1, "severity": "minor", "error_type": None}
WMT24 = lines(
    {
        "langs": "en-cs",
        "line_id": 2,
        "src": "It rains.",
        "tgt": "Prší.",
        "doc_id": "test-en-news_1",
        "domain": "news",
        "esa_spans": [SPAN, {"start_i": "missing", "end_i": "missing", "severity": "major"}],
        "esa_score": "85",
        "times": ["1.5", "2.5"],
        "system": "A",
        "annotator": "engces7c05",
        "speech_info": None,
    }
)
SEGMENTS = lines(
    {
        "scores": {"A": [{"score": "90", "annotator": "x", "errors": [SPAN], "times": []}], "B": []},
        "src_text": "It rains.",
        "tgt_text": {"A": "Prší.", "B": "Prší", "C": "?"},
        "doc_id": "test-en-news_1_#_5",
    }
)
WMT25 = lines(
    {
        "scores": {
            "A": {
                "human1": 90.0,
                "errors1": [SPAN],
                "annotator1": "x",
                "times1": [1, 2],
                "human2": None,
                "metricx": 3.5,
            }
        },
        "src_text": "It rains.",
        "tgt_text": {"A": "Prší.", "refA": "Prší!"},
        "doc_id": "en-cs_CZ_#_news_#_d7_#_0",
    },
    {"scores": {}, "src_text": "Why?", "tgt_text": {}, "doc_id": "en-cs_CZ_#_news_#_d7_#_1"},
)
APPRAISE = lines(
    {
        "annotator": "engdeu01",
        "source_id": "newstest",
        "source_text": "It rains.",
        "target_id": "A",
        "target_text": "Es regnet.",
        "score": 77,
        "mqm_annotations": json.dumps([SPAN]),
        "item_id": 4,
        "item_type": "TGT",
        "source_language": "eng",
        "target_language": "deu",
        "document_id": "d1",
        "is_complete_document": False,
    }
)
ALL = {"STANDALONE": STANDALONE, "WMT24": WMT24, "SEGMENTS": SEGMENTS, "WMT25": WMT25}


def test_blocks_of_mt_metrics_eval(tmp_path):
    (campaign,) = read(tmp_path, "ratings", BLOCKS, "en-de.mqm.merged.seg.rating")
    assert (campaign.name, campaign.lp, campaign.segments) == ("mqm.merged", "en-de", 2)
    (ratings,) = campaign.judgements
    assert (ratings.name, ratings.protocol) == ("mqm.merged", "MQM")
    assert ratings.raters == ("rater1", "rater2", "mqm.merged")
    np.testing.assert_array_equal(ratings.segment, [0, 0, 1])
    assert ratings.errors[0] == (ErrorSpan("Fluency/Grammar", "major", 1, 4, in_source=True, score=5.0),)
    assert ratings.errors[2] == (ErrorSpan("", "", 0, 2),)
    assert find_format(tmp_path / "en-de.mqm.merged.seg.rating") == RatingFile()


def test_a_system_that_nobody_rated_is_known(tmp_path):
    (campaign,) = read(tmp_path, "ratings", BLOCKS + "C\tNone\nC\tNone\n", "esa.seg.rating")
    assert campaign.systems == ("A", "B", "C")
    assert (campaign.lp, campaign.judgements[0].protocol) == ("", "ESA")


def test_standalone_ratings_of_mt_metrics_eval(tmp_path):
    (campaign,) = read(tmp_path, "ratings", STANDALONE, "mqm.jsonl")
    (ratings,) = campaign.judgements
    assert (campaign.name, campaign.lp, ratings.name, ratings.protocol) == ("mqm", "en-de", "mqm", "MQM")
    assert (ratings.raters, ratings.document) == (("rater1", "unknown"), ("d1", "d1"))
    np.testing.assert_array_equal(ratings.segment, [1, 0])
    assert campaign.testset.outputs == {"A": (None, "Es regnet."), "B": ("Wie?", None)}
    assert campaign.testset.sources == ("Why?", "It rains.")


def test_esa_of_wmt24(tmp_path):
    (campaign,) = read(tmp_path, "ratings", WMT24, "wmt24_esa.jsonl")
    (ratings,) = campaign.judgements
    assert (campaign.lp, campaign.segments, ratings.protocol) == ("en-cs", 3, "ESA")
    assert (ratings.segment.tolist(), ratings.score.tolist()) == ([2], [85.0])
    assert ratings.errors == ((ErrorSpan("", "minor", 0, 2), ErrorSpan("missing", "major")),)
    assert campaign.testset.outputs["A"] == (None, None, "Prší.")


def test_segments_with_their_ratings(tmp_path):
    (campaign,) = read(tmp_path, "ratings", SEGMENTS, "a.jsonl")
    (ratings,) = campaign.judgements
    assert (campaign.testset.items, ratings.systems, ratings.score.tolist()) == (
        ("test-en-news_1_#_5",),
        ("A",),
        [90.0],
    )
    assert any("1 output not read: not rated" in note.text for note in campaign.notes)
    (campaign,) = read(tmp_path, "ratings", WMT25, "a.jsonl")
    (ratings,) = campaign.judgements
    assert (campaign.lp, campaign.testset.items) == ("en-cs_CZ", ("en-cs_CZ_#_news_#_d7_#_0",))
    assert ratings.raters == ("x", "unknown")
    assert ratings.score[0] == 90
    assert math.isnan(ratings.score[1])
    assert any("1 'metricx' score not read: not a human score" in note.text for note in campaign.notes)
    assert campaign.testset.documents == ("en-cs_CZ_#_news_#_d7",)
    assert ratings.domain == ("news", "news")
    assert ratings.items == ()  # the lines of the texts have the names


def test_categories_make_it_mqm_unless_told_otherwise(tmp_path):
    text = WMT24.replace('"error_type": null', '"error_type": "Accuracy"')
    assert read(tmp_path, "ratings", text, "a.jsonl")[0].judgements[0].protocol == "MQM"
    (ratings,) = read(tmp_path, "ratings:protocol=DA", text, "a.jsonl")[0].judgements
    assert (ratings.name, ratings.protocol) == ("da", "DA")


def test_appraise(tmp_path):
    (campaign,) = read(tmp_path, "ratings", APPRAISE, "a.jsonl")
    (ratings,) = campaign.judgements
    assert (campaign.lp, campaign.testset.items, ratings.errors) == (
        "en-de",
        ("d1:4",),
        ((ErrorSpan("", "minor", 0, 2),),),
    )


@pytest.mark.parametrize("text", ALL.values(), ids=ALL)
def test_all_forms_are_recognised(tmp_path, text):
    read(tmp_path, "ratings", text, "a.jsonl")
    assert find_format(tmp_path / "a.jsonl") == RatingFile()


@pytest.mark.parametrize(
    ("text", "old", "new", "line", "message"),
    [
        (STANDALONE, STANDALONE, "", None, "empty file"),
        (STANDALONE, STANDALONE, "[]\n", 1, "expected a JSON object"),
        (STANDALONE, STANDALONE, '{"a": 1}\n', 1, "unrecognised layout of a rating"),
        (STANDALONE, "\n", "\n\n", 2, "invalid JSON"),
        (STANDALONE, '"segment_id": 1', '"segment_id": "1"', 1, "segment_id must be a non-negative integer"),
        (STANDALONE, '"segment_id": 1', '"segment_id": null', 1, "segment_id must be a non-negative integer"),
        (STANDALONE, '"segment_id": 1', '"segment_id": -1', 1, "segment_id must be a non-negative integer"),
        (STANDALONE, '"segment_id": 1', '"segment_id": 1, "segment_id": 2', 1, "duplicate key 'segment_id'"),
        (STANDALONE, '"system_id": "A"', '"system_id": null', 1, "system_id is missing"),
        (STANDALONE, '"system_id": "A"', '"system_id": "\\ud800"', 1, "a lone surrogate"),
        (STANDALONE, '"system_id": "A"', '"system_id": "a/b"', None, "cannot be the name of a system"),
        (STANDALONE, '"start": 1', '"start": 5', 1, "an error ends before it starts: characters 5 to 4"),
        (STANDALONE, '"score": 5', '"score": 1e999', 1, "too large"),
        (STANDALONE, '"is_source_error": true', '"is_source_error": "yes"', 1, "must be true or false"),
        (STANDALONE, '"category": "Fluency/Grammar"', '"category": 3', 1, "must be texts"),
        (STANDALONE, STANDALONE, STANDALONE + STANDALONE, 3, "duplicate rating of 'A' by 'rater1'"),
        (STANDALONE, STANDALONE, STANDALONE + WMT24, 3, "not the layout of the first line"),
        (WMT24, '"en-cs"', '"Czech"', 1, "'' is not a language"),
        (WMT24, '"85"', '"850"', 1, "the score 850 must be between 0 and 100"),
        (WMT24, '"85"', '"8,5"', 1, "is not a number"),
        (WMT24, '"85"', "true", 1, "must be a number, not bool"),
        (WMT24, WMT24, WMT24 + WMT24.replace("Prší", "Sněží"), 2, "the output of system 'A' for segment 3 differs"),
        (SEGMENTS, '"B": []', '"B": 5', 1, "must be a list or a JSON object"),
        (SEGMENTS, '"B": []', '"B": [5]', 1, "must be a list or a JSON object"),
        (WMT25, '"scores": {}', '"scores": []', 2, "must be JSON objects"),
        (APPRAISE, '"item_id": 4', '"item_id": []', 1, "must be a number or text"),
    ],
)
def test_damaged_twins(tmp_path, text, old, new, line, message):
    damaged_text = text.replace(old, new, 1)
    assert damaged_text != text
    assert message in refused(tmp_path, "ratings", damaged_text, "a.jsonl", line)


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("A\tNone\n", "", None, "systems have different numbers of segments: 'A' 1, 'B' 2"),
        ("A\tNone\n", "A\n", 2, "expected 2 or 3 fields, none empty, not 1"),
        ("A\tNone\n", "\tNone\n", 2, "expected 2 or 3 fields, none empty, not 2"),
        ("A\tNone\n", "A\tnone\n", 2, "invalid JSON"),
        ("A\tNone\n", "A\t{}\n", 2, "must be a list of JSON objects"),
        ("A\tNone\n", "A\t[]\n", 2, "expected a JSON object"),
        (BLOCKS, "A\tNone\n", None, "no ratings"),
    ],
)
def test_damaged_blocks(tmp_path, old, new, line, message):
    assert message in refused(tmp_path, "ratings", BLOCKS.replace(old, new), "a.seg.rating", line)


def test_any_bytes_are_read_or_refused(tmp_path):
    read_or_refused(
        lambda raw: read(tmp_path, "ratings", raw, "a.jsonl"),
        STANDALONE,
        WMT24,
        SEGMENTS,
        WMT25,
        APPRAISE,
        examples=100,
    )


def test_any_blocks_are_read_or_refused(tmp_path):
    read_or_refused(lambda raw: read(tmp_path, "ratings", raw, "a.seg.rating"), BLOCKS, examples=40)


@pytest.mark.parametrize("text", [*ALL.values(), APPRAISE], ids=[*ALL, "APPRAISE"])
def test_fields_that_are_not_read_are_named(tmp_path, text):
    more = text.replace("{", '{"mood": 1, ', 1)
    (campaign, *_) = read(tmp_path, "ratings", "\ufeff" + more.replace("\n", "\r\n"), "a.jsonl")
    (field_note,) = [note for note in campaign.notes if "unused fields" in note.text]
    assert "mood" in field_note.text
    assert any("removed a byte order mark" in note.text for note in campaign.notes)
    assert any("removed carriage returns" in note.text for note in campaign.notes)


def test_blocks_tell_what_was_not_rated_or_read(tmp_path):
    (campaign,) = read(
        tmp_path, "ratings", BLOCKS.replace('{"errors": []}', '{"errors": [], "mood": 1}'), "m.seg.rating"
    )
    assert [note.text for note in campaign.notes] == [
        "unused fields: mood",
        "1 of 4 outputs not rated",
    ]


def test_faulty_lines_among_many_are_skipped(tmp_path):
    (campaign,) = read(tmp_path, "ratings", SEGMENTS * 25 + SEGMENTS.replace("90", "190") + "{}\n", "a.jsonl")
    (note,) = [note for note in campaign.notes if note.kind is NoteKind.SKIPPED]
    assert (note.count, note.line) == (2, 26)
    assert note.text == "2 faulty rows skipped; the first: the score 190 must be between 0 and 100 (ESA)"
    assert len(campaign.judgements[0]) == 25


@pytest.mark.skipif(archives.folder() is None, reason="ASSAY_DATA is not set")
def test_published_ratings_keep_the_scores_of_errors():
    (campaign,) = read_campaigns(archives.unpacked("formats") / "seg-rating/en-de.mqm.first120.seg.rating")
    (ratings,) = campaign.judgements
    errors = [error for row in ratings.errors for error in row]
    assert (len(ratings), campaign.segments, len(ratings.systems)) == (1196, 120, 13)
    assert all(error.score is not None for error in errors)
    assert {error.score for error in errors if error.category == "source issue"} == {0}
