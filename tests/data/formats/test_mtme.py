from __future__ import annotations

import gzip
import json
import math
import re
from dataclasses import replace

import numpy as np
import pytest

import assay
from assay.data.faults import Faults
from assay.data.formats import find_format, read_campaign, read_campaigns
from assay.data.formats.mtme import Mtme, human_protocol, language_pairs, read_pair
from assay.errors import EmptyInputError, InputError, NameClashError
from assay.types import Campaign, Note, NoteKind, ScoreTable, TestSet
from tests import archives

FILES = {
    "sources/en-de.txt": "one\ntwo\nthree\n",
    "references/en-de.refA.txt": "eins\nzwei\ndrei\n",
    "references/en-de.refB.txt": "eins\nzwo\ndrei\n",
    "documents/en-de.docs": "news d1\nnews d1\nchat d2\n",
    "system-outputs/en-de/x.txt": "\ufeffeins\n[No translation supplied]\ndrei\u2028vier\n",
    "system-outputs/en-de/refB.txt": "eins\nzwo\ndrei\n",
    "human-scores/en-de.mqm.seg.score": "x\t-1\nx\tNone\nx\t0\nrefB\t0\nrefB\t0\nrefB\t-5\n",
    "human-scores/en-de.wmt-z.sys.score": "x 0.5\n",
    "human-scores/en-de.mqm.domain.score": "news x 1\nchat x 2\n",
    "human-scores/en-de.mqm.doc.score": "x 1\nx 2\n",
    "metric-scores/en-de/My-Metric-refA.seg.score": "x 1\nx 2\nx 3\n",
    "metric-scores/en-de/BLEU-all.sys.score": "x 30\nrefB 40\n",
    "metric-scores/en-de/QE-src.sys.score": "x 1\nrefB 2\n",
    "metric-scores/en-de/Two-refA.refB.sys.score": "x 1\n",
}


@pytest.fixture
def folder(tmp_path):
    for name, text in FILES.items():
        (tmp_path / "wmt99" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "wmt99" / name).write_text(text, encoding="utf-8")
    return tmp_path / "wmt99"


def test_everything_is_read(folder):
    (campaign,) = Mtme().read(folder)
    testset = campaign.testset
    assert (campaign.name, campaign.lp, campaign.segments) == ("wmt99", "en-de", 3)
    assert (campaign.systems, campaign.references) == (("refB", "x"), ("refA", "refB"))
    assert testset.outputs["x"] == ("\ufeffeins", None, "drei\u2028vier")
    assert (testset.documents, testset.domains) == (("d1", "d1", "d2"), ("news", "news", "chat"))
    assert testset.sources == ("one", "two", "three")
    mqm = campaign.find("mqm", "segment")
    assert (mqm.protocol, mqm.gaps, mqm.systems) == ("MQM", 1, ("x", "refB"))
    assert campaign.find("mqm", "domain").items == ("chat", "news")
    assert campaign.find("mqm", "document").items == ("d1", "d2")
    references = {t.name: t.references for t in campaign.metrics}
    assert references == {
        "My-Metric": ("refA",),
        "BLEU": ("refA", "refB"),
        "QE": (),
        "Two": ("refA", "refB"),
    }
    assert campaign.notes == (
        Note(NoteKind.KEPT, "kept byte order marks, because published scores were computed with them: x.txt", count=1),
        Note(NoteKind.MISSING, "1 output missing ('[No translation supplied]')", "system-outputs/en-de", 1),
        Note(NoteKind.MISSING, "references without scores: refB in 1 of 4 metric files", count=1),
    )


def test_it_is_recognised_also_from_above(folder):
    assert find_format(folder).name == find_format(folder.parent).name == "mtme"
    assert len(Mtme().read(folder.parent)) == 1
    assert language_pairs(folder) == ["en-de"]


def test_texts_make_no_strings(folder):
    testset = read_pair(folder, "en-de").testset
    columns = [*testset.outputs.values(), *testset.references.values(), testset.sources]
    assert all(column.is_utf8 for column in columns)
    assert None in testset.outputs["x"]


def test_compressed_texts(folder):
    expected = read_pair(folder, "en-de")
    for name in ("system-outputs/en-de/x.txt", "references/en-de.refA.txt"):
        (folder / f"{name}.gz").write_bytes(gzip.compress((folder / name).read_bytes()))
        (folder / name).unlink()
    found = read_pair(folder, "en-de")
    assert (found.testset.outputs, found.testset.references) == (expected.testset.outputs, expected.testset.references)
    assert not [note for note in found.notes if note.kind is NoteKind.UNREAD]
    (folder / "system-outputs/en-de/x.txt").write_text("eins\n", encoding="utf-8")
    with pytest.raises(NameClashError, match="the same text twice"):
        read_pair(folder, "en-de")


