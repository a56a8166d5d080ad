from __future__ import annotations

import json

import pytest

from assay import open_result
from assay.cli.group import _run
from assay.errors import InputError
from assay.sample import write


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = write(tmp_path_factory.mktemp("sample"))[0]
    return ["--ref", str(folder / "refA.de"), *map(str, sorted((folder / "systems").iterdir())[:2])]


def test_two_systems(files, capsys):
    assert _run(["compare", *files, "-m", "bleu", "--resamples", "200", "--delta", "1"]) == 0
    out = capsys.readouterr().out
    assert "birch" in out.splitlines()[0]
    assert "segments needed to show 1" in out


def test_json(files, capsys):
    options = ["--agg", "corpus", "--resamples", "100", "--format", "json", "--baseline", "birch"]
    assert _run(["compare", *files, *options]) == 0
    tree = json.loads(capsys.readouterr().out)
    assert (tree["baseline"], [m["metric"] for m in tree["metrics"]]) == ("birch", ["bleu", "chrf"])


def test_the_texts_can_be_saved(files, tmp_path, capsys):
    arguments = ["compare", *files, "--resamples", "10"]
    assert _run([*arguments, "--save-texts"]) == 2
    assert "--save-texts needs --save DIR" in capsys.readouterr().err
    folder = tmp_path / "saved"
    assert _run([*arguments, "--save", str(folder)]) == 0
    with pytest.raises(InputError, match="saved without its texts"):
        _ = open_result(folder).testset
    assert _run([*arguments, "--save", str(folder), "--save-texts"]) == 0
    assert open_result(folder).testset.systems == ("alder", "birch")


