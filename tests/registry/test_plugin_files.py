from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

import assay
from assay.agreement import statistic
from assay.calibration.files import bundled
from assay.cli.group import _run
from assay.errors import ConfigError, InputError, MissingExtraError, PluginError
from assay.metrics import metric
from assay.registry import split_spec
from assay.registry.plugin_files import file_of, is_from_file, load_from_file, object_name, short_names, split_file_name
from assay.types import Signature
from assay.words import verdict
from tests.documented import prepare

METRIC = """
from dataclasses import dataclass
from assay.contracts import Metric
import numpy as np

@dataclass(frozen=True)
class Length(Metric):
    '''Mean length of the outputs.'''

    needs = frozenset()
    unit: int = 1

    @property
    def columns(self):
        return ("length", "segments")

    def statistics(self, testset, runtime):
        return np.array([[(len(text) // self.unit, 1) for text in column] for column in testset.outputs.values()])

    def score(self, totals):
        return totals[..., 0] / totals[..., 1]


def overlap(output: str, reference: str, n: int = 1):
    return 100 * len(set(output) & set(reference)) / n


def broken(output, reference):
    return {}[output]


NUMBER = 5
"""
STATISTIC = """
from dataclasses import dataclass
import numpy as np
from assay.agreement import Statistic, Values

@dataclass(frozen=True)
class Mean(Statistic):
    def compute(self, batch):
        return Values(batch.metric.mean(axis=1), np.ones(len(batch.metric)), "never")
"""
TESTSET = assay.load(outputs={"x": ["abcd", "ef"]}, references=["abxy", "ef"])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(METRIC, encoding="utf-8")
    (tmp_path / "stat.py").write_text(STATISTIC, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for registry in (metric, statistic):
        registry.names()  # imports all of them
        monkeypatch.setattr(registry, "_types", dict(registry._types))
    return tmp_path


def test_a_metric_from_a_file(folder):
    run = assay.score(TESTSET, ["./mine.py:Length", "./mine.py:Length:unit=2", "bleu"], resamples=0)
    assert run["./mine.py:Length"].corpus["x"] == 3
    assert run["./mine.py:Length:unit=2"].corpus["x"] == 1.5
    signature = run["./mine.py:Length:unit=2"].corpus.signature
    digest = load_from_file("./mine.py:Length").name.partition("@")[2].partition(":")[0]
    assert str(signature).startswith(f"mine.py@{digest}:Length|unit:2|")
    assert Signature.parse(str(signature)) == signature
    assert metric.create(signature.spec) == metric.create("./mine.py:Length:unit=2")
    assert metric.create(f"{folder}/mine.py:Length").unit == 1
    assert assay.describe_metric("./mine.py:Length").documentation == "Mean length of the outputs."


def test_both_on_the_command_line(folder, capsys):
    prepare(folder)
    arguments = ["--gold", "mqm", "--statistics", "./stat.py:Mean", "-m", "./mine.py:overlap,./mine.py:Length:unit=2"]
    assert _run(["meta", "wmt22", "--lp", "zh-en", *arguments, "--format", "tsv"]) == 0
    out = capsys.readouterr().out
    assert "mine.py@" in out
    assert "stat.py@" in out


def test_a_function_from_a_file(folder):
    run = assay.score(TESTSET, "./mine.py:overlap:n=2,./mine.py:overlap", resamples=0)
    assert run["./mine.py:overlap"].segments["x"].tolist() == [200, 200]
    assert run["./mine.py:overlap:n=2"].segment_mean["x"] == 100


def test_a_statistic_from_a_file(folder):
    table = assay.ScoreTable("m", "system", ("a", "b"), [[1.0], [2.0]])
    agreement = assay.agree(table, table, "./stat.py:Mean", outliers="keep")
    assert agreement.value == 1.5
    assert statistic.spec(statistic.create("./stat.py:Mean")).startswith("stat.py@")


@pytest.mark.parametrize(
    ("spec", "error", "message"),
    [
        ("./none.py:X", InputError, "./none.py: No such file"),
        ("./mine.py:Lenght", ConfigError, "./mine.py has no class or function 'Lenght'"),
        ("./mine.py", ConfigError, "does not name a class or function in a file"),
        ("mine.py:Length", ConfigError, "'mine.py:Length' does not name a class or function in a file"),
        ("./mine.py@00000000:Length", ConfigError, "./mine.py has changed"),
        ("mine.py@00000000:Length", ConfigError, "does not name a class or function in a file"),
        ("./mine.py:NUMBER", PluginError, "neither a metric class nor a function"),
        ("./mine.py:Length:units=2", ConfigError, "no option 'units'"),
        ("./stat.py:Mean", PluginError, "neither a metric class nor a function"),
    ],
)
def test_what_cannot_be_loaded(folder, spec, error, message):
    with pytest.raises(error) as caught:
        metric.create(spec)
    assert message in caught.value.message
    assert not (folder / "__pycache__").exists()


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("x = 1\ny = x / 0\n", "./bad.py, line 2: ZeroDivisionError"),
        ("x = (\n", "./bad.py, line 1: SyntaxError"),
    ],
)
def test_errors_name_the_file_and_the_line(folder, code, message):
    (folder / "bad.py").write_text(code, encoding="utf-8")
    with pytest.raises(PluginError) as caught:
        metric.create("./bad.py:X")
    assert caught.value.message.startswith(message)