def test_texts_as_json_lines(folder):
    (folder / "system-outputs/en-de/x.txt").unlink()
    rows = [json.dumps({"hypothesis": text}) for text in ("eins", "zwei\nzwo", "drei")]
    (folder / "system-outputs/en-de/x.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")
    assert read_pair(folder, "en-de").testset.outputs["x"] == ("eins", "zwei\nzwo", "drei")
    (folder / "system-outputs/en-de/x.jsonl").write_text('{"hypothesis": "a"}\n{}\n1\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"x.jsonl, line 2: the field 'hypothesis' must be a text"):
        read_pair(folder, "en-de")


def test_without_texts(folder):
    for name in FILES:
        if name.startswith(("sources", "references", "documents", "system-outputs")):
            (folder / name).unlink()
    campaign = read_pair(folder, "en-de")
    assert (campaign.testset, campaign.segments, campaign.systems) == (None, 3, ("refB", "x"))
    assert campaign.references == ("refA", "refB")  # by the names of the metric files


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("documents/en-de.docs", "news d1\n", "has 1 line, but there are 3 segments"),
        ("documents/en-de.docs", "news d1\nd1\nnews d1\n", "line 2: expected a domain and a document"),
        ("documents/en-de.docs", "n d1\nn d2\nn d1\n", "line 3: the document 'd1' is not contiguous"),
        ("system-outputs/en-de/x.txt", "eins\n", "has 1 segment,|has 3 segments"),
        ("references/en-de.refA.txt", "eins\n", "en-de.refA.txt: has 1 segment,"),
    ],
)
def test_damaged(folder, name, text, message):
    (folder / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_pair(folder, "en-de")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("human-scores/en-de.mqm.paragraph.score", "x 1\n", "does not end in a level"),
        ("metric-scores/en-de/BLEU.sys.score", "x 1\n", "does not end in -REFERENCES"),
        ("metric-scores/en-de/My-Metric-refA.seg.score", "x 1\nx 2\n", "2 scores for system 'x', expected 3"),
        ("judgements/en-de.rr.tsv", "judge\tsegment\tsystem1\trank1\n", "no judgements"),
    ],
)
def test_a_table_that_cannot_be_read_is_named_and_the_rest_is_read(folder, name, text, message):
    for level in ("domain", "doc"):  # whose scores are penalties
        (folder / f"human-scores/en-de.mqm.{level}.score").unlink()
    sound = read_pair(folder, "en-de")
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
    campaign = read_pair(folder, "en-de")
    (note,) = [note for note in campaign.notes if note.kind is NoteKind.SKIPPED]
    assert (note.where, note.severity) == (str(folder / name), "warning")
    assert note.text.startswith("not read, unlike the other files: ")
    assert message in note.text
    assert note in campaign.reading_notes
    assert replace(campaign.testset, notes=()) == replace(sound.testset, notes=())
    assert {table.name for table in campaign.scores} >= {table.name for table in sound.scores} - {"My-Metric"}
    with pytest.raises(InputError, match=re.escape(message)):
        assay.load_campaign(folder, lp="en-de", strict=True)


def test_a_folder_with_nothing_but_a_table_that_cannot_be_read(tmp_path):
    (tmp_path / "judgements").mkdir()
    (tmp_path / "judgements/en-de.rr.tsv").write_text("", encoding="utf-8")
    with pytest.raises(EmptyInputError, match=r"en-de.rr.tsv: empty file"):
        read_pair(tmp_path, "en-de")


def test_what_is_not_there(folder, tmp_path):
    with pytest.raises(InputError, match="no language pair 'de-en'"):
        read_pair(folder, "de-en")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="not the folder of a test set"):
        Mtme().read(tmp_path / "empty")


@pytest.mark.parametrize(
    ("name", "protocol"),
    [
        *(("wmt", "DA"), ("wmt-raw", "DA"), ("wmt-z", "DA-z"), ("wmt-appraise", "DA+SQM")),
        *(("wmt-appraise-refbased-z", "DA+SQM-z"), ("da-sqm", "DA+SQM"), ("mqm", "MQM"), ("mqm-col2", "MQM")),
        *(("psqm-col1", "pSQM"), ("esa-human1", "ESA"), ("csqm", "other"), ("mqmx", "other")),
        *(("esa-GPT4", "other"), ("mqm-gemba", "other")),
    ],
)
def test_protocols_by_name(name, protocol):
    assert human_protocol(name) == protocol


