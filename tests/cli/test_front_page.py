"""The help page of `assay` itself: it must list what the command line declares."""

from __future__ import annotations

import click
import pytest

from assay import cli
from assay.cli.front_page import COMMANDS, OPTIONS, is_requested, text


def test_it_lists_every_option_and_command():
    context = click.Context(cli.cli, help_option_names=["-h", "--help"])
    assert {", ".join(option.opts): option.help for option in cli.cli.get_params(context)} == OPTIONS
    lines = text().splitlines()
    for name in [*OPTIONS, *cli.cli.list_commands(context)]:
        assert sum(line.startswith(f"  {name} ") for line in lines) == 1
    assert max(map(len, lines)) < 80


@pytest.mark.parametrize("name", COMMANDS)
def test_it_says_what_the_page_of_the_command_says_first(name):
    page = cli.cli.get_command(click.Context(cli.cli), name).help
    assert page.partition("\n")[0] == COMMANDS[name]


@pytest.mark.parametrize("arguments", [["score"], ["--help", "score"], ["--version"], ["--debug"]])
def test_other_arguments_are_left_to_the_command_line(arguments):
    assert not is_requested(arguments)
