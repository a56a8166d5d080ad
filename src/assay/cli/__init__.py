"""The command line: parse options, call the public functions, print results. Commands are imported on first use."""

from __future__ import annotations

import atexit
import importlib
import os
import sys
from typing import NoReturn

import click

from assay.cli.help import Group
from assay.console import run_command, write_stdout

__all__ = ["cli", "invoke", "main"]

_COMMANDS = {
    "score": "Score system outputs against references.",
    "compare": "Test whether the differences between systems are real.",
    "match": "Find the settings that give a published score.",
    "diff": "Show how two saved runs differ.",
    "rank": "Rank systems by human judgements.",
    "meta": "Compare metrics with human scores.",
    "robustness": "Show how agreement with human scores depends on the systems.",
    "correlate": "Show how scores correlate with each other.",
    "calibrate": "Turn metric differences into the probability that people notice.",
    "explain": "Say what a difference of metric scores means to people.",
    "decisions": "Count how often decisions by a metric go wrong.",
    "reproduce": "Run a paper again, with our numbers beside the published ones.",
    "report": "Make one HTML page of saved results.",
    "plot": "Draw a chart of saved results.",
    "data": "List, check, convert, import and fetch test sets.",
    "metrics": "List the metrics, or show one.",
    "demo": "Write a sample campaign, evaluate it and make a report.",
    "doctor": "Show versions, extras, threads, the data folder and resources.",
    "completion": "Print a shell completion script for bash, zsh or fish.",
}

_COMPLETION_VARIABLE = "_ASSAY_COMPLETE"


class _LazyGroup(Group):
    """Imports a command's module only when the command is used, so that help appears quickly."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"assay.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _COMMANDS and not args[0].startswith("-"):
            from assay.errors import nearest

            raise click.UsageError(f"unknown command '{args[0]}'; {nearest(args[0], _COMMANDS)}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


def _print_version(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:
    if value:
        from assay.version import __version__

        write_stdout(f"assay {__version__}\n")
        ctx.exit()


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=_print_version, help="Show the version."
)
@click.option("--debug", is_flag=True, expose_value=False, help="Show the traceback if an error occurs.")
def cli() -> None:
    """Machine-translation evaluation you can defend.

    Options with a value like NAME,... take several values: repeat the option or separate the values with commas.

    \b
    Examples:
      assay score --ref ref.de base.de new.de
      assay demo sample
      assay score --help
    """


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
    if request := os.environ.get(_COMPLETION_VARIABLE):
        from click.shell_completion import shell_complete

        return shell_complete(cli, {}, "assay", _COMPLETION_VARIABLE, request)
    try:
        with cli.make_context("assay", list(arguments), obj=tuple(arguments)) as context:
            cli.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    return 0