def test_round_trip(tmp_path):
    testset = TestSet(
        outputs={"x": ("a", None), "y": ("b", "c")},
        references={"refA": ("a", "b")},
        sources=("s", "t"),
        documents=("d", "d"),
        domains=("news", "news"),
        lp="en-de",
        name="mine",
    )
    scores = (
        ScoreTable("mqm", "segment", ("x", "y"), np.array([[1, math.nan], [0.1, 1 / 3]]), protocol="MQM"),
        ScoreTable("BLEU", "system", ("x", "y"), np.array([[1.5], [2.5]]), references=("refA",)),
    )
    Mtme().write([Campaign("mine", "en-de", 2, ("x", "y"), ("refA",), testset, scores)], tmp_path / "out")
    (again,) = Mtme().read(tmp_path / "out/mine")
    assert (again.testset, again.systems, again.references) == (testset, ("x", "y"), ("refA",))
    for table in scores:
        found = again.find(table.name, table.level)
        assert np.array_equal(found.values, table.values, equal_nan=True)
        assert (found.protocol, found.references) == (table.protocol, table.references)
    with pytest.raises(InputError, match="already exists"):
        Mtme().write([again], tmp_path / "out")
    with pytest.raises(InputError, match="writing a folder needs"):
        Mtme().write([Campaign("", "", 2, ("x", "y"), (), testset)], tmp_path / "other")
    broken = TestSet(outputs={"x": ("a\nb",)})
    with pytest.raises(InputError, match="segment 1 of x contains a line end"):
        Mtme().write([Campaign("m", "en-de", 1, ("x",), (), broken)], tmp_path / "other")
    assert not (tmp_path / "other").exists()


def test_what_was_changed_in_reading_is_noted(folder):
    for name in ("documents/en-de.docs", "human-scores/en-de.wmt-z.sys.score", "system-outputs/en-de/refB.txt"):
        (folder / name).write_bytes((folder / name).read_bytes().replace(b"\n", b"\r\n"))
    (folder / "judgements").mkdir()
    (folder / "judgements/en-de.rr.tsv").write_bytes(b"judge\tsegment\tsystem1\trank1\r\nj\t1\tx\t-1\r\n")
    notes = [str(note).removeprefix(f"{folder}/") for note in read_pair(folder, "en-de").notes]
    assert [note for note in notes if "carriage" in note or "rank" in note] == [
        "system-outputs/en-de/refB.txt: removed carriage returns at the end of 3 of 3 lines",
        "documents/en-de.docs: removed carriage returns at the end of 3 of 3 lines",
        "human-scores/en-de.wmt-z.sys.score: removed carriage returns at the end of 1 of 1 line",
        "judgements/en-de.rr.tsv: removed carriage returns at the end of 2 of 2 lines",
        "judgements/en-de.rr.tsv: 1 of 1 judged output without a rank",
        "judgements/en-de.rr.tsv: 1 of 1 ranking without any rank",
    ]


def test_a_judged_reference_is_an_output(folder):
    (folder / "system-outputs/en-de/refB.txt").unlink()  # it has scores, and refA has none
    campaign = read_pair(folder, "en-de")
    assert campaign.systems == tuple(campaign.testset.outputs) == ("refB", "x")
    assert campaign.testset.outputs["refB"] == campaign.testset.references["refB"]
    assert campaign.find("mqm", "segment").systems == ("x", "refB")


def test_other_files_are_named(folder):
    (folder / "human-significance").mkdir()
    assert not any(note.kind is NoteKind.UNREAD for note in read_pair(folder, "en-de").notes)
    (folder / "notes").mkdir()
    (folder / "judgements").mkdir()
    for name in ("judgements/en-de.rr.csv", "judgements/de-en.rr.csv", "metric-scores/en-de/x.tsv", ".DS_Store"):
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / name).write_text("", encoding="utf-8")
    (note,) = [note for note in read_pair(folder, "en-de").notes if note.kind is NoteKind.UNREAD]
    assert (note.text, note.count) == ("not read: notes/, metric-scores/en-de/x.tsv, judgements/en-de.rr.csv", 3)


def test_other_files_are_not_read(folder):
    (folder / "sources" / "en-de.note.txt").write_text("not a source", encoding="utf-16")
    (note,) = [note for note in read_pair(folder, "en-de").notes if note.kind is NoteKind.UNREAD]
    assert note.text == "not read: sources/en-de.note.txt"


