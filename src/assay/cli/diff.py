"""`assay diff`."""

from __future__ import annotations

from pathlib import Path

import click

from assay.cli.output import output_options, select_renderer, write_document
from assay.errors import ConditionMet

__all__ = ["command"]


@click.command("diff")
@click.argument("first", type=click.Path(path_type=Path))
@click.argument("second", type=click.Path(path_type=Path))
@click.option(
    "--fail-if",
    type=click.Choice(("different", "moved")),
    help="Exit with 5 if anything differs; or if a score moved or none could be compared.",
)
@output_options
def command(first: Path, second: Path, fail_if: str | None, output_form: str | None, target: Path | None) -> None:
    """Say how two saved runs differ.

    In inputs, systems, segments and settings; and where the numbers moved.

    \b
    assay score --ref ref.de base.de --save monday
    assay score --ref ref.de base.de --save tuesday
    assay diff monday tuesday
    """
    from assay.reports.difference import DifferenceDocument
    from assay.study.differing import diff

    renderer = select_renderer(output_form, target)
    found = diff(first, second)
    write_document(DifferenceDocument(found, str(first), str(second)), renderer, target)
    if fail_if == "different" and found.different:
        raise ConditionMet("the runs are different")
    if fail_if == "moved" and (found.moved or not found.scores):
        raise ConditionMet(found.summary)
