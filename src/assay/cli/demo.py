"""`assay demo DIR`."""

from __future__ import annotations

from pathlib import Path

import click

from assay.console import show

__all__ = ["command"]


@click.command("demo")
@click.argument("folder", type=click.Path(path_type=Path))
def command(folder: Path) -> None:
    """Write the bundled sample campaign to FOLDER and score it.

    The sample is synthetic: two language pairs with 130 segments, two references, seven systems and simulated human
    judgements.
    """
    from assay import sample
    from assay.reports.run import RunDocument
    from assay.reports.table import Table
    from assay.study.loading import load
    from assay.study.scoring import score

    for pair in sample.write(folder):
        target = pair.name.partition("-")[2]
        references = {name: pair / f"{name}.{target}" for name in ("refA", "refB")}
        options = " ".join(f"--ref {path}" for path in references.values())
        show(f"$ assay score --lp {pair.name} {options} {pair}/systems/*\n\n")
        testset = load(
            outputs={path.stem: path for path in sorted((pair / "systems").iterdir())},
            references=references,
            lp=pair.name,
        )
        show(Table().render(RunDocument(score(testset))) + "\n")
    click.echo(f"The sample is in {folder}; {folder / 'README.md'} says what is what. It is synthetic.", err=True)
