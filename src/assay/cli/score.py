"""`assay score`."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import click

from assay.cli.brought import lower_option, read_scores, turned
from assay.cli.inputs import FILE, input_options, metric_option, read_inputs
from assay.cli.output import output_options, select_renderer, write_document
from assay.console import say, shown_progress

__all__ = ["command"]


@click.command("score")
@input_options
@metric_option("Repeat for several.  [bleu, chrf]")
@click.option(
    "--scores",
    "imported",
    multiple=True,
    type=FILE,
    metavar="[NAME=]FILE",
    help="Segment scores computed elsewhere, as one more metric; with --data also a metric's name there.",
)
@lower_option
@click.option("--agg", metavar="NAMES", help="Aggregations, of corpus,segment,bootstrap.  [default: all]")
@click.option("--by", default="", metavar="GROUPING", help="Also score by document, domain or length.")
@click.option("--resamples", default=1000, show_default=True, help="Bootstrap resamples; 0: no intervals.")
@click.option("--size", type=int, help="Segments in a resample of the bootstrap aggregation.  [default: all]")
@click.option("--seed", default=12345, show_default=True, help="Seed of the resamples.")
@click.option("--confidence", default=0.95, show_default=True, help="Level of the intervals.")
@click.option("--threads", type=int, help="Threads; never changes an answer.  [default: all cores]")
@click.option("--segments", is_flag=True, help="Also give the score of each segment.")
@output_options
@click.option(
    "--signature",
    type=click.Choice(("assay", "sacrebleu")),
    default="assay",
    show_default=True,
    help="The form of corpus signatures.",
)
@click.option("--save", type=click.Path(path_type=Path), metavar="DIR", help="Also keep the run in a folder.")
@click.option("--save-texts", is_flag=True, help="Keep the texts in it too.")
def command(
    metrics: tuple[str, ...],
    imported: tuple[str, ...],
    lower: tuple[str, ...],
    agg: str | None,
    by: str,
    resamples: int,
    size: int | None,
    seed: int,
    confidence: float,
    threads: int | None,
    segments: bool,
    output_form: str | None,
    target: Path | None,
    signature: str,
    save: Path | None,
    save_texts: bool,
    **inputs: Any,
) -> None:
    """Score system outputs against references.

    An OUTPUT is a file with one segment a line; the system is named after it. `-` is standard input.

    \b
    assay score --ref ref.de base.de new.de
    assay score --ref ref.de --sys base=out/1.de --sys new=out/2.de -m bleu -m chrf++ --format json
    """
    from assay.metrics import metric
    from assay.reports.run import RunDocument
    from assay.study.scoring import DEFAULT_METRICS, score

    if save_texts and save is None:
        raise click.UsageError("--save-texts goes with --save DIR")
    chosen = metrics or (() if imported else DEFAULT_METRICS)
    for spec in chosen:
        metric.create(spec)  # a slip is told before the files are read
    renderer = select_renderer(output_form, target)
    if save is not None:
        from assay.store import check_place, save_run  # not everybody needs to wait for it

        check_place(save)
    testset = read_inputs(**inputs)
    tables = turned((table for item in imported for table in read_scores(item, testset, inputs["data"])), lower)
    with shown_progress() as progress:
        run = score(
            testset,
            [*chosen, *tables],
            agg=agg,
            by=by or (),
            resamples=resamples,
            size=size,
            seed=seed,
            confidence=confidence,
            threads=threads,
            progress=progress,
        )
    for note in run.notes:
        say("note", note)
    if save is not None:
        save_run(run, save, texts=save_texts, command=shlex.join(["assay", *sys.argv[1:]]))
    write_document(RunDocument(run, segments, signature == "sacrebleu"), renderer, target)
