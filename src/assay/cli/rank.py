"""`assay rank`."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.help import Command
from assay.cli.inputs import campaign_options, read_campaigns
from assay.cli.options import (
    confidence_option,
    domain_options,
    explicit_options,
    gold_option,
    method_option,
    option,
    preset_option,
    rating_options,
    resamples_option,
    seed_option,
    system_options,
    test_option,
    threads_option,
)
from assay.cli.output import Output, output_options
from assay.console import terminal_runtime

__all__ = ["command"]

_GROUP = "Ranking"


@click.command("rank", cls=Command)
@campaign_options
@gold_option
@system_options
@preset_option(_GROUP)
@method_option(_GROUP)
@test_option(_GROUP)
@option(
    "--alternative",
    group=_GROUP,
    metavar="NAME",
    help="What p is evidence for: better (the row than the column) or two-sided (a difference).  "
    "[default: better; with a preset two-sided]",
)
@option("--alpha", group=_GROUP, type=float, help="Significance level.  [default: 0.05]")
@option(
    "--correction",
    group=_GROUP,
    metavar="NAME",
    help="Correction for multiple tests: bonferroni, holm, benjamini-hochberg or benjamini-yekutieli.  [default: none]",
)
@rating_options(_GROUP)
@option(
    "--threshold",
    group=_GROUP,
    type=float,
    help="Smallest score difference that counts as a preference.  [default: 25; only for DA from 0 to 100]",
)
@domain_options(_GROUP)
@option("--reliability", group=_GROUP, is_flag=True, help="Also show how well the raters agree.")
@resamples_option(1000, "Number of resamples of the judgements, and of a test that draws.")
@seed_option
@confidence_option
@option("--p-values", group="Output", is_flag=True, help="Also show the p-value of each pair of systems.")
@output_options()
@threads_option
def command(
    inputs: dict[str, Any],
    p_values: bool,
    output: Output,
    threads: int | None,
    **options: Any,
) -> None:
    """Rank systems by human judgements.

    Systems that do not differ significantly share a cluster. DATA is the folder of a test set, its name in the data
    folder, or a file of ratings or rankings; several files (raters, waves, texts) are read together. Several language
    pairs are ranked one by one.

    \b
    Examples:
      assay rank wmt22 --lp zh-en --gold mqm
      assay rank wmt16 --method trueskill
      assay rank ratings.csv --standardise sample
      assay rank wave1.csv wave2.csv
    """
    from assay.study.rank import rank

    with terminal_runtime(threads) as runtime:
        campaigns = read_campaigns(inputs, runtime)
        rankings = rank(campaigns, runtime=runtime, **explicit_options(options))
    output.write(rankings, p_values=p_values)
