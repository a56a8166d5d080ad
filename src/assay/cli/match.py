"""`assay match`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from assay.cli.inputs import input_options, metric_option, read_inputs
from assay.cli.output import output_options, select_renderer, write_document
from assay.console import say, shown_progress

__all__ = ["command"]


@click.command("match")
@click.argument("published", metavar="SCORE")
@input_options
@metric_option("Options given here are not varied; repeat for several.  [bleu]")
@click.option(
    "--top", default=10, show_default=True, type=click.IntRange(min=0), help="Show so many candidates; 0: all."
)
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
    output_form: str | None,
    target: Path | None,
    **inputs: Any,
) -> None:
    """Find the settings that give a published score.

    "How did they get this BLEU?" SCORE is the number as it was printed; what rounds to it is ranked by how usual it is.
    Tried are the tokenisers that fit the script, case, smoothing, effective order, references and aggregation.

    \b
    assay match 27.3 --ref ref.de --sys new=new.de
    assay match 0.531 --ref ref.de new.de -m chrf
    """
    from assay.reports.match import MatchDocument
    from assay.study.matching import match

    renderer = select_renderer(output_form, target)
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
    for note in found.notes:
        say("note", note)
    write_document(MatchDocument(found), renderer, target)
