"""`assay meta`."""

from __future__ import annotations

from pathlib import Path

import click
from click.core import ParameterSource

from assay.cli.brought import lower_option, read_brought
from assay.cli.inputs import FILE, find_campaigns, metric_option
from assay.cli.output import output_options, select_renderer, write_document
from assay.console import say, shown_progress
from assay.errors import ConfigError

__all__ = ["command"]

_LEVELS = {"sys": "system", "seg": "segment"}


@click.command("meta")
@click.argument("data", type=FILE, metavar="DATA")
@click.option("--lp", "lps", multiple=True, metavar="SRC-TGT", help="Language pairs.  [all that DATA has]")
@click.option("--gold", metavar="NAME", help="Which human scores; needed where there are several kinds.")
@click.option("--level", type=click.Choice(tuple(_LEVELS)), default="sys", show_default=True, help="What is compared.")
@click.option(
    "--stat",
    "statistics",
    multiple=True,
    metavar="SPEC",
    help="Statistics; the first puts the metrics in order.  [pearson; seg: kendall; rankings: kendall-wmt13]",
)
@click.option("--grouping", metavar="HOW", help="Of segment scores: none, item, system.  [item; rankings: ranking]")
@click.option("--average", metavar="HOW", help="Of groups: macro or micro.  [macro; rankings: micro]")
@click.option("--over-pairs", default="mean", show_default=True, metavar="HOW", help="Of pairs: mean or pooled.")
@click.option(
    "--outliers",
    type=click.Choice(("keep", "drop", "both")),
    default="both",
    show_default=True,
    help="Systems far from the median of the human scores.",
)
@click.option("--cutoff", default=2.5, show_default=True, help="How far, in scaled median deviations.")
@click.option("--as", "seen_as", default="scores", show_default=True, metavar="WHAT", help="clusters, fuzzy-ranks.")
@click.option("--significant", type=float, metavar="P", help="Only pairs of systems that people tell apart at P.")
@click.option("--test", metavar="SPEC", help="For clusters and significant pairs.  [as `assay people`]")
@click.option("--method", metavar="SPEC", help="Of rankings to scores.  [expected-wins]")
@click.option(
    "--ref", "references", multiple=True, metavar="NAME", help="Only metrics with the first of these; or none."
)
@click.option("--systems", multiple=True, metavar="GLOB", help="Only systems like this.")
@click.option("--exclude", multiple=True, metavar="GLOB", help="No systems like this.")
@click.option("--keep-references", is_flag=True, help="Keep references that were judged as systems.")
@metric_option("Also compute this metric from the texts; repeat for several.")
@click.option("--scores", "files", multiple=True, type=FILE, metavar="[NAME=]FILE", help="Also these metric scores.")
@lower_option
@click.option("--chance", type=int, metavar="N", help="Random metrics to hold the others against.  [200; seg: 10]")
@click.option("--draws", default=0, show_default=True, help="Resamples for intervals; 0: none.")
@click.option("--seed", default=12345, show_default=True, help="Seed of the resamples.")
@click.option("--confidence", default=0.95, show_default=True, help="Level of the intervals.")
@output_options
def command(
    data: str,
    lps: tuple[str, ...],
    level: str,
    statistics: tuple[str, ...],
    systems: tuple[str, ...],
    metrics: tuple[str, ...],
    files: tuple[str, ...],
    lower: tuple[str, ...],
    output_form: str | None,
    target: Path | None,
    **options: object,
) -> None:
    """Compare metrics with human scores.

    The headline table of a metrics task: metrics by language pairs, best average first.

    DATA is a test set's folder or its name in the data folder.

    Statistics: pearson, spearman, kendall, kendall-wmt12, kendall-wmt13, kendall-wmt14, kendall-like, acc23, tau23,
    acc-star, tau-star, pdp (pairwise-difference-pearson); at the system level also pairwise-accuracy, spa
    (soft-pairwise-accuracy).

    \b
    assay meta wmt19
    assay meta wmt22 --lp zh-en --gold mqm --level seg --stat acc-star
    assay meta wmt22 --lp zh-en --gold mqm --stat pairwise-accuracy --significant 0.05
    assay meta wmt13 --gold rr-pairs --stat spearman -m bleu-mteval
    assay meta wmt22 --lp zh-en --gold mqm -m chrf++ --scores mine-refA=scores.seg.score
    assay meta wmt22 --lp zh-en --gold mqm --scores distance=mine.seg.score --lower distance
    """
    from assay.agreement import statistic
    from assay.metrics import metric
    from assay.reports.meta import MetaDocument
    from assay.study.meta import evaluate_metrics

    _refuse_unused(click.get_current_context())
    for spec in statistics:
        statistic.create(spec)  # a slip is told before the files are read
    for spec in metrics:
        metric.create(spec)
    renderer = select_renderer(output_form, target)
    with shown_progress() as progress:
        campaigns = find_campaigns(data, lps, progress=progress)
    brought = read_brought(files, campaigns, lower)  # which says things, as progress must not do meanwhile
    with shown_progress() as progress:
        evaluation = evaluate_metrics(
            campaigns,
            level=_LEVELS[level],
            statistics=statistics,
            systems=systems or ("*",),
            metrics=metrics,
            brought=brought,
            progress=progress,
            **options,  # type: ignore[arg-type]
        )
    for note in evaluation.notes:
        say("note", note)
    write_document(MetaDocument(evaluation), renderer, target)


def _refuse_unused(context: click.Context) -> None:
    """An option that nothing would come of is most likely a misunderstanding."""
    given = context.params
    is_tested = given["seen_as"] != "scores" or given["significant"] is not None
    for option, is_used, needed in (
        ("seed", bool(given["draws"]) or is_tested, "--draws"),
        ("confidence", bool(given["draws"]), "--draws"),
        ("average", given["level"] == "seg", "--level seg"),
    ):
        if context.get_parameter_source(option) is ParameterSource.COMMANDLINE and not is_used:
            raise ConfigError(f"--{option} is of no use without {needed}")
