from __future__ import annotations

import json

import numpy as np
import pytest

from assay.cli import _run


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
    assert [line.split()[0] for line in out.splitlines()[1:3]] == ["x", "y"]
    assert "method:mean|protocol:DA-z|test:rank-sum" in out
    assert "note: left out: refA (a reference)" in err
    code, out, _ = call(capsys, "--gold", "wmt-z", "--keep-references", "--format", "json")
    assert [row["system"] for row in json.loads(out)["systems"]] == ["refA", "x", "y"]


@pytest.mark.parametrize("form", ["json", "tsv", "latex", "md", "csv", "jsonl"])
def test_rankings_in_every_form(campaign, capsys, form):
    code, out, _ = call(capsys, "--gold", "rr", "--method", "trueskill", "--agreement", "--format", form)
    assert code == 0
    assert "x" in out
    assert "kappa between judges" in out


def test_missing_judgements(campaign, capsys):
    assert call(capsys)[0] == 2
    code, _, err = call(capsys, "--gold", "mqm")
    assert (code, "there are no judgements called 'mqm'" in err) == (2, True)
    code, _, err = call(capsys)
    assert "choose one: --gold rr|wmt-z" in err
    code, _, err = call(capsys, "--gold", "rr", "--weights", "absent.toml")
    assert (code, "absent.toml: no such file" in err) == (3, True)
