"""`assay robustness`."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.help import Command
from assay.cli.options import (
    FILE,
    ScoreFiles,
    explicit_options,
    runtime_options,
    score_file_options,
    verb_options,
)
from assay.cli.output import Output, output_options
from assay.console import terminal_runtime
from assay.study.load_campaign import load_campaign
from assay.study.robustness import robustness

__all__ = ["command"]


@click.command("robustness", cls=Command, verb=robustness)
@click.argument("data", type=FILE, nargs=-1, required=True, metavar="DATA...")
@verb_options(load_campaign)
@score_file_options("Metric scores computed elsewhere.")
@verb_options(robustness)
@output_options()
@runtime_options
def command(
    data: tuple[str, ...],
    lp: str | None,
    input_format: str | None,
    columns: str | None,
    strict: bool,
    annotations: str | None,
    scores: ScoreFiles,
    output: Output,
    runtime_settings: dict[str, Any],
    **options: Any,
) -> None:
    """DATA is the folder of a test set or its name in the data folder.

    \b
    Examples:
      assay robustness wmt19 --lp en-de --metrics '*BLEU*'
      assay robustness wmt19 --lp en-de --kind windows --subset-size 8
      assay robustness wmt19 --lp en-de --kind subsamples --subset-size 10
    """
    with terminal_runtime(**runtime_settings) as runtime:
        campaign = load_campaign(
            *data,
            lp=lp,
            input_format=input_format,
            columns=columns,
            strict=strict,
            annotations=annotations,
            runtime=runtime,
        )
        external = scores.load(campaign)
        result = robustness(campaign, external=external.tables, runtime=runtime, **explicit_options(options))
    output.write(result, notes=external.notes)
