"""`assay align`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from assay.cli.help import Command
from assay.cli.inputs import files_by_name
from assay.cli.options import FILE, command_option, explicit_options, file_option, output_option, verb_options
from assay.cli.output import Output, output_path, select_renderer
from assay.console import show_notes, terminal_runtime, write_stdout
from assay.files import check_replaceable
from assay.options.option import DATA, OUTPUT
from assay.study.align import align

__all__ = ["command"]


@click.command("align", cls=Command, verb=align)
@click.argument("outputs", nargs=-1, required=True, metavar="OUTPUT...", type=FILE)
@file_option(
    "--ref", "--reference", "reference", group=DATA, required=True, help="The reference, one segment per line."
)
@verb_options(align)
@output_option("Write the texts to this folder, under the names of their files.", metavar="FOLDER")
@command_option(
    "--report",
    group=OUTPUT,
    type=click.Path(),
    metavar="FILE",
    help="Also write words, edits and doubts of each segment to this file, such as align.tsv or align.json.",
)
def command(outputs: tuple[str, ...], reference: str, output: str | None, report: str | None, **options: Any) -> None:
    """An OUTPUT is a text file with any line breaks. With -o, its lines are written to FOLDER, and a table shows how
    well each output fits; without, those of a single output are written to standard output.

    \b
    Examples:
      assay align --ref ref.de base.de > aligned.de
      assay align --ref ref.de base.de new.de -o aligned --report align.tsv
      assay score --ref ref.de aligned/*.de
    """
    from assay.data.text_files import reading_once

    if output is None and len(outputs) > 1:
        raise click.UsageError("several outputs need --output: a folder for the texts")
    if reference == "-" and "-" in outputs:
        raise click.UsageError("standard input (-) can be read only once")
    named = files_by_name("output", outputs)
    targets = {} if output is None else {name: Path(output) / _name(name, file) for name, file in named.items()}
    path = output_path(report)
    renderer = select_renderer(None, path)
    for target in (*targets.values(), *filter(None, (path,))):
        check_replaceable(target, inputs=(reference, *named.values()), force=True)  # `align` checks for other files
    given = explicit_options(options)
    if path is not None:
        check_replaceable(path, force=given.get("force", False), is_result=renderer.recognises)
    columns = {name: Path(file) for name, file in named.items()}
    with reading_once(), terminal_runtime() as runtime:
        result = align(outputs=columns, reference=Path(reference), output=targets or None, runtime=runtime, **given)
    show_notes(result.notes)
    if path is not None:
        Output(renderer, path, None, "none", None).write(result)
    if output is None:
        write_stdout("".join(f"{line}\n" for line in result.outputs[0].lines))
    else:
        Output(select_renderer(None, None), None, None, "none", None).write(result)


def _name(name: str, file: str) -> str:
    """The name of the file to write: that of the file that was read, or NAME of NAME=FILE."""
    from assay.data.tables.names import stem_of

    path = Path(file.removesuffix(".gz"))
    return path.name if path.name.startswith(name) and stem_of(file) != "stdin" else f"{name}{path.suffix or '.txt'}"
