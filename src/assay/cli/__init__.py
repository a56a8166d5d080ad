"""The command line: parse, call the verbs, print. Commands are imported when they are used, so help is instant."""

from __future__ import annotations

import importlib
import os
import sys
from typing import NoReturn

import click

from assay.console import guarded, show

__all__ = ["cli", "main"]

_COMMANDS = {
    "score": "Score system outputs against references.",
    "match": "Find the settings that give a published score.",
    "diff": "Say how two saved runs differ.",
    "people": "Rank systems by human judgement, with clusters.",
    "meta": "Compare metrics with human scores.",
    "robustness": "Show which systems an agreement with people rests on.",
    "data": "List, check, convert, import and fetch test sets.",
    "metrics": "List the metrics, or show one.",
    "demo": "Write the bundled sample campaign to FOLDER and score it.",
    "doctor": "Show versions, optional extras, threads and where data lives.",
    "completion": "Print a script for completion in bash, zsh or fish.",
}

_COMPLETION_VARIABLE = "_ASSAY_COMPLETE"


class _LazyGroup(click.Group):
    """Reads a command's module only when the command is called."""

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

            raise click.UsageError(f"there is no command '{args[0]}'; {nearest(args[0], _COMMANDS)}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


def _print_version(ctx: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted:
        from assay.version import __version__

        show(f"assay {__version__}\n")
        ctx.exit()


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, expose_value=False, is_eager=True, callback=_print_version, help="Version.")
@click.option("--debug", is_flag=True, expose_value=False, help="Show a traceback for every error.")
def cli() -> None:
    """Machine-translation evaluation you can defend."""


def main() -> NoReturn:
    """The only place that ends the process."""
    # Assay does no linear algebra; without this, importing numpy spends most of its time starting threads for it.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.exit(_run(sys.argv[1:]))


def _run(arguments: list[str]) -> int:
    return guarded(lambda: _invoke([a for a in arguments if a != "--debug"]), debug="--debug" in arguments)


def _invoke(arguments: list[str]) -> int:
    """What click's own `main` does, which however ends the process when nobody reads its output."""
    if request := os.environ.get(_COMPLETION_VARIABLE):
        from click.shell_completion import shell_complete

        return shell_complete(cli, {}, "assay", _COMPLETION_VARIABLE, request)
    try:
        with cli.make_context("assay", arguments) as context:
            cli.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    return 0
