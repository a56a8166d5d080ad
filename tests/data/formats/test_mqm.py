from __future__ import annotations

import numpy as np
import pytest

from assay.data.formats import data_format, find_format, read_campaigns
from assay.data.formats.mqm import Mqm
from assay.errors import ConfigError, InputError
from assay.types import ErrorSpan, NoteKind
from tests import archives
from tests.data.flat import read_or_refused
from tests.data.judged import read, refused

HEADER = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
ROWS = """A\ttalk.1\t1\t1\trater1\tIt rains.\tEs <v>regne</v>.\tFluency/Grammar\tMajor
A\ttalk.1\t1\t1\trater1\tIt rains.\t<v>Es</v> regne.\tStyle/Awkward\tminor
A\ttalk.1\t1\t1\trater2\tIt rains.\tEs regne.\tNo-error\tNo-error
B\ttalk.1\t1\t1\trater1\tIt <v>rains</v>.\tEs.\tAccuracy/Omission\tMajor
B\ttalk.2\t1\t3\trater1\tWhy  so?\tWie?\tNon-translation!\t Critical
A\ttalk.1\t1\t1\trater1\tIt rains.\tEs <v>hagelt</v>.\tFound\tHOTW-test
"""
FILE = HEADER + ROWS


def test_rows_become_ratings_and_a_test_set(tmp_path):
    (campaign,) = read(tmp_path, "mqm", FILE, "mqm_newstest2020_ende.tsv")
    assert (campaign.name, campaign.lp, campaign.segments) == ("newstest2020", "en-de", 3)
    (ratings,) = campaign.judgements
    assert (ratings.name, ratings.protocol, ratings.systems) == ("mqm", "MQM", ("A", "B"))
    np.testing.assert_array_equal(ratings.rater, [0, 1, 0, 0, 0])
    np.testing.assert_array_equal(ratings.system, [0, 0, 1, 1, 0])
    np.testing.assert_array_equal(ratings.segment, [0, 0, 0, 2, 0])
    assert np.isnan(ratings.score).all()
    assert ratings.errors == (
        (ErrorSpan("Fluency/Grammar", "major", 3, 8), ErrorSpan("Style/Awkward", "minor", 0, 2)),
        (),
        (ErrorSpan("Accuracy/Omission", "major", 3, 8, in_source=True),),
        (ErrorSpan("Non-translation!", "critical"),),
        (ErrorSpan("Found", "hotw-test", 3, 9),),
    )
    assert ratings.kind == ("TGT",) * 4 + ("HOTW-test",)
    assert ratings.document == ("talk.1", "talk.1", "talk.1", "talk.2", "talk.1")
    testset = campaign.testset
    assert testset.sources == ("It rains.", None, "Why  so?")
    assert testset.outputs == {"A": ("Es regne.", None, None), "B": ("Es.", None, "Wie?")}
    assert testset.documents == ("talk.1", None, "talk.2")
    assert [note.text for note in campaign.notes] == [
        "1 of 3 segments without text",
        "missing outputs for segments that other systems translated: 'A' 1",
    ]
    assert find_format(tmp_path / "mqm_newstest2020_ende.tsv") == Mqm()


def test_older_and_newer_headers(tmp_path):
    (campaign,) = read(tmp_path, "mqm:lp=zh-en", ROWS, "a.tsv")
    assert (campaign.name, campaign.lp, len(campaign.judgements[0])) == ("a", "zh-en", 5)
    assert find_format(tmp_path / "a.tsv") == Mqm()
    assert any("no language pair" in note.text for note in read_campaigns(tmp_path / "a.tsv")[0].notes)
    (paired,) = read_campaigns(tmp_path / "a.tsv", input_format="mqm:lp=en-de")
    assert not any("no language pair" in note.text for note in paired.notes)
    newer = (
        HEADER.replace("doc_id", "docSegId").replace("seg_id", "globalSegId").replace("severity", "severity\tmetadata")
    )
    (campaign,) = read(tmp_path, "mqm", newer + ROWS.replace("\n", "\t{}\n"), "b.tsv")
    assert (campaign.lp, len(campaign.judgements[0])) == ("", 5)
    assert any("unused columns: metadata" in note.text for note in campaign.notes)
    with pytest.raises(ConfigError, match="not a language pair"):
        read(tmp_path, "mqm:lp=english", ROWS, "a.tsv")


def test_fields_that_are_quoted_as_in_csv(tmp_path):
    row = 'A\td\t1\t1\tr\t"Say ""no""."\t"Sag <v>""</v>nein""."\tFluency/Punctuation\tMinor\n'
    (campaign,) = read(tmp_path, "mqm", HEADER + row, "a.tsv")
    assert campaign.testset.sources == ('Say "no".',)
    assert campaign.testset.outputs["A"] == ('Sag "nein".',)
    assert campaign.judgements[0].errors[0][0] == ErrorSpan("Fluency/Punctuation", "minor", 4, 5)
    assert any("quotation marks around cells" in note.text for note in campaign.notes)
    plain = 'A\td\t1\t2\tr\tHe said "so".\t"So"\tNo-error\tNo-error\n'  # one field that CSV would write otherwise
    (campaign,) = read(tmp_path, "mqm", HEADER + plain, "a.tsv")
    assert campaign.testset.outputs["A"][1] == '"So"'


