"""Wrong options exit with 2, unusable data with 3: in every command, whoever notices."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.cli.group import _run
from assay.data.formats.mtme import Mtme
from assay.metrics import metric
from tests.campaigns_with_metrics import campaign

FAULTY, USAGE, DATA, MISSING = 1, 2, 3, 4
DE_EN = ("--lp", "de-en")


@pytest.fixture
def place(tmp_path, monkeypatch):
    Mtme().write([campaign(), campaign("en-de")], tmp_path)
    (tmp_path / "ref.txt").write_text("a\nb\n", encoding="utf-8")
    (tmp_path / "out.txt").write_text("a\nb\n", encoding="utf-8")
    for name in ("one.txt", "two.txt"):
        (tmp_path / name).write_text("1\n2\n", encoding="utf-8")
    (tmp_path / "faulty.py").write_text("def f(output): return None\n", encoding="utf-8")
    (tmp_path / "syntax.py").write_text("def f(:\n", encoding="utf-8")
    (tmp_path / "module.py").write_text("import no_such_module\n", encoding="utf-8")
    (tmp_path / "bad.txt").write_bytes(b"\xff\n")
    metric.names()
    monkeypatch.setattr(metric, "_types", dict(metric._types))  # what a case registers does not stay
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "home"))
    return tmp_path


CASES = {
    "unknown command": (USAGE, ["scor"]),
    "unknown option": (USAGE, ["rank", "wmt99", "--golden", "da"]),
    "missing argument": (USAGE, ["meta"]),
    "unknown form of output": (USAGE, ["doctor", "--format", "yaml"]),
    "unknown suffix of the output": (USAGE, ["doctor", "-o", "x.yaml"]),
    "no outputs": (USAGE, ["score", "--ref", "ref.txt"]),
    "no reference": (USAGE, ["score", "out.txt"]),
    "two systems of one name": (USAGE, ["score", "--ref", "ref.txt", "out.txt", "out=ref.txt"]),
    "a system without a name": (USAGE, ["score", "--ref", "ref.txt", "--sys", "=out.txt"]),
    "domains without effect": (USAGE, ["score", "--ref", "ref.txt", "out.txt", "--domains", "ref.txt"]),
    "one system to compare": (USAGE, ["compare", "--ref", "ref.txt", "out.txt"]),
    "two score files of one name": (
        USAGE,
        ["score", "--ref", "ref.txt", "out.txt", *("--scores", "m=one.txt", "--scores", "m=two.txt")],
    ),
    "standard input twice": (USAGE, ["score", "--ref", "-", "-"]),
    "unknown metric": (USAGE, ["score", "--ref", "ref.txt", "out.txt", "-m", "blue"]),
    "unknown aggregation": (USAGE, ["score", "--ref", "ref.txt", "out.txt", "--agg", "mean"]),
    "unknown grouping": (USAGE, ["score", "--ref", "ref.txt", "out.txt", "--by", "genre"]),
    "no domains": (USAGE, ["score", "--ref", "ref.txt", "out.txt", "--by", "domain"]),
    "no documents": (USAGE, ["compare", "--ref", "ref.txt", "out.txt", "one.txt", "--unit", "document"]),
    "negative resamples": (USAGE, ["score", "--ref", "ref.txt", "out.txt", "--resamples", "-1"]),
    "confidence above 1": (USAGE, ["meta", "wmt99", "--resamples", "5", "--confidence", "2"]),
    "unknown statistic": (USAGE, ["meta", "wmt99", "-s", "peerson"]),
    "unknown method": (USAGE, ["rank", "wmt99", *DE_EN, "--method", "guess"]),
    "unknown test": (USAGE, ["rank", "wmt99", *DE_EN, "--test", "tea"]),
    "unknown correction": (USAGE, ["rank", "wmt99", *DE_EN, "--correction", "holms"]),
    "unknown standardisation": (USAGE, ["rank", "wmt99", *DE_EN, "--standardise", "z"]),
    "option of another kind": (USAGE, ["robustness", "wmt99", *DE_EN, "--kind", "top", "--subset-size", "3"]),
    "unknown input format": (USAGE, ["meta", "wmt99", "--input-format", "mtmf"]),
    "unknown name of scores": (USAGE, ["meta", "wmt99", "--lower-is-better", "x"]),
    "several language pairs": (USAGE, ["robustness", "wmt99"]),
    "not a score": (USAGE, ["match", "many", "--ref", "ref.txt", "out.txt"]),
    "unknown content": (USAGE, ["data", "convert", "wmt99", "x.tsv", "--only", "text"]),
    "unknown test set to fetch": (USAGE, ["data", "fetch", "wmt9999"]),
    "unknown metric to show": (USAGE, ["metrics", "show", "blue"]),
    **{
        f"unknown {name} in {command}": (USAGE, [command, "wmt99", *DE_EN, option, "nobody"])
        for command in ("rank", "meta", "robustness")
        for name, option in (("gold", "--gold"), ("system", "--systems"), ("excluded system", "--exclude"))
    },
    **{
        f"unknown language pair in {command}": (USAGE, [command, "wmt99", "--lp", "xx-yy"])
        for command in ("rank", "meta", "robustness")
    },
    **{f"no such data in {command}": (DATA, [command, "wmt98"]) for command in ("rank", "meta", "robustness")},
    **{
        f"no data in {command}": (DATA, ["data", command, *files])
        for command, files in (("list", []), ("import", ["absent.tar.gz"]))
    },
    "no such output": (DATA, ["score", "--ref", "ref.txt", "absent.txt"]),
    "not UTF-8": (DATA, ["score", "--ref", "ref.txt", "bad.txt"]),
    "no such file of scores": (DATA, ["meta", "wmt99", *DE_EN, "--scores", "absent.score"]),
    "no system left": (DATA, ["rank", "wmt99", *DE_EN, "--exclude", "*"]),
    "no folder for the output": (DATA, ["doctor", "-o", "absent/x.json"]),
    "a metric that is faulty": (FAULTY, ["score", "--ref", "ref.txt", "out.txt", "-m", "./faulty.py:f"]),
    "a metric with a syntax error": (FAULTY, ["score", "--ref", "ref.txt", "out.txt", "-m", "./syntax.py:f"]),
    "a metric that needs a module": (MISSING, ["score", "--ref", "ref.txt", "out.txt", "-m", "./module.py:f"]),
    "no model of this name": (MISSING, ["score", "--ref", "ref.txt", "out.txt", "-m", "spbleu:absent"]),
    "no saved run": (DATA, ["diff", "one", "two"]),
}


@pytest.mark.parametrize("name", CASES)
def test_exit_code(place, capsys, name):
    code, arguments = CASES[name]
    assert (_run(arguments), name) == (code, name)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("error: ")


@pytest.fixture
def unscorable(tmp_path, monkeypatch):
    """Texts with an empty reference, a test set without outputs, and a metric that scores nothing."""
    monkeypatch.chdir(tmp_path)
    metric.names()
    monkeypatch.setattr(metric, "_types", dict(metric._types))  # what a case registers does not stay
    for name, text in {
        "empty.de": "\n\n",
        "ref.de": "a b\nc d\n",
        "out.de": "a b\nc e\n",
        "out.de.alignment": "0-0\n0-0\n",
        "nan.py": "def score(output, reference):\n    return float('nan')\n",
        **{f"absent/system-outputs/en-de/{name}.txt": f"{NO_TRANSLATION}\n" * 2 for name in "abcd"},
        "absent/references/en-de.refA.txt": "a b\nc d\n",
        "absent/sources/en-de.txt": "a b\nc d\n",
    }.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")


NO_TRANSLATION = "[No translation supplied]"
NOTHING_SCORED = {  # arguments, and the reasons in the error
    "empty references": (
        ["score", "--ref", "empty.de", "out.de", "-m", "wer,cer"],
        "wer, cer: the references are empty",
    ),
    "a metric without values": (
        ["score", "--ref", "ref.de", "out.de", "-m", "./nan.py:score"],
        "score: no segments of out were scored",
    ),
    "missing outputs": (
        ["score", "--data", "absent", "--lp", "en-de"],
        "bleu, chrf: no segments of a, b, c and 1 more were scored: they lack an output",
    ),
    "settings of missing outputs": (["match", "27.3", "--data", "absent", "--lp", "en-de"], "no setting has a score"),
    "correlations": (["correlate", "absent"], "no system has a score by bleu, chrf"),
    "missing annotations": (
        ["score", "--ref", "ref.de", "--src", "ref.de", "--lp", "en-de", "out.de", "-m", "act:word_alignment=yes"],
        "no segments of out were scored: they lack the annotation layer 'alignment'",
    ),
}


@pytest.mark.usefixtures("unscorable")
@pytest.mark.parametrize(("arguments", "reason"), NOTHING_SCORED.values(), ids=NOTHING_SCORED)
def test_nothing_scored_is_unusable_data(arguments, reason, capsys):
    assert _run([*arguments, "-o", "result.json"]) == 3
    captured = capsys.readouterr()
    (error,) = (line for line in captured.err.splitlines() if line.startswith("error: "))
    assert error.startswith("error: nothing was scored: ")
    assert reason in error
    assert error.removeprefix("error: ") not in captured.err.replace(error, "")  # once
    assert (captured.out, Path("result.json").exists()) == ("", False)


@pytest.mark.usefixtures("unscorable")
def test_a_single_score_is_a_result(capsys):
    assert _run(["score", "--ref", "empty.de", "out.de", "-m", "wer,bleu"]) == 0
    captured = capsys.readouterr()
    assert "the references are empty" in captured.out
    assert captured.err == "warning: empty, line 1: 2 of 2 lines are empty, first here\n"
