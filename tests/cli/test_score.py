from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from dataclasses import dataclass

import pytest

from assay import load, open_result, read, score
from assay.cli.group import _run
from assay.metrics import metric
from assay.sample import write
from assay.types import ErrorSpan, predicted_ratings
from tests.encoders import tiny_use
from tests.tables import table_lines


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    return write(tmp_path_factory.mktemp("sample"))[0]


@pytest.fixture
def assay_score(pair, capsys, monkeypatch):
    """Run `assay score` on the sample in this process: exit code, standard output, standard error."""
    monkeypatch.chdir(pair)

    def call(*arguments):
        code = _run(["score", *arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def test_the_command_of_the_manual(assay_score, pair):
    code, out, _ = assay_score(
        *("--ref", "refA.de", "--sys", "base=systems/elm.de", "--sys", "new=systems/alder.de"),
        *("-m", "bleu,chrf", "-m", "chrf++", "--agg", "corpus,segment", "--agg", "bootstrap", "--format", "json"),
    )
    assert code == 0
    document = json.loads(out)
    assert document["segments"] == 130
    assert len(document["rows"]) == 2 * 3 * 3
    testset = load(
        outputs={"base": pair / "systems/elm.de", "new": pair / "systems/alder.de"},
        references={"refA": pair / "refA.de"},
    )
    run = score(testset, ["bleu", "chrf", "chrf++"], agg="corpus,segment,bootstrap")
    assert document.pop("verdict")[0] == "new scores best by all 3 metrics."
    assert document == run.to_dict()


@pytest.mark.parametrize(
    ("sort", "order"),
    [
        ((), (("a", "b"), ("b", "a"))),
        (("--sort", "ter"), (("b", "a"), ("b", "a"))),
        (("--sort", "given"), (("b", "a"),) * 2),
    ],
)
def test_tables_are_ordered_by_their_metric_by_one_metric_or_as_given(assay_score, tmp_path, sort, order):
    """`a` repeats a word, which counts for recall only; `b` is short, which TER forgives."""
    texts = {"ref": "the cat sat on the mat", "b": "the cat sat", "a": "the cat sat sat cat cat on on the mat"}
    for name, text in texts.items():
        (tmp_path / f"{name}.txt").write_text(f"{text}\n" * 8, encoding="utf-8")
    files = [str(tmp_path / f"{name}.txt") for name in ("b", "a")]
    code, out, _ = assay_score(*files, "--ref", str(tmp_path / "ref.txt"), "-m", "chrf,ter", "--agg", "corpus", *sort)
    assert code == 0
    rows = [line.split()[0] for line in out.splitlines() if line[:2] in ("a ", "b ")]
    assert (tuple(rows[:2]), tuple(rows[2:])) == order


@pytest.mark.parametrize(("sort", "first"), [((), "alder"), (("--sort", "given"), "elm")])
def test_a_paper_has_the_same_order(assay_score, sort, first):
    files = ("systems/elm.de", "systems/alder.de", "--ref", "refA.de", "-m", "chrf", "--resamples", "20")
    code, out, _ = assay_score(*files, "--format", "latex", *sort)
    assert code == 0
    assert out.partition("\\midrule\n")[2].startswith(first)


@pytest.mark.parametrize("form", ["tsv", "json", "html"])
def test_an_order_is_refused_where_there_is_none(assay_score, form):
    code, out, err = assay_score("systems/elm.de", "--ref", "refA.de", "--sort", "chrf", "--format", form)
    assert (code, out) == (2, "")
    assert f"--sort has no effect with --format {form}" in err


def test_an_unknown_metric_cannot_order_systems(assay_score):
    code, _, err = assay_score("systems/elm.de", "systems/alder.de", "--ref", "refA.de", "--sort", "tre", "-m", "ter")
    assert code == 2
    assert "'tre' was not scored" in err


def test_positional_files_are_outputs_named_after_themselves(assay_score):
    code, out, err = assay_score("systems/elm.de", "systems/alder.de", "--ref", "refA.de", "--ref", "refB.de")
    assert (code, err) == (0, "")
    assert [line.split()[0] for line in table_lines(out)[:3]] == ["bleu", "alder", "elm"]  # best first
    assert "refs:2" in out


def test_groups_and_segments(assay_score):
    code, out, _ = assay_score(
        *("--ref", "refA.de", "systems/elm.de", "--domains", "domains.txt", "--documents", "documents.txt"),
        *("--by", "domain,document", "--segments", "--format", "tsv", "-m", "chrf", "--resamples", "20"),
    )
    assert code == 0
    rows = [line.split("\t") for line in out.splitlines()[1:]]
    groups = {row[3].partition(":")[0] for row in rows}
    assert groups == {"", "domain", "document", "segment"}
    assert sum(row[3].startswith("segment:") for row in rows) == 130


@pytest.mark.parametrize(("name", "start"), [("o.json", "{"), ("o.tsv", "system\t"), ("o.txt", "bleu")])
def test_output_file_by_suffix(assay_score, tmp_path, name, start):
    code, out, _ = assay_score("--ref", "refA.de", "systems/elm.de", "-o", str(tmp_path / name))
    assert (code, out) == (0, "")
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)
    assert os.listdir(tmp_path) == [name]


def test_links_pipes_and_modes_survive(assay_score, tmp_path):
    real, link, pipe = tmp_path / "real.json", tmp_path / "link.json", tmp_path / "pipe"
    real.write_text("old", encoding="utf-8")
    real.chmod(0o600)
    link.symlink_to(real)
    os.mkfifo(pipe)
    assert assay_score("--ref", "refA.de", "systems/elm.de", "-o", str(link), "--force")[0] == 0
    assert link.is_symlink()
    assert json.loads(real.read_text(encoding="utf-8"))["version"] == 3
    assert real.stat().st_mode & 0o777 == 0o600
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        assert assay_score("--ref", "refA.de", "systems/elm.de", "-o", str(pipe), "--format", "json")[0] == 0
        assert json.loads(reader.stdout.read())["version"] == 3
    assert not pipe.is_file()
    assert sorted(os.listdir(tmp_path)) == ["link.json", "pipe", "real.json"]


def test_no_resamples(assay_score):
    code, out, _ = assay_score("--ref", "refA.de", "systems/elm.de", "--resamples", "0", "--format", "json")
    assert code == 0
    assert {row["aggregation"] for row in json.loads(out)["rows"]} == {"corpus", "segment"}


def test_sacrebleu_signature(assay_score):
    _, out, _ = assay_score("--ref", "refA.de", "systems/elm.de", "--signatures", "sacrebleu")
    assert "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0" in out.splitlines()
    assert "nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0" in out.splitlines()


def test_standard_input(assay_score, pair, monkeypatch):
    raw = (pair / "systems/elm.de").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))
    code, out, _ = assay_score("--ref", "refA.de", "-", "-m", "bleu", "--format", "json")
    assert code == 0
    assert json.loads(out)["rows"][0]["system"] == "stdin"


