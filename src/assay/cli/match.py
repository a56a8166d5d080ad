"""`assay match`."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.help import Command
from assay.cli.inputs import input_options, read_inputs
from assay.cli.options import explicit_options, metrics_option, option, resamples_option, runtime_options, seed_option
from assay.cli.output import Output, output_options
from assay.console import terminal_runtime

__all__ = ["command"]


@click.command("match", cls=Command)
@click.argument("published", metavar="SCORE")
@input_options
@metrics_option("Metrics to try; options in a spec are not varied.  [default: bleu]")
@option(
    "--top",
    group="Output",
    default=10,
    show_default=True,
    type=click.IntRange(min=0),
    help="Number of candidates to show; 0 for all.",
)
@resamples_option(1000, "Number of bootstrap resamples; 0 skips the bootstrap aggregation.")
@seed_option
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
    """Find the settings that give a published score.

    "How did they get this BLEU?" SCORE is the number as published. Assay tries the tokenisers that fit the script,
    case, smoothing, effective order, references and aggregations, and ranks the settings whose score rounds to SCORE by
    how common they are.

    \b
    Examples:
      assay match 27.3 --ref ref.de --sys new=new.de
      assay match 0.531 --ref ref.de new.de -m chrf
    """
    from assay.study.match import match

    testset, _ = read_inputs(**inputs, metrics=options["metrics"])
    with terminal_runtime(**runtime_settings) as runtime:
        result = match(testset, published, top=top or None, runtime=runtime, **explicit_options(options))
    output.write(result)
