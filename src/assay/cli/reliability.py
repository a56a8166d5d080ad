"""`assay reliability`."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.help import Command
from assay.cli.inputs import input_options, read_inputs
from assay.cli.options import explicit_options, runtime_options, verb_options
from assay.cli.output import Output, output_options
from assay.console import terminal_runtime
from assay.study.reliability import reliability

__all__ = ["command"]


@click.command("reliability", cls=Command, verb=reliability)
@input_options
@verb_options(reliability)
@output_options()
@runtime_options
def command(
    inputs: dict[str, Any],
    metrics: tuple[str, ...],
    output: Output,
    runtime_settings: dict[str, Any],
    **options: Any,
) -> None:
    """For the agreement of human raters, use assay rank --reliability; for that of a judge with people, assay meta.

    \b
    Examples:
      assay reliability --src src.en --lp en-de out/*.de -m judge:model=NAME,endpoint=URL,votes=3,temperature=1
      assay reliability --src src.en --lp en-de out/*.de -m judge:model=NAME,endpoint=URL,protocol=pairwise
    """
    testset, _ = read_inputs(**inputs, metrics=metrics)
    with terminal_runtime(**runtime_settings) as runtime:
        result = reliability(testset, metrics=list(metrics), runtime=runtime, **explicit_options(options))
    output.write(result)
