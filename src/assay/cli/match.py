"""`assay match`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from assay.cli.inputs import input_options, read_inputs
from assay.cli.output import output_options, select_renderer, write_document
from assay.cli.score import complete_metric
from assay.console import say, shown_progress

__all__ = ["command"]


@click.command("match")
@click.argument("published", metavar="SCORE")
@input_options
@click.option(
    "-m",
    "--metric",
    "metrics",
    multiple=True,
    metavar="SPEC",
    shell_complete=complete_metric,
    help="Options given here are not varied; repeat for several.  [bleu]",
)
@click.option("--top", default=10, show_default=True, help="Show so many candidates; 0: all.")
@click.option("--resamples", default=1000, show_default=True, help="Of the bootstrap aggregation; 0: leave it out.")
@click.option("--seed", default=12345, show_default=True, help="Seed of the resamples.")
@click.option("--threads", type=int, help="Threads; never changes an answer.  [default: all cores]")
@output_options
def command(
    published: str,
    metrics: tuple[str, ...],
    top: int,
    resamples: int,
    seed: int,
    threads: int | None,
    form: str | None,
    target: Path | None,
    **inputs: Any,
) -> None:
    """Find the settings that give a published score.

    "How did they get this BLEU?" SCORE is the number as it was printed; what rounds to it is ranked by how usual it is.
    Tries every tokeniser, case, smoothing, effective order, reference and aggregation.

    \b
    assay match 27.3 --ref ref.de --sys new=new.de
    assay match 0.531 --ref ref.de new.de -m chrf
    """
    from assay.reports.match import MatchDocument
    from assay.study import match

    renderer = select_renderer(form, target)
    testset = read_inputs(**inputs)
    with shown_progress() as progress:
        found = match(
            testset,
            published,
            metrics or "bleu",
            top=top or None,
            resamples=resamples,
            seed=seed,
            threads=threads,
            progress=progress,
        )
    for note in (*testset.notes, *found.notes):
        say("note", note)
    write_document(MatchDocument(found), renderer, target)
