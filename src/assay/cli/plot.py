"""`assay plot`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from assay.cli.help import Command
from assay.cli.options import explicit_options, force_option, output_option, verb_options
from assay.files import check_replaceable
from assay.study.plot import check_figure, plot

__all__ = ["command"]


@click.command("plot", cls=Command, verb=plot)
@click.argument("chart")
@click.argument("results", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RESULT...")
@output_option("The figure: FILE.svg, .pdf or .png.", required=True)
@verb_options(plot)
@force_option
def command(chart: str, results: tuple[Path, ...], output: str, force: bool, **options: Any) -> None:
    """CHART is the name of a chart, with options as in differences:first=base,second=new. RESULT is a folder that
    another command wrote with --save.

    \b
    Examples:
      assay score --ref ref.de base.de new.de --save run
      assay plot scores run -o scores.pdf
      assay plot aggregations:metric=chrf run -o aggregations.svg --width 1040
    """
    check_figure(chart, output, options["width"])
    check_replaceable(Path(output), inputs=results, force=force)
    plot(chart, *results, output=Path(output), **explicit_options(options))
