"""`assay score`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from assay.cli.help import Command
from assay.cli.inputs import input_options, read_public, read_scored_inputs
from assay.cli.marked_errors import check_spans_file, write_spans
from assay.cli.options import (
    ScoreFiles,
    command_option,
    explicit_options,
    list_option,
    runtime_options,
    score_file_options,
    verb_options,
)
from assay.cli.output import Output, input_paths, output_options
from assay.console import show_notes, terminal_runtime, write_stdout
from assay.options.option import DATA, OUTPUT
from assay.registry.plugin_files import file_of
from assay.study.score import score

__all__ = ["command"]

_SORTED = ("table", "md", "latex")
"""Forms with a table of systems; the others have them as they were given, for programs or pages to sort."""


@click.command("score", cls=Command, verb=score)
@input_options
@score_file_options(
    "Segment scores computed elsewhere, as one more metric; with --data, also the name of a stored metric."
)
@verb_options(score)
@list_option(
    "--echo",
    group=DATA,
    metavar="src|ref|NAME",
    help="Print the source, the references or one reference of the test set of -t, and stop; several make columns.",
)
@command_option("--segments", group=OUTPUT, is_flag=True, help="Also show the score of each segment.")
@command_option(
    "--sort",
    group=OUTPUT,
    metavar="METRIC|given",
    help="Order the systems in tables by this metric, or as they were given.  [default: each table by its own metric]",
)
@command_option(
    "--spans",
    group=OUTPUT,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Also write the errors that metrics marked in the text, such as xcomet.csv, for `assay meta --level span`; "
    "those of several metrics: FILE.jsonl.",
)
@output_options(is_run=True, has_texts=True)
@runtime_options
def command(
    inputs: dict[str, Any],
    metrics: tuple[str, ...],
    scores: ScoreFiles,
    echo: tuple[str, ...],
    segments: bool,
    sort: str | None,
    spans: Path | None,
    output: Output,
    runtime_settings: dict[str, Any],
    **options: Any,
) -> None:
    """An OUTPUT is a text file with one segment per line; its name without the suffix is the name of the system. `-` is
    standard input.

    \b
    Examples:
      assay score --ref ref.de base.de new.de
      assay score --ref ref.de --sys base=out/1.de --sys new=out/2.de -m bleu,chrf++ --format json
      assay score -t wmt23 -l en-de new.de
      assay score --data wmt22 --lp zh-en -m chrf --scores COMET-22
    """
    if echo:
        write_stdout(_echoed(echo, inputs))
        return
    explicit = explicit_options(options)
    _check_effect({**inputs, **explicit}, metrics, is_saved=output.save is not None)
    if sort and output.form not in _SORTED:
        message = f"--sort has no effect with --format {output.form}"
        raise click.UsageError(message, click.get_current_context())
    read = read_scored_inputs(inputs, metrics, scores)
    if spans is not None:
        force = click.get_current_context().params["force"]
        check_spans_file(spans, read.metrics.get("metrics", ()), input_paths(), force=force)
    with terminal_runtime(**runtime_settings) as runtime:
        run = score(read.testset, runtime=runtime, **read.metrics, **explicit)
    hint = "assay compare tests whether these differences are real" if len(run.systems) > 1 else ""
    if spans is not None:
        write_spans(run, spans)
    output.write(run, notes=read.notes, segments=segments, sort=sort, hint=hint)


def _echoed(wanted: tuple[str, ...], inputs: dict[str, Any]) -> str:
    """Texts of a public test set: a line for each segment, with a column for each text."""
    if not inputs["test_set"]:
        raise click.UsageError("--echo needs --test-set", click.get_current_context())
    if inputs["outputs"] or inputs["named_outputs"]:
        raise click.UsageError(
            "--echo only prints the test set: it takes no system output", click.get_current_context()
        )
    names = tuple(name for name in wanted if name not in ("src", "ref"))
    texts = read_public(**{**inputs, "references": (*inputs["references"], *names)})
    show_notes(texts.notes)
    shown = {"src": (texts.sources,), "ref": tuple(texts.references.values())}
    columns = [column for name in wanted for column in shown.get(name) or (texts.references[name],)]
    return "".join("\t".join(text or "" for text in row) + "\n" for row in zip(*columns, strict=True))


def _check_effect(given: dict[str, Any], metrics: tuple[str, ...], *, is_saved: bool) -> None:
    """Refuse options that would change nothing. A metric from a file may use documents and domains."""
    for labels in ("document", "domain"):
        used_by = ("document", "domain") if labels == "document" else ("domain",)  # documents may come with domains
        is_used = is_saved or not set(used_by).isdisjoint(given.get("by", ())) or any(map(file_of, metrics))
        if given[f"{labels}s"] and not is_used:
            message = f"--{labels}s has no effect without --by {labels} or --save DIR"
            raise click.UsageError(message, click.get_current_context())
    for name in ("seed", "confidence"):
        if name in given and given.get("resamples") == 0:
            raise click.UsageError(f"--{name} has no effect with --resamples 0", click.get_current_context())
