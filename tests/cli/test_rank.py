from __future__ import annotations

import json
import shutil

import numpy as np
import pytest

from assay.cli.group import _run
from tests.tables import table_lines


@pytest.fixture
def campaign(tmp_path, monkeypatch):
    random = np.random.Generator(np.random.PCG64(5))
    systems = {"x": 1.0, "y": 0.0, "refA": 2.0}
    scores = [f"{name}\t{value:.3f}" for name, mean in systems.items() for value in random.normal(mean, 1, size=60)]
    files = {f"system-outputs/en-de/{name}.txt": "a\n" * 60 for name in systems}
    files |= {"references/en-de.refA.txt": "a\n" * 60, "human-scores/en-de.wmt-z.seg.score": "\n".join(scores) + "\n"}
    header = "judge\tsegment\tsystem1\trank1\tsystem2\trank2\n"
    rows = "".join(f"j{k % 3}\t{k % 60 + 1}\tx\t{1 + (k % 4 == 0)}\ty\t{2 - (k % 4 == 0)}\n" for k in range(120))
    files["judgements/en-de.rr.tsv"] = header + rows
    for name, text in files.items():
        (tmp_path / "wmt99" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "wmt99" / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(capsys, *arguments):
    code = _run(["rank", "wmt99", "--lp", "en-de", "--resamples", "50", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_scores(campaign, capsys):
    code, out, err = call(capsys, "--gold", "wmt-z", "--p-values")
    assert code == 0
    assert [line.split()[0] for line in table_lines(out)[1:3]] == ["x", "y"]
    assert "method:mean|protocol:DA-z|test:rank-sum" in out
    assert "note: en-de: left out: refA (a reference)" in err
    code, out, _ = call(capsys, "--gold", "wmt-z", "--keep-references", "--format", "json")
    assert [row["system"] for row in json.loads(out)["rankings"]["en-de"]["systems"]] == ["refA", "x", "y"]


@pytest.mark.parametrize("form", ["json", "tsv", "latex", "md", "csv", "jsonl"])
def test_rankings_in_every_form(campaign, capsys, form):
    code, out, _ = call(capsys, "--gold", "rr", "--method", "trueskill", "--reliability", "--format", form)
    assert code == 0
    assert "x" in out
    assert "kappa between raters" in out


def test_missing_judgements(campaign, capsys):
    assert call(capsys)[0] == 2
    code, _, err = call(capsys, "--gold", "mqm")
    assert (code, "there are no segment-level human judgements called 'mqm'" in err) == (2, True)
    code, _, err = call(capsys)
    assert "choose one with --gold: rr, wmt-z" in err
    code, _, err = call(capsys, "--gold", "rr", "--weights", "wmt23")
    assert (code, "weights has no effect on 'rr'" in err) == (2, True)


def test_options_of_rankings(campaign, capsys):
    code, _, err = call(capsys, "--gold", "wmt-z", "--standardise", "sample")
    assert (code, "standardise has no effect on 'wmt-z'" in err) == (2, True)
    code, _, err = call(capsys, "--gold", "wmt-z", "--method", "wins")
    assert (code, "needs a threshold" in err, "hint: set it with --threshold; the usual" in err) == (2, True, True)
    code, _, err = call(capsys, "--gold", "wmt-z", "--by-domain")
    assert (code, "has no domains" in err) == (3, True)
    code, _, err = call(capsys, "--gold", "rr", "--preset", "wmt24")
    assert (code, "preset has no effect on 'rr'" in err) == (2, True)


def test_all_language_pairs(campaign, capsys):
    for kind in ("human-scores", "judgements"):
        for path in list((campaign / "wmt99" / kind).glob("en-de.*")):
            (path.parent / path.name.replace("en-de", "en-fr")).write_bytes(path.read_bytes())
    for folder in ("system-outputs", "sources", "references", "documents", "metric-scores"):
        for path in list((campaign / "wmt99" / folder).glob("en-de*")):
            target = path.parent / path.name.replace("en-de", "en-fr")
            shutil.copytree(path, target) if path.is_dir() else shutil.copy(path, target)
    code = _run(["rank", "wmt99", "--gold", "rr", "--resamples", "20", "--format", "tsv"])
    out = capsys.readouterr().out
    assert code == 0
    assert {line.split("\t")[0] for line in out.splitlines()[1:]} == {"en-de", "en-fr"}
    code = _run(["rank", "wmt99", "--gold", "rr", "--resamples", "20", "--lp", "en-fr,en-de", "--format", "json"])
    assert [*json.loads(capsys.readouterr().out)["rankings"]] == ["en-fr", "en-de"]


def test_several_files_and_strict_reading(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for number, user in enumerate(("u1", "u2")):
        rows = [
            f"{user},{system},{item},TGT,eng,deu,{50 + 10 * number + (system == 'A')},{item}.5,{item}.75\n"
            for system in ("A", "B")
            for item in range(1, 21)
        ]
        (tmp_path / f"{user}.csv").write_text("".join([*rows, "u2,A,1\n"]), encoding="utf-8")
    arguments = ["rank", "u1.csv", "u2.csv", "--resamples", "50", "--format", "json"]
    assert _run(arguments) == 0
    captured = capsys.readouterr()
    rankings = json.loads(captured.out)
    (ranking,) = rankings["rankings"].values()
    assert [(row["system"], row["value"]) for row in ranking["systems"]] == [("A", 56), ("B", 55)]
    assert "u2.csv, line 41: 1 faulty row skipped: expected 7, 9, 11 or 12 fields, not 3" in captured.err
    assert sum(note["kind"] == "skipped" for note in rankings["notes"]) == 2
    assert _run([*arguments, "--strict"]) == 3
    assert "u1.csv, line 41: 1 faulty row skipped" in capsys.readouterr().err
