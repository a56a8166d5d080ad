"""`assay calibrate`."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.help import Command
from assay.cli.inputs import read_scored_campaigns, scored_campaign_options
from assay.cli.options import (
    METRICS,
    ScoreFiles,
    confidence_option,
    explicit_options,
    list_option,
    metrics_option,
    option,
    pair_options,
    resamples_option,
    runtime_options,
    score_file_options,
    seed_option,
)
from assay.cli.output import Output, output_options
from assay.console import terminal_runtime

__all__ = ["command"]

_GROUP = "Calibration"


@click.command("calibrate", cls=Command)
@scored_campaign_options
@metrics_option("Metrics to compute from the texts.  [default: bleu, chrf; none with stored or other scores]")
@list_option(
    "--agg", group=METRICS, metavar="NAME", help="Aggregations: corpus, segment, bootstrap.  [default: corpus, segment]"
)
@list_option("--stored", group=METRICS, metavar="GLOB", help="Stored scores whose names match.")
@score_file_options("Metric scores computed elsewhere.")
@option(
    "--orientation",
    group=_GROUP,
    default="by-metric",
    show_default=True,
    metavar="NAME",
    help="by-metric: do people prefer the system that the metric prefers; absolute: do they prefer either; by-human: "
    "the difference in the direction that people prefer.",
)
@option(
    "--test",
    group=_GROUP,
    default="paired-t",
    show_default=True,
    metavar="SPEC",
    help="Test of the human scores: paired-t, pooled-t, rank-sum or signed-rank.",
)
@option(
    "--min-segments",
    group=_GROUP,
    type=int,
    default=250,
    show_default=True,
    help="Judged segments that two systems need in common.",
)
@list_option("--at", group=_GROUP, metavar="X", help="Also show the probability at these differences, e.g. 2,5,10.")
@option("--by-domain", group=_GROUP, is_flag=True, help="Also fit a curve for each domain.")
@option(
    "--own-test",
    group=_GROUP,
    metavar="NAME",
    help="Also fit the probability that the metric's own test is significant: randomisation, bootstrap or mathur2020.",
)
@list_option(
    "--check",
    group=_GROUP,
    metavar="DATA",
    help="Test sets that the curves are not fitted to: answers say what people preferred there.",
)
@pair_options(_GROUP)
@resamples_option(200, "Number of resamples of the language pairs, for the intervals; 0 for exact intervals alone.")
@seed_option
@confidence_option
@output_options()
@runtime_options
def command(
    inputs: dict[str, Any],
    scores: ScoreFiles,
    check: tuple[str, ...],
    output: Output,
    runtime_settings: dict[str, Any],
    **options: Any,
) -> None:
    """Turn metric differences into the probability that people notice.

    Fits a non-decreasing curve for each metric, aggregation, group of target languages and protocol (Lo et al. 2023),
    and shows from which difference on people significantly prefer the better-scored system in 50, 80 and 95 % of the
    pairs of systems. Save the curves with -o curve.json; assay explain reads them. DATA are folders of test sets or
    their names in the data folder.

    \b
    Examples:
      assay calibrate wmt21.news wmt22 -m bleu,chrf,ter --check wmt24 -o curve.json
      assay calibrate wmt20 --lp en-iu --stored BLEU,COMET --orientation absolute
      assay explain bleu 1.2 --lp en-de --calibration curve.json
    """
    from assay.study.calibrate import calibrate
    from assay.study.load_campaign import load_campaigns

    with terminal_runtime(**runtime_settings) as runtime:
        campaigns, external = read_scored_campaigns(inputs, scores, runtime)
        others = load_campaigns(*check, runtime=runtime) if check else ()
        calibration = calibrate(
            campaigns, external=external, check=others, runtime=runtime, **explicit_options(options)
        )
    output.write(calibration, notes=external.notes)
