from __future__ import annotations

import json
import tarfile

import pytest

from assay import read
from assay.cli.group import _run
from assay.sample import write


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    return write(tmp_path_factory.mktemp("sample"))[0]


@pytest.fixture
def campaign(tmp_path, monkeypatch):
    """A small test set in the layout of mt-metrics-eval, and a data folder of our own."""
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "home"))
    files = {
        "sources/en-de.txt": "one house\ntwo houses\n",
        "references/en-de.refA.txt": "ein Haus\nzwei Häuser\n",
        "system-outputs/en-de/x.txt": "ein Haus\nzwei Haus\n",
        "system-outputs/en-de/y.txt": "das Haus\nzwei Häuser\n",
        "system-outputs/en-de/refA.txt": "ein Haus\nzwei Häuser\n",
        "human-scores/en-de.mqm.seg.score": "x 0\nx -5\ny -1\ny None\n",
        "metric-scores/en-de/COMET-refA.seg.score": "x 0.9\nx 0.1\ny 0.5\ny 0.8\n",
    }
    for name, text in files.items():
        (tmp_path / "wmt99" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "wmt99" / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "wmt99"


def call(capsys, *arguments):
    code = _run(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_import_then_list_then_score_by_name(campaign, capsys):
    assert call(capsys, "data", "list")[0] == 3
    with tarfile.open("wmt99.tar.gz", "w:gz") as tar:
        tar.add("wmt99")
    code, out, _ = call(capsys, "data", "import", "wmt99.tar.gz")
    assert (code, out) == (0, f"{campaign.parent}/home/wmt99\n")
    code, out, _ = call(capsys, "data", "list", "--format", "tsv")
    assert out.splitlines()[1].split("\t")[:8] == ["wmt99", "en-de", "3", "2", "3", "1", "", "mqm:3"]
    code, out, err = call(capsys, "score", "--data", "wmt99", "--lp", "en-de", "-m", "chrf", "--format", "json")
    assert code == 0
    assert {row["system"] for row in json.loads(out)["rows"]} == {"x", "y"}
    assert "note: left out: refA (used as the reference)" in err


def test_score_a_campaign_with_stored_scores(campaign, capsys):
    arguments = [
        "score",
        "--data",
        "wmt99",
        "--lp",
        "en-de",
        "--scores",
        "COMET",
        "--resamples",
        "0",
        "--format",
        "json",
    ]
    code, out, _ = call(capsys, *arguments)
    assert code == 0
    rows = {(r["system"], r["aggregation"]): r["value"] for r in json.loads(out)["rows"]}
    assert rows == pytest.approx(
        {("x", "corpus"): 0.5, ("y", "corpus"): 0.65, ("x", "segment"): 0.5, ("y", "segment"): 0.65}
    )
    path = "mine=wmt99/metric-scores/en-de/COMET-refA.seg.score"
    code, out, _ = call(
        capsys, "score", "--data", "wmt99", "--exclude", "y", "--scores", path, "-m", "chrf", "--format", "json"
    )
    assert {row["metric"] for row in json.loads(out)["rows"]} == {"mine", "chrf"}
    assert {row["system"] for row in json.loads(out)["rows"]} == {"x"}


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--data", "wmt98", "--lp", "en-de"], 3, "wmt98: no such file, and no test set of this name"),
        (["--data", "wmt99", "--lp", "de-en"], 2, "has no language pair 'de-en'"),
        (["--data", "wmt99", "--lp", "en-de", "--ref", "refB"], 2, "no reference 'refB'"),
        (["--data", "wmt99", "--lp", "en-de", "--systems", "z*"], 2, "no system matches 'z*'"),
        (["--data", "wmt99", "--lp", "en-de", "--scores", "BLEURT"], 2, "'BLEURT' is neither a file nor a metric"),
        (["--data", "wmt99", "--lp", "en-de", "x.txt"], 2, "all texts come from the test set"),
        (["x.txt", "--keep-references"], 2, "--keep-references needs --data"),
        (["x.txt", "--systems", "y*"], 2, "no system matches 'y*'"),
        (["x.txt", "--exclude", "x"], 2, "all systems are excluded"),
    ],
)
def test_missing_data(campaign, capsys, arguments, code, message):
    found, out, err = call(capsys, "score", *arguments)
    assert (found, out) == (code, "")
    assert message in err


def test_check(campaign, sample, capsys):
    code, out, _ = call(capsys, "data", "check", "wmt99")
    assert code == 0
    assert "1 of 4 cells of judged systems without a score" in out
    short = campaign.parent / "short.de"
    lines = (sample / "refA.de").read_text(encoding="utf-8").splitlines(keepends=True)
    short.write_text("".join(lines[:30] + lines[31:]), encoding="utf-8")
    systems = [str(path) for path in (sample / "systems").iterdir()]
    code, out, err = call(
        capsys, "data", "check", *systems, str(short), "--ref", str(sample / "refB.de"), "--format", "json"
    )
    assert code == 3
    (error,) = [f for f in json.loads(out)["rows"] if f["severity"] == "error"]
    assert error["where"] == "short"
    assert abs(error["line"] - 31) <= 5
    assert err == "error: found 1 error\n"


