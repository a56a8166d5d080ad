from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Literal

import click
import pytest

from assay.cli.help import Command
from assay.cli.options import command_option, data_option, explicit_options, runtime_options, split_name, verb_options
from assay.errors import ConfigError, InputError, option_name
from assay.options.checks import check_integer
from assay.options.option import Option
from assay.options.shared import Level, Systems
from assay.options.verb import verb
from tests.cli.commands import commands

FILES = {"data", "references", "named_outputs", "scores", "candidate"}  # their values may contain commas


def parse(*decorators, arguments):
    seen = {}

    def remember(**values):
        seen.update(values=values, given=explicit_options(values))

    for decorator in decorators:
        remember = decorator(remember)
    click.command()(remember).main(arguments, standalone_mode=False)
    return seen


def test_a_name_before_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a=b").touch()
    assert split_name("x=y.score") == ("x", "y.score")
    assert split_name("y,z.score") == ("", "y,z.score")
    assert split_name("a=b") == ("", "a=b")


@pytest.mark.parametrize("arguments", [["--systems", "a,b", "--systems", "c"], ["--systems", "a, b,c"]])
def test_repeats_and_comma_lists(arguments):
    systems = data_option("systems", Systems, ("*",))
    assert parse(systems, arguments=arguments)["values"] == {"systems": ("a", "b", "c")}


def test_only_explicit_options_are_passed_on():
    seed = command_option("--seed", group="x", type=int, default=12345, help="x")
    systems = data_option("systems", Systems, ("*",))
    assert parse(seed, systems, arguments=[]) == {"values": {"seed": 12345, "systems": ()}, "given": {}}
    assert parse(seed, systems, arguments=["--seed", "12345"])["given"] == {"seed": 12345}


@pytest.mark.parametrize("value", ["system", "sys", "segment", "seg"])
def test_levels(value):
    level = data_option("level", Level, "system")
    assert parse(level, arguments=["--level", value])["values"]["level"] in ("system", "segment")
    with pytest.raises(ConfigError, match="unknown level 'segmnt'\ndid you mean 'segment'"):
        parse(level, arguments=["--level", "segmnt"])


def test_a_new_option_of_a_verb_is_an_option_of_its_command(capsys):
    """One declaration: the signature, the docstring, the check and the command line have it."""

    @verb
    def shout(
        text: Annotated[str, Option("What to shout.")],
        *,
        times: Annotated[int, Option("How often.", group="Volume", check=partial(check_integer, low=1, high=9))] = 2,
        mood: Annotated[Literal["glad", "angry"], Option("In which mood.", group="Volume")] = "glad",
        words: Annotated[Sequence[str], Option(f"More words, {option_name('times')} each.", metavar="WORD")] = (),
    ) -> str:
        """Shout a text."""
        return " ".join([text, *words] * times) + {"glad": "!", "angry": "!!"}[mood]

    @click.command("shout", cls=Command)
    @click.argument("text")
    @verb_options(shout)
    def command(text, **options):
        click.echo(shout(text, **explicit_options(options)))

    assert shout("hey", times=1, words="you,there") == "hey you there!"
    assert "times : int, default 2\n    How often." in shout.__doc__
    assert "More words, times each." in shout.__doc__
    command.main(["hey", "--times", "1", "--mood", "angry", "--words", "you,there"], standalone_mode=False)
    assert capsys.readouterr().out == "hey you there!!\n"
    command.main(["--help"], standalone_mode=False)
    page = " ".join(capsys.readouterr().out.split())
    assert "Volume: --times INTEGER How often. [default: 2] --mood [glad|angry] In which mood. [default: glad]" in page
    assert "--words WORD,... More words, --times each." in page
    for call in (lambda: shout("hey", mood="gld"), lambda: command.main(["x", "--mood", "gld"], standalone_mode=False)):
        with pytest.raises(ConfigError, match="unknown mood 'gld'\ndid you mean 'glad'"):
            call()
    with pytest.raises(ConfigError, match="times must be an integer between 1 and 9, not 0"):
        command.main(["hey", "--times", "0"], standalone_mode=False)


@pytest.mark.parametrize(("name", "command"), commands().items())
def test_every_option_with_several_values_takes_comma_lists(name, command):
    for parameter in command.params:
        if isinstance(parameter, click.Option) and parameter.multiple and parameter.name not in FILES:
            context = click.Context(command, resilient_parsing=True)
            assert parameter.callback(context, parameter, ("a,b", "c")) == ("a", "b", "c"), parameter.name


@pytest.mark.parametrize(
    ("command", "option", "message"),
    [
        ("score --ref absent absent", "-m bleu,blue", "unknown metric 'blue'\nhint: did you mean 'bleu'?"),
        ("robustness absent", "-s peerson", "unknown statistic 'peerson'"),
        ("compare --ref absent absent other", "--examples -1", "--examples must not be negative, not -1"),
        ("compare --ref absent absent other", "--test koen", "unknown test 'koen'\nhint: did you mean 'koehn'?"),
        ("compare --ref absent absent other", "--calibration wmd", "there is no calibration 'wmd'"),
        ("compare --ref absent absent other", "--calibration no.json", "no.json: cannot read the calibration"),
        ("annotate absent", "--annotator space", "unknown annotator 'space'\nhint: did you mean 'spacy'?"),
    ],
)
def test_options_are_checked_before_files_are_read(capsys, command, option, message):
    from assay.cli.group import _run

    assert _run([*command.split(), *option.split()]) in (ConfigError.exit_code, InputError.exit_code)
    assert capsys.readouterr().err.startswith(f"error: {message}")


@pytest.mark.parametrize(
    ("arguments", "settings"),
    [
        ([], {}),
        (["--device", "cuda:1", "--threads", "3"], {"threads": 3, "device": "cuda:1"}),
        (["--parallel", "2", "--rate", "60"], {"parallel": 2, "rate": 60.0}),
        (["--prices", "2.5,10", "--budget", "3"], {"prices": (2.5, 10.0), "budget": 3.0}),
    ],
)
def test_how_a_command_runs_is_one_argument(arguments, settings):
    usual = {"threads": None, "device": "auto", "parallel": 8, "rate": None, "prices": (), "budget": None}
    assert parse(runtime_options, arguments=arguments)["values"] == {"runtime_settings": usual | settings}


def test_commands_that_compute_metrics_take_a_device():
    named = {name: {parameter.name for parameter in command.params} for name, command in commands().items()}
    computing = {
        name
        for name, parameters in named.items()
        if "threads" in parameters and parameters & {"metric", "metrics", "features"}
    }
    assert computing == {name for name, parameters in named.items() if "device" in parameters} >= {"score", "meta"}