def test_a_name_with_an_equals_sign_in_a_path(assay_score, pair):
    target = pair / "a=b.de"
    target.write_bytes((pair / "systems/elm.de").read_bytes())
    code, out, _ = assay_score("--ref", "refA.de", "a=b.de")
    target.unlink()
    assert code == 0
    assert "a=b" in out


def test_notes_go_to_standard_error(assay_score, pair, tmp_path):
    (tmp_path / "bom.de").write_bytes(b"\xef\xbb\xbf" + (pair / "refA.de").read_bytes())
    code, out, err = assay_score("--ref", str(tmp_path / "bom.de"), "systems/elm.de", "--format", "json")
    assert code == 0
    assert err.startswith("note: ")
    assert "byte order mark" in err
    assert json.loads(out)["notes"]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--ref", "refA.de"], 2, "error: no system output was given"),
        (["systems/elm.de"], 2, "error: bleu needs a reference"),
        (["--ref", "refA.de", "absent.de"], 3, "error: absent.de: no such file or directory"),
        (["--ref", "refA.de", "systems/elm.de", "-m", "blue"], 2, "hint: did you mean 'bleu'?"),
        (["--ref", "refA.de", "systems/elm.de", "--agg", "mean"], 2, "error: unknown aggregation 'mean'"),
        (["--ref", "refA.de", "systems/elm.de", "systems/elm.de"], 2, "error: two systems are called 'elm'"),
        (["--ref", "-", "-"], 2, "error: standard input (-) can be read only once"),
        (["--ref", "refA.de", "systems/elmm.de"], 3, "hint: did you mean 'systems/elm.de'?"),
        (["--ref", "refA.de", "systems/elm.de", "--domains", "refA.de"], 2, "--domains has no effect without --by"),
        (
            ["--ref", "refA.de", "systems/elm.de", "--documents", "refA.de", "--by", "length"],
            2,
            "--documents has no effect without --by document or --save DIR",
        ),
        (["--ref", "refA.de", "systems/elm.de", "--resamples", "0", "--seed", "1"], 2, "--seed has no effect"),
        (["--ref", "refA.de", "systems/elm.de", "--resamples", "0", "--confidence", ".9"], 2, "--confidence has no"),
        (["--ref", "refA.de", "--sys", "=systems/elm.de"], 2, "error: a system has no name"),
        (["--ref", "refA.de", "-", "--sys", "b=-"], 2, "error: standard input (-) can be read only once"),
        (["--ref", "refA.de", "systems/elm.de", "-o", "x.doc"], 2, "error: no output format has the suffix '.doc'"),
        (
            ["--ref", "refA.de", "systems/elm.de", "-o", "absent/x.json"],
            3,
            "cannot be written: no such folder",
        ),
        (["--ref", "refA.de", "systems/elm.de", "--by", "domain"], 2, "hint: give --domains"),
        (["--ref", "refA.de", "systems/elm.de", "--seed", "x"], 2, "'x' is not a valid integer"),
        (["--ref", "refA.de", "systems/elm.de", "-m", "spbleu"], 4, "error: SentencePiece model flores101 not found"),
        (["--rev", "refA.de"], 2, "unknown option '--rev'; did you mean '--ref'?"),
    ],
)
def test_errors(assay_score, arguments, code, message):
    found, out, err = assay_score(*arguments)
    assert (found, out) == (code, "")
    assert message in err
    assert "Traceback" not in err
    assert "texts are a list" not in err  # advice for Python


