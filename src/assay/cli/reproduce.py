"""`assay reproduce`."""

from __future__ import annotations

import click

from assay.cli.help import Command
from assay.cli.options import file_option, option, threads_option
from assay.cli.output import Output, output_options
from assay.console import terminal_runtime

__all__ = ["command"]

_PAPERS = ("tangled", "thresholds", "aggregation", "wmt13", "ebleu")


@click.command("reproduce", cls=Command)
@click.argument("paper", metavar="PAPER", type=click.Choice(_PAPERS))
@file_option("--data", metavar="FOLDER", help="The folder that contains the test sets.  [default: the data folder]")
@option(
    "--as-published",
    group="Reproduction",
    is_flag=True,
    help="aggregation: also show what a wrong call of sacreBLEU gives, with transposed references.",
)
@output_options(takes_folder=True)
@threads_option
def command(paper: str, data: str | None, as_published: bool, output: Output, threads: int | None) -> None:
    """Run a paper again, with our numbers beside the published ones.

    PAPER is tangled (Mathur et al. 2020), thresholds (Lo et al. 2023), aggregation (Cavalin et al. 2024), wmt13
    (Macháček & Bojar 2013) or ebleu (ElNokrashy & Kocmi 2023). The folder of the data contains the test sets under
    their names: wmt13, wmt17, wmt19, wmt20, wmt21.news, wmt22.

    \b
    Examples:
      assay reproduce tangled --data wmt -o tangled
      assay reproduce ebleu --data wmt -o ebleu.html
      assay reproduce aggregation --data wmt --as-published
    """
    from assay.reproduction import reproduce

    with terminal_runtime(threads) as runtime:
        result = reproduce(paper, data=data, as_published=as_published, runtime=runtime)
    if output.folder is not None:
        from assay.reproduction.folder import write_folder

        write_folder(result, output.folder)
    output.write(result)
