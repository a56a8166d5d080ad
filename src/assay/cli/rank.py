"""`assay rank`."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.help import Command
from assay.cli.options import (
    confidence_option,
    data_argument,
    explicit_options,
    file_option,
    gold_option,
    input_format_option,
    lp_option,
    option,
    resamples_option,
    seed_option,
    system_options,
    threads_option,
)
from assay.cli.output import Output, output_options
from assay.console import terminal_runtime

__all__ = ["command"]

_GROUP = "Ranking"


@click.command("rank", cls=Command)
@data_argument
@lp_option
@gold_option
@input_format_option
@system_options
@option(
    "--method",
    group=_GROUP,
    metavar="SPEC",
    help="How to score systems: mean, expected-wins, wins:ties=share or trueskill.  "
    "[default: mean; for rankings expected-wins]",
)
@option(
    "--test",
    group=_GROUP,
    metavar="SPEC",
    help="Significance test: rank-sum, signed-rank, paired-t, pooled-t or randomisation.  "
    "[default: rank-sum; for MQM and ESA randomisation]",
)
@option("--alpha", group=_GROUP, type=float, default=0.05, show_default=True, help="Significance level.")
@option(
    "--correction",
    group=_GROUP,
    default="none",
    show_default=True,
    metavar="NAME",
    help="Correction for multiple tests: bonferroni, holm, benjamini-hochberg or benjamini-yekutieli.",
)
@option(
    "--standardise",
    group=_GROUP,
    default="none",
    show_default=True,
    metavar="NAME",
    help="Convert the scores of each rater to z-scores: none, sample or population (standard deviation).",
)
@file_option("--weights", group=_GROUP, help="TOML file with the weights of MQM errors.  [default: Google's]")
@option(
    "--threshold",
    group=_GROUP,
    type=float,
    default=25.0,
    show_default=True,
    help="Smallest score difference that counts as a preference.",
)
@option("--agreement", group=_GROUP, is_flag=True, help="Also show how well the raters agree.")
@resamples_option(1000, "Number of resamples of the judgements.")
@seed_option
@confidence_option
@option("--p-values", group="Output", is_flag=True, help="Also show the p-value of each pair of systems.")
@output_options()
@threads_option
def command(
    data: str,
    lp: str | None,
    input_format: str | None,
    weights: str | None,
    p_values: bool,
    output: Output,
    threads: int | None,
    **options: Any,
) -> None:
    """Rank systems by human judgements.

    Systems that do not differ significantly share a cluster. DATA is the folder of a test set, its name in the data
    folder, or a file of ratings or rankings.

    \b
    Examples:
      assay rank wmt22 --lp zh-en --gold mqm
      assay rank wmt16 --lp de-en --method trueskill
      assay rank ratings.csv --standardise sample
    """
    from assay.study.load_campaign import load_campaign
    from assay.study.rank import rank

    chosen_options = explicit_options(options)
    if weights is not None:
        from assay.human.mqm import read_weights

        chosen_options["weights"] = read_weights(weights)
    with terminal_runtime(threads) as runtime:
        campaign = load_campaign(data, lp, input_format=input_format)
        ranking = rank(campaign, runtime=runtime, **chosen_options)
    output.write(ranking, p_values=p_values)
