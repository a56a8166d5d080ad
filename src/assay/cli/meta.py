"""`assay meta`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import click

from assay.cli.help import Command
from assay.cli.inputs import read_scored_campaigns, scored_campaign_options
from assay.cli.options import (
    RESAMPLING,
    ScoreFiles,
    compared_metrics_options,
    confidence_option,
    domain_options,
    explicit_options,
    file_option,
    gold_option,
    level_option,
    method_option,
    option,
    rating_options,
    references_option,
    resamples_option,
    runtime_options,
    score_file_options,
    seed_option,
    specs_option,
    system_options,
    test_option,
)
from assay.cli.output import Output, output_options
from assay.console import terminal_runtime
from assay.errors import ConfigError

if TYPE_CHECKING:
    from assay.results import Result

__all__ = ["command"]

_STATISTICS, _HUMAN, _TESTS, _TASK = "Statistics", "Human scores", "Tests between metrics", "Metrics task"


@click.command("meta", cls=Command)
@scored_campaign_options
@gold_option
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
    help="Number of random metrics to average as a baseline.  [default: 200; for spa and for segments 10]",
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
@option(
    "--preset",
    group=_HUMAN,
    metavar="NAME",
    help="Score and test systems as a campaign did: wmt24 (ESA, by domain); or the numbers of mt-metrics-eval: mtme "
    "(exact ties, its tests with --sig; also with --task).  [default: none]",
)
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
@compared_metrics_options
@score_file_options("Metric scores computed elsewhere.")
@references_option
@option(
    "--ci",
    group=RESAMPLING,
    metavar="SPEC",
    help="Confidence intervals: fisher, systems, segments, documents, both (systems and segments), judgements (of "
    "rankings; judgements:unit=segment, ranking or pair) or none.  [default: fisher for pearson and spearman over "
    "systems, judgements for rankings of systems, systems for other statistics of systems; for segments documents "
    "where they are known, else segments]",
)
@option(
    "--sig",
    group=_TESTS,
    is_flag=False,
    flag_value="default",
    metavar="[SPEC]",
    help="Test whether metrics differ: default, williams, perm-segments, perm-systems, perm-cells, perm-both or "
    "pair-outcomes, with options such as default:resamples=10000.  [without SPEC: default, which is williams for "
    "Pearson's r of systems, perm-systems for their other statistics and perm-segments for segments]",
)
@option("--alpha", group=_TESTS, type=float, default=0.05, show_default=True, help="Significance level of --sig.")
@option(
    "--correction",
    group=_TESTS,
    default="none",
    show_default=True,
    metavar="NAME",
    help="Correction for the pairs of metrics: bonferroni, holm, benjamini-hochberg or benjamini-yekutieli.",
)
@option("--p-values", group="Output", is_flag=True, help="Also show the p-value of each pair of metrics.")
@resamples_option(
    None, "Number of resamples for the intervals; 0 for no intervals.  [default: 300; for judgements 1000]"
)
@seed_option
@confidence_option
@file_option(
    "--task",
    group=_TASK,
    metavar="NAME|FILE",
    help="Rank metrics over the components of a task: wmt13, wmt22, wmt23, wmt24, wmt25 or a TOML file.",
)
@option("--partial", group=_TASK, is_flag=True, help="Leave out components of the task that DATA does not have.")
@output_options()
@runtime_options
def command(
    inputs: dict[str, Any],
    scores: ScoreFiles,
    p_values: bool,
    output: Output,
    runtime_settings: dict[str, Any],
    task: str | None,
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
      assay meta wmt22 --lp zh-en --gold mqm --level segment -s acc-star --sig
      assay meta wmt22 --lp zh-en --gold mqm --by-domain
      assay meta wmt22 --lp zh-en --gold mqm -s pairwise-accuracy --significant 0.05
      assay meta wmt13 --gold rr-pairs -s spearman -m bleu-mteval
      assay meta wmt22 --lp zh-en --gold mqm -m 'COMET*,BLEU*'
      assay meta wmt22 --lp zh-en --gold mqm -m bleu,chrf --agg corpus,segment,bootstrap --size 1000
      assay meta wmt22 --lp zh-en --gold mqm -m chrf++ --scores mine-refA=scores.seg.score
      assay meta wmt22 --lp zh-en --gold mqm --scores distance=mine.seg.score --lower-is-better distance
      assay meta wmt24 --task wmt24 -o table.tex
      assay meta wmt22 --task wmt22 --partial
      assay meta wmt23 --task wmt23 --preset mtme --sig
    """
    from assay.study.meta import meta
    from assay.study.metrics_task import metrics_task

    given = explicit_options(options)
    if p_values and "sig" not in given:
        raise ConfigError("--p-values has no effect without --sig")
    _check_task(given, meta if task is None else metrics_task, task)
    with terminal_runtime(**runtime_settings) as runtime:
        campaigns, external = read_scored_campaigns(inputs, scores, runtime)
        if task is None:
            evaluation: Result = meta(campaigns, external=external, runtime=runtime, **given)
        else:
            evaluation = metrics_task(campaigns, task, external=external, runtime=runtime, **given)
    output.write(evaluation, notes=external.notes, p_values=p_values)


def _check_task(given: Iterable[str], verb: Callable[..., Result], task: str | None) -> None:
    """Refuse options that only a task has, and those that a task decides itself."""
    for name in given:
        if name not in inspect.signature(verb).parameters:
            flag = f"--{name.replace('_', '-')}"
            if task is None:
                raise ConfigError(f"{flag} has no effect without --task")
            raise ConfigError(f"{flag} has no effect with --task", hint=f"the task '{task}' decides what is compared")
