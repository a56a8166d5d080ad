from __future__ import annotations

import click
import pytest

from assay.cli.options import (
    explicit_options,
    level_option,
    list_option,
    option,
    runtime_options,
    split_list,
    split_name,
    split_specs,
)
from assay.errors import ConfigError
from tests.cli.commands import commands

FILES = {"data", "references", "named_outputs", "scores"}  # their values may contain commas


def parse(*decorators, arguments):
    seen = {}

    def remember(**values):
        seen.update(values=values, given=explicit_options(values))

    for decorator in decorators:
        remember = decorator(remember)
    click.command()(remember).main(arguments, standalone_mode=False)
    return seen


@pytest.mark.parametrize(
    ("text", "values"),
    [("a", ("a",)), ("a,b", ("a", "b")), (" a , b ,", ("a", "b")), ("", ("",)), (",", ("",))],
)
def test_comma_lists(text, values):
    assert split_list(text) == values


@pytest.mark.parametrize(
    ("text", "specs"),
    [
        ("bleu,chrf", ("bleu", "chrf")),
        ("bleu:tok=intl,smooth=floor", ("bleu:tok=intl,smooth=floor",)),
        ("bleu:tok=intl,smooth=floor,chrf,ter", ("bleu:tok=intl,smooth=floor", "chrf", "ter")),
        ("bleu,chrf:word_order=2,beta=3,bleu:tok=zh", ("bleu", "chrf:word_order=2,beta=3", "bleu:tok=zh")),
        ("bleu:tok", ("bleu:tok",)),
        ("tok=intl", ("tok=intl",)),
        ("", ("",)),
    ],
)
def test_lists_of_specs(text, specs):
    assert split_specs(text) == specs


def test_a_name_before_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a=b").touch()
    assert split_name("x=y.score") == ("x", "y.score")
    assert split_name("y,z.score") == ("", "y,z.score")
    assert split_name("a=b") == ("", "a=b")


@pytest.mark.parametrize("arguments", [["--systems", "a,b", "--systems", "c"], ["--systems", "a, b,c"]])
def test_repeats_and_comma_lists(arguments):
    systems = list_option("--systems", group="x", metavar="NAME", help="x")
    assert parse(systems, arguments=arguments)["values"] == {"systems": ("a", "b", "c")}


def test_only_explicit_options_are_passed_on():
    seed = option("--seed", group="x", type=int, default=12345, help="x")
    systems = list_option("--systems", group="x", metavar="NAME", help="x")
    assert parse(seed, systems, arguments=[]) == {"values": {"seed": 12345, "systems": ()}, "given": {}}
    assert parse(seed, systems, arguments=["--seed", "12345"])["given"] == {"seed": 12345}


@pytest.mark.parametrize("value", ["system", "sys", "segment", "seg"])
def test_levels(value):
    assert parse(level_option, arguments=["--level", value])["values"]["level"] in ("system", "segment")
    with pytest.raises(click.BadParameter, match="'doc' is not one of"):
        parse(level_option, arguments=["--level", "doc"])


@pytest.mark.parametrize(("name", "command"), commands().items())
def test_every_option_with_several_values_takes_comma_lists(name, command):
    for parameter in command.params:
        if isinstance(parameter, click.Option) and parameter.multiple and parameter.name not in FILES:
            context = click.Context(command, resilient_parsing=True)
            assert parameter.callback(context, parameter, ("a,b", "c")) == ("a", "b", "c"), parameter.name


def test_specs_are_checked_before_files_are_read(capsys):
    from assay.cli.group import _run

    assert _run(["score", "--ref", "absent", "absent", "-m", "bleu,blue"]) == 2
    assert capsys.readouterr().err == "error: unknown metric 'blue'\nhint: did you mean 'bleu'?\n"
    assert _run(["robustness", "absent", "-s", "peerson"]) == ConfigError.exit_code
    assert "unknown statistic 'peerson'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "settings"),
    [
        ([], {"threads": None, "device": "auto"}),
        (["--device", "cuda:1", "--threads", "3"], {"threads": 3, "device": "cuda:1"}),
    ],
)
def test_how_a_command_runs_is_one_argument(arguments, settings):
    assert parse(runtime_options, arguments=arguments)["values"] == {"runtime_settings": settings}


def test_commands_that_compute_metrics_take_a_device():
    named = {name: {parameter.name for parameter in command.params} for name, command in commands().items()}
    computing = {name for name, parameters in named.items() if {"metrics", "threads"} <= parameters}
    assert computing == {name for name, parameters in named.items() if "device" in parameters} >= {"score", "meta"}
