"""The command itself: help, version, and how errors end."""

from __future__ import annotations

import click
import pytest

import assay
from assay import cli
from assay.cli.front_page import COMMANDS
from assay.cli.group import _run


def test_help_lists_every_command(capsys):
    assert _run(["--help"]) == 0
    out = capsys.readouterr().out
    for name, summary in COMMANDS.items():
        assert name in out
        assert summary in out
        assert _run([name, "--help"]) == 0
        assert summary in capsys.readouterr().out


def test_every_command_is_documented():
    context = click.Context(cli.cli)
    for name in COMMANDS:
        command = cli.cli.get_command(context, name)
        assert all(p.help for p in command.params if isinstance(p, click.Option))


def test_version(capsys):
    assert _run(["--version"]) == 0
    assert capsys.readouterr().out == f"assay {assay.__version__}\n"


def test_unknown_command(capsys):
    assert _run(["scor"]) == 2
    assert "unknown command 'scor'; did you mean 'score'?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["score", "--leaderboard"], "unknown option '--leaderboard'; assay leaderboard is a command"),
        (["score", "--leaderbord"], "unknown option '--leaderbord'; did you mean the command assay leaderboard?"),
        (["score", "--metrcs", "bleu"], "unknown option '--metrcs'; did you mean '--metrics'?"),
        (["data", "check", "--data", "wmt22"], "unknown option '--data'; name the folder or file of the test set"),
        (["score", "--all-pairs"], "unknown option '--all-pairs'; it is one of assay compare"),
        (["leaderboard", "--sort", "chrf"], "unknown option '--sort'; the first metric of -m orders the systems"),
        (["score", "--xyzzy"], "unknown option '--xyzzy'\n"),
    ],
)
def test_unknown_option(arguments, message, capsys):
    assert _run(arguments) == 2
    assert f"error: {message}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("raised", "code", "message"),
    [(KeyboardInterrupt(), 130, "interrupted\n"), (RuntimeError("boom"), 1, "unexpected error: RuntimeError: boom\n")],
)
def test_how_errors_end(monkeypatch, capsys, raised, code, message):
    def fail(*_arguments, **_options):
        raise raised

    monkeypatch.setattr(cli.cli, "invoke", fail)
    assert _run(["score"]) == code
    assert capsys.readouterr().err.startswith(message)
    with pytest.raises(type(raised)):
        _run(["--debug", "score"])
