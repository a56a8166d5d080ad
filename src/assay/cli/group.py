"""The command `assay` and its subcommands, which are imported on first use, and the end of the process."""

from __future__ import annotations

import atexit
import importlib
import os
import sys
from typing import NoReturn

import click

from assay.cli.front_page import COMMANDS, COMPLETION_VARIABLE, OPTIONS, text
from assay.cli.help import Group
from assay.console import run_command, write_stdout

__all__ = ["cli", "invoke", "main"]


class _LazyGroup(Group):
    """Imports a command's module only when the command is used, so that help appears quickly."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"assay.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from assay.errors import nearest

            raise click.UsageError(f"unknown command '{args[0]}'; {nearest(args[0], COMMANDS)}", ctx)
        return super().resolve_command(ctx, args)

    def get_help(self, ctx: click.Context) -> str:
        return text().rstrip("\n")


def _print_version(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:
    if value:
        from assay.version import __version__

        write_stdout(f"assay {__version__}\n")
        ctx.exit()


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=_print_version, help=OPTIONS["--version"]
)
@click.option("--debug", is_flag=True, expose_value=False, help=OPTIONS["--debug"])
def cli() -> None:
    """Machine-translation evaluation you can defend."""


def main() -> NoReturn:
    """Run the command line. This is the only place that ends the process."""
    code = _run(sys.argv[1:])
    atexit._run_exitfuncs()
    try:
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.flush()
    except (OSError, ValueError):  # Python reports it when it ends
        sys.exit(code)
    os._exit(code)  # without freeing all objects one by one, a seventh of the time of a short command


def _run(arguments: list[str]) -> int:
    return run_command(lambda: invoke([a for a in arguments if a != "--debug"]), debug="--debug" in arguments)


def invoke(arguments: list[str]) -> int:
    """Run the command as click's `main` does. That function is not used because it exits when a pipe is closed."""
    if request := os.environ.get(COMPLETION_VARIABLE):
        from click.shell_completion import shell_complete

        return shell_complete(cli, {}, "assay", COMPLETION_VARIABLE, request)
    try:
        with cli.make_context("assay", list(arguments), obj=tuple(arguments)) as context:
            cli.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    return 0