def test_an_error_while_scoring_names_the_line(folder):
    with pytest.raises(
        PluginError, match=r"the metric 'mine.py@\w+:broken' failed: KeyError: 'abcd' \(./mine.py, line \d+\)"
    ):
        assay.score(TESTSET, "./mine.py:broken", resamples=0)


def test_the_file_of_a_spec():
    assert file_of("./a.py:F:x=1") == Path("./a.py")
    assert file_of("bleu:tok=intl") is None


def test_names_and_options_are_split():
    assert split_spec("./a.py:B:c=1,d=2") == ("./a.py:B", "c=1,d=2")
    assert split_spec("/x/a.py@0123abcd:B") == ("/x/a.py@0123abcd:B", "")
    assert split_spec("bleu:tok=spm:./a.py:B") == ("bleu", "tok=spm:./a.py:B")
    assert split_file_name("chrf") is None
    assert split_file_name("./a.py:B:n=1") == ("./a.py:B", "n=1")


def test_a_path_without_a_folder_mark_is_explained():
    with pytest.raises(ConfigError) as caught:
        load_from_file("m/my.py")
    assert caught.value.hint == "write ./m/my.py:NAME"


def test_a_module_that_is_not_installed(tmp_path):
    (tmp_path / "my.py").write_text("import math\nimport no_such_module.part\n")
    with pytest.raises(MissingExtraError, match=r"my.py, line 2: it needs the module 'no_such_module'") as caught:
        load_from_file(f"{tmp_path}/my.py:f")
    assert caught.value.hint == "install the package that has it, often: pip install no_such_module"


