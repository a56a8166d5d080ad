"""`assay match`."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.help import Command
from assay.cli.inputs import input_options, read_inputs
from assay.cli.options import command_option, explicit_options, runtime_options, verb_options
from assay.cli.output import Output, output_options
from assay.console import terminal_runtime
from assay.options.option import OUTPUT
from assay.study.match import match

__all__ = ["command"]


@click.command("match", cls=Command, verb=match)
@click.argument("published", metavar="SCORE")
@input_options
@verb_options(match)
@command_option(
    "--top",
    group=OUTPUT,
    default=10,
    show_default=True,
    type=click.IntRange(min=0),
    help="Number of candidates to show; 0 for all.",
)
@output_options()
@runtime_options
def command(
    inputs: dict[str, Any],
    published: str,
    top: int,
    output: Output,
    runtime_settings: dict[str, Any],
    **options: Any,
) -> None:
    """SCORE is the number as published; its decimals say how it was rounded.

    \b
    Examples:
      assay match 27.3 --ref ref.de --sys new=new.de
      assay match 0.531 --ref ref.de new.de -m chrf
    """
    testset, _ = read_inputs(**inputs, metrics=options["metrics"])
    with terminal_runtime(**runtime_settings) as runtime:
        result = match(testset, published, top=top or None, runtime=runtime, **explicit_options(options))
    output.write(result)