def test_lengths_that_differ(assay_score, pair, tmp_path):
    lines = (pair / "refA.de").read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "short.de").write_text("".join(lines[:-1]), encoding="utf-8")
    code, out, err = assay_score("--ref", str(tmp_path / "short.de"), "systems/elm.de")
    assert (code, out) == (3, "")
    assert "short.de has 129 segments, systems/elm.de has 130: the first lacks 1 segment" in err


def test_a_closed_pipe_is_no_error(pair):
    command = f"'{sys.executable}' -m assay score --ref refA.de systems/elm.de --segments | head -1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=pair, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_run_is_kept(assay_score, tmp_path):
    given = ("--ref", "refA.de", "systems/elm.de", "--save", str(tmp_path / "run"), "--format", "json")
    code, out, _ = assay_score(*given)
    assert code == 0
    run = open_result(tmp_path / "run")
    assert run.to_dict() == json.loads(out)
    assert json.loads((tmp_path / "run/result.json").read_bytes())["command"] == " ".join(("assay score", *given))
    assert assay_score("--ref", "refA.de", "systems/elm.de", "--save-texts")[0] == 2
    assert assay_score("--ref", "refA.de", "systems/elm.de", "--save", str(tmp_path / "run"), "--save-texts")[0] == 0
    assert open_result(tmp_path / "run").testset.systems == ("elm",)


@pytest.mark.parametrize("suffix", ["xlsx", "parquet"])
def test_files_that_are_not_text(assay_score, tmp_path, suffix):
    target = tmp_path / f"o.{suffix}"
    assert assay_score("--ref", "refA.de", "systems/elm.de", "-o", str(target))[:2] == (0, "")
    assert target.read_bytes()[:2] in (b"PK", b"PA")


def test_on_a_terminal_two_systems_come_with_the_way_to_compare_them(tmp_path):
    for name, text in (("ref", "a b c d\n"), ("x", "a b c d\n"), ("y", "a b c e\n")):
        (tmp_path / name).write_text(text)
    files = ["--ref", *(str(tmp_path / name) for name in ("ref", "x", "y"))]
    command = [sys.executable, "-m", "assay", "score", *files, "-m", "bleu", "--resamples", "0"]
    primary, secondary = os.openpty()
    done = subprocess.run(command, stdout=secondary, stderr=subprocess.PIPE, text=True, check=True)
    os.close(secondary)
    os.close(primary)
    assert "hint: assay compare tests whether these differences are real" in done.stderr
    quiet = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "hint" not in quiet.stderr


def test_lower_is_better_for_a_metric_from_a_file(assay_score, tmp_path, monkeypatch):
    monkeypatch.setattr(metric, "_types", dict(metric._types))  # what this test registers does not stay
    (tmp_path / "my.py").write_text("def cost(output, reference): return abs(len(output) - len(reference))\n")
    arguments = ("--ref", "refA.de", "systems/elm.de", "-m", f"{tmp_path}/my.py:cost", "--resamples", "0")
    code, out, err = assay_score(*arguments)
    assert (code, "|better:assumed-higher|" in out, "higher values are assumed to be better" in err) == (0, True, True)
    code, out, err = assay_score(*arguments, "--lower-is-better", "cost")
    assert (code, "|better:lower|" in out, "assumed" in err) == (0, True, False)
    code, _, err = assay_score(*arguments, "--lower-is-better", "costs")
    assert (code, "no external scores are called 'costs'" in err) == (2, True)


