from __future__ import annotations

import json
import re

import pytest

from assay.agreement import statistic
from assay.cli.group import _run
from assay.data.formats.mtme import Mtme
from assay.data.tables.score_files import score_text
from tests.campaigns_with_metrics import campaign, metric
from tests.study.test_meta_spans import write_folder
from tests.tables import table_lines


@pytest.fixture
def place(tmp_path, monkeypatch):
    Mtme().write([campaign(), campaign("en-de")], tmp_path)
    (tmp_path / "mine.sys.score").write_text(score_text(metric("mine", 0.0)), encoding="utf-8")
    (tmp_path / "strange.sys.score").write_text("who\t1.0\nelse\t2.0\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path))
    return tmp_path


def call(capsys, *arguments):
    code = _run(["meta", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_all_language_pairs(place, capsys):
    code, out, err = call(capsys, "wmt99", "--outliers", "both")
    assert code == 0
    titles = "rank pearson average without outliers de-en without 1 outlier en-de without 1 outlier"
    assert " ".join(table_lines(out)[0].split()) == titles
    assert "note: de-en, en-de: left out: refA, refB (references)" in err
    assert call(capsys, str(place / "wmt99"), "--outliers", "both")[1] == out


def test_a_name_in_the_data_folder(place, capsys, monkeypatch, tmp_path_factory):
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    code, out, _ = call(capsys, "wmt99", "--lp", "en-de")
    assert (code, table_lines(out)[0].split()) == (0, ["rank", "pearson", "en-de", *["without", "1", "outlier"]])
    assert call(capsys, "wmt99")[0] == 0
    code, _, err = call(capsys, "wmt98")
    assert (code, "wmt98: no such file, and no test set of this name" in err) == (3, True)


def test_segments(place, capsys):
    code, out, err = call(
        capsys, "wmt99", "--lp", "de-en", "--level", "seg", "--statistics", "pearson", "--resamples", "20"
    )
    assert code == 0
    assert [line.split()[:2] for line in table_lines(out)[2:4]] == [["1", "good-refA"], ["2", "poor-src"]]
    assert "grouping:item" in out
    assert "note: de-en, fair-all, good-refB: metrics without segment scores are left out" in err


def test_own_metrics_and_scores(place, capsys):
    options = ("--lp", "de-en", "-m", "chrf", "--scores", "own-refA=mine.sys.score", "--format", "json")
    code, out, _ = call(capsys, "wmt99", *options)
    assert code == 0
    assert {"own-refA", "chrf-refA"} <= {each["metric"] for each in json.loads(out)["metrics"]}
    code, _, err = call(capsys, "wmt99", "--scores", "mine.sys.score")
    assert (code, "mine.sys.score does not name its language pair" in err) == (2, True)
    code, _, err = call(capsys, "wmt99", "--lp", "de-en", "--scores", "strange.sys.score")
    assert (code, "these are scores of " in err) == (3, True)
    code, _, err = call(capsys, "wmt99", "--lp", "de-en", "--scores", "wmt99/sources")
    assert code == 3


def test_several_values(place, capsys):
    commas = call(capsys, "wmt99", "--lp", "de-en,en-de", "-s", "pearson,kendall", "-m", "chrf:beta=3,word_order=2,ter")
    repeats = call(
        capsys,
        *("wmt99", "--lp", "de-en", "--lp", "en-de", "-s", "pearson", "-s", "kendall"),
        *("-m", "chrf:beta=3,word_order=2", "-m", "ter"),
    )
    assert commas == repeats
    assert commas[0] == 0


def test_one_reference(place, capsys):
    code, out, _ = call(capsys, "wmt99", "--lp", "de-en", "--ref", "refB", "--systems", "?", "--exclude", "a")
    assert code == 0
    assert sorted(line.split()[1] for line in table_lines(out)[2:4]) == ["good", "poor-src"]
    assert table_lines(out)[1].split() == ["systems", "4"]


@pytest.mark.parametrize("form", ["json", "tsv", "latex", "md", "csv", "jsonl"])
def test_every_form_and_the_same_again(place, capsys, form):
    first = call(capsys, "wmt99", "--format", form)
    assert first[0] == 0
    assert first == call(capsys, "wmt99", "--format", form)


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["-s", "peerson"], 2, "unknown statistic 'peerson'"),
        (["-m", "blue"], 2, "unknown metric 'blue'"),
        (["--gold", "mqm"], 2, "there are no human scores called 'mqm'"),
        (["--level", "doc"], 2, "unknown level 'doc'"),
        (["--lp", "xx-yy"], 2, "has no language pair 'xx-yy'"),
        (["--exclude", "nobody"], 2, "no system matches 'nobody'"),
        (["--grouping", "item"], 2, "grouping by item needs segment scores"),
        (["--ref", "refZ"], 2, "has no reference refZ"),
        (["--view", "stars"], 2, "unknown view 'stars'"),
        (["--view", "clusters", "--level", "segment"], 2, "clusters exist for systems, not for segments"),
        (["--significant", "2"], 2, "significant must be between 0 and 1, not 2"),
        (["--significant", "0.05"], 2, "pearson does not compare pairs of systems"),
        (["--test", "paired-t"], 2, "test has no effect"),
        (["--view", "clusters", "--test", "tea"], 2, "unknown test 'tea'"),
        (["--method", "guess"], 2, "unknown method 'guess'"),
        (["-s", "spa", "--level", "seg"], 2, "soft-pairwise-accuracy is not defined at the segment level"),
        (["-s", "pairwise-accuracy", "--level", "seg"], 2, "is not defined at the segment level"),
        (["--method", "trueskill"], 2, "method has no effect on 'da'"),
        (["--exclude", "*"], 3, "no system is left"),
        (["--lower-is-better", "x"], 2, "no external scores are called 'x'"),
        (["--random-metrics", "-1"], 2, "--random-metrics must be an integer between 0"),
        (["--seed", "1"], 2, "seed has no effect"),
        (["--confidence", "0.9", "--resamples", "0"], 2, "confidence has no effect"),
        (["--confidence", "1"], 2, "confidence must be between 0 and 1, not 1"),
        (["--ci", "guess"], 2, "unknown interval method 'guess'"),
        (["--ci", "judgements:unit=word"], 2, "expected pair, ranking or segment"),
        (["--ci", "judgements"], 2, "the method 'judgements' draws rankings, and the human scores are not rankings"),
        (["--level", "segment", "--ci", "fisher"], 2, "the method 'fisher' does not apply to segment scores"),
        (["--ci", "fisher", "--resamples", "10"], 2, "resamples has no effect"),
        (["--ci", "none", "--resamples", "10"], 2, "resamples has no effect"),
        (["--average", "micro"], 2, "average has no effect"),
    ],
)
def test_invalid_options(place, capsys, options, code, message):
    found = call(capsys, "wmt99", *options)
    assert found[0] == code
    assert message in found[2]


