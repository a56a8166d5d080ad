"""All commands of the command line by name, e.g. `data list`."""

from __future__ import annotations

import click

from assay.cli import cli


def commands() -> dict[str, click.Command]:
    """Every command that is not a group."""
    context = click.Context(cli)
    top = {name: cli.get_command(context, name) for name in cli.list_commands(context)}
    found: dict[str, click.Command] = {}
    for name, command in top.items():
        if isinstance(command, click.Group):
            found |= {f"{name} {sub}": inner for sub, inner in command.commands.items()}
        else:
            found[name] = command
    return found
