"""`assay prefer`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from assay.cli.help import Command
from assay.cli.inputs import input_options, other_data_option, read_inputs, read_other_data
from assay.cli.options import (
    ScoreFiles,
    explicit_options,
    list_option,
    runtime_options,
    score_file_options,
    verb_options,
)
from assay.cli.output import Output, output_options
from assay.console import terminal_runtime
from assay.options.option import CALIBRATION
from assay.study.prefer import prefer

if TYPE_CHECKING:
    from assay.types import Campaign, ScoreTable

__all__ = ["command"]


@click.command("prefer", cls=Command, verb=prefer)
@input_options
@score_file_options(
    "Segment scores of both outputs, computed elsewhere. The judged test sets must have scores of this name."
)
@verb_options(prefer)
@other_data_option(
    "--learn-from",
    group=CALIBRATION,
    help_text="Test sets with human judgements of segments, which the probabilities are fitted to.  [default: a fit to "
    "WMT judgements that comes with Assay]",
)
@list_option(
    "--learn-lp",
    group=CALIBRATION,
    metavar="SRC-TGT",
    help="Language pairs of these test sets; patterns such as '*-en' may match several.  [default: all]",
)
@output_options()
@runtime_options
def command(
    inputs: dict[str, Any],
    metrics: tuple[str, ...],
    scores: ScoreFiles,
    learn_from: tuple[str, ...],
    learn_lp: tuple[str, ...],
    output: Output,
    runtime_settings: dict[str, Any],
    **options: Any,
) -> None:
    """The outputs of two systems are compared segment by segment.

    \b
    Examples:
      assay prefer --ref ref.de base.de new.de
      assay prefer --ref ref.de base.de new.de --lp en-de -o preferred.tsv
      assay prefer --ref ref.de base.de new.de -m chrf,./my-metric.json --learn-from wmt24,wmt25
      assay prefer --data wmt25 --lp en-is_IS --systems A,B -m GEMBA-ESA-GPT4.1 --learn-from wmt25
    """
    if learn_lp and not learn_from:
        raise click.UsageError("--learn-lp needs --learn-from")
    testset, campaign = read_inputs(**inputs, metrics=() if inputs["data"] else metrics)
    external = scores.load(testset, campaign=campaign) if any(scores) else None
    stored = {} if campaign is None else _stored(campaign)
    chosen = [*(stored.get(name, name) for name in metrics), *(external.tables if external else ())]
    with terminal_runtime(**runtime_settings) as runtime:
        judged = read_other_data(learn_from, runtime, lps=learn_lp)
        given = explicit_options(options) | ({"metrics": chosen} if chosen else {})
        result = prefer(testset, judged, runtime=runtime, **given)
    output.write(result, notes=external.notes if external else ())


def _stored(campaign: Campaign) -> dict[str, ScoreTable]:
    """The scores of segments in the data by the name of the metric: without a reference, or with the first one."""
    tables = [each for each in campaign.metrics if each.level == "segment"]
    ordered = sorted(tables, key=lambda each: [campaign.references.index(name) for name in each.references])
    return {each.name: replace(each, items=()) for each in reversed(ordered)}
