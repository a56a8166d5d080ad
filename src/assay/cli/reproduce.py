"""`assay reproduce`."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.help import Command
from assay.cli.options import file_option, list_option, metrics_option, option, runtime_options
from assay.cli.output import Output, output_options
from assay.console import print_message, terminal_runtime

__all__ = ["command"]

_PAPERS = ("tangled", "thresholds", "aggregation", "wmt13", "ebleu")  # not imported, so that --help is fast
_GROUP = "Aggregation"


@click.command("reproduce", cls=Command)
@click.argument("paper", metavar="PAPER", type=click.Choice(_PAPERS))
@file_option("--data", metavar="FOLDER", help="The folder that contains the test sets.  [default: the data folder]")
@list_option(
    "--test-sets",
    group=_GROUP,
    metavar="NAME",
    help="Folders to use.  [default: wmt17,wmt21.news,wmt22,wmt23 where they exist]",
)
@metrics_option("Metrics instead of BLEU and chrF.")
@option(
    "--as-published",
    group=_GROUP,
    is_flag=True,
    help="Also show what a wrong call of sacreBLEU gives, with transposed references.",
)
@file_option(
    "--annotations",
    group="WMT13",
    metavar="FOLDER",
    help="Folder with annotations of the texts, as assay annotate -o writes it, for the metrics that need them.",
)
@output_options(takes_folder=True)
@runtime_options
def command(
    paper: str,
    data: str | None,
    test_sets: tuple[str, ...],
    metrics: tuple[str, ...],
    as_published: bool,
    annotations: str | None,
    output: Output,
    runtime_settings: dict[str, Any],
) -> None:
    """Run a paper again, with our numbers beside the published ones.

    PAPER is tangled (Mathur et al. 2020), thresholds (Lo et al. 2023), aggregation (Cavalin et al. 2024), wmt13
    (Macháček & Bojar 2013) or ebleu (ElNokrashy & Kocmi 2023). The folder of the data contains the test sets under
    their names: wmt13, wmt17, wmt19, wmt20, wmt21.news, wmt22. The study of aggregations runs on any test sets and
    metrics; its folder may also be one test set.

    \b
    Examples:
      assay reproduce tangled --data wmt -o tangled
      assay reproduce ebleu --data wmt -o ebleu.html
      assay reproduce aggregation --data wmt --as-published
      assay reproduce aggregation --data wmt22 -m bleu,ter
      assay annotate --data wmt/wmt13 --lp cs-en -o parses
      assay reproduce wmt13 --data wmt --annotations parses
    """
    from assay.reproduction import reproduce

    with terminal_runtime(**runtime_settings) as runtime:
        result = reproduce(
            paper,
            data=data,
            test_sets=test_sets,
            metrics=metrics,
            as_published=as_published,
            annotations=annotations,
            runtime=runtime,
        )
    output.write(result)
    if output.folder is not None:
        from assay.reports.paper_folder import write_paper

        count = write_paper(result, output.folder)
        print_message("note", f"{output.folder}: {count} files; {result.paper}.md lists them")
