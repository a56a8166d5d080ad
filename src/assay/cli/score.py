"""`assay score`."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.help import Command
from assay.cli.inputs import input_options, read_scored_inputs
from assay.cli.options import (
    RESAMPLING,
    confidence_option,
    explicit_options,
    list_option,
    metrics_option,
    option,
    resamples_option,
    score_file_options,
    seed_option,
    threads_option,
)
from assay.cli.output import Output, output_options
from assay.console import terminal_runtime

__all__ = ["command"]

_GROUP = "Scores"


@click.command("score", cls=Command)
@input_options
@metrics_option("Metrics to compute.  [default: bleu, chrf]")
@score_file_options(
    "Segment scores computed elsewhere, as one more metric; with --data, also the name of a stored metric."
)
@list_option(
    "--agg",
    group=_GROUP,
    metavar="NAME",
    help="How to aggregate scores: corpus, segment or bootstrap.  [default: corpus, segment]",
)
@list_option("--by", group=_GROUP, metavar="GROUPING", help="Also score by document, domain or length.")
@option("--segments", group=_GROUP, is_flag=True, help="Also show the score of each segment.")
@resamples_option(1000, "Number of bootstrap resamples; 0 for no intervals.")
@option(
    "--size",
    group=RESAMPLING,
    type=int,
    help="Number of segments in a resample of the bootstrap aggregation.  [default: all]",
)
@seed_option
@confidence_option
@output_options(is_run=True)
@option("--save-texts", group="Output", is_flag=True, help="With --save, also save the texts.")
@threads_option
def command(
    inputs: dict[str, Any],
    metrics: tuple[str, ...],
    scores: tuple[str, ...],
    lower_is_better: tuple[str, ...],
    segments: bool,
    output: Output,
    save_texts: bool,
    threads: int | None,
    **options: Any,
) -> None:
    """Score system outputs against references.

    An OUTPUT is a text file with one segment per line; its name without the suffix is the name of the system. `-` is
    standard input.

    \b
    Examples:
      assay score --ref ref.de base.de new.de
      assay score --ref ref.de --sys base=out/1.de --sys new=out/2.de -m bleu,chrf++ --format json
      assay score --data wmt22 --lp zh-en -m chrf --scores COMET-22
    """
    from assay.study.score import score

    if save_texts and output.save is None:
        raise click.UsageError("--save-texts needs --save DIR", click.get_current_context())
    testset, requested, notes = read_scored_inputs(inputs, metrics, scores, lower_is_better)
    with terminal_runtime(threads) as runtime:
        run = score(testset, runtime=runtime, **requested, **explicit_options(options))
    hint = "assay compare tests whether these differences are real" if len(run.systems) > 1 else ""
    output.write(run, notes=notes, texts=save_texts, segments=segments, hint=hint)
