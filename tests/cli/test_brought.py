from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assay.cli import _run
from assay.cli.brought import check_belonging, read_brought, split_name, turned
from assay.data.formats.mtme import Mtme
from assay.data.formats.score import score_text
from assay.errors import InputError, UnknownNameError
from tests.study.campaigns_with_metrics import campaign, metric


@pytest.fixture
def place(tmp_path, monkeypatch):
    Mtme().write([campaign()], tmp_path)
    mine = metric("mine", 0.0)
    (tmp_path / "mine.sys.score").write_text(score_text(mine), encoding="utf-8")
    (tmp_path / "error.sys.score").write_text(score_text(replace(mine, values=-mine.values)), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(capsys, *arguments):
    code = _run(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_a_name_before_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a=b").touch()
    assert split_name("x=y.score") == ("x", "y.score")
    assert split_name("y.score") == ("", "y.score")
    assert split_name("a=b") == ("", "a=b")


def test_scores_of_strangers(capsys):
    check_belonging(metric("m", 1.0), ("a", "b"), "m.sys.score")
    assert "scores of systems that are not here: c, d, e, far, refA, refB" in capsys.readouterr().err
    with pytest.raises(InputError, match="of none of these systems"):
        check_belonging(metric("m", 1.0), ("x",), "m.sys.score")


def test_systems_that_were_left_out_are_no_strangers(capsys):
    check_belonging(metric("m", 1.0), ("a", "b"), "m.sys.score", left_out=("c", "d", "e", "far", "refA", "refB"))
    assert capsys.readouterr().err == ""


def test_gaps_are_counted(capsys):
    table = metric("m", 1.0)
    values = np.array(table.values)
    values[0] = np.nan
    check_belonging(replace(table, values=values), table.systems, "m.sys.score")
    assert f"note: m.sys.score: m has no score in 1 of {values.size} cells" in capsys.readouterr().err


def test_lower_is_better_by_name():
    tables = turned([metric("x", 1.0), metric("y", 1.0)], ("y",))
    assert [table.higher_is_better for table in tables] == [True, False]
    with pytest.raises(UnknownNameError, match="--lower z: no scores of this name"):
        turned([metric("x", 1.0)], ("z",))
    with pytest.raises(UnknownNameError, match="it goes with --scores"):
        turned([], ("z",))


def test_brought_scores_are_turned_once(place):
    (found,) = read_brought(("error.sys.score", "e=error.sys.score"), [campaign()], ("e",)).values()
    assert [(table.name, table.higher_is_better) for table in found] == [("error", True), ("e", False)]


@pytest.mark.parametrize("command", ["meta", "robustness"])
def test_an_error_rate_agrees_as_much_as_its_opposite(place, capsys, command):
    def row(*options):
        code, out, err = call(capsys, command, "wmt99", "--scores", *options, "--format", "tsv")
        assert code == 0
        return [line for line in out.splitlines() if "\tmine\t" in line], err

    straight, told = row("mine.sys.score")
    opposite, told_of_opposite = row("mine=error.sys.score", "--lower", "mine")
    assert straight
    assert straight == opposite
    assert "turned" not in told
    assert "lower is better, so the scores were turned: mine" in told_of_opposite


def test_score_says_the_direction(place, capsys):
    (place / "e.seg.score").write_text("a\t1\na\t2\n", encoding="utf-8")
    (place / "a.txt").write_text("x\ny\n", encoding="utf-8")
    code, out, _ = call(capsys, "score", "a.txt", "--scores", "e.seg.score", "--lower", "e")
    assert (code, "lower is better" in out, "|better:lower|" in out) == (0, True, True)
    code, _, err = call(capsys, "score", "a.txt", "--scores", "e.seg.score", "--lower", "f")
    assert (code, "--lower f: no scores of this name were brought" in err) == (2, True)
