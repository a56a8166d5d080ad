from __future__ import annotations

from pathlib import Path

import pytest

from assay import load, load_scores, read
from assay.data import CERTAIN, NO
from assay.data.formats import data_format
from assay.errors import InputError
from assay.types import NoteKind

COMET_TEXT = data_format.create("comet-text")
BOTH = (
    "out/base.de\tSegment 0\tscore: 0.8417\nout/base.de\tSegment 1\tscore: 0.5000\nout/base.de\tscore: 0.6708\n"
    "new.de\tSegment 0\tscore: 0.9\nnew.de\tSegment 1\tscore: -0.1\nnew.de\tscore: 0.4000\n"
)


def written(tmp_path, text, name="comet.out"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["comet.out", "comet.txt", "scores", "comet.txt.tsv"])
def test_scores_of_segments(tmp_path, name):
    (campaign,) = read(written(tmp_path, BOTH, name))
    (table,) = campaign.scores
    assert (table.name, table.level, table.systems) == ("COMET", "segment", ("base", "new"))
    assert table.values.tolist() == [[0.8417, 0.5], [0.9, -0.1]]
    assert campaign.notes == ()


def test_means_alone_and_messages_of_the_program(tmp_path):
    (campaign,) = read(written(tmp_path, "GPU available: False\nbase.de\tscore: 0.6708\nnew.de\tscore: 0.4\n"))
    (table,) = campaign.scores
    assert (table.level, table.values.tolist()) == ("system", [[0.6708], [0.4]])
    (note,) = campaign.notes
    assert (note.kind, note.text) == (NoteKind.UNREAD, "1 line without a score, first line 1")


def test_they_are_scores_of_a_test_set(tmp_path):
    testset = load(outputs={"base": ["a", "b"], "new": ["c", "d"]}, references=["x", "y"])
    (table,) = load_scores({"COMET-22": written(tmp_path, BOTH)}, testset).tables
    assert (table.name, table.systems) == ("COMET-22", ("base", "new"))


FLAWS = {
    "a gap": ("a\tSegment 0\tscore: 1\na\tSegment 2\tscore: 1\n", "line 2: segment 2 of 'a' where segment 1 should be"),
    "another mean": (
        "a\tSegment 0\tscore: 1\na\tscore: 0.5\n",
        "line 2: the mean of 1 segment of 'a' is 1.0000, not 0.5",
    ),
    "two means": ("a\tscore: 1\na\tscore: 0.5\n", "line 2: a second mean of 'a'"),
    "lengths": (
        "a\tSegment 0\tscore: 1\na\tSegment 1\tscore: 1\nb\tSegment 0\tscore: 1\n",
        "1 segment of 'b', but 2 of",
    ),
    "no number": ("a\tscore: high\n", "line 1: the score is not a number: 'high'"),
    "nothing": ("nothing\n", "no scores"),
}


@pytest.mark.parametrize(("text", "message"), FLAWS.values(), ids=list(FLAWS))
def test_flaws(tmp_path, monkeypatch, text, message):
    monkeypatch.chdir(tmp_path)
    written(tmp_path, text)
    with pytest.raises(InputError, match=r"^comet\.out") as caught:
        COMET_TEXT.read(Path("comet.out"))
    assert message in str(caught.value)


def test_recognised():
    assert COMET_TEXT.recognises(Path("x"), BOTH) == CERTAIN
    assert COMET_TEXT.recognises(Path("x"), "The score: 3\n") == NO