def test_help_names_every_statistic(capsys):
    code, out, _ = call(capsys, "--help")
    words = set(re.findall(r"[\w-]+", re.sub(r"-\n\s+", "-", out)))
    assert code == 0
    assert [name for name in statistic.names() if name not in words] == []


def test_tests_between_metrics(place, capsys):
    code, out, _ = call(capsys, "wmt99", "--lp", "de-en", "--outliers", "keep", "--sig")
    assert code == 0
    assert table_lines(out)[0].split() == ["rank", "pearson", "de-en", "tested", "rank"]
    assert "rank: williams, one-sided p < 0.05" in out
    options = ("--sig", "perm-systems:resamples=20", "--correction", "holm", "--p-values")
    code, out, _ = call(capsys, "wmt99", "--outliers", "keep", *options)
    assert code == 0
    assert "p: row better than column" in out
    assert "sig:perm-systems:resamples=20|alpha:0.05|correction:holm" in out
    code, out, _ = call(capsys, "wmt99", "--lp", "de-en", "--outliers", "keep", "--sig", "--format", "json")
    assert json.loads(out)["tests"][0]["test"] == "williams"
    assert call(capsys, "wmt99", "--sig", "nothing")[0] == 2


TASK = """
title = "Two pairs"
[defaults]
gold = "da"
reference = "refA"
[pairs.de-en]
[pairs.en-de]
[pairs.en-zh]
[[components]]
statistic = ["pearson", "spearman"]
"""


