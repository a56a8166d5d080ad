from __future__ import annotations

from assay.cli import _run


def test_demo_writes_and_scores(tmp_path, capsys):
    folder = tmp_path / "demo"
    assert _run(["demo", str(folder)]) == 0
    captured = capsys.readouterr()
    assert captured.out.count("$ assay score --lp en-") == 2
    assert captured.out.count("\nalder") == 4
    assert "synthetic" in captured.err
    commands = [line[2:] for line in captured.out.splitlines() if line.startswith("$ ")]
    arguments = commands[0].replace("/systems/*", "/systems/elm.de").split()[1:]
    assert _run(arguments) == 0  # the command it shows is a command


def test_demo_does_not_touch_other_folders(tmp_path, capsys):
    (tmp_path / "mine.txt").write_text("x", encoding="utf-8")
    assert _run(["demo", str(tmp_path)]) == 3
    assert "exists and is not a sample campaign" in capsys.readouterr().err
