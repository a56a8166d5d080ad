from __future__ import annotations

from pathlib import Path

import pytest

from assay.cli.group import _run


@pytest.mark.slow
def test_demo_runs_the_commands_it_shows_and_ends_with_a_report(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    folder = Path("demo")
    assert _run(["demo", str(folder)]) == 0
    captured = capsys.readouterr()
    commands = [line[2:].split() for line in captured.out.splitlines() if line.startswith("$ ")]
    assert [command[1] for command in commands] == ["score", "compare", "rank", "meta", "report"]
    assert f"The report is in {folder / 'report.html'}" in captured.err
    assert "synthetic" in captured.err
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert all(part in page for part in ('id="scores"', 'id="pairs"', 'id="people"', 'id="metrics"', 'id="reproduce"'))
    assert (
        '<bdi class="name b">cedar</bdi>.</span> People who judged both put <bdi class="name a">alder</bdi> first, too.'
        in page
    )
    assert " ".join(commands[0]) in page  # the command that made a result, not the demo
    assert _run(["demo", str(folder)]) == 0  # again, over what it wrote


def test_demo_does_not_touch_other_folders(tmp_path, capsys):
    (tmp_path / "mine.txt").write_text("x", encoding="utf-8")
    assert _run(["demo", str(tmp_path)]) == 3
    assert "exists and is not a sample campaign" in capsys.readouterr().err
