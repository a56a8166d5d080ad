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
    help="Exit with 5 if anything differs, or only if a number moved.",
)
@output_options
def command(first: Path, second: Path, fail_if: str | None, form: str | None, target: Path | None) -> None:
    """Say how two saved runs differ.

    In inputs, systems, segments and settings; and where the numbers moved.

    \b
    assay score --ref ref.de base.de --save monday
    assay score --ref ref.de base.de --save tuesday
    assay diff monday tuesday
    """
    from assay.reports.difference import DifferenceDocument
    from assay.store import open_run
    from assay.study import diff

    renderer = select_renderer(form, target)
    found = diff(open_run(first), open_run(second))
    write_document(DifferenceDocument(found, str(first), str(second)), renderer, target)
    if fail_if is not None and getattr(found, fail_if):
        raise ConditionMet(f"the runs are {fail_if}" if fail_if == "different" else "a number moved")
