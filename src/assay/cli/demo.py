"""`assay demo DIR`."""

from __future__ import annotations

from pathlib import Path

import click

__all__ = ["command"]


@click.command("demo")
@click.argument("folder", type=click.Path(path_type=Path))
def command(folder: Path) -> None:
    """Write the bundled sample campaign to FOLDER and score it.

    The sample is synthetic: two language pairs with 130 segments, two references, seven systems and simulated human
    judgements.
    """
    from assay import sample
    from assay.reports import renderer
    from assay.study import load, score

    for pair in sample.write(folder):
        target = pair.name.partition("-")[2]
        references = {name: pair / f"{name}.{target}" for name in ("refA", "refB")}
        options = " ".join(f"--ref {path}" for path in references.values())
        click.echo(f"$ assay score --lp {pair.name} {options} {pair}/systems/*\n")
        testset = load(
            outputs={path.stem: path for path in sorted((pair / "systems").iterdir())},
            references=references,
            lp=pair.name,
        )
        click.echo(renderer.create("table").render(score(testset)))
    click.echo(f"The sample is in {folder}; {folder / 'README.md'} says what is what. It is synthetic.", err=True)
