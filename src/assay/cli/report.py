"""`assay report`."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.help import Command
from assay.cli.options import (
    FILE,
    data_option,
    explicit_options,
    file_option,
    force_option,
    no_text_option,
    output_option,
    verb_options,
)
from assay.cli.output import output_path
from assay.console import print_message, write_stdout
from assay.errors import ConfigError
from assay.files import check_replaceable
from assay.options.shared import LanguagePairs
from assay.study.load_campaign import load_campaigns
from assay.study.report import report

__all__ = ["command"]


@click.command("report", cls=Command, verb=report)
@click.argument("results", nargs=-1, required=True, metavar="RUN...", type=FILE)
@file_option(
    "--data",
    multiple=True,
    metavar="DATA",
    help="Also show the errors that raters marked in the outputs of a test set.",
)
@data_option("lps", LanguagePairs, ())
@output_option("Write to this file; - for standard output.", default="report.html", show_default=True)
@verb_options(report)
@no_text_option
@force_option
def command(
    results: tuple[str, ...],
    data: tuple[str, ...],
    output: str,
    no_text: bool,
    force: bool,
    **options: Any,
) -> None:
    """RUN is a folder written with --save by any command: scores, comparisons, human rankings, agreement of metrics
    with people. Texts are shown only if they were saved (--save-texts).

    \b
    Examples:
      assay score --ref ref.de base.de new.de --save scores
      assay compare --ref ref.de base.de new.de --save comparison --save-texts
      assay report scores comparison -o report.html
      assay report scores comparison -o public.html --no-text
    """
    from assay.reports.html import Html

    path = output_path(output)
    if path is not None:
        check_replaceable(path, inputs=(*results, *data), force=force, is_result=Html().recognises)
    explicit = explicit_options(options)
    lps = explicit.pop("lps", ())
    if lps and not data:
        raise ConfigError("--lp has no effect without --data")
    if data and no_text:
        raise ConfigError("--data has no effect with --no-text", hint="errors are marked in texts")
    if data:
        explicit["campaigns"] = load_campaigns(*data, lps=lps)
    text = report(*results, texts=not no_text, output=path, **explicit)
    if path is None:
        write_stdout(text)
    else:
        print_message("note", f"the report is in {path}")
