from __future__ import annotations

import json

import pytest

from assay.cli.group import _run
from assay.data.formats.mtme import Mtme
from assay.data.tables.score_files import score_text
from assay.metaeval.subsets import KINDS
from tests.campaigns_with_metrics import campaign, metric
from tests.tables import table_lines


@pytest.fixture
def place(tmp_path, monkeypatch):
    Mtme().write([campaign(), campaign("en-de")], tmp_path)
    (tmp_path / "mine.sys.score").write_text(score_text(metric("mine", 0.0)), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path))
    return tmp_path


def call(capsys, *arguments):
    code = _run(["robustness", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_the_best_systems(place, capsys):
    code, out, err = call(capsys, "wmt99", "--lp", "de-en")
    assert code == 0
    assert table_lines(out)[0].split()[-4:] == ["n", "6", "5", "4"]
    assert [line.split()[0] for line in table_lines(out)[2:6]] == ["good-refA", "good-refB", "fair-all", "poor-src"]
    assert table_lines(out)[1].split()[:5] == ["significant", "pairs", "(p", "<", "0.05)"]
    assert "note: left out: refA, refB (references)" in err
    assert call(capsys, str(place / "wmt99"), "--lp", "de-en")[1] == out


def test_options_of_each_kind(place, capsys):
    start = ("wmt99", "--lp", "de-en", "--metrics", "good")
    assert "|min_systems:3|" in call(capsys, *start, "--min-systems", "3")[1]
    assert "|subset_size:5|" in call(capsys, *start, "--kind", "windows", "--subset-size", "5")[1]
    assert "(none)" in call(capsys, *start, "--kind", "without-one")[1]
    assert "|outliers:far|resamples:1000|seed:12345|cutoff:2.5" in call(capsys, *start, "--kind", "subsamples")[1]
    options = (
        "--kind",
        "subsamples",
        "--subset-size",
        "4",
        "--outliers",
        "a,b",
        "--resamples",
        "9",
        "--seed",
        "3",
    )
    code, out, _ = call(capsys, *start, *options, "--cutoff", "3")
    assert code == 0
    assert "subset_size:4|outliers:a+b|resamples:9|seed:3|cutoff:3" in out
    assert [line.split("  ")[0] for line in out.splitlines() if line.startswith("pearson")] == [
        "pearson, 4 of 4",
        "pearson, a + 3 of 4",
        "pearson, b + 3 of 4",
        "pearson, a + b + 2 of 4",
    ]


def test_own_metrics_and_scores(place, capsys):
    options = ("--lp", "de-en", "--metrics", "fair", "-m", "chrf", "--scores", "own-refA=mine.sys.score")
    code, out, _ = call(capsys, "wmt99", *options, "--format", "json")
    assert code == 0
    assert {"own-refA", "chrf-refA", "fair-all"} == {each["metric"] for each in json.loads(out)["curves"]}


def test_statistic_reference_and_systems(place, capsys):
    options = ("-s", "kendall", "--ref", "refB", "--systems", "?", "--exclude", "a")
    code, out, _ = call(capsys, "wmt99", "--lp", "de-en", *options)
    assert code == 0
    assert sorted(line.split()[0] for line in table_lines(out)[2:4]) == ["good", "poor-src"]
    assert "statistic:kendall" in out
    assert " 5 " in table_lines(call(capsys, "wmt99", "--lp", "de-en", "--systems", "?", "--keep-references")[1])[2]


@pytest.mark.parametrize("form", ["json", "tsv", "latex", "md", "csv", "jsonl"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_form_and_the_same_again(place, capsys, kind, form):
    options = ("wmt99", "--lp", "de-en", "--kind", kind, "--format", form)
    first = call(capsys, *options)
    assert first[0] == 0
    assert first == call(capsys, *options)


def test_to_a_file(place, capsys):
    assert call(capsys, "wmt99", "--lp", "de-en", "-o", "table.parquet")[:2] == (0, "")
    assert (place / "table.parquet").stat().st_size > 100


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        ([], 2, "has several language pairs"),
        (["--lp", "de-en", "-s", "peerson"], 2, "unknown statistic 'peerson'"),
        (["--lp", "de-en", "--statistic", "kendall-like"], 2, "kendall-like is not defined at the system level"),
        (["--lp", "de-en", "-m", "blue"], 2, "unknown metric 'blue'"),
        (["--lp", "de-en", "--metrics", "goof*"], 2, "no stored metric matches 'goof*'"),
        (["--lp", "de-en", "--metrics", "goof"], 2, "unknown metric 'goof': it is not stored, and cannot be computed"),
        (["--lp", "de-en", "--gold", "mqm"], 2, "there are no human scores called 'mqm'"),
        (["--lp", "de-en", "--exclude", "nobody"], 2, "no system matches 'nobody'"),
        (["--lp", "de-en", "--outliers", "a"], 2, "--outliers does not apply to --kind top"),
        (["--lp", "de-en", "--kind", "windows", "--resamples", "5"], 2, "--resamples does not apply to --kind windows"),
        (["--lp", "de-en", "--kind", "windows", "--subset-size", "7"], 2, "6 (the number of systems), not 7"),
    ],
)
def test_invalid_options(place, capsys, options, code, message):
    found = call(capsys, "wmt99", *options)
    assert found[0] == code
    assert message in found[2]