def test_mixed_ways_to_name_outputs_need_a_baseline(files, capsys):
    """The baseline would be the first OUTPUT, even if a --sys stands before it."""
    reference, old, new = files[:2], f"old={files[2]}", files[3]
    mixed = ["compare", "-m", "chrf", "--resamples", "20", *reference, "--sys", old, new]
    assert _run(mixed) == 2
    assert "which system is the baseline?" in capsys.readouterr().err
    assert _run([*mixed, "--baseline", "old"]) == 0
    assert _run([*mixed, "--all-pairs"]) == 0
    capsys.readouterr()
    assert _run(["compare", "-m", "chrf", "--resamples", "20", *reference, old, new, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["baseline"] == "old"


def test_wrong_names(files, capsys):
    assert _run(["compare", *files, "-m", "bleu", "--resamples", "50", "--fail-if", "bleu.delta < 9"]) == 5
    assert "holds for" in capsys.readouterr().err
    assert _run(["compare", *files, "--test", "boot"]) == 2
    assert "unknown test 'boot'" in capsys.readouterr().err
    assert _run(["compare", *files[:3]]) == 2
    assert "at least two systems" in capsys.readouterr().err


def test_p_values_of_sacrebleu(files, capsys):
    options = ["-m", "bleu", "--compat", "sacrebleu", "--test", "bootstrap", "--resamples", "100", "--format", "json"]
    assert _run(["compare", *files, *options]) == 0
    row = json.loads(capsys.readouterr().out)["rows"][0]
    assert (row["aggregation"], row["test"]) == ("corpus", "sacrebleu bootstrap")


@pytest.mark.parametrize(("lines", "hint"), [("5", "assay leaderboard ranks"), ("200", "--details adds wins")])
def test_what_is_longer_than_the_terminal_says_what_is_shorter(files, capsys, monkeypatch, lines, hint):
    monkeypatch.setenv("LINES", lines)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert _run(["compare", *files, "--resamples", "50"]) == 0
    assert hint in capsys.readouterr().err


def test_colours_if_they_are_forced(files, capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert _run(["compare", *files, "-m", "chrf", "--resamples", "50", "--examples", "1"]) == 0
    assert "\x1b[4m" in capsys.readouterr().out
    monkeypatch.setenv("NO_COLOR", "1")
    assert _run(["compare", *files, "-m", "chrf", "--resamples", "50", "--examples", "1"]) == 0
    assert "\x1b" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        (["--labels", "x.tsv"], "--labels has no effect without --by", "name a column of the file: --by COLUMN"),
        (["--all-pairs", "--examples", "1"], "--examples compares systems with a baseline", "leave out --all-pairs"),
        (["--unit", "document"], "documents as units need", "e.g. --documents docs.txt"),
        (["--alpha", "5"], "--alpha must be between 0 and 1", ""),
        (["--by", "domain"], "the test set has no domains", "give --domains"),
        (["--delta", "-1"], "--delta must be a positive number, not -1", ""),
    ],
)
def test_messages_name_options_as_flags(tmp_path, capsys, monkeypatch, arguments, message, hint):
    monkeypatch.chdir(tmp_path)
    for name in ("ref", "a", "b"):
        (tmp_path / name).write_text(f"some words of {name}\nand more of them\n")
    assert _run(["compare", "--ref", "ref", "a", "b", *arguments]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert hint in err


def test_pairs_are_listed_once(files, capsys):
    assert _run(["compare", *files, "--all-pairs", "--pairs", "--details"]) == 2
    assert "--pairs has no effect with --details, which lists every pair" in capsys.readouterr().err


def test_marked_errors_stand_beside_the_scores_in_the_data_if_there_is_no_reference(tmp_path, capsys):
    texts, judged = tmp_path / "texts.csv", tmp_path / "esa.judgements.jsonl"
    rows = [f"en-de,{segment},{name},one two three,{score}" for segment in range(1, 9) for name, score in ("a4", "b7")]
    texts.write_text("\n".join(["lp,segment,system,output,score:Q", *rows, ""]))
    marked = {"a": [{"category": "", "severity": "major", "start": 0, "end": 3}], "b": []}
    rating = {"lp": "en-de", "name": "esa", "protocol": "ESA", "rater": "r", "score": 50}
    lines = [rating | {"system": k, "segment": s, "errors": marked[k]} for s in range(1, 9) for k in "ab"]
    judged.write_text("".join(json.dumps(line) + "\n" for line in lines))
    arguments = ["compare", "--data", str(texts), "--data", str(judged), "--resamples", "20", "--format", "json"]
    assert _run([*arguments, "--errors"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(metric["metric"], metric["scores"]["a"]["value"]) for metric in found["metrics"]] == [("Q", 4)]
    assert any("compared by the scores in the data (Q)" in note["text"] for note in found["notes"])
    assert _run(arguments) == 2
    assert "bleu needs a reference" in capsys.readouterr().err


def test_a_page_shows_the_marked_errors_that_were_asked_for(tmp_path):
    texts, judged, page = (tmp_path / name for name in ("texts.csv", "esa.judgements.jsonl", "page.html"))
    rows = [f"en-de,{segment},{name},one two three" for segment in range(1, 9) for name in "ab"]
    texts.write_text("\n".join(["lp,segment,system,output", *rows, ""]))
    rating = {"lp": "en-de", "name": "esa", "protocol": "ESA", "rater": "r", "score": 50}
    error = {"category": "", "severity": "major", "start": 0, "end": 3}
    lines = [rating | {"system": k, "segment": s, "errors": [error]} for s in range(1, 9) for k in "ab"]
    judged.write_text("".join(json.dumps(line) + "\n" for line in lines))
    arguments = [
        "compare",
        "--data",
        str(texts),
        "--data",
        str(judged),
        "--resamples",
        "20",
        "-o",
        str(page),
        "--force",
    ]
    assert _run([*arguments, "--errors"]) == 0
    shown = page.read_text()
    assert '<option value="errors">' in shown  # the viewer can mark them
    assert '<a href="#errors">Errors</a>' in shown
    assert "Which words does one system get right" not in shown  # there is no reference
