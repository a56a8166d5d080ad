"""`assay score`."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.help import Command
from assay.cli.inputs import input_options, read_scored_inputs
from assay.cli.options import ScoreFiles, explicit_options, option, runtime_options, score_file_options, verb_options
from assay.cli.output import Output, output_options
from assay.console import terminal_runtime
from assay.options.option import OUTPUT
from assay.registry.plugin_files import file_of
from assay.study.score import score

__all__ = ["command"]


@click.command("score", cls=Command)
@input_options
@score_file_options(
    "Segment scores computed elsewhere, as one more metric; with --data, also the name of a stored metric."
)
@verb_options(score)
@option("--segments", group=OUTPUT, is_flag=True, help="Also show the score of each segment.")
@option(
    "--sort",
    group=OUTPUT,
    metavar="METRIC|given",
    help="Order the systems in tables by this metric, or as they were given.  [default: each table by its own metric]",
)
@output_options(is_run=True, has_texts=True)
@runtime_options
def command(
    inputs: dict[str, Any],
    metrics: tuple[str, ...],
    scores: ScoreFiles,
    segments: bool,
    sort: str | None,
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
    explicit = explicit_options(options)
    _check_effect({**inputs, **explicit}, metrics, is_saved=output.save is not None)
    read = read_scored_inputs(inputs, metrics, scores)
    with terminal_runtime(**runtime_settings) as runtime:
        run = score(read.testset, runtime=runtime, **read.metrics, **explicit)
    hint = "assay compare tests whether these differences are real" if len(run.systems) > 1 else ""
    output.write(run, notes=read.notes, segments=segments, sort=sort, hint=hint)


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
