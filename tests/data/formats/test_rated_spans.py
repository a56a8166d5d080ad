"""Tables of errors with the raters who marked them."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from assay.data.formats import find_format, list_campaigns, read_campaigns
from assay.errors import InputError, NameClashError
from assay.types import Campaign, ErrorSpan, NoteKind, Ratings

HEADER = "rater,system,segment,score,start,end,severity"
ROWS = [
    "r1,A,1,80,3,9,minor",
    "r1,A,1,80,12,15,major",
    "r1,B,1,95,,,no-error",
    "r2,A,1,70,,,",
    "r1,A,2,60,0,4,Minor",
]


def written(folder: Path, header: str = HEADER, rows: list[str] = ROWS, *, name: str = "x.csv") -> Path:
    path = folder / name
    path.write_text("\n".join([header, *rows, ""]))
    return path


def only(path: Path) -> tuple[Ratings, Campaign]:
    (campaign,) = read_campaigns(path)
    (ratings,) = campaign.ratings
    return ratings, campaign


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_rating_is_the_rows_of_a_rater_and_an_output(tmp_path, separator):
    lines = [line.replace(",", separator) for line in (HEADER, *ROWS)]
    ratings, campaign = only(written(tmp_path, lines[0], lines[1:], name="x.tsv" if separator == "\t" else "x.csv"))
    assert (ratings.name, ratings.protocol, ratings.is_human, campaign.predictions) == ("esa", "ESA", True, ())
    assert [ratings.raters[k] for k in ratings.rater] == ["r1", "r1", "r2", "r1"]
    assert ratings.segment.tolist() == [0, 0, 0, 1]
    assert ratings.score.tolist() == [80, 95, 70, 60]
    minor, major = ErrorSpan("", "minor", 3, 9), ErrorSpan("", "major", 12, 15)
    assert ratings.errors == ((minor, major), (), (), (ErrorSpan("", "minor", 0, 4),))
    assert not campaign.notes


@pytest.mark.parametrize("name", ["annotator", "user_id", "Rater"])
def test_whoever_is_named_is_a_rater_and_no_metric(tmp_path, name):
    path = written(tmp_path, HEADER.replace("rater", name))
    assert find_format(path).name == "rated-spans"
    assert find_format(written(tmp_path, HEADER.replace("rater", "comment"))).name == "spans"
    assert find_format(written(tmp_path, HEADER.replace("score", "human:ESA"))).name == "rated-spans"


def test_errors_without_scores_are_of_mqm(tmp_path):
    rows = ["r1,A,d1:1,3,9,minor,fluency/grammar"]
    ratings, campaign = only(written(tmp_path, "rater,system,segment,start,end,severity,category", rows))
    assert (ratings.protocol, ratings.items, ratings.errors[0][0].category) == ("MQM", ("d1:1",), "fluency/grammar")
    assert math.isnan(ratings.score[0])
    assert not campaign.notes


def test_texts_and_other_columns(tmp_path):
    header = f"{HEADER},lp,document,domain,source,output,mood"
    path = written(tmp_path, header, ["r1,A,1,80,0,4,minor,en-de,d1,news,Good day,Guten Tag,fine"])
    ratings, campaign = only(path)
    assert (campaign.lp, ratings.document, ratings.domain) == ("en-de", ("d1",), ("news",))
    assert campaign.testset is not None
    assert (campaign.testset.output("A")[0], campaign.testset.sources[0]) == ("Guten Tag", "Good day")
    assert [note.text for note in campaign.notes] == ["unused columns: mood"]


def test_another_score_is_another_rating_of_the_output(tmp_path):
    ratings, campaign = only(written(tmp_path, rows=[*ROWS, "r1,A,1,50,3,9,minor"]))
    assert len(ratings) == 5
    assert [(note.kind, note.count) for note in campaign.notes] == [(NoteKind.SUSPECT, 1)]


def test_of_a_rating_with_a_faulty_row_nothing_counts(tmp_path):
    """Its other errors are not all that the rater marked."""
    rows = [f"r1,A,{segment},80,3,9,minor" for segment in range(1, 31)]
    ratings, campaign = only(written(tmp_path, rows=[*rows, "r1,A,7,80,12,10,major"]))
    assert 6 not in ratings.segment
    assert len(ratings) == 29
    texts = [note.text for note in campaign.notes]
    assert "1 faulty row skipped: an error ends before it starts: characters 12 to 10" in texts
    assert "1 rating left out, because a row of it is faulty" in texts


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("r1,A,1,80,3,9,", "an error without a severity"),
        ("r1,A,1,80,3,9,mjor", "unknown severity 'mjor'"),
        ("r1,A,1,101,3,9,minor", "must be between 0 and 100"),
        (",A,1,80,3,9,minor", "a row without a rater, system or segment"),
        ("r1,A,0,80,3,9,minor", "segments count from 1"),
        ("r1,A,1,80,3,9", "6 fields, but the header has 7"),
    ],
)
def test_faulty_rows(tmp_path, row, message):
    with pytest.raises(InputError, match=message):
        read_campaigns(written(tmp_path, rows=[row]))


def test_a_misspelt_column_is_refused_and_an_absent_one_is_named(tmp_path):
    with pytest.raises(InputError, match="unknown column 'sgment'"):
        read_campaigns(written(tmp_path, HEADER.replace("segment", "sgment")))
    with pytest.raises(InputError, match="no column 'system'"):
        read_campaigns(written(tmp_path, HEADER.replace("system", "model_name")))
    with pytest.raises(InputError, match="no outputs and no scores") as refused:
        read_campaigns(written(tmp_path, "system,segment,begin,end,severity", ["A,1,3,9,minor"]))
    assert "start, end and severity: there is no start" in refused.value.hint


def test_a_misspelt_rater_is_not_a_metric(tmp_path):
    with pytest.raises(InputError, match="unknown column 'rtaer'") as refused:
        read_campaigns(written(tmp_path, HEADER.replace("rater", "rtaer")))
    assert "did you mean 'rater'?" in refused.value.hint
    with pytest.raises(InputError, match="unknown column 'anotator'"):
        read_campaigns(written(tmp_path, HEADER.replace("rater", "anotator")))


def test_two_columns_with_one_name_are_refused(tmp_path):
    for header in (f"{HEADER},severity", f"{HEADER.removeprefix('rater,')},severity,severity"):
        with pytest.raises(NameClashError, match="two columns are called 'severity'"):
            read_campaigns(written(tmp_path, header))


@pytest.mark.parametrize("rows", [["r1,A,7,80,,,no-error"], ["r1,A,31,80,,,", "r1,A,31,80,3,9,minor"]])
def test_a_rating_with_and_without_an_error_does_not_count(tmp_path, rows):
    many = [f"r1,A,{segment},80,3,9,minor" for segment in range(1, 31)]
    ratings, campaign = only(written(tmp_path, rows=[*many, *rows]))
    assert len(ratings) == (29 if len(rows) == 1 else 30)
    texts = [note.text for note in campaign.notes]
    assert any("in an earlier one of the same output" in text for text in texts)
    assert "1 rating left out, because a row of it is faulty" in texts


def test_a_row_that_occurs_twice_counts_once(tmp_path):
    omission = "r1,A,1,80,,,major"
    ratings, campaign = only(written(tmp_path, rows=[*ROWS, ROWS[0], ROWS[2], omission, omission]))
    minor, major = ErrorSpan("", "minor", 3, 9), ErrorSpan("", "major", 12, 15)
    assert ratings.errors[0] == (minor, major, ErrorSpan("", "major"), ErrorSpan("", "major"))
    assert [(note.kind, note.text) for note in campaign.notes] == [
        (NoteKind.DUPLICATE, "2 rows counted once: the same as an earlier row in every column")
    ]


def test_an_error_without_an_end_is_named(tmp_path):
    with pytest.raises(InputError, match="an error without an end"):
        read_campaigns(written(tmp_path, rows=["r1,A,1,80,3,,minor"]))


def test_it_stands_behind_data(tmp_path):
    assert [each.testset for each in list_campaigns(written(tmp_path))] == [""]