def test_convert_there_and_back(campaign, capsys):
    for target in ("all.tsv", "all.jsonl", "all.csv", "all.parquet"):
        code, out, _ = call(capsys, "data", "convert", "wmt99", target)
        assert (code, out) == (0, f"{target}: 1 language pair\n")
        (again,) = read(target)
        (first,) = read(campaign)
        assert again.testset.outputs == first.testset.outputs
        assert again.testset.references == first.testset.references
    code, _, err = call(capsys, "data", "convert", "wmt99", "all.doc")
    assert (code, "no format is written with the suffix '.doc'" in err) == (2, True)
    assert call(capsys, "data", "convert", "wmt99")[0] == 2
    assert call(capsys, "data", "convert", "wmt99", "all.xml", "--to", "wmt-xml")[0] == 2
    assert call(capsys, "data", "convert", "wmt99", "all.xml", "--to", "wmt-xml", "--only", "texts")[0] == 0
    assert call(capsys, "data", "convert", "wmt99", "texts.jsonl", "--only", "texts")[0] == 0
    assert read("all.xml")[0].testset.systems == read(campaign)[0].testset.systems
    code, _, _ = call(capsys, "data", "convert", "all.tsv", "again", "--to", "mtme")
    assert code == 0
    assert (campaign.parent / "again/wmt99/system-outputs/en-de/x.txt").exists()


def test_fetch_lists_and_stays_off_the_network(campaign, capsys, monkeypatch):
    code, out, _ = call(capsys, "data", "fetch")
    assert code == 0
    assert "mt-metrics-eval" in out
    monkeypatch.setenv("ASSAY_OFFLINE", "1")
    code, out, err = call(capsys, "data", "fetch", "mt-metrics-eval-v2")
    assert (code, out) == (3, "")
    assert "assay data import" in err
    code, _, err = call(capsys, "data", "fetch", "mt-metrics-eval-v3")
    assert (code, "did you mean" in err) == (2, True)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("named.csv", "system,segment,score\nx,d2:1,1\nx,d1:1,2\n", "are for named segments (d2:1, …)"),
        ("shift.csv", "system,segment,score\nx,101,1\nx,102,2\n", "are for named segments (101, …)"),
        (
            "pair.csv",
            "lp,system,segment,score\nja-ko,x,1,1\nja-ko,x,2,2\n",
            "belong to the language pair ja-ko, not to en-de",
        ),
        (
            "set.csv",
            "dataset,lp,system,segment,score\nwmt12,en-de,x,1,1\nwmt12,en-de,x,2,2\n",
            "belong to the test set wmt12",
        ),
        (
            "none.csv",
            "system,segment,score\nX,1,1\nX,2,2\n",
            "none.csv: these are scores of X, but the systems are x, y",
        ),
        (
            "text.csv",
            "system,segment,output,score\nx,1,zwei Haus,1\nx,2,ein Haus,2\n",
            "another output of 'x': segment 1",
        ),
    ],
)
def test_scores_of_something_else_are_refused(campaign, capsys, name, text, message):
    (campaign.parent / name).write_text(text, encoding="utf-8")
    code, out, err = call(capsys, "score", "--data", "wmt99", "--lp", "en-de", "--scores", name)
    assert (code, out) == (3, "")
    assert message in err


def test_partial_scores_are_noted(campaign, capsys):
    (campaign.parent / "part.csv").write_text("system,segment,score\nx,1,1\nx,2,2\nz,1,3\nz,2,4\n", encoding="utf-8")
    code, _, err = call(capsys, "score", "--data", "wmt99", "--lp", "en-de", "--scores", "part.csv")
    assert code == 0
    assert "part.csv: no scores of y" in err
    assert "part.csv: scores of unknown systems are not used: z" in err


def test_stored_scores_by_reference(campaign, capsys):
    scores = campaign / "metric-scores/en-de"
    (scores / "COMET-src.seg.score").write_text("x 1\nx 2\ny 3\ny 4\n", encoding="utf-8")
    (scores / "BLEURT-refB.seg.score").write_text("x 1\nx 2\ny 3\ny 4\n", encoding="utf-8")
    arguments = ["score", "--data", "wmt99", "--lp", "en-de", "--resamples", "0", "--format", "json", "--scores"]
    _, out, _ = call(capsys, *arguments, "COMET")
    assert {row["metric"] for row in json.loads(out)["rows"]} == {"COMET-refA", "COMET-src"}
    _, out, _ = call(capsys, *arguments, "mine=COMET-src")
    assert {row["metric"] for row in json.loads(out)["rows"]} == {"mine"}
    code, _, err = call(capsys, *arguments, "BLEURT")
    assert (code, "'BLEURT' was not computed with these references" in err) == (2, True)


def test_a_damaged_import_is_noticed(campaign, capsys):
    with tarfile.open("wmt99.tar.gz", "w:gz") as tar:
        tar.add("wmt99")
    assert call(capsys, "data", "import", "wmt99.tar.gz")[0] == 0
    assert call(capsys, "data", "import", "wmt99.tar.gz")[0] == 0
    (campaign.parent / "home/wmt99/sources/en-de.txt").write_text("changed\n", encoding="utf-8")
    code, _, err = call(capsys, "data", "import", "wmt99.tar.gz")
    assert (code, "has changed since it was imported" in err) == (3, True)
