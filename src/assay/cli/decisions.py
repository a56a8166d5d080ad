"""`assay decisions`."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.help import Command
from assay.cli.inputs import read_scored_campaigns, scored_campaign_options
from assay.cli.options import (
    METRICS,
    ScoreFiles,
    explicit_options,
    list_option,
    metrics_option,
    option,
    pair_options,
    runtime_options,
    score_file_options,
    seed_option,
)
from assay.cli.output import Output, output_options
from assay.console import terminal_runtime

__all__ = ["command"]

_GROUP = "Decisions"


@click.command("decisions", cls=Command)
@scored_campaign_options
@metrics_option("Metrics to compute from the texts.  [default: bleu, chrf; none with stored or other scores]")
@list_option(
    "--agg", group=METRICS, metavar="NAME", help="Aggregations: corpus, segment, bootstrap.  [default: corpus]"
)
@list_option("--stored", group=METRICS, metavar="GLOB", help="Stored scores whose names match.")
@score_file_options("Metric scores computed elsewhere.")
@option("--preset", group=_GROUP, metavar="NAME", help="Test as a paper did: mathur2020.  [default: none]")
@option(
    "--test",
    group=_GROUP,
    metavar="SPEC",
    help="Test of the human scores, one-sided in each direction: paired-t, pooled-t, rank-sum or signed-rank.  "
    "[default: paired-t]",
)
@option(
    "--own-test",
    group=_GROUP,
    metavar="NAME",
    help="Test of the metric's own difference, two-sided: randomisation, bootstrap or mathur2020.  "
    "[default: randomisation]",
)
@option(
    "--min-segments",
    group=_GROUP,
    type=int,
    help="Judged segments that two systems need in common.  [default: 250; with --preset mathur2020 2]",
)
@list_option("--bins", group=_GROUP, metavar="X", help="Limits of bins of the difference.  [default: 3, 5, 10]")
@pair_options(_GROUP)
@seed_option
@output_options()
@runtime_options
def command(
    inputs: dict[str, Any],
    scores: ScoreFiles,
    output: Output,
    runtime_settings: dict[str, Any],
    **options: Any,
) -> None:
    """Count how often decisions by a metric go wrong.

    For all pairs of systems: accept the better-scored one if its difference is significant or large enough. Errors of
    type I: it is accepted, but people do not find it significantly better. Errors of type II: it is rejected, but
    people find the two significantly different (Mathur et al. 2020). DATA are folders of test sets or their names in
    the data folder.

    \b
    Examples:
      assay decisions wmt22 --lp zh-en --gold mqm
      assay decisions wmt21.news wmt22 -m bleu,chrf,ter --preset mathur2020
      assay decisions wmt21.news wmt22 --gold wmt-z --exclude 'Online-*'
    """
    from assay.study.decisions import decisions

    with terminal_runtime(**runtime_settings) as runtime:
        campaigns, external = read_scored_campaigns(inputs, scores, runtime)
        result = decisions(campaigns, external=external, runtime=runtime, **explicit_options(options))
    output.write(result, notes=external.notes)
