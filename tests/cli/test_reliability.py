from __future__ import annotations

import json

import pytest

from assay.cli.group import _run
from assay.sample import write
from tests.judges.scripted import part, scripted

JUDGE = "judge:protocol=da,model=m,endpoint=http://127.0.0.1:8000/v1"


@pytest.fixture
def place(tmp_path, monkeypatch):
    write(tmp_path / "sample")
    monkeypatch.chdir(tmp_path / "sample" / "en-de")
    scripted(monkeypatch, lambda prompt, vote, _: str(len(part(prompt, "candidate")) % 50 + vote))


def call(capsys, *options):
    files = [f"systems/{name}.de" for name in ("elm", "alder", "birch")]
    code = _run(["reliability", "--src", "src.en", "--lp", "en-de", *files, *options])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_votes(place, capsys):
    code, out, _ = call(capsys, "-m", f"{JUDGE},votes=2,temperature=1", "--format", "json")
    found = json.loads(out)
    assert code == 0
    assert found["estimates"]["Kendall's tau-b, two votes"]["value"] == pytest.approx(1)
    orders = found["estimates"]["pairs of systems in another order, two votes"]
    assert (orders["value"], orders["n"]) == (0, 3)
    code, out, _ = call(capsys, "-m", f"{JUDGE},votes=2,temperature=1")
    assert code == 0
    assert "kappa of equal scores, two votes" in out


def test_a_single_score_is_an_error(place, capsys):
    code, _, err = call(capsys, "-m", JUDGE)
    assert code == 2
    assert "a single score of each output" in err
