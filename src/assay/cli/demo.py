"""`assay demo FOLDER`."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from assay.cli.help import Command
from assay.console import write_stdout

__all__ = ["command"]


@click.command("demo", cls=Command)
@click.argument("folder", type=click.Path(path_type=Path))
def command(folder: Path) -> None:
    """Write a sample campaign, evaluate it and make a report.

    The sample is synthetic: two language pairs with 130 segments, two references, seven systems and simulated human
    judgements. The demo shows the commands that it runs: it scores the systems, asks whether the best one is more than
    chance ahead of the next, ranks them by the judgements, compares metrics with the judgements, and makes one HTML
    page of all results.

    \b
    Example:
      assay demo sample
    """
    from assay import sample
    from assay.cli import invoke

    sample.write(folder)
    for arguments in _commands(folder):
        write_stdout(f"$ {shlex.join(['assay', *arguments])}\n\n")
        invoke([*arguments, *(() if arguments[0] == "report" else ("--notes", "none"))])
        write_stdout("\n")
    click.echo(f"The report is in {folder / 'report.html'}: open it in a browser.", err=True)
    click.echo(f"The sample is in {folder}. It is synthetic; {folder / 'README.md'} describes its files.", err=True)


def _commands(folder: Path) -> list[list[str]]:
    """One command of each kind on the German half of the sample, and the report."""
    texts, judged = f"{folder}/en-de/texts.tsv", f"{folder}/en-de/human/mqm.tsv"
    saved = {name: f"{folder}/results/{name}" for name in ("score", "compare", "rank", "meta")}
    pair = ["--systems", "alder,cedar", "--baseline", "cedar", "--by", "domain"]
    return [
        ["score", "--data", texts, "--ref", "refA", "--save", saved["score"], "--save-texts"],
        ["compare", "--data", texts, "--ref", "refA", *pair, "--save", saved["compare"]],
        ["rank", texts, judged, "--save", saved["rank"]],
        ["meta", texts, judged, "-m", "bleu,chrf,ter", "--save", saved["meta"]],
        ["report", *saved.values(), "--title", "Synthetic sample", "-o", f"{folder}/report.html"],
    ]
