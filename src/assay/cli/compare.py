"""`assay compare`."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.help import Command
from assay.cli.inputs import input_options, read_scored_inputs
from assay.cli.options import (
    ScoreFiles,
    command_option,
    explicit_options,
    runtime_options,
    score_file_options,
    verb_options,
)
from assay.cli.output import Output, output_options
from assay.console import terminal_runtime
from assay.errors import ConditionMet, printable
from assay.options.option import OUTPUT
from assay.study.compare import compare

__all__ = ["command"]


_IF_LONG = (
    "for less, choose a score, e.g. --agg corpus -m chrf; assay leaderboard ranks many systems in one table; "
    "-o FILE.html makes a page"
)


@click.command("compare", cls=Command, verb=compare, instead={"--sort": "tables have the best system first"})
@input_options
@score_file_options("Segment scores computed elsewhere, as one more metric.")
@verb_options(compare)
@command_option(
    "--details",
    group=OUTPUT,
    is_flag=True,
    help="Show everything instead of a summary: wins, power, evidence and signatures.",
)
@command_option(
    "--pairs", group=OUTPUT, is_flag=True, help="With --all-pairs, list every pair below the tables of systems."
)
@output_options(has_short_signatures=True, has_texts=True)
@runtime_options
def command(
    inputs: dict[str, Any],
    metrics: tuple[str, ...],
    scores: ScoreFiles,
    details: bool,
    pairs: bool,
    output: Output,
    runtime_settings: dict[str, Any],
    **options: Any,
) -> None:
    """\b
    Examples:
      assay compare --ref ref.de base.de new.de
      assay compare --ref ref.de out/*.de --all-pairs -m bleu,chrf,ter
      assay compare --ref ref.de base.de new.de --fail-if 'chrf.p < 0.05 and chrf.delta < 0'
      assay compare --ref ref.de base.de new.de --documents docs.txt --unit document --delta 0.5
    """
    if inputs["outputs"] and inputs["named_outputs"] and not options["baseline"] and not options["all_pairs"]:
        raise click.UsageError(
            "which system is the baseline? OUTPUT and --sys are mixed, and their order is not known; name it with "
            "--baseline, or write NAME=FILE without --sys"
        )
    if pairs and not options["all_pairs"]:
        raise click.UsageError("--pairs has no effect without --all-pairs")
    if pairs and details:
        raise click.UsageError("--pairs has no effect with --details, which lists every pair")
    read = read_scored_inputs(inputs, metrics, scores, needs_metric=not options["errors"])
    with terminal_runtime(**runtime_settings) as runtime:
        comparison = compare(
            read.testset, human=read.human, runtime=runtime, **read.metrics, **explicit_options(options)
        )
    hint = "" if details else "--details adds wins, power, evidence and signatures; -o FILE.html makes a page"
    rated = read.rated if options["errors"] else ()
    output.write(
        comparison, notes=read.notes, rated=rated, details=details, pairs=pairs, hint=hint, hint_if_long=_IF_LONG
    )
    if comparison.failures:
        from assay.words.systems import failure_text

        raise ConditionMet(printable("; ".join(map(failure_text, comparison.failures))))
