from __future__ import annotations

import pytest

from assay.cli.group import _run


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ref").write_text("ab cd ef gh\nij kl mn op\n", encoding="utf-8")
    (tmp_path / "out").write_text("ab cd ef gh\nij kl mn\n", encoding="utf-8")
    assert _run(["score", "--ref", "ref", "out", "--save", "run", "--resamples", "10"]) == 0
    capsys.readouterr()
    return tmp_path


@pytest.mark.parametrize(("suffix", "start"), [("svg", b"<svg"), ("pdf", b"%PDF"), ("PNG", b"\x89PNG")])
def test_the_suffix_chooses_the_form(run, capsys, suffix, start):
    assert _run(["plot", "scores:metric=chrf", "run", "-o", f"figure.{suffix}", "--theme", "dark"]) == 0
    assert (run / f"figure.{suffix}").read_bytes().startswith(start)
    assert capsys.readouterr().out == ""


def test_a_file_is_replaced_only_on_request(run, capsys):
    arguments = ["plot", "scores", "run", "-o", "figure.svg"]
    assert _run(arguments) == 0
    assert _run(arguments) == 3
    assert "already exists" in capsys.readouterr().err
    for wrong in (["plot", "scores:nothing=1"], ["plot", "scores", "--width", "10"], ["plot", "nothing"]):
        assert _run([*wrong, *arguments[2:]]) == 2  # what is wrong anyway comes first
    assert _run([*arguments, "--force", "--width", "1040"]) == 0


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["scores", "run", "-o", "figure.gif"], 2, "use .svg, .pdf, .png"),
        (["score", "run", "-o", "figure.svg"], 2, "unknown chart 'score'"),
        (["human-ranking", "run", "-o", "figure.svg"], 2, "available: aggregations, scores"),
        (["scores", "nothing", "-o", "figure.svg"], 3, "no such file"),
        (["scores", "run"], 2, "--output"),
        (["scores", "run", "-o", "figure.svg", "--width", "3"], 2, "at least 368"),
    ],
)
def test_errors(run, capsys, arguments, code, message):
    assert _run(["plot", *arguments]) == code
    assert message in capsys.readouterr().err
