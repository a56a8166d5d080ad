from __future__ import annotations

import json
import shutil

import numpy as np
import pytest

from assay.cli.group import _run

SEGMENTS = 30


@pytest.fixture
def campaign(tmp_path, monkeypatch):
    """Three systems of rising quality."""
    random = np.random.Generator(np.random.PCG64(5))
    words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    files = {"references/en-de.refA.txt": (" ".join(words) + "\n") * SEGMENTS}
    scores = []
    for k, system in enumerate("xyz"):
        lines = [" ".join(w if random.random() < 0.5 + 0.2 * k else "wrong" for w in words) for _ in range(SEGMENTS)]
        files[f"system-outputs/en-de/{system}.txt"] = "\n".join(lines) + "\n"
        scores += [f"{system}\t{value:.3f}" for value in random.normal(k, 1, size=SEGMENTS)]
    files["human-scores/en-de.wmt-z.seg.score"] = "\n".join(scores) + "\n"
    for name, text in files.items():
        (tmp_path / "wmt99" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "wmt99" / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_file_that_explain_and_compare_read(campaign, capsys):
    options = ["--min-segments", "20", "--at", "2,5", "-m", "bleu", "-o", "curve.json"]
    assert _run(["calibrate", "wmt99", *options]) == 0
    tree = json.loads((campaign / "curve.json").read_text(encoding="utf-8"))
    assert [each["difference"] for each in tree["curves"][0]["at"]] == [2, 5]
    x = tree["curves"][0]["x"][0]
    assert _run(["explain", "bleu", str(x), "--calibration", "curve.json"]) == 0
    assert ", of 3 pairs of systems in 1 language pair of wmt99 (en-de), DA/SQM" in capsys.readouterr().out
    outputs = [f"wmt99/system-outputs/en-de/{name}.txt" for name in "xyz"]
    references = ["--ref", "wmt99/references/en-de.refA.txt"]
    assert (
        _run(["compare", *references, *outputs, "--resamples", "20", "--calibration", "curve.json", "--details"]) == 0
    )
    assert "(calibration curve.json)" in capsys.readouterr().out


def test_too_few_segments(campaign, capsys):
    assert _run(["calibrate", "wmt99"]) == 3
    assert "no two systems have 250 segments of wmt-z in common" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["calibrate", "decisions"])
def test_scores_from_elsewhere_and_a_pair_that_not_all_data_have(campaign, command, capsys):
    """The second test set has only texts of another pair: `--lp` chooses among the pairs of all of them."""
    for name, text in (("references/en-cs.refA.txt", "a b\n"), ("system-outputs/en-cs/x.txt", "a b\n")):
        (campaign / "wmt98" / name).parent.mkdir(parents=True, exist_ok=True)
        (campaign / "wmt98" / name).write_text(text, encoding="utf-8")
    lines = [f"{system}\t{k + i % 3}" for k, system in enumerate("xyz") for i in range(SEGMENTS)]
    (campaign / "mine.seg.score").write_text("\n".join(lines) + "\n", encoding="utf-8")
    arguments = ["wmt98", "wmt99", "--lp", "en-de", "--min-segments", "20", "--scores", "mine=mine.seg.score"]
    assert _run([command, *arguments, "-m", "bleu", "--format", "json"]) == 0
    tree = json.loads(capsys.readouterr().out)
    assert tree["settings"]["data"] == "wmt99/en-de"
    found = {(each["metric"], each["aggregation"]) for each in tree["curves" if command == "calibrate" else "metrics"]}
    assert found >= {("bleu", "corpus"), ("mine", "stored-segment")}


def test_the_order_of_the_data_does_not_matter(campaign, capsys):
    (campaign / "wmt99").rename(campaign / "b")
    shutil.copytree(campaign / "b", campaign / "a")
    trees = []
    for data in (("a", "b"), ("b", "a")):
        assert _run(["calibrate", *data, "--min-segments", "20", "--format", "json"]) == 0
        trees.append(json.loads(capsys.readouterr().out))
    assert trees[0] == trees[1]
    assert trees[0]["curves"][0]["population"]["campaigns"] == ["a", "b"]
