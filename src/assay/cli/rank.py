"""`assay rank`."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.help import Command
from assay.cli.inputs import campaign_options, read_campaigns
from assay.cli.options import command_option, explicit_options, threads_option, verb_options
from assay.cli.output import Output, output_options
from assay.console import terminal_runtime
from assay.options.option import OUTPUT
from assay.study.rank import rank

__all__ = ["command"]


@click.command("rank", cls=Command, verb=rank)
@campaign_options
@verb_options(rank)
@command_option("--p-values", group=OUTPUT, is_flag=True, help="Also show the p-value of each pair of systems.")
@output_options()
@threads_option
def command(
    inputs: dict[str, Any],
    p_values: bool,
    output: Output,
    threads: int | None,
    **options: Any,
) -> None:
    """DATA is the folder of a test set, its name in the data folder, or a file of ratings or rankings; several files
    (raters, waves, texts) are read together.

    \b
    Examples:
      assay rank wmt22 --lp zh-en --gold mqm
      assay rank wmt16 --method trueskill
      assay rank ratings.csv --standardise sample
      assay rank wave1.csv wave2.csv
    """
    with terminal_runtime(threads) as runtime:
        campaigns = read_campaigns(inputs, runtime)
        rankings = rank(campaigns, runtime=runtime, **explicit_options(options))
    output.write(rankings, p_values=p_values)
