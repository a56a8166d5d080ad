"""`assay annotate`."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.help import Command
from assay.cli.inputs import read_texts
from assay.cli.options import FILE, data_option, explicit_options, file_option, output_option, split_name, verb_options
from assay.console import show_notes, terminal_runtime, write_stdout
from assay.options.shared import Columns, InputFormat, LanguagePair
from assay.study.annotate import annotate

if TYPE_CHECKING:
    from assay.types import TestSet

__all__ = ["command"]


@click.command("annotate", cls=Command, verb=annotate)
@click.argument("files", nargs=-1, metavar="[FILE]...", type=FILE)
@file_option(
    "--data",
    multiple=True,
    metavar="DATA",
    help="Annotate the outputs and references of a test set, given as a folder, a file or a name.",
)
@data_option("lp", LanguagePair)
@data_option("input_format", InputFormat)
@data_option("columns", Columns)
@verb_options(annotate)
@output_option("Write to this folder.  [default: beside the texts]", metavar="FOLDER")
def command(
    files: tuple[str, ...],
    data: tuple[str, ...],
    output: str | None,
    lp: str | None,
    input_format: str | None,
    columns: str | None,
    **options: Any,
) -> None:
    """A FILE is a text file with one segment per line, of a system or a reference. The annotation of `base.de` is
    written to `base.de.conllu`, in CoNLL-U, where metrics that need it find it. With --data, it is written to the
    folder of --output, which other commands take as --annotations.

    \b
    Examples:
      assay annotate base.de new.de ref.de --language de
      assay score --ref ref.de base.de new.de -m sempos-upos
      assay annotate --data wmt22 --lp zh-en -o parses
    """
    from assay.files import check_replaceable
    from assay.types.note import plural

    if bool(files) == bool(data):
        raise click.UsageError(f"give text files, or a test set with --data{', not both' if data else ''}")
    settings = {"lp": lp, "input_format": input_format, "columns": columns}
    testset, targets = _read_data(data, output, **settings) if data else _read_files(files, output, **settings)
    texts = [split_name(file)[1] for file in files if file != "-"]
    for target in targets.values():
        check_replaceable(Path(target), inputs=texts, force=True)  # what else is there, `annotate` knows
    with terminal_runtime() as runtime:
        annotated = annotate(testset, output=targets, runtime=runtime, **explicit_options(options))
    show_notes(annotated.notes)
    for name, target in targets.items():
        tokens = annotated.annotations["tokens"][name]
        segments = [text.split() for text in tokens if text is not None]
        sizes = f"{plural(len(segments), 'segment')}, {plural(sum(map(len, segments)), 'word')}"
        write_stdout(f"{target}: {sizes}, {annotated.annotators['tokens']}\n")


def _read_data(data: tuple[str, ...], output: str | None, **settings: Any) -> tuple[TestSet, dict[str, str]]:
    """The texts of a test set, and the file for the annotation of each column."""
    from assay.study.load_campaign import load_campaign

    if output is None:
        raise click.UsageError("--data needs --output: a folder for the annotations")
    campaign = load_campaign(*data, **settings)
    testset = campaign.select_texts()
    if campaign.testset is not None:
        testset = replace(testset, notes=campaign.testset.notes)  # those on the selection are about scoring
    folder = Path(output) / campaign.lp
    return testset, {name: f"{folder / name}.conllu" for name in (*testset.references, *testset.outputs)}


def _read_files(files: tuple[str, ...], output: str | None, **options: str | None) -> tuple[TestSet, dict[str, str]]:
    """The texts of files, and the file for the annotation of each."""
    for name, value in options.items():
        if value is not None:
            raise click.UsageError(f"--{name.replace('_', '-')} needs --data")
    if annotated := [file for file in files if file.endswith((".conllu", ".conllu.gz"))]:
        raise click.UsageError(f"{annotated[0]} is an annotation: give text files, with one segment per line")
    if "-" in files and output is None:
        raise click.UsageError("standard input needs --output: a folder for the annotation")
    _check_given_once(files)
    testset, texts = read_texts(files, need_names=output is not None)
    return testset, {name: f"{Path(output) / name if output else file}.conllu" for name, file in texts.items()}


def _check_given_once(files: tuple[str, ...]) -> None:
    places: dict[str, str] = {}
    for item in files:
        file = split_name(item)[1]
        place = file if file == "-" else os.path.realpath(file)
        if place in places:
            raise click.UsageError(
                "standard input (-) can be read only once" if file == "-" else f"{file} was given twice"
            )
        places[place] = file