def test_ratings_beside_the_scores(folder):
    rating = '{"errors": [{"start": 0, "end": 1, "category": "x", "severity": "minor", "score": 1.0}]}'
    lines = [f"x\t{rating}\tr1", "x\tNone", "x\tNone"]
    (folder / "human-scores/en-de.mqm.seg.rating").write_text("\n".join([*lines, ""]), encoding="utf-8")
    (ratings,) = read_pair(folder, "en-de").judgements
    assert (ratings.name, ratings.protocol, ratings.raters) == ("mqm", "MQM", ("r1",))
    assert ratings.errors[0][0].score == 1.0


def test_a_folder_inside_the_named_one_is_told(folder):
    (campaign, *_) = [c.read() for c in Mtme().contents(folder.parent) if c.lp == "en-de"]
    (note,) = [note for note in campaign.reading_notes if "in it" in note.text]
    assert note.text == f"read from the folder {folder.name} in it"
    assert note in campaign.testset.notes  # for scores of the texts alone
    (campaign, *_) = [c.read() for c in Mtme().contents(folder) if c.lp == "en-de"]
    assert not any("in it" in note.text for note in campaign.notes)


def test_a_folder_without_language_pairs_is_refused(tmp_path):
    (tmp_path / "human-scores").mkdir()
    with pytest.raises(EmptyInputError, match="no language pairs"):
        Mtme().read(tmp_path)


def test_penalties_need_a_direction(folder):
    for level in ("domain", "doc", "seg"):
        (folder / f"human-scores/en-de.mqm.{level}.score").unlink()
    (folder / "human-scores/en-de.mqm.sys.score").write_text("x\t1.5\n", encoding="utf-8")
    with pytest.raises(InputError, match="the system scores 'mqm' are positive") as caught:
        read_campaign(folder, lp="en-de")
    assert caught.value.hint == 'if lower is better: input_format="mtme:mqm=lower"'
    campaign = read_campaign(folder, lp="en-de", input_format="mtme:mqm=lower")
    assert not campaign.find("mqm", "system").higher_is_better
    assert campaign.find("wmt-z", "system").higher_is_better


@pytest.mark.skipif(archives.folder() is None, reason="ASSAY_DATA does not name the WMT archives")
@pytest.mark.parametrize(
    ("name", "lp", "told"),
    [
        ("wmt12", "en-es", ["byte order marks", "51 of 7,375 judged outputs without a rank", "without any rank"]),
        ("wmt16", "de-en", ["21 of 1,362 rankings without any rank"]),
        ("wmt20", "cs-en", []),
        ("wmt20", "en-iu", ["no scores for zlabs-nlp.49 in BLEU-ref.sys.score and 17 other metric files"]),
        ("wmt21.flores", "hi-bn", ["HuaweiTSC.txt, refA.txt, hi-bn.refA.txt"]),  # enclosed as by a spreadsheet
        ("wmt21.flores", "xh-zu", []),
    ],
)
def test_wmt_has_the_notes_it_deserves(name, lp, told):
    campaign = read_pair(archives.unpacked(name), lp)
    assert len(campaign.notes) == len(told)
    assert all(what in note.text for what, note in zip(told, campaign.notes, strict=True))
    assert campaign.similar_names() == ()


def test_scores_of_systems_without_an_output_are_kept(folder):
    (folder / "human-scores/en-de.mqm.seg.score").write_text("x 0\nx 0\nx 0\nlost 0\nlost -1\nlost 0\n", "utf-8")
    (folder / "metric-scores/en-de/QE-src.sys.score").write_text("x 1\nlost 2\n", "utf-8")
    campaign = read_pair(folder, "en-de")
    assert (campaign.systems, campaign.testset.systems) == (("refB", "x", "lost"), ("refB", "x"))
    assert campaign.find("mqm", "segment").take(["lost"]).values.tolist() == [[0, -1, 0]]
    text = (
        "scores of systems without an output are kept: lost, in human-scores/en-de.mqm.seg.score, "
        "metric-scores/en-de/QE-src.sys.score"
    )
    assert Note(NoteKind.MISSING, text, "system-outputs/en-de", 1) in campaign.reading_notes


