"""`assay triage`."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.help import Command
from assay.cli.inputs import read_scored_campaigns, scored_campaign_options
from assay.cli.options import (
    ScoreFiles,
    explicit_options,
    file_option,
    runtime_options,
    score_file_options,
    verb_options,
)
from assay.cli.output import Output, output_options
from assay.console import terminal_runtime
from assay.options.option import METRICS
from assay.study.triage import read_new_scores, triage

__all__ = ["command"]


@click.command("triage", cls=Command, verb=triage)
@scored_campaign_options
@file_option("--new", group=METRICS, help="Scores of the new segments, by the same metric.")
@score_file_options("Scores of the judged segments, computed elsewhere.")
@verb_options(triage)
@output_options()
@runtime_options
def command(
    inputs: dict[str, Any],
    new: str | None,
    scores: ScoreFiles,
    output: Output,
    runtime_settings: dict[str, Any],
    **options: Any,
) -> None:
    """DATA are folders of test sets or their names in the data folder, in which people marked errors (MQM, ESA).

    \b
    Examples:
      assay triage wmt25 --lp en-cs_CZ -m GEMBA-ESA-GPT4.1 --error-rate 0.5
      assay triage wmt25 --lp en-cs_CZ -m GEMBA-ESA-GPT4.1 --error-rate 0.4 --severity major --min-score 0 \\
        --new new.txt -o decisions.tsv
    """
    given = explicit_options(options)
    with terminal_runtime(**runtime_settings) as runtime:
        campaigns, external = read_scored_campaigns(inputs, scores, runtime)
        table = None if new is None else read_new_scores(new, given.get("metrics", ()))
        result = triage(campaigns, table, external=external, runtime=runtime, **given)
    output.write(result, notes=external.notes)