def test_texts_that_disagree_can_be_left_aside(tmp_path):
    text = FILE.replace("Es regne.\tNo-error", "Es  regne.\tNo-error")
    message = refused(tmp_path, "mqm", text, "a.tsv", 4)
    assert "the output of system 'A' for segment 1 differs from an earlier line" in message
    assert "mqm:texts=no" in message
    (campaign,) = read(tmp_path, "mqm:texts=no", text, "a.tsv")
    assert campaign.testset is None
    assert len(campaign.judgements[0]) == 5


def test_a_number_out_of_all_proportion_lays_nothing_out(tmp_path):
    (campaign,) = read(tmp_path, "mqm", FILE.replace("\t3\t", "\t99999\t"), "a.tsv")
    assert (campaign.segments, campaign.testset) == (99_999, None)
    assert campaign.notes[-1].text.endswith("texts not used: only 2 of 99,999 segments have an output")
    with pytest.raises(
        InputError, match=r"a\.tsv: segments are numbered up to 999,999,999, but the file has only 5 judg"
    ):
        read(tmp_path, "mqm", FILE.replace("\t3\t", "\t999999999\t"), "a.tsv")


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        (FILE, "", None, "empty file"),
        (FILE, HEADER, None, "no ratings"),
        ("severity\n", "gravity\n", 1, "missing columns: 'severity'"),
        ("\tMajor\nA", "\nA", 2, "8 fields, expected 9"),
        ("\tMajor\nA", "\tMajor\t\nA", 2, "10 fields, expected 9"),
        ("minor\n", "minor\n\n", 4, "1 field, expected 9"),
        ("\t1\t1\trater2", "\t1\t0\trater2", 4, "the segment '0' must be a positive integer"),
        ("\t1\t1\trater2", "\t1\tx\trater2", 4, "the segment 'x'"),
        ("rater2", " ", 4, "the rater has no name"),
        ("B\ttalk.2", "\ttalk.2", 6, "the system has no name"),
        ("Es regne.\tNo-error", "<v>Es</v> regne.\tNo-error", 4, "an error is marked, but the category is No-error"),
        ("Style/Awkward\tminor", "Style/Awkward\t", 3, "an error needs a category and a severity"),
        ("Style/Awkward\tminor", "\tminor", 3, "an error needs a category and a severity"),
        ("It <v>rains", "It <v>pours", 5, "the source for segment 1 differs"),
        ("talk.1\t1\t1\trater2", "talk.9\t1\t1\trater2", 4, "the document for segment 1 differs"),
        ("B\ttalk", "B/b\ttalk", None, "cannot be the name of a system"),
    ],
)
def test_damaged_twins(tmp_path, old, new, line, message):
    text = FILE.replace(old, new)
    assert text != FILE
    assert message in refused(tmp_path, "mqm", text, "a.tsv", line)


def test_a_row_marked_on_both_sides_keeps_the_target(tmp_path):
    (campaign,) = read(tmp_path, "mqm", FILE.replace("rains</v>.\tEs.", "rains</v>.\t<v>Es</v>."), "a.tsv")
    assert campaign.judgements[0].errors[2] == (ErrorSpan("Accuracy/Omission", "major", 0, 2),)
    assert any("1 error marked in both source and target" in note.text for note in campaign.notes)


def test_it_cannot_be_written(tmp_path):
    with pytest.raises(ConfigError, match="mqm can be read but not written"):
        data_format.create("mqm").write((), tmp_path / "a.tsv")


def test_any_bytes_are_read_or_refused(tmp_path):
    read_or_refused(lambda raw: read(tmp_path, "mqm", raw, "mqm_ted_zhen.tsv"), FILE, ROWS, examples=60)


@pytest.mark.parametrize("broken", ["<v>regne", "</v>regne<v>", "<v><v>regne</v></v>", "<v>re</v><v>gne</v>"])
def test_an_error_with_broken_tags_has_no_position(tmp_path, broken):
    (campaign,) = read(tmp_path, "mqm", FILE.replace("<v>regne</v>", broken), "a.tsv")
    assert campaign.judgements[0].errors[0][0] == ErrorSpan("Fluency/Grammar", "major")
    assert campaign.testset.outputs["A"][0] == "Es regne."
    note = next(note for note in campaign.notes if "without a position" in note.text)
    assert (note.kind, note.count, note.text[-7:]) == (NoteKind.MISSING, 1, " line 2")


def test_a_header_may_end_in_a_comment(tmp_path):
    header = HEADER.replace("\n", "\tmetadata\t# Documentation: https://x\n")
    (campaign,) = read(tmp_path, "mqm", header + ROWS.replace("\n", "\t{}\n"), "a.tsv")
    assert len(campaign.judgements[0]) == 5
    assert find_format(tmp_path / "a.tsv") == Mqm()
    assert campaign.notes[0].text == "unused columns: metadata"