def test_documents_are_read_without_outputs(folder):
    """As in WMT20: what people scored has documents and domains, though nobody can publish the texts."""
    for name in FILES:
        if name.startswith(("sources", "references", "system-outputs")):
            (folder / name).unlink()
    campaign = read_pair(folder, "en-de")
    mqm = campaign.find("mqm", "segment")
    assert (campaign.testset, campaign.segments) == (None, 3)
    assert (mqm.documents, mqm.domains) == (("d1", "d1", "d2"), ("news", "news", "chat"))
    assert campaign.find("mqm", "document").items == ("d1", "d2")
    Mtme().write([campaign], folder.parent / "copy")
    assert (folder.parent / "copy/wmt99/documents/en-de.docs").read_text() == FILES["documents/en-de.docs"]
    (folder / "documents/en-de.docs").write_text("news d1\nchat d2\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"en-de.docs: has 2 lines, but there are 3 segments"):
        read_pair(folder, "en-de")


def test_all_faults_are_found(folder):
    for name, text in {
        "references/en-de.refA.txt": "eins\n",
        "documents/en-de.docs": "news d1\nnews\nchat d2\n",
        "human-scores/en-de.mqm.seg.score": "x\t-1\nx\tbad\nx\t0\n",
        "metric-scores/en-de/BLEU-all.sys.score": "x 30\nx 31\n",
        "judgements/en-de.rr.tsv": "segment\tbetter\tworse\n",
    }.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    faults = Faults()
    campaign = read_pair(folder, "en-de", faults)
    assert [error.message.removeprefix(f"{folder}/") for error in faults.all_errors] == [
        "references/en-de.refA.txt: has 1 segment, but refB.txt has 3",
        "documents/en-de.docs, line 2: expected a domain and a document",
        "human-scores/en-de.mqm.seg.score, line 2: the score is not a number: 'bad'",
        "metric-scores/en-de/BLEU-all.sys.score, line 2: more than 1 score for system 'x'",
        "judgements/en-de.rr.tsv: no judgements",
    ]
    assert list(campaign.testset.references) == ["refB"]
    assert {table.name for table in campaign.metrics} == {"My-Metric", "QE", "Two"}
    with pytest.raises(InputError, match=r"refA.txt: has 1 segment") as caught:
        read_pair(folder, "en-de")
    assert caught.value.hint.endswith(f"assay data check {folder} lists 4 more errors")


def test_an_unknown_kind_of_judgements_is_a_note(folder):
    (folder / "judgements").mkdir()
    (folder / "judgements/en-de.esa.tsv").write_text("who\twhat\nme\tthis\n", encoding="utf-8")
    campaign = read_pair(folder, "en-de")
    assert not campaign.judgements
    (note,) = [note for note in campaign.reading_notes if note.kind is NoteKind.UNREAD]
    assert note.where.endswith("judgements/en-de.esa.tsv")
    assert note.text == "not read: unrecognised header of a judgement table: who what"


def test_a_faulty_language_pair_does_not_stop_the_others(folder):
    for level in ("domain", "doc"):  # whose scores are penalties
        (folder / f"human-scores/en-de.mqm.{level}.score").unlink()
    for name, text in FILES.items():
        if not name.endswith(("domain.score", "doc.score")):
            other = folder / name.replace("en-de", "en-cs")
            other.parent.mkdir(parents=True, exist_ok=True)
            other.write_text(text, encoding="utf-8")
    (folder / "documents/en-de.docs").write_text("news d1\nnews\nchat d2\n", encoding="utf-8")
    (campaign,) = read_campaigns(folder)
    (note,) = [note for note in campaign.reading_notes if note.severity == "warning"]
    assert (campaign.lp, note.kind) == ("en-cs", NoteKind.SKIPPED)
    assert note.text.startswith("wmt99 en-de is left out: ")
    assert "en-de.docs, line 2: expected a domain and a document" in note.text
    assert note in campaign.testset.notes
    (campaign,) = read_campaigns(folder, lps=["en-*"])
    assert note in campaign.notes
    for lps in (["en-de"], ["en-cs", "en-de"]):
        with pytest.raises(InputError, match=r"en-de.docs, line 2: "):
            read_campaigns(folder, lps=lps)
    with pytest.raises(InputError, match=r"wmt99 en-de is left out"):
        assay.read(folder, strict=True)


def test_scores_of_language_models_are_noted(folder):
    (folder / "human-scores/en-de.esa-GPT4.sys.score").write_text("x 50\n", encoding="utf-8")
    (note,) = [note for note in read_pair(folder, "en-de").reading_notes if note.kind is NoteKind.PROVENANCE]
    assert note.text.startswith("by their names, scores of language models, not of people: esa-GPT4 (")
