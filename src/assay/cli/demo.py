"""`assay demo FOLDER`."""

from __future__ import annotations

from pathlib import Path

import click

from assay.cli.help import Command
from assay.console import write_stdout

__all__ = ["command"]


@click.command("demo", cls=Command)
@click.argument("folder", type=click.Path(path_type=Path))
def command(folder: Path) -> None:
    """Write the sample campaign to FOLDER and score it.

    The sample is synthetic: two language pairs with 130 segments, two references, seven systems and simulated human
    judgements.

    \b
    Example:
      assay demo sample
    """
    from assay import sample
    from assay.reports import document
    from assay.reports.table import Table
    from assay.study.load import load
    from assay.study.score import score

    for pair in sample.write(folder):
        target = pair.name.partition("-")[2]
        references = {name: pair / f"{name}.{target}" for name in ("refA", "refB")}
        options = " ".join(f"--ref {path}" for path in references.values())
        write_stdout(f"$ assay score --lp {pair.name} {options} {pair}/systems/*\n\n")
        testset = load(
            outputs={path.stem: path for path in sorted((pair / "systems").iterdir())},
            references=references,
            lp=pair.name,
        )
        write_stdout(Table().render(document(score(testset))) + "\n")
    click.echo(f"The sample is in {folder}. It is synthetic; {folder / 'README.md'} describes its files.", err=True)
