from __future__ import annotations

import json

import pytest

from assay.cli.group import _run

NBEST = "the cat sat\na cat sat\nthe cat sat down\n\ndogs run\na dog runs\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nbest.txt").write_text(NBEST)
    (tmp_path / "a.en").write_text("the cat sat\ndogs run\n")
    (tmp_path / "b.en").write_text("the cat sits\ndogs run\n")
    (tmp_path / "c.en").write_text("the cat sits\na dog\n")
    (tmp_path / "ref.en").write_text("the cat sat down\nthe dogs run\n")
    return tmp_path


def call(capsys, *arguments):
    code = _run([*arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_chosen_texts_to_standard_output(files, capsys):
    code, out, err = call(capsys, "rerank", "nbest.txt", "--per-segment", "3", "-m", "chrf")
    assert (code, out) == (0, "the cat sat down\na dog runs\n")
    assert "1 candidate is empty" in err
    assert "must not be judged by it" in err
    assert call(capsys, "rerank", "nbest.txt", "-n", "3", "-m", "chrf")[1] == out


def test_a_file_for_each_candidate(files, capsys):
    code, out, _ = call(capsys, "rerank", "a.en", "b.en", "c.en", "-m", "chrf")
    assert (code, out) == (0, "the cat sits\ndogs run\n")


def test_the_output_has_a_record_which_scoring_repeats(files, capsys):
    arguments = ("rerank", "nbest.txt", "-n", "3", "-m", "chrf", "-o", "new.en", "--report", "new.tsv")
    code, out, err = call(capsys, *arguments)
    assert code == 0, err
    assert out.split()[:2] == ["chosen", "by"]
    assert "rule:mbr|pseudo_references:candidates|metric:chrf|" in out
    assert (files / "new.en").read_text() == "the cat sat down\na dog runs\n"
    record = json.loads((files / "new.en.rerank.json").read_text())
    assert (record["metric"], record["rule"], record["made_by"]) == ("chrf", "mbr", "assay rerank")
    rows = [line.split("\t") for line in (files / "new.tsv").read_text().splitlines()]
    assert rows[0] == ["segment", "candidates", "chosen", "value", "first_value", "mean_value", "ties", "text"]
    assert [row[2] for row in rows[1:]] == ["3", "3"]
    for command in (("score",), ("compare", "a.en")):
        code, _, err = call(capsys, *command, "new.en", "--ref", "ref.en", "-m", "chrf", "--resamples", "10")
        assert code == 0
        assert "the texts of new were chosen by chrf, the same metric" in err
    (files / "new.en").write_text("something else\nwas written\n")
    _, _, err = call(capsys, "score", "new.en", "--ref", "ref.en", "-m", "chrf", "--resamples", "0")
    assert "were chosen by" not in err
    assert "is of another text" in err
    code, _, err = call(capsys, *arguments)
    assert code == 3
    assert "already exists" in err
    assert call(capsys, *arguments, "--force")[0] == 0


def test_scores_of_another_program(files, capsys):
    (files / "qe.txt").write_text("1\n2\n1\n0\n0\n3\n")
    code, out, err = call(capsys, "rerank", "nbest.txt", "-n", "3", "--scores", "kiwi=qe.txt")
    assert (code, out) == (0, "a cat sat\na dog runs\n")
    assert "chosen by kiwi" in err
    options = ("--scores", "kiwi=qe.txt", "--lower-is-better", "kiwi")
    assert call(capsys, "rerank", "nbest.txt", "-n", "3", *options)[1] == "the cat sat\n\n"


def test_how_to_run(files, capsys):
    """The options of every command that computes metrics."""
    plain = call(capsys, "rerank", "a.en", "b.en", "c.en", "-m", "chrf")
    options = (
        "--threads",
        "1",
        "--device",
        "cpu",
        "--parallel",
        "2",
        "--rate",
        "9",
        "--prices",
        "1,1",
        "--budget",
        "1",
    )
    assert call(capsys, "rerank", "a.en", "b.en", "c.en", "-m", "chrf", *options) == plain
    code, _, err = call(capsys, "rerank", "a.en", "b.en", "c.en", "-m", "chrf", "--budget", "1")
    assert code == 2
    assert "--prices" in err


REFUSED = {
    "no file": (("-m", "chrf"), 2, "no candidates were given"),
    "no metric": (("nbest.txt", "-n", "3"), 2, "neither a metric nor scores were given"),
    "no number": (("nbest.txt", "-m", "chrf"), 2, "--per-segment N"),
    "lines without a number": (("nbest.txt", "-m", "chrf", "--input-format", "lines"), 2, "--per-segment N"),
    "a wrong number": (("nbest.txt", "-m", "chrf", "-n", "4"), 3, "6 lines cannot be 4 for each segment"),
    "zero": (("nbest.txt", "-m", "chrf", "-n", "0"), 2, "0"),
    "a file that is not there": (("none.txt", "-m", "chrf", "-n", "1"), 3, "no such file"),
    "an input as output": (("a.en", "b.en", "-m", "chrf", "-o", "a.en"), 3, "is an input and will not be replaced"),
    "an input as matrix": (("a.en", "b.en", "-m", "chrf", "--matrix", "a.en"), 3, "is an input"),
    "standard input twice": (("-", "-", "-m", "chrf"), 2, "standard input (-) can be read only once"),
    "no sources": (("a.en", "b.en", "-m", "markup"), 2, "markup needs the sources"),
    "several metrics": (("a.en", "b.en", "-m", "chrf,bleu"), 2, "ensemble:metrics=chrf+bleu"),
    "a report in no format": (("a.en", "b.en", "-m", "chrf", "--report", "r.xyz"), 2, "the suffix '.xyz'"),
    "an unknown metric": (("a.en", "b.en", "-m", "chrg"), 2, "chrf"),
    "an unknown format": (("nbest.txt", "-m", "chrf", "--input-format", "xml"), 2, "xml"),
    "an odd matrix": (("a.en", "b.en", "-m", "chrf", "--matrix", "m.csv"), 2, "use .npz, .jsonl, .tsv"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(files, capsys, name):
    arguments, expected, message = REFUSED[name]
    before = sorted(path.name for path in files.iterdir())
    code, out, err = call(capsys, "rerank", *arguments)
    assert (code, out) == (expected, ""), err
    assert message in err
    assert sorted(path.name for path in files.iterdir()) == before
