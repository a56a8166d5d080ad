"""`assay meta`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import click

from assay.cli.help import Command
from assay.cli.inputs import read_campaigns, read_scored_campaigns, scored_campaign_options
from assay.cli.options import (
    ScoreFiles,
    command_option,
    explicit_options,
    runtime_options,
    score_file_options,
    verb_options,
)
from assay.cli.output import Output, output_options
from assay.console import as_flag, terminal_runtime
from assay.errors import ConfigError
from assay.options.option import OUTPUT
from assay.study.meta import SPAN, meta
from assay.study.meta_spans import meta_spans
from assay.study.metrics_task import metrics_task

if TYPE_CHECKING:
    from assay.results import Result

__all__ = ["command"]


@click.command("meta", cls=Command, verb=meta)
@scored_campaign_options
@score_file_options("Metric scores computed elsewhere.")
@verb_options(meta, metrics_task, meta_spans)
@command_option("--p-values", group=OUTPUT, is_flag=True, help="Also show the p-value of each pair of metrics.")
@output_options()
@runtime_options
def command(
    inputs: dict[str, Any],
    scores: ScoreFiles,
    p_values: bool,
    output: Output,
    runtime_settings: dict[str, Any],
    task: str | None,
    **options: Any,
) -> None:
    """DATA is the folder of a test set or its name in the data folder.

    \b
    Examples:
      assay meta wmt22 --lp zh-en --gold mqm --level segment -s acc-star --sig
      assay meta wmt22 --lp zh-en --gold mqm -m bleu,chrf,'COMET*' --agg corpus,segment
      assay meta wmt22 --lp zh-en --gold mqm --scores mine-refA=scores.seg.score
      assay meta wmt24 --task wmt24 -o table.tex
      assay meta wmt25 xcomet.csv --lp en-is_IS --level span
    """
    given = explicit_options(options)
    if p_values and "sig" not in given:
        raise ConfigError("--p-values has no effect without --sig")
    if task is None and given.get("level") == SPAN:
        _compare_spans(inputs, scores, given, output, runtime_settings, p_values=p_values)
        return
    _check_task(given, meta if task is None else metrics_task, task)
    with terminal_runtime(**runtime_settings) as runtime:
        campaigns, external = read_scored_campaigns(inputs, scores, runtime)
        if task is None:
            evaluation: Result = meta(campaigns, external=external, runtime=runtime, **given)
        else:
            evaluation = metrics_task(campaigns, task, external=external, runtime=runtime, **given)
    output.write(evaluation, notes=external.notes, p_values=p_values)


def _compare_spans(
    inputs: dict[str, Any],
    scores: ScoreFiles,
    given: dict[str, Any],
    output: Output,
    runtime_settings: dict[str, Any],
    *,
    p_values: bool,
) -> None:
    """Compare errors that were marked in the text, which files of scores do not have."""
    names = {name: value for name, value in given.items() if name != "level"}
    for name in (*names, *(["scores"] if any(scores) else [])):
        if name not in inspect.signature(meta_spans).parameters:
            hint = "give files of marked errors together with the data" if name == "scores" else None
            raise ConfigError(f"{as_flag(name, None)} has no effect with --level {SPAN}", hint=hint)
    with terminal_runtime(**runtime_settings) as runtime:
        campaigns = read_campaigns({**inputs, "annotations": None}, runtime)
        evaluation = meta_spans(campaigns, runtime=runtime, **names)
    output.write(evaluation, p_values=p_values)


def _check_task(given: Iterable[str], verb: Callable[..., Result], task: str | None) -> None:
    """Refuse options that only a task has, and those that a task decides itself."""
    for name in given:
        if name not in inspect.signature(verb).parameters:
            flag = as_flag(name, None)
            if task is None:
                raise ConfigError(f"{flag} has no effect without --task")
            raise ConfigError(f"{flag} has no effect with --task", hint=f"the task '{task}' decides what is compared")
