"""`assay correlate`."""

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
    references_option,
    resamples_option,
    runtime_options,
    score_file_options,
    seed_option,
    spec_option,
    system_options,
)
from assay.cli.output import Output, output_options
from assay.console import terminal_runtime

__all__ = ["command"]

_SAMPLES = "Samples of segments"


@click.command("correlate", cls=Command)
@scored_campaign_options
@spec_option(
    "statistic",
    "-s",
    "--statistic",
    group="Statistics",
    default="pearson",
    show_default=True,
    help="The correlation to compute.",
)
@metrics_option(
    "Metrics to compute from the texts; other names, and patterns like 'COMET*', add stored scores.  "
    "[default: bleu, chrf]",
    takes_names=True,
)
@list_option(
    "--agg",
    group=METRICS,
    metavar="NAME",
    help="How to aggregate computed metrics: corpus, segment (m-...), bootstrap (x-...).  [default: all three]",
)
@option(
    "--size",
    group=METRICS,
    type=int,
    help="Number of segments in a resample of the bootstrap aggregation.  [default: all]",
)
@references_option
@system_options
@list_option(
    "--sample-sizes",
    group=_SAMPLES,
    metavar="N",
    help="Also compare scores on random samples of N segments of each language pair, e.g. 1,10,100.",
)
@option("--samples", group=_SAMPLES, type=int, default=100, show_default=True, help="Number of samples of each size.")
@option("--without-replacement", group=_SAMPLES, is_flag=True, help="Draw no segment twice for the same sample.")
@option(
    "--small-sets",
    group=_SAMPLES,
    default="leave-out",
    show_default=True,
    metavar="NAME",
    help="What to do with a language pair that has fewer than N segments: leave-out, whole (use all its segments each "
    "time), or draw (N segments of it, some of them repeatedly).",
)
@score_file_options("Scores computed elsewhere.")
@resamples_option(1000, "Number of resamples of language pairs, for the intervals; 0 for no intervals.")
@seed_option
@confidence_option
@output_options()
@runtime_options
def command(
    inputs: dict[str, Any],
    scores: ScoreFiles,
    output: Output,
    runtime_settings: dict[str, Any],
    **options: Any,
) -> None:
    """Show how scores correlate with each other.

    Compares metrics, their aggregations and stored scores over the systems of one or more test sets: within each
    language pair, over all of them together (pooled, which also measures how language pairs differ), and on random
    samples of the segments (Cavalin et al. 2024). For the agreement with human scores, use assay meta. DATA are folders
    of test sets or their names in the data folder.

    \b
    Examples:
      assay correlate wmt22
      assay correlate wmt21.news wmt22 -m bleu,chrf --size 1000 --sample-sizes 1,10,100,1000
      assay correlate wmt22 --lp zh-en -m chrf,'COMET*' --agg corpus,segment
      assay correlate wmt20 --lp zh-en -m 'COMET*,BLEU*'
    """
    from assay.study.correlate import correlate

    with terminal_runtime(**runtime_settings) as runtime:
        campaigns, external = read_scored_campaigns(inputs, scores, runtime)
        result = correlate(campaigns, external=external, runtime=runtime, **explicit_options(options))
    output.write(result, notes=external.notes)
