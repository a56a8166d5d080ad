from __future__ import annotations

import numpy as np
import pytest

from assay import read
from assay.errors import ConfigError, InputError
from assay.types import NoteKind
from tests import archives

HEADER = "doc_id\tsegment_id\tsource_lang\ttarget_lang\tset_id\tsystem_id\tdomain_name\tmethod\toverall\n"
DOCUMENT = "en-cs_CZ_#_news_#_d"


def write(tmp_path, text, header=HEADER, name="MetricX-25.tsv"):
    path = tmp_path / name
    path.write_text(header + text, encoding="utf-8")
    return path


def row(segment="1", system="s", score="1", document=DOCUMENT, testset="official"):
    return f"{document}\t{segment}\ten\tcs_CZ\t{testset}\t{system}\tnews\tESA\t{score}\n"


def test_segments_are_named_within_documents(tmp_path):
    text = row() + row("2", score="2") + row(system="t", score="3") + row(document="x", score="4")
    (campaign,) = read(write(tmp_path, text))
    (table,) = campaign.scores
    assert (campaign.name, campaign.lp, table.name, table.protocol) == ("", "en-cs_CZ", "MetricX-25", None)
    assert table.items == (f"{DOCUMENT}:1", f"{DOCUMENT}:2", "x:1")
    assert table.domains == ("news",) * 3
    np.testing.assert_array_equal(table.values, [[1, 2, 4], [3, np.nan, np.nan]])
    assert any(note.kind is NoteKind.UNREAD and "method" in note.text for note in campaign.notes)
    (human,) = read(tmp_path / "MetricX-25.tsv", input_format="wmt-mteval:protocol=ESA")
    assert human.scores[0].protocol == "ESA"
    assert not any(note.kind is NoteKind.UNREAD and "method" in note.text for note in human.notes)
    with pytest.raises(ConfigError, match="unknown protocol"):
        read(tmp_path / "MetricX-25.tsv", input_format="wmt-mteval:protocol=BWS")


def test_the_protocol_can_be_that_of_each_row(tmp_path):
    judged = row() + row(document="x").replace("cs_CZ", "is_IS").replace("ESA", "MQM").replace("\t1\n", "\t-1\n")
    path = write(tmp_path, judged + row("9", testset="challenge").replace("ESA", "NaN"))
    assert [campaign.scores[0].protocol for campaign in read(path)] == [None] * 3
    notes = [note for note in read(path)[0].notes if note.kind is NoteKind.UNREAD]
    assert "'method' (ESA, MQM) is not used" in notes[0].text
    assert "protocol=method" in notes[0].text
    campaigns = read(path, input_format="wmt-mteval:protocol=method")
    assert [(campaign.lp, campaign.scores[0].protocol) for campaign in campaigns] == [
        ("en-cs_CZ", "ESA"),
        ("en-is_IS", "MQM"),
    ]
    assert [note.count for note in campaigns[0].notes if note.kind is NoteKind.EXCLUDED] == [1]
    with pytest.raises(ConfigError, match=r"line 3: the method is MQM, not ESA") as caught:
        read(path, input_format="wmt-mteval:protocol=ESA")
    assert "protocol=method" in caught.value.hint


def test_whole_systems_and_challenge_sets(tmp_path):
    scores = {"a": "1", "b": "2"}
    text = "".join(row("all", *item, "all", testset) for testset in ("official", "ch") for item in scores.items())
    official, challenge = read(write(tmp_path, text))
    assert (official.name, challenge.name, official.scores[0].level) == ("", "ch", "system")
    assert official.scores[0].values.tolist() == [[1], [2]]


def test_texts_beside_the_scores(tmp_path):
    header = HEADER.replace("overall", "source_segment\thypothesis_segment\treference_segment\toverall")
    text = f"{DOCUMENT}\t1\ten\tcs_CZ\tofficial\ts\tnews\tESA\tHi\tAhoj\tDobrý den\t1\n"
    (campaign,) = read(write(tmp_path, text, header))
    assert campaign.testset.outputs["s"] == ("Ahoj",)
    assert (campaign.testset.references["ref"], campaign.testset.sources) == (("Dobrý den",), ("Hi",))
    assert campaign.testset.items == (f"{DOCUMENT}:1",)
    with pytest.raises(InputError, match="line 2: 11 fields"):
        read(write(tmp_path, text.replace("\tHi", ""), header))


@pytest.mark.warns("faulty rows? skipped")
def test_single_faulty_rows_are_skipped(tmp_path):
    good = "".join(row(str(i)) for i in range(300))
    for bad in (row("x", score="one"), row("7"), "short\n", row("x", system=""), row("x").replace("cs_CZ\to", "?\to")):
        (campaign,) = read(write(tmp_path, good + bad))
        assert [note.count for note in campaign.notes if note.kind is NoteKind.SKIPPED] == [1]
        assert campaign.segments == 300
    with pytest.raises(InputError, match="no column 'doc_id'"):
        read(write(tmp_path, row(), HEADER.replace("doc_id", "doc")), input_format="wmt-mteval")


@pytest.mark.skipif(archives.folder() is None, reason="ASSAY_DATA is not set")
def test_official_files():
    folder = archives.unpacked("formats") / "wmt25"
    (segments,) = read(folder / "mteval-segments.first800.tsv")
    assert (segments.lp, segments.segments, len(segments.systems)) == ("en-cs_CZ", 384, 3)
    assert len(read(folder / "mteval-systems.tsv")) == 31
    (returned,) = read(folder / "mteval-returned-MetricX-25.first500.tsv")
    assert (returned.name, returned.segments) == ("challenge_condrift", 125)


def test_mqm_scores_that_are_penalties(tmp_path):
    path = tmp_path / "human.tsv"
    header = "doc_id\tsegment_id\tsource_lang\ttarget_lang\tset_id\tsystem_id\tdomain_name\tmethod\toverall\n"
    path.write_text(header + "d\t1\ten\tde\tofficial\tA\tnews\tMQM\t3\nd\t2\ten\tde\tofficial\tA\tnews\tESA\t90\n")
    with pytest.raises(InputError, match="are positive") as caught:
        read(path, input_format="wmt-mteval:protocol=method")
    assert caught.value.hint == "if lower is better: --input-format wmt-mteval:protocol=method,mqm=lower"
    (campaign,) = read(path, input_format="wmt-mteval:protocol=method,mqm=lower")
    assert {table.protocol: table.higher_is_better for table in campaign.scores} == {"MQM": False, "ESA": True}


def test_a_metric_is_not_read_as_people(tmp_path):
    path = tmp_path / "mymetric.tsv"
    header = "doc_id\tsegment_id\tsource_lang\ttarget_lang\tset_id\tsystem_id\tdomain_name\tmethod\toverall\n"
    path.write_text(header + "d\t1\ten\tde\tofficial\tA\tnews\tNaN\t3\n")
    with pytest.raises(InputError, match="no human scores: the column 'method' names no protocol of people") as caught:
        read(path, input_format="wmt-mteval:protocol=method")
    assert "--scores NAME=FILE" in caught.value.hint
