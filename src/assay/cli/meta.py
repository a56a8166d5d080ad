"""`assay meta`."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.help import Command
from assay.cli.options import (
    confidence_option,
    data_arguments,
    domain_options,
    explicit_options,
    gold_option,
    input_format_option,
    level_option,
    lps_option,
    method_option,
    metrics_option,
    option,
    preset_option,
    rating_options,
    references_option,
    resamples_option,
    score_file_options,
    seed_option,
    specs_option,
    split_name,
    strict_option,
    system_options,
    test_option,
    threads_option,
)
from assay.cli.output import Output, output_options
from assay.console import terminal_runtime

__all__ = ["command"]

_STATISTICS, _HUMAN = "Statistics", "Human scores"


@click.command("meta", cls=Command)
@data_arguments
@lps_option
@gold_option
@input_format_option
@strict_option
@level_option
@specs_option(
    "statistic",
    "-s",
    "--statistics",
    group=_STATISTICS,
    help="Statistics; the first one ranks the metrics.  [default: pearson; for segments kendall; for rankings "
    "kendall-wmt13]",
)
@option(
    "--grouping",
    group=_STATISTICS,
    metavar="NAME",
    help="How to group segment scores: none, item or system.  [default: item; for rankings ranking]",
)
@option(
    "--average",
    group=_STATISTICS,
    metavar="NAME",
    help="Average over groups: macro or micro.  [default: macro; for rankings micro]",
)
@option(
    "--over-pairs",
    group=_STATISTICS,
    default="mean",
    show_default=True,
    metavar="NAME",
    help="Average over language pairs: mean or pooled.",
)
@option(
    "--random-metrics",
    group=_STATISTICS,
    type=int,
    metavar="N",
    help="Number of random metrics to average as a baseline.  [default: 200; for segments 10]",
)
@option(
    "--outliers",
    group=_HUMAN,
    type=click.Choice(("keep", "drop", "both")),
    default="both",
    show_default=True,
    help="Keep or drop systems far from the median human score.",
)
@option(
    "--cutoff",
    group=_HUMAN,
    type=float,
    default=2.5,
    show_default=True,
    help="Distance of outliers from the median, in scaled median absolute deviations.",
)
@option(
    "--view",
    group=_HUMAN,
    default="scores",
    show_default=True,
    metavar="NAME",
    help="What to compare metrics with: scores, clusters or fuzzy-ranks.",
)
@preset_option(_HUMAN)
@rating_options(_HUMAN)
@domain_options(_HUMAN)
@option(
    "--significant",
    group=_HUMAN,
    type=float,
    metavar="P",
    help="Use only pairs of systems whose human scores differ significantly at this level.",
)
@test_option(_HUMAN)
@method_option(_HUMAN)
@system_options
@metrics_option("Also compute these metrics from the texts.")
@score_file_options("Metric scores computed elsewhere.")
@references_option
@resamples_option(0, "Number of resamples for the intervals; 0 for no intervals.")
@seed_option
@confidence_option
@output_options()
@threads_option
def command(
    data: tuple[str, ...],
    lps: tuple[str, ...],
    input_format: str | None,
    strict: bool,
    scores: tuple[str, ...],
    lower_is_better: tuple[str, ...],
    output: Output,
    threads: int | None,
    **options: Any,
) -> None:
    """Compare metrics with human scores.

    The main table of a metrics task: one row per metric, one column per language pair, best average first. DATA is the
    folder of a test set or its name in the data folder.

    Statistics: pearson, spearman, kendall, kendall-wmt12, kendall-wmt13, kendall-wmt14, kendall-like, acc23, tau23,
    acc-star, tau-star, pdp (pairwise-difference-pearson); for systems also pairwise-accuracy and spa
    (soft-pairwise-accuracy).

    \b
    Examples:
      assay meta wmt19
      assay meta wmt22 --lp zh-en --gold mqm --level segment -s acc-star
      assay meta wmt22 --lp zh-en --gold mqm --by-domain
      assay meta wmt22 --lp zh-en --gold mqm -s pairwise-accuracy --significant 0.05
      assay meta wmt13 --gold rr-pairs -s spearman -m bleu-mteval
      assay meta wmt22 --lp zh-en --gold mqm -m chrf++ --scores mine-refA=scores.seg.score
      assay meta wmt22 --lp zh-en --gold mqm --scores distance=mine.seg.score --lower-is-better distance
    """
    from assay.study.load_campaign import load_campaigns
    from assay.study.load_scores import load_scores
    from assay.study.meta import meta

    with terminal_runtime(threads) as runtime:
        campaigns = load_campaigns(*data, lps=lps, input_format=input_format, strict=strict, runtime=runtime)
        external = load_scores(map(split_name, scores), campaigns, lower_is_better=lower_is_better)
        evaluation = meta(campaigns, external=external, runtime=runtime, **explicit_options(options))
    output.write(evaluation, notes=external.notes)