def test_short_names():
    """As short as they can be without two of them being the same, or the name of another metric."""
    a, b, c = "my.py@00000001:bad", "my.py@00000002:bad", "second.py@00000001:bad"
    taken = {"bleu", "chrf"}
    assert short_names(["bleu", a, "my.py@00000001:good:n=2"], taken) == {
        "bleu": "bleu",
        a: "bad",
        "my.py@00000001:good:n=2": "good:n=2",
    }
    assert short_names([a, c], taken) == {a: "my.py:bad", c: "second.py:bad"}
    assert short_names([a, b, c], taken) == {a: a, b: b, c: "second.py:bad"}
    assert short_names([a, "bad"], taken) == {a: "my.py:bad", "bad": "bad"}  # scores of another program
    assert short_names(["x.py@00000001:BLEU"], taken) == {"x.py@00000001:BLEU": "x.py:BLEU"}
    assert short_names([a, f"{a}:n=2"], taken) == {a: "bad", f"{a}:n=2": "bad:n=2"}


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        *(
            (f"{file}:bad{options}", "bad")
            for file in ("./my.py", "/x/my.py", "my.py@00000001", "my.py")
            for options in ("", ":n=2")
        ),
        *((spec, None) for spec in ("bad", "bleu:tok=my.py", "my.py", "my.py:n=2", "my.python:bad")),
    ],
)
def test_specs_of_objects_in_files(spec, name):
    assert (object_name(spec), is_from_file(spec)) == (name, name is not None)
    if name is not None:
        assert split_spec(spec)[0].endswith(".py:bad") or "@00000001:bad" in split_spec(spec)[0]


def test_notes_have_the_name_of_the_metric(folder):
    """Also if it has the file, because another metric has the same name."""
    (folder / "own.py").write_text("def bleu(output: str, reference: str):\n    return float(len(output))\n")
    run = assay.score(TESTSET, ["bleu", "./own.py:bleu"], resamples=0)
    assert "own.py:bleu" in run.metrics
    (note,) = [note for note in run.notes if "higher values are assumed" in note.text]
    assert note.where == "own.py:bleu"


def test_tables_and_gates_have_short_names(folder, capsys):
    """The signature keeps the digest."""
    (folder / "ref.txt").write_text("a b c\nd e f\n" * 20)
    (folder / "base.txt").write_text("a b c\nd e f\n" * 20)
    (folder / "new.txt").write_text("a b x\nd y f\n" * 20)
    (folder / "other.py").write_text((folder / "mine.py").read_text())
    texts = ["--ref", "ref.txt", "base.txt", "new.txt", "--calibration", "none"]
    gate = ["--fail-if", "overlap.delta < 0"]
    assert _run(["compare", *texts, "-m", "./mine.py:overlap", "--details", *gate]) == 5
    out, err = capsys.readouterr()
    assert "new is worse than base by overlap segment mean" in out
    assert "overlap.delta < 0 holds for 'new': overlap.delta = " in err
    assert len(re.findall(r"mine\.py@\w{8}:overlap\|", out)) == 1
    assert "mine.py@" not in re.sub(r"mine\.py@\w{8}:overlap\|", "", out) + err
    assert _run(["compare", *texts, "-m", "./mine.py:overlap,./other.py:overlap", *gate]) == 2
    assert "may be any of several metrics: mine.py:overlap, other.py:overlap" in capsys.readouterr().err
    for written in ("mine.py:overlap", "./mine.py:overlap"):
        gate[1] = f'"{written}".delta < 0'
        assert _run(["compare", *texts, "-m", "./mine.py:overlap,./other.py:overlap", *gate]) == 5
        assert "mine.py:overlap segment" in capsys.readouterr().out
    assert _run(["score", *texts[:-2], "-m", "./mine.py:overlap"]) == 0
    assert "overlap (n=40)" in capsys.readouterr().out


def test_a_calibration_of_a_metric_from_a_file_is_found(folder):
    """Calibrations have the full name."""
    (name,) = assay.score(TESTSET, "./mine.py:overlap", resamples=0).metrics
    assert name == "overlap"
    full = metric.spec(metric.create("./mine.py:overlap"))
    known = bundled(["bleu"])
    own = replace(known, curves=tuple(replace(curve, metric=full) for curve in known))
    outputs = {"x": ["abc"] * 100, "y": ["ab", *["abc"] * 99]}
    two = assay.load(outputs=outputs, references={"refA": ["abc"] * 100}, lp="en-de")
    found = assay.compare(two, "./mine.py:overlap", calibration=own, resamples=100)
    assert any(sentence.startswith("overlap segment mean: seen in") for sentence in verdict((found,)).remarks)
