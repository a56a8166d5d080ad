"""`assay score`."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.help import Command
from assay.cli.inputs import input_options, read_scored_inputs
from assay.cli.options import (
    RESAMPLING,
    ScoreFiles,
    confidence_option,
    explicit_options,
    list_option,
    metrics_option,
    option,
    resamples_option,
    runtime_options,
    score_file_options,
    seed_option,
)
from assay.cli.output import Output, output_options
from assay.console import terminal_runtime
from assay.registry.plugin_files import file_of

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
@output_options(is_run=True, has_texts=True)
@runtime_options
def command(
    inputs: dict[str, Any],
    metrics: tuple[str, ...],
    scores: ScoreFiles,
    segments: bool,
    output: Output,
    runtime_settings: dict[str, Any],
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

    explicit = explicit_options(options)
    _check_effect({**inputs, **explicit}, metrics, is_saved=output.save is not None)
    testset, requested, notes = read_scored_inputs(inputs, metrics, scores)
    with terminal_runtime(**runtime_settings) as runtime:
        run = score(testset, runtime=runtime, **requested, **explicit)
    hint = "assay compare tests whether these differences are real" if len(run.systems) > 1 else ""
    output.write(run, notes=notes, segments=segments, hint=hint)


def _check_effect(given: dict[str, Any], metrics: tuple[str, ...], *, is_saved: bool) -> None:
    """Refuse options that would change nothing. A metric from a file may use documents and domains."""
    for labels in ("document", "domain"):
        is_used = is_saved or labels in given.get("by", ()) or any(map(file_of, metrics))
        if given[f"{labels}s"] and not is_used:
            message = f"--{labels}s has no effect without --by {labels} or --save DIR"
            raise click.UsageError(message, click.get_current_context())
    for name in ("seed", "confidence"):
        if name in given and given.get("resamples") == 0:
            raise click.UsageError(f"--{name} has no effect with --resamples 0", click.get_current_context())
