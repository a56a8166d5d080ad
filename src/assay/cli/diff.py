"""`assay diff`."""

from __future__ import annotations

from pathlib import Path

import click

from assay.cli.help import Command
from assay.cli.options import command_option
from assay.cli.output import Output, output_options
from assay.errors import ConditionMet
from assay.study.diff import diff

__all__ = ["command"]


@click.command("diff", cls=Command, verb=diff)
@click.argument("first", type=click.Path(path_type=Path))
@click.argument("second", type=click.Path(path_type=Path))
@command_option(
    "--fail-if",
    group="Comparison",
    type=click.Choice(("different", "moved")),
    help="Exit with code 5: with `different`, if the runs differ in any way; with `moved`, if a score changed or no "
    "score could be compared.",
)
@output_options()
def command(first: Path, second: Path, fail_if: str | None, output: Output) -> None:
    """FIRST and SECOND are folders written by `assay score --save`.

    \b
    Examples:
      assay score --ref ref.de base.de --save monday
      assay score --ref ref.de base.de --save tuesday
      assay diff monday tuesday
    """
    from assay.words.scores import changed_scores

    difference = diff(first, second)
    output.write(difference)
    if fail_if == "different" and difference.different:
        raise ConditionMet("the runs differ")
    if fail_if == "moved" and (difference.moved or not difference.scores):
        raise ConditionMet(changed_scores(difference))
