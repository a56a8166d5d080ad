from __future__ import annotations

import os
from pathlib import Path

import pytest

from assay.agreement import statistic
from assay.cli.group import _run
from assay.cli.output import _FORMATS, output_path, select_renderer
from assay.data.formats.mtme import Mtme
from assay.errors import ConfigError, InputError
from assay.metrics import metric
from assay.reports import document, renderer
from assay.results import MetricList
from tests.campaigns_with_metrics import campaign


def test_the_formats_are_those_of_the_registry():
    """They are written out because the help page must not import the renderers."""
    assert sorted(_FORMATS) == sorted(renderer.names())


@pytest.mark.parametrize("form", renderer.names())
def test_binary_formats_say_so(form):
    made = renderer.create(form)
    assert isinstance(made.render(document(MetricList(()))), bytes) == made.is_binary


@pytest.mark.parametrize("form", renderer.names())
def test_every_format_can_be_selected_by_name_and_by_suffix(form):
    target = Path(f"x{renderer.type_of(form)[0].suffixes[0]}")
    assert select_renderer(form, target).name == form
    assert select_renderer(None, target).name == form


def test_errors_are_raised_before_any_work():
    with pytest.raises(ConfigError, match=r"no output format has the suffix '.doc'"):
        select_renderer(None, Path("x.doc"))
    with pytest.raises(ConfigError, match="xlsx is a binary format and needs an output file"):
        select_renderer("xlsx", None)
    assert select_renderer(None, None).name == "table"


def test_where_output_goes(tmp_path):
    assert output_path(None) is output_path("-") is None
    assert output_path("./-") == Path("-")
    for target, message in ((str(tmp_path), "is a folder"), ("x.json/", "is the name of a folder")):
        with pytest.raises(InputError, match=message):
            output_path(target)
    with pytest.raises(ConfigError, match="empty"):
        output_path("")


def test_a_device_needs_no_suffix():
    assert select_renderer(None, Path("/dev/null")).name == "table"
    assert select_renderer("json", Path("/dev/null")).name == "json"


def test_a_table_is_cut_to_the_terminal_and_nowhere_else(monkeypatch):
    monkeypatch.setenv("COLUMNS", "70")
    assert select_renderer(None, None).width == 0
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert select_renderer(None, None).width == select_renderer("table", None).width == 70
    assert select_renderer(None, Path("x.txt")).width == 0
    monkeypatch.setattr("sys.stdout", None)
    assert select_renderer(None, None).width == 0


@pytest.fixture
def texts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("ref.txt", "new.de", "notes.txt"):
        (tmp_path / name).write_text("a b c d\n", encoding="utf-8")
    os.link("ref.txt", "hard.txt")
    Path("soft.txt").symlink_to("ref.txt")
    return {path.name: path.read_bytes() for path in tmp_path.iterdir()}


@pytest.mark.parametrize("target", ["ref.txt", "./ref.txt", "hard.txt", "soft.txt"])
@pytest.mark.parametrize("arguments", [["--ref", "ref.txt", "new.de"], ["--ref", "r=ref.txt", "--sys", "s=new.de"]])
@pytest.mark.parametrize("command", [["score"], ["match", "27.3"]])
def test_an_input_is_never_replaced(texts, capsys, command, arguments, target):
    assert _run([*command, *arguments, "-o", target, "--force"]) == 3
    assert "is an input and will not be replaced" in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in Path().iterdir()} == texts


@pytest.mark.parametrize("kind", ["conllu", "conllu.gz", "sempos"])
def test_annotations_beside_the_texts_are_inputs(texts, capsys, kind):
    annotation = Path(f"new.de.{kind}")
    annotation.write_text("mine\n", encoding="utf-8")
    target = ["-o", str(annotation), "--format", "json", "--force"]
    for arguments in (["new.de"], ["--sys", "s=new.de"]):
        assert _run(["score", "--ref", "ref.txt", *arguments, "-m", "hwcm", *target]) == 3
        assert "is an input and will not be replaced" in capsys.readouterr().err
    assert annotation.read_text(encoding="utf-8") == "mine\n"