def test_a_task(place, capsys):
    (place / "two.toml").write_text(TASK, encoding="utf-8")
    code, _, err = call(capsys, "wmt99", "--task", "two.toml")
    assert (code, "2 of 6 components of the task 'two' cannot be computed" in err) == (3, True)
    code, out, err = call(capsys, "wmt99", "--task", "two.toml", "--partial")
    assert code == 0
    assert out.splitlines()[0] == "Two pairs"
    assert out.splitlines()[2].split()[:3] == ["metric", "rank", "score"]
    assert "2 components of the task missing (no data of this language pair): en-zh pearson" in err
    assert call(capsys, "wmt99", "--task", "two.toml", "--partial", "-o", "table.tex")[0] == 0
    assert r"\begin{tabular}" in (place / "table.tex").read_text(encoding="utf-8")
    code, out, _ = call(capsys, "wmt99", "--task", "two.toml", "--partial", "-m", "chrf", "--format", "json")
    assert "chrf" in [row["metric"] for row in json.loads(out)["tables"][0]["metrics"]]


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--task", "wmt98"], 2, "there is no task called 'wmt98'"),
        (["--task", "wmt23", "--level", "segment"], 2, "--level has no effect with --task"),
        (["--task", "wmt23", "--statistics", "pearson"], 2, "--statistics has no effect with --task"),
        (["--partial"], 2, "--partial has no effect without --task"),
        (["--task", "wmt23", "--level", "segment"], 2, "the task 'wmt23' decides what is compared"),
        (["--task", "wmt23"], 3, "no component of the task can be computed"),
    ],
)
def test_options_of_tasks(place, capsys, options, code, message):
    found, _, err = call(capsys, "wmt99", *options)
    assert (found, message in err) == (code, True), err


def test_patterns_of_language_pairs(place, capsys):
    code, out, _ = call(capsys, "wmt99", "--lp", "*-en", "--outliers", "keep")
    assert (code, table_lines(out)[0].split()) == (0, ["rank", "pearson", "de-en"])


def test_p_values_need_tests(place, capsys):
    code, _, err = call(capsys, "wmt99", "--p-values")
    assert (code, "--p-values has no effect without --sig" in err) == (2, True)


@pytest.fixture
def marked(tmp_path, monkeypatch):
    write_folder(tmp_path / "marked")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("form", ["out.json", "out.html", "out.tex", "out.xlsx", "out.md", "out.tsv"])
def test_marked_errors_in_all_forms(marked, capsys, form):
    code, _, err = call(capsys, "marked", "mine.csv", "--level", "span", "-s", "mpp,characters-wmt25", "-o", form)
    assert (code, (marked / form).stat().st_size > 500) == (0, True), err


def test_marked_errors_beside_people(marked, capsys):
    code, out, err = call(capsys, "marked", "mine.csv", "--level", "span", "--sig")
    assert code == 0, err
    lines = [" ".join(line.split()) for line in table_lines(out)]
    assert lines[0] == "rank mpp en-de precision recall"
    assert lines[1] == "ratings 24"
    assert lines[2] == "1 mine 0.857 0.750 1.000"
    assert lines[4] == "nothing marked 0.000 0.000"
    assert "no tests between metrics: fewer than two can be tested" in err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--level", "span", "--outliers", "keep"], "--outliers has no effect with --level span"),
        (["--level", "span", "--scores", "a=mine.csv"], "give files of marked errors together with the data"),
        (["--level", "segment", "-s", "mpp"], "mpp compares errors marked in the text: --level span"),
        (["--level", "span", "-s", "pearson"], "pearson compares scores"),
    ],
)
def test_options_of_another_level(marked, capsys, options, message):
    code, _, err = call(capsys, "marked", "mine.csv", *options)
    assert (code, message in err) == (2, True), err
