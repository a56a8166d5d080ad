from __future__ import annotations

import json

import pytest

from assay.cli.group import _run
from assay.sample import write


@pytest.fixture
def place(tmp_path, monkeypatch):
    write(tmp_path / "sample")
    monkeypatch.chdir(tmp_path / "sample" / "en-de")
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path))


def call(capsys, *arguments):
    code = _run(["leaderboard", "--resamples", "500", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_files(place, capsys):
    files = [f"systems/{name}.de" for name in ("elm", "alder", "birch")]
    code, out, err = call(capsys, "--ref", "refA.de", *files, "-m", "chrf", "--exclude", "b*")
    assert code == 0
    assert [line.split()[:2] for line in out.splitlines()[1:3]] == [["1", "alder"], ["2", "elm"]]
    assert "left out: birch (excluded)" in err


def test_data(place, capsys):
    code, out, _ = call(capsys, "--data", "texts.tsv", "--ref", "refA", "-m", "chrf,ter", "--format", "json")
    rows = json.loads(out)["rows"]
    assert code == 0
    assert len(rows) == 14
    assert [row["rank"] for row in rows] == [*range(1, 8), *range(1, 8)]


def test_files_beside_a_test_set_are_refused(place, capsys):
    code, _, err = call(capsys, "--data", "texts.tsv", "systems/elm.de")
    assert code == 2
    assert "--data cannot be combined with text files" in err


def test_tables_after_the_first_need_the_option_too(place, capsys):
    code, _, err = call(capsys, "--data", "texts.tsv", "more.tsv", "last.tsv")
    assert code == 2
    assert "repeat it for each: --data texts.tsv --data more.tsv --data last.tsv\n" in err
    code, _, err = call(capsys, "--data", "systems")
    assert (code, "give each of them: systems/alder.de, systems/birch.de and " in err) == (3, True)


@pytest.fixture
def pairs(tmp_path, monkeypatch):
    """Language pairs whose references have other names."""
    monkeypatch.chdir(tmp_path)
    for lp, names in {"en-de": ("refA", "refB"), "en-cs": ("refB", "refC"), "en-fr": ("refA",)}.items():
        for name in names:
            (tmp_path / "references").mkdir(exist_ok=True)
            (tmp_path / "references" / f"{lp}.{name}.txt").write_text("the cat sat on a mat\nso it goes\n")
        (tmp_path / "system-outputs" / lp).mkdir(parents=True)
        for name in ("a", "b"):
            text = f"the cat sat on a mat {name}\nso it went\n"
            (tmp_path / "system-outputs" / lp / f"{name}.txt").write_text(text)


def test_a_pair_without_the_reference_is_left_out(pairs, capsys):
    code, out, err = call(capsys, "--data", ".", "--ref", "refA", "-m", "chrf")
    assert (code, "en-fr" in out, "en-cs" in out) == (0, True, False)
    assert "en-cs: left out: it has no reference refA, but refB, refC; --ref may name several" in err
    code, _, err = call(capsys, "--data", ".", "--ref", "refX", "-m", "chrf")
    assert code == 2
    assert "has no reference 'refX'" in err


def test_pairs_with_more_references_than_others_are_named(pairs, capsys):
    _, _, err = call(capsys, "--data", ".", "-m", "chrf")
    assert "more make scores higher: 1 reference for en-fr; 2 references for en-cs, en-de" in " ".join(err.split())
    assert "more make" not in call(capsys, "--data", ".", "-m", "chrf", "--ref", "refB")[2]


def test_a_single_system_is_no_leaderboard(place, capsys):
    code, _, err = call(capsys, "--ref", "refA.de", "systems/elm.de")
    assert code == 2
    assert "a leaderboard needs at least two systems" in err
