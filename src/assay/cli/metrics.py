"""`assay metrics list` and `assay metrics show NAME`."""

from __future__ import annotations

import dataclasses
import inspect

import click

from assay.cli.inputs import complete_metric
from assay.console import show

__all__ = ["command"]


@click.group("metrics")
def command() -> None:
    """List the metrics, or show one."""


@command.command("list")
def list_metrics() -> None:
    """All metrics by name."""
    from assay.metrics import metric

    names = metric.names()
    width = max(map(len, names))
    for name in names:
        show(f"{name:<{width}}  {_meaning(name)}\n")


@command.command("show")
@click.argument("name", shell_complete=complete_metric)
def show_metric(name: str) -> None:
    """What a metric computes, and its options."""
    from assay.metrics import metric
    from assay.registry import option_text

    cls, preset = metric.type_of(name.partition(":")[0])
    made = metric.create(name)
    if preset:
        show(f"{_meaning(name.partition(':')[0])}\n\n")
    show(f"{inspect.getdoc(cls)}\n")
    direction = "higher" if made.higher_is_better else "lower"
    needs = ", ".join(sorted(made.needs))
    show(f"\nneeds {needs}; {direction} is better; reported as {cls.default_aggregation} score\n")
    show("\noptions and their defaults:\n")
    for field in dataclasses.fields(cls):  # type: ignore[arg-type]
        show(f"  {field.name}={option_text(preset.get(field.name, field.default))}\n")


def _meaning(name: str) -> str:
    """The first line of what it says; of another name for some options, these, and the direction if they turn it."""
    from assay.metrics import metric
    from assay.registry import option_text

    cls, preset = metric.type_of(name)
    if name == cls.name:
        return str(inspect.getdoc(cls)).partition("\n")[0]
    options = ",".join(f"{key}={option_text(value)}" for key, value in preset.items())
    is_turned = metric.create(name).higher_is_better != cls().higher_is_better
    turned = f"; {'higher' if not cls().higher_is_better else 'lower'} is better" if is_turned else ""
    return f"= {cls.name}{':' if options else ''}{options}{turned}"