def test_a_row_that_occurs_twice_is_one_error(tmp_path):
    header = HEADER.replace("\n", "\tmetadata\n")
    rows = [f"{line}\t{number}\n" for number, line in enumerate(ROWS.splitlines())]
    (campaign,) = read(tmp_path, "mqm", header + "".join([*rows, *rows[:3]]), "a.tsv")
    assert [len(errors) for errors in campaign.judgements[0].errors] == [2, 0, 1, 1, 1]
    note = next(note for note in campaign.notes if note.kind is NoteKind.DUPLICATE)
    assert note.count == 3


@pytest.mark.parametrize(
    "faulty", ["A\ttalk\t1\t3\tr\tHi.\tTag", "A\ttalk\t1\t3\tr\tHi.\t<v>Tag</v>\tNo-error\tNo-error"]
)
def test_of_a_rating_with_a_faulty_row_nothing_counts(tmp_path, faulty):
    """Its other errors are not all that the rater marked."""
    rows = [f"A\ttalk\t1\t{k}\tr\tHi.\t<v>Tag</v>\tStyle\tMajor\n" for k in range(1, 31)]
    (campaign,) = read_campaigns(written(tmp_path, "".join([HEADER, *rows, faulty, "\n"])))
    assert sorted({*range(30)} - {*campaign.judgements[0].segment.tolist()}) == [2]
    note = next(note for note in campaign.notes if note.kind is NoteKind.EXCLUDED)
    assert (note.text, note.count) == ("1 rating left out, because a row of it is faulty", 1)


def written(folder, text):
    path = folder / "a.tsv"
    path.write_text(text, encoding="utf-8")
    return path


def test_marking_the_source_may_have_altered_the_target(tmp_path):
    rows = ROWS + "A\ttalk.1\t1\t1\trater3\tIt rains.\tEs <v>Es </v>regne.\tSource error/-\tMinor\n"
    (campaign,) = read(tmp_path, "mqm", HEADER + rows, "a.tsv")
    assert campaign.testset.outputs["A"][0] == "Es regne."
    assert campaign.judgements[0].errors[-1] == (ErrorSpan("Source error/-", "minor"),)
    assert [note.count for note in campaign.notes if "another target" in note.text] == [1]
    intact = rows.replace("Es <v>Es </v>regne", "Es <v>regne</v>")
    (campaign,) = read(tmp_path, "mqm", HEADER + intact, "a.tsv")
    assert campaign.judgements[0].errors[-1] == (ErrorSpan("Source error/-", "minor", 3, 8),)


@pytest.mark.skipif(archives.folder() is None, reason="ASSAY_DATA is not set")
@pytest.mark.parametrize(
    ("name", "lp", "ratings", "controls", "told"),
    [
        ("mqm_newstest2020_ende.source-errors", "en-de", 841, 0, ["67 source errors with another target"]),
        ("mqm_ted_ende", "en-de", 7406, 0, ["1 error without a position: not one <v> and one </v>, line 6444"]),
        ("mqm_ted_zhen", "zh-en", 7935, 0, ["1 error without a position: not one <v> and one </v>, line 9622"]),
        ("sxs_mqm_generalMT2023_ende.first400", "en-de", 156, 11, ["unused columns: metadata", "1 row counted once"]),
        ("sxs_mqm_generalMT2023_zhen.first400", "zh-en", 294, 10, ["unused columns: metadata"]),
        ("toy-hotw", "", 5, 1, []),
    ],
)
def test_published_files_are_read_as_they_are(name, lp, ratings, controls, told):
    (campaign,) = read_campaigns(archives.unpacked("formats") / "google-mqm" / f"{name}.tsv")
    (judged,) = campaign.judgements
    assert (campaign.lp, len(judged)) == (lp, ratings)
    assert sum(kind.startswith("HOTW") for kind in judged.kind) == controls
    texts = [note.text for note in campaign.notes]
    assert all(any(part in text for text in texts) for part in told)


@pytest.mark.parametrize("absent", ["severity", "rater", "target"])
def test_a_missing_column_is_named(tmp_path, absent):
    names = ["system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity"]
    names.remove(absent)
    path = tmp_path / "mqm_ted_ende.tsv"
    path.write_text("\t".join(names) + "\n" + "\t".join("1" * len(names)) + "\n")
    with pytest.raises(InputError, match=f"line 1: missing columns: '{absent}'"):
        read_campaigns(path)


def test_a_misspelt_severity_is_refused_with_its_line(tmp_path):
    header = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
    rows = [f"A\td\t{k}\t{k}\tr\tHi.\tHallo.\tStyle\tminor\n" for k in range(1, 300)]
    path = tmp_path / "mqm_ted_ende.tsv"
    path.write_text(header + "".join(rows) + rows[0].replace("minor", "Majr").replace("Style", "Fluency"))
    with pytest.raises(InputError, match="line 301: unknown severity 'majr'") as caught:
        read_campaigns(path)
    assert caught.value.hint.startswith("did you mean 'major'?")
    path.write_text(header + "".join(rows) + rows[0].replace("minor", "undecided"))
    assert read_campaigns(path)