def test_resources_of_metrics_are_inputs(texts, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path / "resources"))
    dictionary = "while\tcontrast\twährend\n"
    for path in (Path("own.tsv"), Path("resources/named.tsv"), Path("meteor/meteor-1.5.jar")):
        path.parent.mkdir(exist_ok=True)
        path.write_text(dictionary, encoding="utf-8")
    for metrics, target, message in (
        ("act:dictionary=own.tsv", "own.tsv", "is an input and will not be replaced"),
        ("bleu,act:dictionary=named", "resources/named.tsv", "is an input and will not be replaced"),
        ("meteor:files=meteor", "meteor/meteor-1.5.jar", "which is an input: nothing is written there"),
        ("meteor:files=meteor", "meteor/new.json", "which is an input: nothing is written there"),
    ):
        run = [
            "score",
            "--ref",
            "ref.txt",
            "--src",
            "notes.txt",
            "new.de",
            "-m",
            metrics,
            "--format",
            "json",
            "--force",
        ]
        assert _run([*run, "-o", target]) == 3
        assert message in capsys.readouterr().err
    assert Path("own.tsv").read_text(encoding="utf-8") == dictionary


@pytest.mark.parametrize("command", [["rank", "wmt99"], ["meta", "wmt99"], ["score", "--data", "wmt99"]])
def test_a_test_set_given_by_its_name_is_an_input(tmp_path, monkeypatch, capsys, command):
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path))
    Mtme().write([campaign()], tmp_path)
    reference = tmp_path / "wmt99/references/de-en.refA.txt"
    before = reference.read_bytes()
    assert _run([*command, "-o", str(reference), "--force"]) == 3
    assert "which is an input: nothing is written there" in capsys.readouterr().err
    assert _run([*command, "-o", str(reference.with_name("de-en.table.txt"))]) == 3
    assert "which is an input: nothing is written there" in capsys.readouterr().err
    assert _run([*command, "--save", str(tmp_path / "wmt99")]) == 3
    assert "is an input and will not be replaced" in capsys.readouterr().err
    assert reference.read_bytes() == before


@pytest.mark.parametrize("spec", ["./my.py:f", "bleu,./my.py:f", "./my.py:f:x=1"])
@pytest.mark.parametrize("command", [["score", "-m"], ["compare", "new.de", "-m"], ["meta", "x.tsv", "--statistics"]])
def test_a_file_with_a_metric_or_statistic_is_an_input(texts, capsys, monkeypatch, command, spec):
    for registry in (metric, statistic):
        registry.names()  # imports all of them
        monkeypatch.setattr(registry, "_types", dict(registry._types))
    code = "def f(output, reference):\n    return 1.0\n"
    Path("my.py").write_text(code, encoding="utf-8")
    files = ["--ref", "ref.txt", "s=new.de"] if command[0] != "meta" else []
    _run([*command, spec, *files, "-o", "my.py", "--force", "--format", "json"])
    assert Path("my.py").read_text(encoding="utf-8") == code
    if "x=1" not in spec and command[0] != "meta":
        assert "is an input and will not be replaced" in capsys.readouterr().err


def test_other_files_need_force_and_results_do_not(texts, capsys):
    run = ["score", "--ref", "ref.txt", "new.de", "--resamples", "0", "-o"]
    assert _run([*run, "notes.txt"]) == 3
    assert "already exists" in capsys.readouterr().err
    assert Path("notes.txt").read_bytes() == texts["notes.txt"]
    assert _run([*run, "notes.txt", "--force"]) == 0
    assert Path("notes.txt").read_bytes() != texts["notes.txt"]
    for name in ("o.json", "o.tsv", "o.csv", "o.jsonl", "o.xlsx"):
        assert [_run([*run, name]), _run([*run, name])] == [0, 0]


def test_a_saved_run_that_is_compared_is_not_replaced(texts, capsys):
    for name in ("one", "two"):
        assert _run(["score", "--ref", "ref.txt", "new.de", "--resamples", "0", "--save", name]) == 0
    assert _run(["diff", "one", "two", "--save", "one"]) == 3
    assert "is an input" in capsys.readouterr().err
    assert _run(["diff", "one", "two", "-o", "one/result.json", "--force"]) == 3


def test_convert_replaces_with_force_only(tmp_path, capsys):
    a, b = tmp_path / "a.tsv", tmp_path / "b.tsv"
    a.write_text("system\tsegment\toutput\ns\t1\tx\n", encoding="utf-8")
    b.write_text("mine", encoding="utf-8")
    assert _run(["data", "convert", str(a), str(a), "--force"]) == 3
    assert _run(["data", "convert", str(a), str(b)]) == 3
    assert b.read_text(encoding="utf-8") == "mine"
    assert _run(["data", "convert", str(a), str(b), "--force"]) == 0
