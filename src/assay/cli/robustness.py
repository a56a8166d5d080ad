"""`assay robustness`."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.help import Command
from assay.cli.options import (
    ScoreFiles,
    annotations_option,
    compared_metrics_options,
    data_arguments,
    explicit_options,
    gold_option,
    input_format_option,
    list_option,
    lp_option,
    option,
    references_option,
    runtime_options,
    score_file_options,
    spec_option,
    strict_option,
    system_options,
)
from assay.cli.output import Output, output_options
from assay.console import terminal_runtime

__all__ = ["command"]

_GROUP = "Subsets of systems"
_KINDS = ("top", "windows", "without-one", "subsamples")


@click.command("robustness", cls=Command)
@data_arguments
@lp_option
@gold_option
@input_format_option
@strict_option
@annotations_option
@spec_option(
    "statistic",
    "-s",
    "--statistic",
    group="Statistics",
    default="pearson",
    show_default=True,
    help="The statistic to compute on each subset.",
)
@option(
    "--kind",
    group=_GROUP,
    type=click.Choice(_KINDS),
    default="top",
    show_default=True,
    help="The best N systems, windows of neighbours in the human ranking, all systems but one, or random subsamples.",
)
@option("--min-systems", group=_GROUP, type=int, metavar="N", help="top: size of the smallest subset.  [default: 4]")
@option(
    "--subset-size",
    group=_GROUP,
    type=int,
    metavar="N",
    help="windows, subsamples: number of systems.  [default: 4; for subsamples half of the systems]",
)
@list_option(
    "--outliers",
    group=_GROUP,
    metavar="NAME",
    help="subsamples: the outliers. Subsets are drawn without them, with each of them and with all of them.  "
    "[default: systems beyond the cutoff]",
)
@option("--resamples", group=_GROUP, type=int, metavar="N", help="subsamples: number of subsamples.  [default: 1000]")
@option("--seed", group=_GROUP, type=int, help="subsamples, --agg bootstrap: random seed.  [default: 12345]")
@option(
    "--cutoff",
    group=_GROUP,
    type=float,
    default=2.5,
    show_default=True,
    help="Distance of outliers from the median human score, in scaled median absolute deviations.",
)
@system_options
@references_option
@compared_metrics_options
@score_file_options("Metric scores computed elsewhere.")
@output_options()
@runtime_options
def command(
    data: tuple[str, ...],
    lp: str | None,
    input_format: str | None,
    strict: bool,
    annotations: str | None,
    scores: ScoreFiles,
    output: Output,
    runtime_settings: dict[str, Any],
    **options: Any,
) -> None:
    """Show how agreement with human scores depends on the systems.

    A correlation over all systems may come from a single system far from the others. This command computes the
    statistic over subsets of the systems. DATA is the folder of a test set or its name in the data folder.

    \b
    Examples:
      assay robustness wmt19 --lp en-de --metrics '*BLEU*'
      assay robustness wmt19 --lp en-de --kind windows --subset-size 8
      assay robustness wmt19 --lp en-de --kind subsamples --subset-size 10
    """
    from assay.study.load_campaign import load_campaign
    from assay.study.robustness import robustness

    with terminal_runtime(**runtime_settings) as runtime:
        campaign = load_campaign(*data, lp=lp, input_format=input_format, strict=strict, annotations=annotations)
        external = scores.load(campaign)
        result = robustness(campaign, external=external.tables, runtime=runtime, **explicit_options(options))
    output.write(result, notes=external.notes)
