"""`assay decisions`."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.help import Command
from assay.cli.inputs import evaluate_campaigns, scored_campaign_options
from assay.cli.options import runtime_options, score_file_options, verb_options
from assay.cli.output import output_options
from assay.study.decisions import decisions

__all__ = ["command"]


@click.command("decisions", cls=Command, verb=decisions)
@scored_campaign_options
@score_file_options("Metric scores computed elsewhere.")
@verb_options(decisions)
@output_options()
@runtime_options
def command(**values: Any) -> None:
    """DATA are folders of test sets or their names in the data folder, with human scores of segments: judgements of
    single raters are not scored here.

    \b
    Examples:
      assay decisions wmt22 --lp zh-en --gold mqm
      assay decisions wmt21.news wmt22 -m bleu,chrf,ter --preset mathur2020
      assay decisions wmt21.news wmt22 --gold wmt-z --exclude 'Online-*'
    """
    evaluate_campaigns(decisions, **values)
