"""`assay rerank`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from assay.cli.help import Command
from assay.cli.options import (
    FILE,
    command_option,
    explicit_options,
    output_option,
    runtime_options,
    verb_options,
)
from assay.cli.output import Output, output_path, select_renderer
from assay.console import show_notes, terminal_runtime, write_stdout
from assay.files import check_replaceable
from assay.options.option import OUTPUT
from assay.study.rerank import rerank

__all__ = ["command"]

_FILES = ("pseudo_references", "sources")


@click.command("rerank", cls=Command, verb=rerank)
@click.argument("candidates", nargs=-1, metavar="[FILE]...", type=FILE)
@verb_options(rerank)
@output_option("Write the chosen texts to this file; beside it, FILE.rerank.json says which metric chose them.")
@command_option(
    "--report",
    group=OUTPUT,
    type=click.Path(),
    metavar="FILE",
    help="Also write what was chosen in each segment to this file, such as chosen.tsv or chosen.json.",
)
@runtime_options
def command(
    candidates: tuple[str, ...],
    output: str | None,
    report: str | None,
    runtime_settings: dict[str, Any],
    **options: Any,
) -> None:
    """One FILE has all candidates: an n-best list of Moses (`id ||| text ||| …`), JSON lines with a list of texts, a
    table (.tsv) with the columns segment and text, or the same number of lines for each segment (--per-segment). Of
    several, each has one candidate of every segment.

    \b
    Examples:
      assay rerank nbest.txt --per-segment 50 -m chrf -o chosen.de
      assay rerank nbest.moses -m comet:wmt22-comet-da --src src.en -o chosen.de
      assay rerank out/*.de -m cometkiwi:wmt22-cometkiwi-da --src src.en -o chosen.de
      assay rerank nbest.jsonl --scores qe=scores.txt > chosen.de
    """
    from assay.data.text_files import reading_once

    if not candidates:
        raise click.UsageError("no candidates were given; example: assay rerank nbest.txt --per-segment 50 -m chrf")
    given = explicit_options(options)
    read = [*candidates, *(given[name] for name in _FILES if name in given)]
    if read.count("-") > 1:
        raise click.UsageError("standard input (-) can be read only once")
    texts, path = output_path(output), output_path(report)
    renderer = select_renderer(None, path)
    for target in filter(None, (texts, path, Path(given["matrix"]) if "matrix" in given else None)):
        check_replaceable(target, inputs=read, force=True)  # `rerank` checks for other files
    if path is not None:
        check_replaceable(path, force=given.get("force", False), is_result=renderer.recognises)
    given |= {name: Path(given[name]) for name in _FILES if name in given}
    files = Path(candidates[0]) if len(candidates) == 1 else [Path(file) for file in candidates]
    with reading_once(), terminal_runtime(**runtime_settings) as runtime:
        result = rerank(files, output=texts, runtime=runtime, **given)
    show_notes(result.notes)
    if path is not None:
        Output(renderer, path, None, "none", None).write(result)
    if texts is None:
        write_stdout("".join(f"{text}\n" for text in result.texts))
    else:
        Output(select_renderer(None, None), None, None, "none", None).write(result)
