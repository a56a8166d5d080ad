"""`assay correlate`."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.help import Command
from assay.cli.inputs import evaluate_campaigns, scored_campaign_options
from assay.cli.options import runtime_options, score_file_options, verb_options
from assay.cli.output import output_options
from assay.study.correlate import correlate

__all__ = ["command"]


@click.command("correlate", cls=Command, verb=correlate)
@scored_campaign_options
@score_file_options("Scores computed elsewhere.")
@verb_options(correlate)
@output_options()
@runtime_options
def command(**values: Any) -> None:
    """For the agreement with human scores, use assay meta. DATA are folders of test sets or their names in the data
    folder.

    \b
    Examples:
      assay correlate wmt22
      assay correlate wmt21.news wmt22 -m bleu,chrf --size 1000 --sample-sizes 1,10,100,1000
      assay correlate wmt22 --lp zh-en -m chrf,'COMET*' --agg corpus,segment
      assay correlate wmt20 --lp zh-en -m 'COMET*,BLEU*'
    """
    evaluate_campaigns(correlate, **values)