def test_metrics_on_an_encoder(assay_score, tmp_path, monkeypatch):
    """Three metrics on one encoder. The second run computes nothing that the first has kept."""
    tiny_use.write(tmp_path / "use")
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path))
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path / "cache"))
    specs = "ebleu:vectors=use,yisi-1:vectors=use,bertscore:vectors=use"
    arguments = ("--ref", "refA.de", "systems/elm.de", "-m", specs, "--device", "cpu", "--format", "json")
    code, out, _ = assay_score(*arguments)
    assert code == 0
    assert {row["metric"] for row in json.loads(out)["rows"]} == {
        "ebleu:vectors=use",
        "yisi-1:vectors=use",
        "bertscore:vectors=use",
    }
    assert len(list((tmp_path / "cache" / "networks-2").glob("*.sqlite"))) == 1
    monkeypatch.setattr("assay.encoders.formats.use_multilingual._UseEncoder.states", None)
    assert assay_score(*arguments)[:2] == (0, out)


def test_a_system_without_annotations_is_a_warning(assay_score, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("ref", "parsed", "plain"):
        (tmp_path / f"{name}.txt").write_text("the dog barks\n")
        if name != "plain":
            (tmp_path / f"{name}.txt.tokens").write_text("the dog barks\n")
            (tmp_path / f"{name}.txt.dependencies").write_text("2 3 0\n")
    code, out, err = assay_score("--ref", "ref.txt", "parsed.txt", "plain.txt", "-m", "hwcm", "--notes", "few")
    assert (code, "plain, corpus and segment: no segment was scored" in out) == (0, True)
    assert "warning: hwcm: no segments of plain were scored: they lack the annotation layer" in err
    assert "there is no file plain.txt.conllu" in err
    code, out, err = assay_score("--ref", "ref.txt", "plain.txt", "-m", "hwcm")
    assert (code, out) == (3, "")
    assert "error: nothing was scored: hwcm: no segments of plain were scored" in err


@pytest.fixture
def marking(monkeypatch):
    """A metric that marks the first word of each output."""

    @dataclass(frozen=True)
    class First(type(metric.create("chrf"))):
        marks_errors = True

        def predicted_spans(self, testset, runtime):
            found = {
                (i, n): (ErrorSpan("", "minor", 0, len(text.split()[0])),) if n else ()
                for i, column in enumerate(testset.outputs.values())
                for n, text in enumerate(column)
            }
            return predicted_ratings(self.name, "MQM", testset.systems, found)

    metric.names()  # those that are read now stay registered
    monkeypatch.setattr(metric, "_types", dict(metric._types))
    metric("first")(First)


def test_errors_that_metrics_mark_are_written(assay_score, marking, tmp_path):
    options = ("--ref", "refA.de", "systems/elm.de", "-m", "bleu,first", "--resamples", "0", "--spans")
    path = tmp_path / "marked.csv"
    for _ in range(2):  # a file of an earlier run is replaced
        assert assay_score(*options, str(path))[0] == 0
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[:2] == ["system,segment,start,end,severity,category", "elm,1,,,no-error,"]
    assert lines[2].startswith("elm,2,0,")
    assert lines[2].endswith(",minor,")
    (campaign,) = read(path)
    assert campaign.predictions[0].name == "marked"
    assert assay_score(*options, str(tmp_path / "all.jsonl"))[0] == 0
    (campaign,) = read(tmp_path / "all.jsonl")
    assert campaign.predictions[0].name == "first"


def test_where_errors_cannot_be_written(assay_score, marking, tmp_path):
    def error(*arguments):
        code, _, err = assay_score("--ref", "refA.de", "systems/elm.de", "--resamples", "0", *arguments)
        assert code == 2
        return err

    refused = error("-m", "bleu", "--spans", "x.csv")
    assert "no metric marks errors" in refused
    assert "judge with protocol=esa or protocol=mqm" in refused
    assert "--spans writes .csv, .tsv, .jsonl, not '.txt'" in error("-m", "first", "--spans", "x.txt")
    several = error("-m", "first,first:char_order=4", "--spans", "x.csv")
    assert ".csv holds the errors of one metric, not of first and first:char_order=4" in several
    (tmp_path / "notes.csv").write_text("mine\n", encoding="utf-8")
    code, _, err = assay_score(
        "--ref", "refA.de", "systems/elm.de", "-m", "first", "--spans", str(tmp_path / "notes.csv")
    )
    assert code == 3
    assert "--force" in err
