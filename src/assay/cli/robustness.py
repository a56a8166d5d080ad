"""`assay robustness`."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.cli.brought import lower_option, read_brought
from assay.cli.inputs import FILE, find_campaign, metric_option
from assay.cli.output import output_options, select_renderer, write_document
from assay.console import say, shown_progress
from assay.errors import ConfigError

if TYPE_CHECKING:
    from assay.reports.document import Document
    from assay.results import Casts, Curves
    from assay.study.parts import Subsampling, Top, Windows, WithoutOne

__all__ = ["command"]

_KINDS = ("top", "windows", "without-one", "subsamples")


@click.command("robustness")
@click.argument("data", type=FILE, metavar="DATA")
@click.option("--lp", metavar="SRC-TGT", help="Language pair.  [the only one that DATA has]")
@click.option("--gold", metavar="NAME", help="Which human scores; needed where there are several kinds.")
@click.option("--stat", "statistic", default="pearson", show_default=True, metavar="SPEC", help="The statistic.")
@click.option("--kind", type=click.Choice(_KINDS), default="top", show_default=True, help="Over which systems.")
@click.option("--least", type=int, help="top: down to so many systems.  [4]")
@click.option("--size", type=int, help="Systems of windows [4], of subsamples [half].")
@click.option("--outlier", "outliers", multiple=True, metavar="NAME", help="subsamples: with and without it.  [found]")
@click.option("--draws", type=int, help="subsamples: how many.  [1000]")
@click.option("--seed", type=int, help="subsamples: seed of the draws.  [12345]")
@click.option("--cutoff", default=2.5, show_default=True, help="Of outliers, in scaled median deviations.")
@click.option("--metrics", "names", multiple=True, metavar="GLOB", help="Only stored metrics like this.")
@click.option(
    "--ref", "references", multiple=True, metavar="NAME", help="Only metrics with the first of these; or none."
)
@metric_option("Also compute this metric from the texts; repeat for several.")
@click.option("--scores", "files", multiple=True, type=FILE, metavar="[NAME=]FILE", help="Also these metric scores.")
@lower_option
@click.option("--systems", multiple=True, metavar="GLOB", help="Only systems like this.")
@click.option("--exclude", multiple=True, metavar="GLOB", help="No systems like this.")
@click.option("--keep-references", is_flag=True, help="Keep references that were judged as systems.")
@output_options
def command(
    data: str,
    lp: str | None,
    kind: str,
    least: int | None,
    size: int | None,
    outliers: tuple[str, ...],
    draws: int | None,
    seed: int | None,
    statistic: str,
    systems: tuple[str, ...],
    metrics: tuple[str, ...],
    files: tuple[str, ...],
    lower: tuple[str, ...],
    output_form: str | None,
    target: Path | None,
    **options: object,
) -> None:
    """Show which systems an agreement with people rests on.

    The value of each metric over the best N systems (top), over neighbours in the human ranking (windows), without
    each system in turn (without-one), over random systems without and with outliers (subsamples).

    DATA is a test set's folder or its name in the data folder.

    \b
    assay robustness wmt19 --lp en-de --metrics '*BLEU*'
    assay robustness wmt19 --lp en-de --kind windows --size 8
    assay robustness wmt19 --lp en-de --kind subsamples --size 10
    """
    from assay.agreement import statistic as statistic_registry
    from assay.metrics import metric
    from assay.study.robustness import evaluate_robustness

    parts = _parts(kind, least=least, size=size, outliers=outliers or None, draws=draws, seed=seed)
    statistic_registry.create(statistic)  # a slip is told before the files are read
    for spec in metrics:
        metric.create(spec)
    renderer = select_renderer(output_form, target)
    campaign = find_campaign(data, lp)
    brought = read_brought(files, [campaign], lower)
    with shown_progress() as progress:
        found = evaluate_robustness(
            campaign,
            parts,
            statistic=statistic,
            systems=systems or ("*",),
            metrics=metrics,
            brought=brought.get(campaign.lp, ()),
            progress=progress,
            **options,  # type: ignore[arg-type]
        )
    for note in found.notes:
        say("note", note)
    write_document(_document(found), renderer, target)


def _parts(kind: str, **given: object) -> Top | Windows | WithoutOne | Subsampling:
    """The parts with the options that were given. One that the kind has no use for would be ignored: it is refused."""
    from assay.study.parts import KINDS

    values = {name: value for name, value in given.items() if value is not None}
    known = {kind: [field.name for field in dataclasses.fields(cls)] for kind, cls in KINDS.items()}
    for name in values:
        if name not in known[kind]:
            users = " or ".join(other for other, names in known.items() if name in names)
            option = "outlier" if name == "outliers" else name
            raise ConfigError(f"--{option} is of no use for {kind}", hint=f"it goes with --kind {users}")
    return KINDS[kind](**values)  # type: ignore[arg-type]


def _document(found: Curves | Casts) -> Document:
    from assay.reports.robustness import CastsDocument, CurvesDocument
    from assay.results import Casts

    return CastsDocument(found) if isinstance(found, Casts) else CurvesDocument(found)
