"""`assay meta`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Annotated, Any

import click

from assay.cli.help import Command
from assay.cli.inputs import read_campaigns, read_scored_campaigns, scored_campaign_options
from assay.cli.options import (
    ScoreFiles,
    command_option,
    data_option,
    explicit_options,
    runtime_options,
    score_file_options,
    verb_options,
)
from assay.cli.output import Output, output_options
from assay.console import as_flag, terminal_runtime
from assay.errors import ConfigError
from assay.options.option import OUTPUT, STATISTICS, Option
from assay.study.meta import meta
from assay.study.meta_challenge import meta_challenge
from assay.study.meta_error_free import meta_error_free
from assay.study.meta_spans import meta_spans
from assay.study.metrics_task import metrics_task

if TYPE_CHECKING:
    from assay.results import Result

__all__ = ["command"]

_OF_LEVELS: dict[str, Callable[..., Any]] = {
    "span": meta_spans,
    "error-free": meta_error_free,
    "challenge": meta_challenge,
}
"""What computes a level that has a public function of its own."""
_LEVEL = Annotated[
    str,
    Option(
        "Compare the scores of systems or of segments, errors marked in the text (span), or how well scores find "
        "segments without errors (error-free), or which translation of a pair they prefer (challenge); short forms: "
        "sys, seg.",
        group=STATISTICS,
        choices=("system", "segment", *_OF_LEVELS),
        short_forms={"sys": "system", "seg": "segment"},
    ),
]


@click.command("meta", cls=Command, verb=meta)
@scored_campaign_options
@score_file_options("Metric scores computed elsewhere.")
@data_option("level", _LEVEL, "system")
@verb_options(meta, metrics_task, meta_spans, meta_error_free, meta_challenge)
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
      assay meta wmt25 --gold esa --level error-free
      assay meta aces.jsonl --level challenge -m bleu,chrf
    """
    given = explicit_options(options)
    if p_values and "sig" not in given:
        raise ConfigError("--p-values has no effect without --sig")
    verb = _verb_of(task, given)
    _check_effect(given, verb, task)
    with terminal_runtime(**runtime_settings) as runtime:
        if verb is meta_spans:
            if any(scores):
                hint = "give files of marked errors together with the data"
                raise ConfigError("--scores has no effect with --level span", hint=hint)
            campaigns, loaded = read_campaigns({**inputs, "annotations": None}, runtime), None
        else:
            campaigns, loaded = read_scored_campaigns(inputs, scores, runtime)
            given["external"] = loaded
        evaluation = verb(campaigns, **({} if task is None else {"task": task}), runtime=runtime, **given)
    shown: dict[str, Any] = {"p_values": True} if p_values else {}
    output.write(evaluation, notes=() if loaded is None else loaded.notes, **shown)


def _verb_of(task: str | None, given: dict[str, Any]) -> Callable[..., Result]:
    """What a task or a level is computed by; a level that has its own verb is no argument of it."""
    if task is not None:
        return metrics_task
    level = given.get("level", "")
    if level in _OF_LEVELS:
        del given["level"]
    return _OF_LEVELS.get(level, meta)


def _check_effect(given: Iterable[str], verb: Callable[..., Result], task: str | None) -> None:
    """Refuse options that only a task or a level has, and those that a task decides itself."""
    for name in given:
        if name in inspect.signature(verb).parameters:
            continue
        flag = as_flag(name, None)
        if task is not None:
            raise ConfigError(f"{flag} has no effect with --task", hint=f"the task '{task}' decides what is compared")
        if verb is not meta:
            level = next(level for level, each in _OF_LEVELS.items() if each is verb)
            raise ConfigError(f"{flag} has no effect with --level {level}")
        owners = [
            f"--level {level}" for level, each in _OF_LEVELS.items() if name in inspect.signature(each).parameters
        ]
        raise ConfigError(f"{flag} has no effect without {' or '.join(owners) or '--task'}")
