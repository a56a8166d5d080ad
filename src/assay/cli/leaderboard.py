"""`assay leaderboard`."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.help import Command
from assay.cli.inputs import input_options, read_all_inputs
from assay.cli.options import explicit_options, runtime_options, verb_options
from assay.cli.output import Output, output_options
from assay.console import terminal_runtime
from assay.study.leaderboard import leaderboard

__all__ = ["command"]


_INSTEAD = {
    "--sort": "the first metric of -m orders the systems",
    "--baseline": "assay compare tests systems against a baseline",
    "--all-pairs": "a leaderboard always tests all pairs",
}


@click.command("leaderboard", cls=Command, verb=leaderboard, instead=_INSTEAD)
@input_options
@verb_options(leaderboard)
@output_options(has_short_signatures=True)
@runtime_options
def command(
    inputs: dict[str, Any],
    metrics: tuple[str, ...],
    output: Output,
    runtime_settings: dict[str, Any],
    **options: Any,
) -> None:
    """With --data, --lp may name several language pairs or patterns; without it, all language pairs with texts are
    ranked, each a column beside the mean.

    \b
    Examples:
      assay leaderboard --ref ref.de out/*.de -m bleu,chrf,ter
      assay leaderboard --data wmt22 --lp zh-en --ref refA
      assay leaderboard --data wmt22 --lp '*-en' -m chrf
    """
    requested: dict[str, Any] = {"metrics": list(metrics)} if metrics else {}
    with terminal_runtime(**runtime_settings) as runtime:
        testsets, notes = read_all_inputs(inputs, metrics, runtime)
        board = leaderboard(testsets, runtime=runtime, **requested, **explicit_options(options))
    output.write(board, notes=notes)
